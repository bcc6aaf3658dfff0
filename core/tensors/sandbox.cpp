// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/sandbox.h"

#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace isobit {
namespace {

// What a computation on memory and open files needs: memory, streams that are open already, clocks, locks, its own end.
constexpr int kAllowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(pread64),
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

// Address space of this process, the shadow of a sanitizer and shared memory included; 0 where the kernel does not tell.
std::uint64_t presentBytes() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"), std::fclose);
    unsigned long pages = 0;
    if (file == nullptr || std::fscanf(file.get(), "%lu", &pages) != 1) return 0;
    return std::uint64_t{pages} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// A lower limit that holds already stays.
Result<void> limit(int resource, std::uint64_t value, const char* what) {
    // Cast: glibc names the resources by an enumeration that C++ does not convert to.
    const auto name = static_cast<__rlimit_resource_t>(resource);
    rlimit bounds{};
    if (getrlimit(name, &bounds) != 0) return failure("the sandbox cannot see the limit of {}: {}", what, std::strerror(errno));
    const rlim_t lowest = std::min<rlim_t>(value, bounds.rlim_max);
    bounds = {lowest, lowest};
    if (setrlimit(name, &bounds) != 0) return failure("the sandbox cannot limit {}: {}", what, std::strerror(errno));
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
    for (const auto& [resource, value, what] :
         {std::tuple<int, std::uint64_t, const char*>{RLIMIT_AS, presentBytes() + limits.memoryBytes, "memory"},
          {RLIMIT_CPU, limits.cpuSeconds, "time"},
          {RLIMIT_FSIZE, 0, "file sizes"},
          {RLIMIT_CORE, 0, "core files"}})
        if (auto done = limit(resource, value, what); !done) return done;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure("the sandbox cannot give up privileges");
    return filterSystemCalls();
}

}  // namespace isobit
