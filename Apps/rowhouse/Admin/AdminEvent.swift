import RowhouseJSON

/// What a command tells while it is at work.
enum AdminEvent: Sendable, Equatable {
    /// The next part of a text that the command gives out.
    case text(String)
    /// How much of something is done.
    case progress(done: Int, of: Int, what: String, unit: Unit)

    /// What is counted.
    enum Unit: String, Sendable {
        case bytes, records
    }
}

/// Gets what a command tells; throws when nobody takes it any more.
typealias AdminListener = @Sendable (AdminEvent) throws(CommandError) -> Void

extension AdminEvent {
    /// The event as one JSON object.
    var json: JSONObject {
        switch self {
        case .text(let text): ["text": .string(text)]
        case .progress(let done, let total, let what, let unit):
            [
                "done": .number(Double(done)), "of": .number(Double(total)), "what": .string(what),
                "unit": .string(unit.rawValue),
            ]
        }
    }

    /// Reads what `json` made; nil for anything else.
    init?(_ object: JSONObject) {
        if let text = object["text"]?.stringValue {
            self = .text(text)
        } else if let done = object["done"]?.numberValue.flatMap({ Int(exactly: $0) }),
            let total = object["of"]?.numberValue.flatMap({ Int(exactly: $0) }), let what = object["what"]?.stringValue,
            let unit = object["unit"]?.stringValue.flatMap(Unit.init(rawValue:))
        {
            self = .progress(done: done, of: total, what: what, unit: unit)
        } else {
            return nil
        }
    }
}
