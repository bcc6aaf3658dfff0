// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/sandbox.h"

#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace isobit::evidence {
namespace {

// An address space limit and the shadow memory of a sanitizer do not go together.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif

// What a computation on memory needs: memory, streams that are open already, clocks, locks, its own end.
constexpr int kAllowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(brk),
    SCMP_SYS(mmap),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(sched_yield),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getrandom),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(tgkill),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

Result<void> limit(int resource, std::uint64_t value, const char* what) {
    const rlimit bounds{value, value};
    // Cast: glibc names the resources by an enumeration that C++ does not convert to.
    if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &bounds) != 0)
        return failure("the sandbox cannot limit {}: {}", what, std::strerror(errno));
    return {};
}

Result<void> filterSystemCalls() {
    const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)),
                                                                   seccomp_release);
    if (filter == nullptr) return failure("the sandbox has no system call filter");
    for (const int call : kAllowed)
        if (const int problem = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0); problem != 0)
            return failure("the sandbox cannot allow system call {}: {}", call, std::strerror(-problem));
    if (const int problem = seccomp_load(filter.get()); problem != 0)
        return failure("the sandbox's system call filter is refused: {}", std::strerror(-problem));
    return {};
}

}  // namespace

Result<void> enterSandbox(const SandboxLimits& limits) {
    if (kLimitsMemory)
        if (const auto done = limit(RLIMIT_AS, limits.memoryBytes, "memory"); !done) return done;
    for (const auto& [resource, value, what] :
         {std::tuple<int, std::uint64_t, const char*>{RLIMIT_CPU, limits.cpuSeconds, "time"},
          {RLIMIT_FSIZE, 0, "file sizes"},
          {RLIMIT_CORE, 0, "core files"}})
        if (const auto done = limit(resource, value, what); !done) return done;
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure("the sandbox cannot give up privileges");
    return filterSystemCalls();
}

}  // namespace isobit::evidence
