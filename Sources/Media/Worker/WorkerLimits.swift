import CLinux
import Glibc

/// What the worker takes away from itself before it opens a file of others.
enum WorkerLimits {
    /// Of addresses, whatever the job.
    private static let memory: UInt = 2 << 30
    private static let fileSize: UInt = 256 << 20
    private static let descriptors: UInt = 64

    /// Sets the limits that hold for good.
    static func set() {
        // The server ends the worker by closing its pipe; whatever is sent to all processes at once is not for it.
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        signal(SIGPIPE, SIG_IGN)
        linux_use_few_heaps()
        // Should the server have let one through, it is of no use here.
        for number in 3..<Int32(descriptors) { close(number) }
        limit(RLIMIT_AS, memory)
        limit(RLIMIT_FSIZE, fileSize)
        limit(RLIMIT_NOFILE, descriptors)
        limit(RLIMIT_CORE, 0)
        // Answers to requests come first, and when memory runs out the worker goes, not the server.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        let score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        if score >= 0 {
            _ = write(score, "1000", 4)
            close(score)
        }
    }

    /// Gives up what decoding does not need: other programs, other processes, the network.
    ///
    /// Where the system has no such filter the worker does without.
    static func stayAlone() {
        guard linux_keep_rights() == 0 else { return }
        _ = linux_stay_alone(UInt32(getpid()))
    }

    /// Allows the process what a job may take: past the seconds the system kills it, and past the memory it gets none.
    static func allow(_ effort: RenderEffort) {
        limit(RLIMIT_AS, min(memory, effort.memory), atMost: memory)
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let used = UInt(max(0, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec))
        var limits = rlimit(rlim_cur: used + UInt(effort.seconds) + 1, rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limits)
    }

    private static func limit(_ resource: __rlimit_resource, _ value: UInt, atMost most: UInt? = nil) {
        var limits = rlimit(rlim_cur: value, rlim_max: most ?? value)
        setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
    }
}
