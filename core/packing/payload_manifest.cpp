// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/payload_manifest.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "core/base/object_reader.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::string_view kName = "manifest.json";
constexpr std::int64_t kMostItemBytes = std::int64_t(1) << 32;
constexpr std::uint64_t kMostManifestBytes = 64u << 20;

struct ItemEntry {
    std::string file;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
};

Result<std::string> readHandle(const OpenedPath& opened) {
    std::string text(opened.size, '\0');
    for (std::size_t filled = 0; filled < text.size();) {
        const ssize_t count = ::read(opened.handle.get(), text.data() + filled, text.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return failure("{}: cannot be read: {}", printable(opened.path), count < 0 ? std::strerror(errno) : "it became shorter");
        filled += static_cast<std::size_t>(count);
    }
    return text;
}

// 4 bytes an element; nothing where the product is beyond any item.
std::int64_t bytesOf(const std::vector<std::int64_t>& shape) {
    std::int64_t bytes = 4;
    for (const std::int64_t size : shape) {
        if (size != 0 && bytes > kMostItemBytes / size) return -1;
        bytes *= size;
    }
    return bytes;
}

Result<std::vector<ItemEntry>> readManifest(const Json& document, const PayloadReference& reference) {
    ObjectReader in(document, printable(reference.manifest));
    (void)in.choice("format", {"isobit.routing-payload"});
    (void)in.whole("version", 2, 2);
    (void)in.choice("kind", {reference.kind});
    (void)in.choice("dtype", {reference.kind == "ids" ? "int32" : "float32"});
    const std::int64_t count = in.whole("count", reference.count, reference.count);
    std::vector<ItemEntry> items;
    in.each("items", [&](ObjectReader& one) {
        ItemEntry item{one.text("file"), one.wholes("shape"), one.whole("bytes", 0, kMostItemBytes)};
        const std::string inside = reference.kind + "/";
        if (!item.file.starts_with(inside) || item.file.find('/', inside.size()) != std::string::npos || item.file.size() == inside.size())
            one.refuse("file", fmt::format("\"{}\" does not lie directly in {}", item.file, inside));
        if (item.shape.size() != 3 || bytesOf(item.shape) != item.bytes)
            one.refuse("bytes", fmt::format("{} bytes are no three sizes times 4", item.bytes));
        items.push_back(std::move(item));
    });
    if (in.good() && static_cast<std::int64_t>(items.size()) != count)
        in.refuse("items", fmt::format("{} items, expected {}", items.size(), count));
    if (const auto done = in.finish(); !done) return failureOf(done);
    return items;
}

Result<PayloadItem> fetch(const OpenedPath& folder, const ItemEntry& entry) {
    const auto opened = openBelow(folder, entry.file);
    if (!opened) return failureOf(opened);
    if (opened->isFolder || opened->size != static_cast<std::uint64_t>(entry.bytes))
        return failure("{}: {} bytes on disk, expected {}", printable(opened->path), opened->size, entry.bytes);
    auto bytes = readHandle(*opened);
    if (!bytes) return failureOf(bytes);
    return PayloadItem{entry.shape, std::move(*bytes)};
}

}  // namespace

Result<PayloadReference> readPayloadReference(const Json& value, const std::string& where) {
    if (!value.is_object() || value.contains("pickle") || value.contains("payload"))
        return failure("{}: is a reference of the old kind, serialised objects, which could run code; expected one to a manifest", where);
    ObjectReader in(value, where);
    PayloadReference reference;
    reference.manifest = in.text("manifest");
    reference.kind = in.choice("kind", {"ids", "weights"});
    reference.count = in.whole("count");
    reference.offset = in.wholeOr("offset", 0);
    reference.wanted = in.wholeOr("wanted", reference.count);
    if (const auto done = in.finish(); !done) return failureOf(done);
    return reference;
}

Result<std::vector<PayloadItem>> fetchPayload(const PayloadReference& reference) {
    const std::string& path = reference.manifest;
    const std::size_t slash = path.rfind('/');
    if (!path.starts_with('/') || path.substr(slash + 1) != kName)
        return failure("{}: is no absolute path of a file named {}", printable(path), kName);
    if (reference.offset < 0 || reference.wanted < 0 || reference.offset + reference.wanted > reference.count)
        return failure("{}: items {} to {} are wanted of {}", printable(path), reference.offset, reference.offset + reference.wanted, reference.count);
    const auto folder = openTypedPath(slash == 0 ? "/" : path.substr(0, slash));
    if (!folder) return failureOf(folder);
    const auto manifest = openBelow(*folder, kName);
    if (!manifest) return failureOf(manifest);
    if (manifest->isFolder || manifest->size > kMostManifestBytes)
        return failure("{}: is no file of at most {} bytes", printable(path), kMostManifestBytes);
    const auto text = readHandle(*manifest);
    if (!text) return failureOf(text);
    const auto document = parseJsonStrictly(*text, printable(path));
    if (!document) return failureOf(document);
    const auto entries = readManifest(*document, reference);
    if (!entries) return failureOf(entries);
    std::vector<PayloadItem> items;
    for (std::int64_t i = 0; i < reference.wanted; ++i) {
        auto item = fetch(*folder, (*entries)[static_cast<std::size_t>(reference.offset + i)]);
        if (!item) return failureOf(item);
        items.push_back(std::move(*item));
    }
    return items;
}

}  // namespace isobit
