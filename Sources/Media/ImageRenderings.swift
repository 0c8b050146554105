import Platform
package import RowhouseModel

/// Looks into image files itself, and has them rendered by a process of its own that may die of them.
///
/// The process starts with the first rendering and ends when nothing is to be done for a while.
package final class ImageRenderings: ImageOperations {
    /// Bounds of what rendering may take.
    package struct Options: Sendable {
        /// The program whose command `image-worker` decodes.
        package var program = "/proc/self/exe"
        /// Processes at a time; 1 or 2. The second takes light jobs only.
        package var workers = 1
        /// Callers who may block at a time; more are answered 503.
        package var callerLimit = 16
        /// How long a caller waits for its turn.
        package var patience = Duration.seconds(20)
        /// How long one file may take.
        package var timePerFile = Duration.seconds(30)
        /// How long a file that went wrong is left alone; four times as long each further time.
        package var firstRefusal = Duration.seconds(60)
        /// After how many seconds without work a process ends.
        package var idleSeconds = 120
        package var log: @Sendable (String) -> Void = { _ in }

        package init() {}
    }

    private let options: Options
    private let derived: DerivedFolder
    private let desk: RenderDesk
    private let lanes: RenderLanes

    /// - Parameter folder: the data folder; renderings are kept in `files/derived` in it.
    package init(folder: String, options: Options = Options()) {
        self.options = options
        derived = DerivedFolder(of: folder)
        desk = RenderDesk(callerLimit: options.callerLimit, firstRefusal: options.firstRefusal)
        lanes = RenderLanes(options)
    }

    package func inspect(path: String) -> (type: String, dimensions: ImageDimensions)? {
        guard let file = try? OpenFile(path), let head = ImageHead(file: file), !head.isTooLarge else { return nil }
        return (head.format.rawValue, head.dimensions)
    }

    package func rendering(
        of hash: FileHash, path: String, size: ThumbnailSize, for base: BaseID
    ) throws(APIError) -> (path: String, type: String) {
        if let found = derived.find(hash, size) { return found }
        try desk.enter(base)
        defer { desk.leave(base) }
        let deadline = ContinuousClock.now + options.patience
        while ContinuousClock.now < deadline {
            if let found = derived.find(hash, size) { return found }
            switch try desk.turn(hash) {
            case .work: try make(hash, path, size, for: base, until: deadline)
            case .wait(let semaphore): _ = semaphore.wait(milliseconds: (deadline - .now).milliseconds)
            }
        }
        // What took longer than anybody would wait for it may be there all the same.
        guard let found = derived.find(hash, size) else { throw .retriable }
        return found
    }

    /// Throws the renderings of a file away, as when the file goes.
    package func forget(_ hash: FileHash) {
        derived.remove(hash)
        desk.forgive(hash)
    }

    /// The numbers of the processes that wait for work.
    package var idleWorkers: [Int32] { lanes.idleWorkers }

    private func make(
        _ hash: FileHash, _ path: String, _ size: ThumbnailSize, for base: BaseID,
        until deadline: ContinuousClock.Instant
    ) throws(APIError) {
        defer { desk.finish(hash) }
        // Whoever had the turn before may have made it.
        guard derived.find(hash, size) == nil else { return }
        guard let input = try? OpenFile(path), let head = ImageHead(file: input), !head.isTooLarge else {
            throw .imageNotRenderable
        }
        let sizes = head.sizes(with: size).filter { derived.find(hash, $0) == nil }
        do {
            try derived.prepare()
            // The worker writes to no disk: what goes wrong there is not the fault of the file.
            let outputs = try sizes.map { _ in try OpenFile(inMemory: "rendering") }
            let job = RenderJob(sizes.map(head.dimensions.of))
            let effort = RenderEffort(head, bytes: input.size)
            let format = try lanes.perform(job, [input] + outputs, effort, for: base, until: deadline)
            desk.forgive(hash)
            for (made, output) in zip(sizes, outputs) where made == size {
                try derived.keep(output, of: hash, made, format)
            }
            for (made, output) in zip(sizes, outputs) where made != size {
                try? derived.keep(output, of: hash, made, format)
            }
        } catch {
            throw refusal(of: hash, after: error)
        }
    }

    private func refusal(of hash: FileHash, after error: any Error) -> APIError {
        switch error {
        case let error as APIError: return error
        case RenderFailure.refused(let reason), RenderFailure.died(let reason):
            desk.refuse(hash)
            options.log("the file \(hash) was not rendered: \(reason)")
            return .imageNotRenderable
        case RenderFailure.unavailable(let reason):
            options.log("no image can be rendered: \(reason)")
            return .imageNotRenderable
        case let error as SystemCallError where error.isFull: return .storageFull
        default:
            options.log("the file \(hash) was not rendered now: \(error)")
            return .retriable
        }
    }
}

extension ImageHead {
    /// What is rendered when one size is asked for, the largest first.
    ///
    /// Lists show the smaller two together. The full one costs more than both, unless decoding costs most.
    fileprivate func sizes(with size: ThumbnailSize) -> [ThumbnailSize] {
        size == .full || format.isSlow ? [.full, .large, .small] : [.large, .small]
    }
}

extension Duration {
    /// At least 0.
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        return max(0, Int(clamping: seconds) * 1000 + Int(clamping: attoseconds / 1_000_000_000_000_000))
    }
}
