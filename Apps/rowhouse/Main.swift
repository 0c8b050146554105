import Platform

@main
struct Main {
    static func main() {
        do {
            let invocation = try ArgumentParser.parse(Array(CommandLine.arguments.dropFirst()))
            guard case .tell(let text) = invocation else { return }
            StandardStream.output.line(text)
        } catch {
            StandardStream.error.line("rowhouse: \(error.message)")
        }
    }
}
