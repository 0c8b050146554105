/// What a command line asks for.
enum Invocation {
    /// Text for standard output, and nothing else.
    case tell(String)
    case run(CommandForm, ParsedArguments)
}

/// The options and operands of one command line, not yet interpreted.
struct ParsedArguments: Sendable, Equatable {
    /// By option name; a switch holds `true` unless it was given a value.
    var options: [String: [String]] = [:]
    var operands: [String] = []
}
