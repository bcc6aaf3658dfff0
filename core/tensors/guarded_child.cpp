// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/guarded_child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>

#include "core/base/hdf5_lock.h"
#include "core/tensors/confinement.h"
#include "core/tensors/sandbox.h"

namespace isobit {
namespace {

void writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(3);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

// The answer's first byte says whether it is a result ('+') or an error ('-').
[[noreturn]] void runChild(const std::function<Result<std::string>()>& work, int answer, const ChildLimits& limits) {
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (nowhere >= 0) dup2(nowhere, descriptor);
        else close(descriptor);
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM}) std::signal(signal, SIG_DFL);
    const SandboxLimits inside{.memoryBytes = limits.memoryBytes, .cpuSeconds = limits.seconds};
    if (const auto entered = enterSandbox(inside); !entered) {
        writeAll(answer, "-cannot be read safely here: " + entered.error().message);
        _exit(0);
    }
    try {
        const Result<std::string> result = work();
        writeAll(answer, result ? "+" + *result : "-" + result.error().message);
    } catch (...) {
        _exit(4);
    }
    _exit(0);
}

// The child finds the HDF5 library as it is at this moment, so no other thread may be inside it.
pid_t forkBetweenHdf5Calls() {
    const std::lock_guard lock(hdf5Mutex());
    return fork();
}

// Reads until the child closes its end; an Error when it says too much or nothing for too long.
Result<std::string> readAnswer(int descriptor, const std::string& name, const ChildLimits& limits) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(3 * limits.seconds);
    std::string answer;
    char piece[65536];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd waiting{descriptor, POLLIN, 0};
        const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return failure("{}: was not read within {} s", name, 3 * limits.seconds);
        const ssize_t count = read(descriptor, piece, sizeof piece);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return answer;
        answer.append(piece, static_cast<std::size_t>(count));
        if (answer.size() > limits.answerBytes) return failure("{}: lists more than {} bytes", name, limits.answerBytes);
    }
}

std::string endOf(int status) {
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                   ? "its reader ran out of time or memory on it"
                   : fmt::format("its reader crashed on it ({}), in a process of its own", strsignal(WTERMSIG(status)));
    return "its reader gave up on it";
}

}  // namespace

Result<std::string> runGuarded(const std::function<Result<std::string>()>& work, const std::string& name,
                               const ChildLimits& limits) {
    const std::string shown = printable(name);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return failure("{}: no pipe for its reader: {}", shown, std::strerror(errno));
    const FileHandle readEnd(ends[0]);
    FileHandle writeEnd(ends[1]);
    const pid_t child = forkBetweenHdf5Calls();
    if (child < 0) return failure("{}: no process for its reader: {}", shown, std::strerror(errno));
    if (child == 0) runChild(work, writeEnd.get(), limits);
    writeEnd = FileHandle();
    Result<std::string> answer = readAnswer(readEnd.get(), shown, limits);
    if (!answer) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!answer) return answer;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer->empty()) return failure("{}: {}", shown, endOf(status));
    if (answer->front() != '+') return failure("{}: {}", shown, printableSentence(std::string_view(*answer).substr(1)));
    return answer->substr(1);
}

}  // namespace isobit
