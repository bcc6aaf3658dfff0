// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/clocks.h"

#include <dlfcn.h>

#include <array>
#include <memory>

namespace isobit::cuda {
namespace {

// NVML's stable C interface, declared here so that building needs no NVML header.
using NvmlDevice = void*;
constexpr int kNvmlSuccess = 0;
constexpr int kNvmlClockSm = 1;
constexpr int kNvmlClockMemory = 2;

struct LibraryCloser {
    void operator()(void* library) const { dlclose(library); }
};

template <class Function>
Function* functionOf(void* library, const char* name) {
    return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

Clocks readClocks() {
    Clocks clocks;
    const std::unique_ptr<void, LibraryCloser> library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
    if (!library) return clocks;
    const auto init = functionOf<int()>(library.get(), "nvmlInit_v2");
    const auto shutdown = functionOf<int()>(library.get(), "nvmlShutdown");
    const auto handle = functionOf<int(unsigned, NvmlDevice*)>(library.get(), "nvmlDeviceGetHandleByIndex_v2");
    const auto clock = functionOf<int(NvmlDevice, int, unsigned*)>(library.get(), "nvmlDeviceGetClockInfo");
    const auto driver = functionOf<int(char*, unsigned)>(library.get(), "nvmlSystemGetDriverVersion");
    if (init == nullptr || shutdown == nullptr || handle == nullptr || clock == nullptr || driver == nullptr ||
        init() != kNvmlSuccess)
        return clocks;
    NvmlDevice device = nullptr;
    unsigned megahertz = 0;
    if (handle(0, &device) == kNvmlSuccess) {
        if (clock(device, kNvmlClockSm, &megahertz) == kNvmlSuccess) clocks.smMhz = static_cast<int>(megahertz);
        if (clock(device, kNvmlClockMemory, &megahertz) == kNvmlSuccess) clocks.memoryMhz = static_cast<int>(megahertz);
    }
    std::array<char, 96> text{};  // NVML asks for at least 80
    const auto vbios = functionOf<int(NvmlDevice, char*, unsigned)>(library.get(), "nvmlDeviceGetVbiosVersion");
    if (vbios != nullptr && device != nullptr && vbios(device, text.data(), text.size()) == kNvmlSuccess)
        clocks.vbios = text.data();
    const auto mig = functionOf<int(NvmlDevice, unsigned*, unsigned*)>(library.get(), "nvmlDeviceGetMigMode");
    unsigned now = 0;
    unsigned next = 0;
    if (mig != nullptr && device != nullptr && mig(device, &now, &next) == kNvmlSuccess)
        clocks.mig = now == 0 ? "off" : "on";
    if (driver(text.data(), text.size()) == kNvmlSuccess) clocks.driver = text.data();
    shutdown();
    return clocks;
}

}  // namespace isobit::cuda
