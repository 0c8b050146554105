import Glibc
import Platform
import Synchronization
import Testing

struct WorkerTeamTests {
    @Test("A full queue refuses the next job and runs the others")
    func bounded() {
        let team = WorkerTeam(name: "t", workers: 1, waitingLimit: 2)
        let gate = Mutex(true)
        let started = Atomic(false)
        let done = Mutex(0)
        let job: @Sendable () -> Void = { done.withLock { $0 += 1 } }
        #expect(
            team.trySubmit {
                started.store(true, ordering: .releasing); while gate.withLock({ $0 }) { usleep(100) }; job()
            })
        while !started.load(ordering: .acquiring) { usleep(100) }
        #expect(team.trySubmit(job))
        #expect(team.trySubmit(job))
        #expect(!team.trySubmit(job))
        #expect(team.waitingCount == 2)
        gate.withLock { $0 = false }
        #expect(team.shutDown(gracePeriod: .seconds(5)))
        #expect(done.withLock { $0 } == 3)
        #expect(!team.trySubmit(job))
    }

    @Test("An async job stays on the team's threads before and after it was suspended")
    func staysOnTeam() async {
        let team = WorkerTeam(name: "stay", workers: 2, waitingLimit: 100)
        for _ in 0..<50 {
            let names = await withCheckedContinuation { continuation in
                let accepted = team.trySubmit(async: {
                    var names = [threadName()]
                    for _ in 0..<5 {
                        await Task.yield()
                        names.append(threadName())
                    }
                    try? await Task.sleep(for: .microseconds(50))
                    names.append(threadName())
                    continuation.resume(returning: names)
                })
                #expect(accepted)
            }
            #expect(Set(names) == ["stay"])
        }
    }

    @Test("Async jobs that suspend let those behind them go on, and all of them end")
    func manySuspending() async {
        let team = WorkerTeam(name: "many", workers: 2, waitingLimit: 10_000)
        let ended = Counter()
        for index in 0..<2_000 {
            let accepted = team.trySubmit(async: {
                // A third ends at once, a third yields, a third sleeps.
                if index % 3 == 1 { await Task.yield() }
                if index % 3 == 2 { try? await Task.sleep(for: .milliseconds(5)) }
                ended.add()
            })
            #expect(accepted)
        }
        for _ in 0..<10_000 where ended.value < 2_000 { usleep(1_000) }
        #expect(ended.value == 2_000)
        #expect(team.shutDown(gracePeriod: .seconds(5)))
    }

    @Test("A job that waits does not hold up the thread that ran it")
    func waitingJob() async {
        let team = WorkerTeam(name: "stuck", workers: 1, waitingLimit: 100)
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let ended = Counter()
        var accepted = team.trySubmit(async: {
            for await _ in stream {}
            ended.add()
        })
        #expect(accepted)
        for _ in 0..<20 {
            accepted = team.trySubmit(async: { ended.add() })
            #expect(accepted)
        }
        for _ in 0..<10_000 where ended.value < 20 { usleep(1_000) }
        #expect(ended.value == 20)
        continuation.finish()
        for _ in 0..<10_000 where ended.value < 21 { usleep(1_000) }
        #expect(ended.value == 21)
    }

    @Test("A team may block in more jobs than the machine has cores")
    func blocking() async {
        let team = WorkerTeam(name: "block", workers: 16, waitingLimit: 100)
        let running = Counter()
        // Every job waits until all sixteen run at once: fewer threads would never end it.
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask(executorPreference: team) {
                    running.add()
                    for _ in 0..<50_000 where running.value < 16 { usleep(100) }
                    return running.value == 16
                }
            }
            for await reached in group { #expect(reached) }
        }
    }

    @Test("Niceness lowers the priority of the team's threads only")
    func niceness() async {
        let team = WorkerTeam(name: "nice", workers: 1, waitingLimit: 1, niceness: 10)
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        let theirs = await withCheckedContinuation { continuation in
            #expect(
                team.trySubmit {
                    continuation.resume(returning: getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
                })
        }
        #expect(theirs == min(own + 10, 19))
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

private func threadName() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let descriptor = open("/proc/thread-self/comm", O_RDONLY)
    defer { close(descriptor) }
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count - 1, 0)), as: UTF8.self)
}
