// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"

#include <hdf5.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/tensors/dump_name.h"
#include "core/tensors/hdf5_child.h"
#include "core/tensors/pickle.h"
#include "core/tensors/reader.h"
#include "core/tensors/slice.h"
#include "tests/fuzz/inputs.h"

namespace isobit::fuzz {
namespace {

using Input = std::span<const std::byte>;

// Hardly any mutation keeps a CRC right, so half of the inputs go without.
OpenOptions zipOptions(Input input) {
    OpenOptions options = smallOptions();
    options.checksums = input.size() % 2 == 0;
    return options;
}

void safetensors(Input input) { readAll(openSafetensors(fileOf(textOf(input)), smallOptions())); }
void npy(Input input) { readAll(openNpy(fileOf(textOf(input)), smallOptions())); }
void zip(Input input) { readAll(openZip(fileOf(textOf(input)), zipOptions(input))); }
void jsonLines(Input input) { readAll(openJsonLines(textOf(input), "input")); }
void pickle(Input input) { (void)parsePickle(textOf(input), "input"); }

// The pickle of an archive that is right in everything else.
void torch(Input input) {
    OpenOptions options = smallOptions();
    options.checksums = false;
    const std::string storage(64, '\x3f');
    readAll(openZip(fileOf(zipOf({{"m/data.pkl", textOf(input)},
                                  {"m/byteorder", input.size() % 2 == 0 ? "little" : "big"},
                                  {"m/data/0", storage},
                                  {"m/data/1", std::string_view(storage).substr(0, 5)}})),
                    options));
}

// As the product does it: the library in a child.
void hdf5(Input input) { readAll(openHdf5(fileOf(textOf(input)), smallOptions())); }

// What runs in that child, but here, where the sanitizers see it. The library itself has known faults that end this
// process; only a fault in this project's code counts.
void hdf5Child(Input input) {
    const auto file = fileOf(textOf(input));
    (void)listHdf5(file->opened().handle.get(), file->size());
    H5close();
}

// What the child would say if the file had taken it over.
void hdf5Listing(Input input) {
    OpenOptions options = smallOptions();
    readAll(openHdf5Listing(textOf(input), fileOf(std::string_view("0123456789abcdef", 16)), options));
}

// The index of a set, beside two shards.
void shardedIndex(Input input) {
    static const Folder folder;
    static const bool written = folder.write("a", safetensorsOf({"x", "y"})) && folder.write("b", safetensorsOf({"z"}));
    if (!written) std::abort();
    const auto index = membersOf(textOf(input), "index");
    if (!index || findMember(*index, "weight_map") == nullptr) return;
    readAll(openShardedSet(*index, OpenedPath{FileHandle(), folder.path() + "/index", {}, {}, 0, false}, smallOptions()));
}

// Up to eight lines, each the name of a file with one tensor.
void folder(Input input) {
    const Folder folder;
    std::string_view text = textOf(input).substr(0, 2000);
    for (int i = 0; i < 8 && !text.empty(); ++i) {
        const std::string name(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(name.size() + 1, text.size()));
        if (name.find('/') == std::string::npos && name.find('\0') == std::string::npos)
            (void)folder.write(name, i % 2 == 0 ? safetensorsOf({"tensor"}) : safetensorsOf({"x", "y"}));
    }
    auto opened = openTypedPath(folder.path());
    if (opened) readAll(openFolder(*opened, smallOptions()));
}

// A headerless array whose layout comes from the front of the input.
void raw(Input input) {
    struct {
        std::uint8_t dtype, rank;
        std::uint16_t offset;
        std::int64_t sizes[3];
    } front{};
    if (input.size() < sizeof front) return;
    std::memcpy(&front, input.data(), sizeof front);
    OpenOptions options = smallOptions();
    options.raw = RawLayout{static_cast<DType>(front.dtype % 21), {}, front.offset, front.rank > 127};
    for (int i = 0; i < front.rank % 4; ++i) options.raw->shape.push_back(front.sizes[i]);
    readAll(openRaw(fileOf(textOf(input.subspan(sizeof front))), options));
}

void anyContent(Input input) {
    if (!isHdf5(textOf(input))) readAll(openMapped(fileOf(textOf(input)), zipOptions(input)));  // hdf5 has slower targets
}

void names(Input input) {
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
    {"safetensors", safetensors},
    {"sharded_index", shardedIndex},
    {"npy", npy},
    {"zip", zip},
    {"pickle", pickle},
    {"torch", torch},
    {"json_lines", jsonLines},
    {"folder", folder},
    {"raw", raw},
    {"names", names},
    {"hdf5", hdf5},
    {"hdf5_child", hdf5Child},
    {"hdf5_listing", hdf5Listing},
    {"any_content", anyContent},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace isobit::fuzz
