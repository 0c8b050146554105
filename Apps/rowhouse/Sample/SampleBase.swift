import Transfer

/// The base that `serve --sample` makes in a fresh folder: an invented tea shop, a diary and notes.
enum SampleBase {
    static func file() throws(CommandError) -> BaseFile {
        do { return try BaseFile.read(PackageResources.sample_json, path: "sample.json") } catch {
            throw .transfer(error)
        }
    }
}
