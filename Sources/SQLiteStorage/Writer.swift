import CivilTime
import Platform
import RowhouseModel
import Storage

/// Runs groups of jobs in the writer's transaction: each job whole or not at all, each group durable before its callers know.
final class Writer: @unchecked Sendable {
    // Used by one thread at a time: by whoever has the turn of the `CommitQueue`.
    private let transaction: WriteTransaction
    private let clock: @Sendable () -> Instant
    private let publish: @Sendable (StoreState) -> Void
    private var connection: Connection { transaction.connection }

    init(
        _ transaction: WriteTransaction, clock: @escaping @Sendable () -> Instant,
        publish: @escaping @Sendable (StoreState) -> Void
    ) {
        self.transaction = transaction
        self.clock = clock
        self.publish = publish
    }

    /// Does the jobs together, or one by one when one of them broke the transaction of all.
    func perform(_ group: [CommitQueue.Job]) {
        if !attempt(group), group.count > 1 {
            for job in group where !attempt([job]) {}
        }
    }

    /// Whether the group is done: committed, or each job has its own error. Otherwise nothing was written.
    private func attempt(_ group: [CommitQueue.Job]) -> Bool {
        let before = transaction.state
        for job in group { job.error = nil }
        do throws(APIError) {
            try connection.run(.beginWrite)
            for job in group { try run(job, isAlone: group.count == 1) }
            if group.count == 1, group[0].error != nil { return undo(before) }
            try transaction.saveCounts()
            try connection.run(.commit)
        } catch {
            for job in group { job.error = error }
            _ = undo(before)
            return false
        }
        finish(before)
        return true
    }

    /// Runs one job; what it throws is its own, unless it took the whole transaction with it.
    private func run(_ job: CommitQueue.Job, isAlone: Bool) throws(APIError) {
        transaction.time = clock().milliseconds
        let mark = transaction.mark()
        if !isAlone { try connection.run(.savepoint) }
        do throws(APIError) {
            try job.body(transaction)
            if connection.isIdle { throw connection.lastError ?? .internalError }
            if !isAlone { try connection.run(.release) }
        } catch {
            if connection.isIdle { throw error }
            job.error = error
            transaction.restore(mark)
            guard !isAlone else { return }
            try connection.run(.rollbackToSavepoint)
            try connection.run(.release)
        }
    }

    private func finish(_ before: StoreState) {
        transaction.publishCounts()
        for index in transaction.addedIndexes { transaction.indexes.add(index) }
        for index in transaction.droppedIndexes { transaction.indexes.remove(index) }
        for action in transaction.afterCommit { action() }
        for (index, record) in transaction.indexed { index.noteWritten(record) }
        for (column, record) in transaction.retyped { column.noteWritten(record) }
        transaction.clearGroup()
        if transaction.state.schema !== before.schema || transaction.state.users !== before.users {
            publish(transaction.state)
        }
    }

    private func undo(_ before: StoreState) -> Bool {
        if !connection.isIdle { try? connection.run(.rollback) }
        transaction.forget(before)
        return true
    }

    func close() {
        transaction.indexPlans = [:]
        transaction.connection.close()
    }
}
