import Glibc
import Media
import Platform

@main
struct Main {
    /// On the main thread from the first line: signals must be blocked before any other thread is made.
    @MainActor
    static func main() async {
        do throws(CommandError) {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            StandardStream.error.line("rowhouse: \(error.message)")
            exit(error.code.rawValue)
        }
    }

    private static func run(_ arguments: [String]) async throws(CommandError) {
        switch try ArgumentParser.parse(arguments) {
        case .tell(let text): StandardStream.output.line(text)
        case .run(let form, let parsed) where form.name == CommandForm.imageWorker.name:
            // Nothing of the server's settings is its concern.
            let seconds = parsed.options["idle-seconds"]?.first.flatMap(Int.init) ?? 120
            exit(ImageWorker.run(idleSeconds: max(1, min(seconds, 86_400))))
        case .run(let form, let parsed): try await run(form, try Settings(form, parsed))
        }
    }

    private static func run(_ form: CommandForm, _ settings: Settings) async throws(CommandError) {
        if form.name == CommandForm.serve.name {
            Signals.prepare()
            return try await ServeCommand.run(try ServeSettings(settings))
        }
        let folder = try settings.required("data")
        if form.name == CommandForm.restore.name {
            return try RestoreCommand.run(settings.operands.first ?? "", to: folder)
        }
        let isFile = form.name == CommandForm.exportBase.name
        let output = try CommandOutput(path: isFile ? settings.value("to")?.text : nil)
        let command = try AdminCommand(form, settings)
        defer { output.progress.clear() }
        switch try await FolderCommand.perform(
            command, in: folder, tell: { (event) throws(CommandError) in try output.take(event) })
        {
        case .done(let lines): try output.finish(lines)
        case .failed(let error): throw error
        }
    }
}
