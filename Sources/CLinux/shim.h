#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// A file of memory, as memfd_create(2) makes it: its descriptor, or -1.
static inline int linux_make_memory_file(const char *name) { return (int)syscall(__NR_memfd_create, name, 1u); }

// Each thread would reserve 64 megabytes of addresses for its own heap.
static inline void linux_use_few_heaps(void) { mallopt(M_ARENA_MAX, 2); }

#define LINUX_FILE_LIMIT 8

// Sends bytes and open files over a Unix socket, as sendmsg(2) does: the number of bytes sent, or -1.
static inline long linux_send_files(int socket, const void *bytes, size_t count, const int *files, size_t number) {
    union { struct cmsghdr align; char bytes[CMSG_SPACE(LINUX_FILE_LIMIT * sizeof(int))]; } control;
    struct iovec piece = {(void *)bytes, count};
    struct msghdr message = {0};
    if (number > LINUX_FILE_LIMIT) { errno = EINVAL; return -1; }
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (number > 0) {
        memset(&control, 0, sizeof(control));
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(number * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(number * sizeof(int));
        memcpy(CMSG_DATA(header), files, number * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Receives bytes and up to LINUX_FILE_LIMIT open files, as recvmsg(2) does: the number of bytes, or -1.
static inline long linux_receive_files(int socket, void *bytes, size_t count, int *files, size_t *number) {
    union { struct cmsghdr align; char bytes[CMSG_SPACE(LINUX_FILE_LIMIT * sizeof(int))]; } control;
    struct iovec piece = {bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof(control.bytes);
    *number = 0;
    long received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) { return received; }
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) { continue; }
        size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        if (*number + found > LINUX_FILE_LIMIT) { break; }
        memcpy(files + *number, CMSG_DATA(header), found * sizeof(int));
        *number += found;
    }
    return received;
}

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

// From here on, in all its threads, the process opens and changes no file by name, starts no program, opens no socket,
// and neither looks into nor signals another process. What it holds open it may go on using.
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
        // Calls that newer architectures have only in their longer form.
        LINUX_REFUSE(__NR_open), LINUX_REFUSE(__NR_creat), LINUX_REFUSE(__NR_unlink), LINUX_REFUSE(__NR_rmdir),
        LINUX_REFUSE(__NR_rename), LINUX_REFUSE(__NR_link), LINUX_REFUSE(__NR_symlink), LINUX_REFUSE(__NR_mkdir),
        LINUX_REFUSE(__NR_mknod), LINUX_REFUSE(__NR_chmod), LINUX_REFUSE(__NR_chown), LINUX_REFUSE(__NR_lchown),
#endif
        LINUX_REFUSE(__NR_openat), LINUX_REFUSE(__NR_openat2), LINUX_REFUSE(__NR_open_by_handle_at),
        LINUX_REFUSE(__NR_unlinkat), LINUX_REFUSE(__NR_renameat2), LINUX_REFUSE(__NR_linkat),
#ifdef __NR_renameat
        LINUX_REFUSE(__NR_renameat),
#endif
        LINUX_REFUSE(__NR_symlinkat), LINUX_REFUSE(__NR_mkdirat), LINUX_REFUSE(__NR_mknodat),
        LINUX_REFUSE(__NR_fchmodat), LINUX_REFUSE(__NR_fchownat), LINUX_REFUSE(__NR_truncate),
        LINUX_REFUSE(__NR_execve), LINUX_REFUSE(__NR_execveat), LINUX_REFUSE(__NR_socket),
        LINUX_REFUSE(__NR_socketpair), LINUX_REFUSE(__NR_connect), LINUX_REFUSE(__NR_bind),
        LINUX_REFUSE(__NR_ptrace), LINUX_REFUSE(__NR_process_vm_readv), LINUX_REFUSE(__NR_process_vm_writev),
        LINUX_REFUSE(__NR_pidfd_open), LINUX_REFUSE(__NR_io_uring_setup), LINUX_REFUSE(__NR_kill),
        LINUX_REFUSE(__NR_tkill), LINUX_REFUSE(__NR_rt_sigqueueinfo), LINUX_REFUSE(__NR_rt_tgsigqueueinfo),
        LINUX_REFUSE(__NR_unshare), LINUX_REFUSE(__NR_setns), LINUX_REFUSE(__NR_mount), LINUX_REFUSE(__NR_bpf),
        LINUX_REFUSE(__NR_perf_event_open), LINUX_REFUSE(__NR_keyctl), LINUX_REFUSE(__NR_add_key),
        // Its own threads it may signal: that is how it aborts.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, process, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#else
    (void)process;
    return -1;
#endif
}
