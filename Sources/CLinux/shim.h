#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// Each thread would reserve 64 megabytes of addresses for its own heap.
static inline void linux_use_few_heaps(void) { mallopt(M_ARENA_MAX, 2); }

// No program that this process might start has more rights than it.
static inline int linux_keep_rights(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

#if defined(__x86_64__)
#define LINUX_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define LINUX_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LINUX_REFUSE(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// From here on the process cannot start a program, open a socket, or look into or signal another process.
static inline int linux_stay_alone(unsigned process) {
#ifdef LINUX_ARCHITECTURE
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LINUX_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
        // The calls of the x32 architecture have numbers of their own.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#endif
        LINUX_REFUSE(__NR_execve), LINUX_REFUSE(__NR_execveat), LINUX_REFUSE(__NR_socket),
        LINUX_REFUSE(__NR_socketpair), LINUX_REFUSE(__NR_connect), LINUX_REFUSE(__NR_bind),
        LINUX_REFUSE(__NR_ptrace), LINUX_REFUSE(__NR_process_vm_readv), LINUX_REFUSE(__NR_process_vm_writev),
        LINUX_REFUSE(__NR_pidfd_open), LINUX_REFUSE(__NR_io_uring_setup), LINUX_REFUSE(__NR_kill),
        LINUX_REFUSE(__NR_tkill), LINUX_REFUSE(__NR_rt_sigqueueinfo), LINUX_REFUSE(__NR_unshare),
        LINUX_REFUSE(__NR_setns), LINUX_REFUSE(__NR_mount), LINUX_REFUSE(__NR_bpf),
        LINUX_REFUSE(__NR_perf_event_open), LINUX_REFUSE(__NR_keyctl),
        // Its own threads it may signal: that is how it aborts.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, process, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
    (void)process;
    return -1;
#endif
}
