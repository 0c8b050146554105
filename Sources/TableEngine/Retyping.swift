import Platform
import RowhouseModel
import RowhouseWire
import Storage

/// A field on its way to another type: the old cells stay in use while those of the new type are made by many short
/// writes, then one write puts type and cells in place together.
///
/// Whatever ends it before that leaves the field as it was. If the field (its options, say) or the people change
/// meanwhile, what was converted may be wrong: it begins anew.
struct Retyping: Sendable {
    let engine: Engine
    let request: UpdateFieldRequest
    let caller: Caller
    let idempotency: Idempotency?

    /// How many records one write converts, and how many the last one may still find unconverted.
    private static let portion = 500
    private static let lastPortion = 5_000
    private static let attempts = 5
    /// How long, in milliseconds, to wait for another change of the field's type, looking again after pauses that grow.
    private static let longestWait = 10_000
    private static let pauses = 2...250
    /// So many threads wait at once: the rest of them serve others.
    private static let mostWaiting = 8

    /// What was found at the beginning, and the cells on their way.
    private final class Job: Sendable {
        let source: Field
        let users: UserDirectory
        let place: FieldRetyping
        let conversion: Guarded<CellConversion>

        init(source: Field, users: UserDirectory, place: FieldRetyping, conversion: sending CellConversion) {
            self.source = source
            self.users = users
            self.place = place
            self.conversion = Guarded(conversion)
        }

        func convert(_ cell: StoredCell) -> StoredCell { conversion.withLock { $0.convert(cell).cell } }

        /// Whether what was converted is still right.
        func isValid(for field: Field, _ users: UserDirectory) -> Bool {
            field.type == source.type && field.options == source.options && users === self.users
        }
    }
    private enum Begun: Sendable {
        case answered([UInt8])
        case job(Job)
    }
    private enum Step: Sendable { case more, done, stale }
    private enum Last: Sendable {
        case done(Field)
        case more, stale
    }

    func perform() throws(APIError) -> Written<Field> {
        for _ in 0..<Self.attempts {
            switch try beginInTurn() {
            case .answered(let body): return .before(body)
            case .job(let job):
                do throws(APIError) {
                    if let field = try run(job) { return .now(field) }
                    try abandon(job)
                } catch {
                    try? abandon(job)
                    throw error
                }
            }
        }
        throw .retriable
    }

    /// Begins; where another change of the field's type is under way, after its end. Nothing is held meanwhile.
    private func beginInTurn() throws(APIError) -> Begun {
        if let begun = try beginIfFree() { return begun }
        let mayWait = engine.waitingRetypings.withLock { count in
            if count < Self.mostWaiting { count += 1 } else { return false }
            return true
        }
        guard mayWait else { throw .retriable }
        defer { engine.waitingRetypings.withLock { $0 -= 1 } }
        let start = SystemClock.monotonicNanoseconds()
        var pause = Self.pauses.lowerBound
        while (SystemClock.monotonicNanoseconds() &- start) / 1_000_000 < Self.longestWait {
            SystemClock.pause(milliseconds: pause)
            if let begun = try beginIfFree() { return begun }
            pause = min(2 * pause, Self.pauses.upperBound)
        }
        throw .retriable
    }

    private func beginIfFree() throws(APIError) -> Begun? {
        do throws(APIError) {
            return try begin()
        } catch {
            guard error == .retriable else { throw error }
            return nil
        }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteSession) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        try engine.storage.write { [engine, caller] (writer) throws(APIError) in
            try body(engine.session(writer, as: caller))
        }
    }

    private func begin() throws(APIError) -> Begun {
        let (request, idempotency, zones) = (request, idempotency, engine.zones)
        return try write { (session) throws(APIError) in
            if let body = try session.earlierAnswer(idempotency) { return .answered(body) }
            let (table, index) = try session.field(request)
            let source = table.fields[index]
            let target = try session.retyped(source, request, in: table)
            let users = session.writer.users
            let place = try session.writer.beginRetyping(source.id, to: target.type, in: table)
            let conversion = CellConversion(from: source, to: target, users: users, zones: zones) { Engine.randomID() }
            return .job(Job(source: source, users: users, place: place, conversion: conversion))
        }
    }

    /// The field under its new type; nil when all has to begin anew.
    private func run(_ job: Job) throws(APIError) -> Field? {
        while true {
            switch try convert(job) {
            case .stale: return nil
            case .more: continue
            case .done: break
            }
            switch try finish(job) {
            case .done(let field): return field
            case .stale: return nil
            case .more: continue
            }
        }
    }

    private func convert(_ job: Job) throws(APIError) -> Step {
        let request = request
        return try write { (session) throws(APIError) in
            let (table, index) = try session.field(request)
            guard job.isValid(for: table.fields[index], session.writer.users) else { return .stale }
            let isDone = try session.writer.convert(job.place, in: table, limit: Self.portion, job.convert)
            return isDone ? .done : .more
        }
    }

    private func finish(_ job: Job) throws(APIError) -> Last {
        let (request, idempotency) = (request, idempotency)
        return try write { (session) throws(APIError) in
            let (table, index) = try session.field(request)
            guard job.isValid(for: table.fields[index], session.writer.users) else { return .stale }
            // Writes of the last moment.
            guard try session.writer.convert(job.place, in: table, limit: Self.lastPortion, job.convert) else {
                return .more
            }
            var field = try session.retyped(table.fields[index], request, in: table)
            field.options = job.conversion.withLock(\.options)
            var fields = table.fields
            fields[index] = field
            try session.writer.finishRetyping(job.place, in: table)
            let changed = try session.replace(table, by: table.changed(fields: fields))
            field = changed.field(field.id) ?? field
            try session.keep(SchemaEncoder.field(field), idempotency)
            return .done(field)
        }
    }

    private func abandon(_ job: Job) throws(APIError) {
        try write { (session) throws(APIError) in try session.writer.abandonRetyping(job.place) }
    }
}

extension WriteSession {
    /// The field that a request means, by its place in its table.
    fileprivate func field(_ request: UpdateFieldRequest) throws(APIError) -> (table: TableSchema, index: Int) {
        let table = try table(request.table, in: request.base, scope: .schemaWrite)
        return (table, try Engine.pathField(request.field, of: table))
    }

    /// The field with the type asked for and all else that the request changes.
    fileprivate func retyped(
        _ field: Field, _ request: UpdateFieldRequest, in table: TableSchema
    ) throws(APIError) -> Field {
        var rest = request
        rest.type = nil
        rest.options = nil
        var retyped = try changed(field, rest, in: table)
        let target = try RetypingTarget(field, request, in: table, zones: zones)
        retyped.type = target.type
        retyped.options = target.options
        return retyped
    }
}
