// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// The run-time part of Highway 1.0 for the static build: which vector targets this processor has.
#include <hwy/highway.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace hwy {

int64_t SupportedTargets() {
    int64_t targets = HWY_EMU128 | HWY_SCALAR;
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes"))
        targets |= HWY_SSE4;
    if ((targets & HWY_SSE4) != 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        targets |= HWY_AVX2;
    if ((targets & HWY_AVX2) != 0 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd"))
        targets |= HWY_AVX3;
    return targets;
}

ChosenTarget& GetChosenTarget() {
    static ChosenTarget chosenTarget;
    return chosenTarget;
}

void Abort(const char* file, int line, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::fprintf(stderr, "%s:%d: ", file, line);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::abort();
}

}  // namespace hwy
