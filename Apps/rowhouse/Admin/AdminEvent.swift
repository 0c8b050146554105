import RowhouseJSON

/// What a command tells while it is at work.
enum AdminEvent: Sendable, Equatable {
    /// The next part of a text that the command gives out.
    case text(String)
    /// How much of something is done.
    case progress(done: Int, of: Int, what: String)
}

/// Gets what a command tells; throws when nobody takes it any more.
typealias AdminListener = @Sendable (AdminEvent) throws(CommandError) -> Void

extension AdminEvent {
    /// The event as one JSON object.
    var json: JSONObject {
        switch self {
        case .text(let text): ["text": .string(text)]
        case .progress(let done, let total, let what):
            ["done": .number(Double(done)), "of": .number(Double(total)), "what": .string(what)]
        }
    }

    /// Reads what `json` made; nil for anything else.
    init?(_ object: JSONObject) {
        if let text = object["text"]?.stringValue {
            self = .text(text)
        } else if let done = object["done"]?.numberValue.flatMap({ Int(exactly: $0) }),
            let total = object["of"]?.numberValue.flatMap({ Int(exactly: $0) }), let what = object["what"]?.stringValue
        {
            self = .progress(done: done, of: total, what: what)
        } else {
            return nil
        }
    }
}
