import RowhouseJSON

/// What came of a command.
enum AdminAnswer: Sendable, Equatable {
    /// The lines for standard output.
    case done([String])
    case failed(CommandError)
}

extension AdminAnswer {
    /// The answer as one JSON object.
    var json: JSONObject {
        switch self {
        case .done(let lines): ["lines": .array(lines.map { .string($0) })]
        case .failed(let error): ["error": .string(error.message), "code": .number(Double(error.code.rawValue))]
        }
    }

    /// Reads what `json` made; nil for anything else.
    init?(_ object: JSONObject) {
        if let lines = object["lines"]?.arrayValue {
            self = .done(lines.compactMap(\.stringValue))
        } else if let message = object["error"]?.stringValue {
            let code = object["code"]?.numberValue.flatMap { Int32(exactly: $0) }.flatMap(ExitCode.init(rawValue:))
            self = .failed(CommandError(code ?? .failure, message))
        } else {
            return nil
        }
    }
}
