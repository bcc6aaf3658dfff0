// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/tensors/dump_name.h"
#include "core/tensors/pickle.h"
#include "core/tensors/reader.h"
#include "core/tensors/slice.h"

namespace isobit::fuzz {
namespace {

std::string_view textOf(std::span<const std::byte> input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

// The input as a mapped file without a name in any folder.
std::shared_ptr<const MappedFile> fileOf(std::span<const std::byte> input) {
    const int descriptor = memfd_create("input", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, input.data(), input.size()) != static_cast<ssize_t>(input.size())) std::abort();
    auto mapped = MappedFile::map(OpenedPath{FileHandle(descriptor), "input", {}, input.size(), false});
    if (!mapped) std::abort();
    return *mapped;
}

// Reads up to 64 KiB from both ends of every tensor, and whatever of the view its strides reach.
void readAll(const Result<TensorFile>& file) {
    constexpr std::int64_t kElements = 8192;
    if (!file) {
        if (file.error().message.empty() || file.error().message.find('\n') != std::string::npos) std::abort();
        return;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(file->tensors().size(), 16); ++i) {
        const TensorInfo& info = file->tensors()[i];
        const std::int64_t all = elementsOf(info.shape);
        const std::int64_t count = std::min(all, kElements);
        std::vector<std::byte> out(static_cast<std::size_t>(count) * bytesOf(info.dtype));
        if (file->read(i, 0, out)) (void)file->read(i, all - count, out);
        for (std::size_t at = 0; at + bytesOf(info.dtype) <= std::min<std::size_t>(out.size(), 64); at += bytesOf(info.dtype)) {
            std::uint64_t word = 0;
            std::copy_n(out.data() + at, bytesOf(info.dtype), reinterpret_cast<std::byte*>(&word));
            (void)decimalOf(info.dtype, word);
        }
    }
}

OpenOptions smallOptions() {
    OpenOptions options;
    options.unpackLimit = 64u << 20;
    return options;
}

// Hardly any mutation keeps a CRC right, so half of the inputs go without.
OpenOptions zipOptions(std::span<const std::byte> input) {
    OpenOptions options = smallOptions();
    options.checksums = input.size() % 2 == 0;
    return options;
}

void safetensors(std::span<const std::byte> input) { readAll(openSafetensors(fileOf(input), smallOptions())); }
void npy(std::span<const std::byte> input) { readAll(openNpy(fileOf(input), smallOptions())); }
void zip(std::span<const std::byte> input) { readAll(openZip(fileOf(input), zipOptions(input))); }
void hdf5(std::span<const std::byte> input) { readAll(openHdf5(fileOf(input), smallOptions())); }
void jsonLines(std::span<const std::byte> input) { readAll(openJsonLines(textOf(input), "input")); }
void anyContent(std::span<const std::byte> input) {
    if (!isHdf5(textOf(input))) readAll(openMapped(fileOf(input), zipOptions(input)));  // hdf5 has its own, slower target
}
void pickle(std::span<const std::byte> input) { (void)parsePickle(textOf(input), "input"); }
void names(std::span<const std::byte> input) {
    const std::string_view text = textOf(input);
    (void)parseDumpName(text);
    (void)parseSlice(text, {3, 0, 1 << 20});
    (void)printable(text);
    (void)checkIdentifier(text, "input");
    const std::string_view front = text.substr(0, text.size() / 2);
    const std::string_view back = text.substr(text.size() / 2);
    if (naturallyBefore(front, back) && naturallyBefore(back, front)) std::abort();
}

constexpr Target kTargets[] = {
    {"safetensors", safetensors}, {"npy", npy},       {"zip", zip},     {"pickle", pickle},
    {"json_lines", jsonLines},    {"names", names},   {"hdf5", hdf5},   {"any_content", anyContent},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace isobit::fuzz
