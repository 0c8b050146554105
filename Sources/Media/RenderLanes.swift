import Platform
import RowhouseModel

/// The worker processes: as many as are allowed, started when they are needed, one job each at a time.
final class RenderLanes: Sendable {
    /// How long it is believed that there are no decoders.
    private static let unavailableTime = Duration.seconds(60)

    private struct State {
        var idle: [RenderWorker] = []
        var unavailable: (reason: String, end: ContinuousClock.Instant)?
    }

    private let options: ImageRenderings.Options
    private let turns: RenderTurns
    private let state = Guarded(State())

    init(_ options: ImageRenderings.Options) {
        self.options = options
        turns = RenderTurns(lanes: max(1, min(2, options.workers)))
    }

    var idleWorkers: [Int32] { state.withLock { $0.idle.map(\.id) } }

    /// Has a job done by whichever process is free, when it is the turn of its base.
    ///
    /// - Throws: `RenderFailure`, or 503 when its turn did not come in time.
    func perform(
        _ job: RenderJob, _ files: [OpenFile], _ effort: RenderEffort, for base: BaseID,
        until deadline: ContinuousClock.Instant
    ) throws -> RenderingFormat {
        let rest = deadline - ContinuousClock.now
        guard turns.enter(base, isHeavy: effort.isHeavy, milliseconds: Int(max(0, rest / .milliseconds(1)))) else {
            throw APIError.retriable
        }
        let began = ContinuousClock.now
        defer { turns.leave(base, isHeavy: effort.isHeavy, after: ContinuousClock.now - began) }
        do { return try perform(job, files, by: try worker()) } catch RenderFailure.gone {
            // It ended in the moment that it was asked: it had waited long enough, or somebody ended it.
            return try perform(job, files, by: try start())
        }
    }

    private func perform(
        _ job: RenderJob, _ files: [OpenFile], by worker: RenderWorker
    ) throws(RenderFailure) -> RenderingFormat {
        defer {
            if worker.isAlive { state.withLock { $0.idle.append(worker) } }
        }
        return try worker.perform(job, files, within: options.timePerFile)
    }

    private func worker() throws(RenderFailure) -> RenderWorker {
        while let worker = state.withLock({ $0.idle.popLast() }) {
            if worker.isAlive { return worker }
        }
        return try start()
    }

    private func start() throws(RenderFailure) -> RenderWorker {
        if let unavailable = state.withLock({ $0.unavailable }), ContinuousClock.now < unavailable.end {
            throw .unavailable(unavailable.reason)
        }
        do { return try RenderWorker(program: options.program, idleSeconds: options.idleSeconds) } catch {
            if case .unavailable(let reason) = error {
                state.withLock { $0.unavailable = (reason, ContinuousClock.now + Self.unavailableTime) }
            }
            throw error
        }
    }
}
