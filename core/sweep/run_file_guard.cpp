// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/run_file_guard.h"

#include <array>
#include <cstring>

#include "core/sweep/hdf5_handle.h"

namespace isobit {
namespace {

constexpr std::size_t kMostLinks = 64;   // of one group; the widest of a run has one an output or input
constexpr std::size_t kMostDepth = 3;    // "/outputs/out/counts"
constexpr std::size_t kMostName = 80;
constexpr int kMostRank = 3;

template <class T>
T valueAt(std::span<const std::byte> image, std::size_t offset) {
    T value = 0;
    std::memcpy(&value, image.data() + offset, sizeof value);
    return value;
}

class Walk {
public:
    Walk(std::size_t fileBytes, std::string_view name) : m_fileBytes(fileBytes), m_name(name) {}

    Result<void> group(hid_t parent, const std::string& path, std::size_t depth) {
        const Hdf5Handle opened(H5Gopen2(parent, path.empty() ? "/" : path.c_str(), H5P_DEFAULT), H5Gclose);
        H5G_info_t info{};
        if (!opened.valid() || H5Gget_info(opened.id(), &info) < 0) return refuse(path, "a group that cannot be opened");
        // The library was seen to crash on a damaged heap of links; compact groups have none.
        if (info.storage_type != H5G_STORAGE_TYPE_COMPACT) return refuse(path, "a group whose links are not in its header");
        if (info.nlinks > kMostLinks) return refuse(path, fmt::format("{} links", info.nlinks));
        if (info.mounted) return refuse(path, "a mounted file");
        for (hsize_t i = 0; i < info.nlinks; ++i)
            if (Result<void> link = checkLink(opened.id(), path, i, depth); !link) return link;
        return {};
    }

    std::vector<Dataset> datasets;

private:
    [[nodiscard]] Result<void> refuse(const std::string& path, const std::string& found) const {
        return failure("{}: {} is {}, which a run file does not hold", m_name, path.empty() ? "/" : path, found);
    }

    Result<void> checkLink(hid_t parent, const std::string& path, hsize_t index, std::size_t depth) {
        std::array<char, kMostName + 1> text{};
        const ssize_t length =
            H5Lget_name_by_idx(parent, ".", H5_INDEX_NAME, H5_ITER_INC, index, text.data(), text.size(), H5P_DEFAULT);
        H5L_info_t link{};
        if (length < 1 || length > static_cast<ssize_t>(kMostName) || H5Lget_info(parent, text.data(), &link, H5P_DEFAULT) < 0)
            return refuse(path, fmt::format("a group with an unreadable link {}", index));
        const std::string child = path + "/" + text.data();
        if (link.type != H5L_TYPE_HARD) return refuse(child, "a soft or external link");
        const Hdf5Handle object(H5Oopen(parent, text.data(), H5P_DEFAULT), H5Oclose);
        H5O_info_t info{};
        if (!object.valid() || H5Oget_info(object.id(), &info) < 0) return refuse(child, "an object that cannot be opened");
        if (info.rc != 1) return refuse(child, fmt::format("an object with {} links to it", info.rc));
        if (info.num_attrs != 0) return refuse(child, "an object with attributes");
        if (info.type == H5O_TYPE_GROUP && depth + 1 < kMostDepth) return group(parent, child, depth + 1);
        if (info.type != H5O_TYPE_DATASET) return refuse(child, "neither a group nor a dataset in its place");
        return dataset(object.id(), child);
    }

    Result<void> dataset(hid_t id, const std::string& path) {
        const DatasetRule* rule = ruleOf(path);
        if (rule == nullptr) return refuse(path, "a dataset of no known name");
        const Hdf5Handle type(H5Dget_type(id), H5Tclose);
        if (H5Tequal(type.id(), hdf5TypeOf(rule->type)) <= 0)
            return refuse(path, fmt::format("a dataset of another type than {}", nameOf(rule->type)));
        Dataset found{path, rule->type, {}, {}};
        if (Result<void> shape = checkShape(id, *rule, found); !shape) return shape;
        if (Result<void> storage = checkStorage(id, found); !storage) return storage;
        datasets.push_back(std::move(found));
        return {};
    }

    Result<void> checkShape(hid_t id, const DatasetRule& rule, Dataset& found) {
        const Hdf5Handle space(H5Dget_space(id), H5Sclose);
        const int rank = H5Sget_simple_extent_ndims(space.id());
        if (rank != static_cast<int>(rule.shape.size()) || rank > kMostRank)
            return refuse(found.path, fmt::format("a dataset of rank {}", rank));
        std::array<hsize_t, kMostRank> sizes{};
        std::array<hsize_t, kMostRank> limits{};
        H5Sget_simple_extent_dims(space.id(), sizes.data(), limits.data());
        std::uint64_t bytes = bytesOf(rule.type);
        for (int i = 0; i < rank; ++i) {
            const std::uint64_t expected = rule.shape[static_cast<std::size_t>(i)];
            const bool fixed = expected != kCells && expected != kAny;
            const auto size = static_cast<std::uint64_t>(sizes[static_cast<std::size_t>(i)]);
            if (size == 0 || (fixed && size != expected) || limits[static_cast<std::size_t>(i)] != size ||
                __builtin_mul_overflow(bytes, size, &bytes) || bytes > m_fileBytes)
                return refuse(found.path, fmt::format("a dataset of size {} in dimension {}", size, i));
            found.shape.push_back(size);
        }
        m_datasetBytes = bytes;
        return {};
    }

    Result<void> checkStorage(hid_t id, const Dataset& found) {
        const Hdf5Handle creation(H5Dget_create_plist(id), H5Pclose);
        if (H5Pget_layout(creation.id()) != H5D_CHUNKED || H5Pget_external_count(creation.id()) != 0)
            return refuse(found.path, "a dataset whose storage is not in chunks of this file");
        unsigned flags = 0;
        std::size_t values = 0;
        if (H5Pget_nfilters(creation.id()) != 1 ||
            H5Pget_filter2(creation.id(), 0, &flags, &values, nullptr, 0, nullptr, nullptr) != H5Z_FILTER_FLETCHER32)
            return refuse(found.path, "a dataset with other filters than one checksum");
        std::array<hsize_t, kMostRank> chunk{};
        H5Pget_chunk(creation.id(), kMostRank, chunk.data());
        for (std::size_t i = 0; i < found.shape.size(); ++i)
            if (chunk[i] == 0 || chunk[i] > found.shape[i]) return refuse(found.path, "a dataset with chunks larger than itself");
        if (H5Dget_storage_size(id) < m_datasetBytes) return refuse(found.path, "a dataset with elements that are not stored");
        return {};
    }

    std::size_t m_fileBytes;
    std::string_view m_name;
    std::uint64_t m_datasetBytes = 0;
};

}  // namespace

Result<void> checkSuperblock(std::span<const std::byte> image, std::string_view name) {
    static constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
    if (image.size() < 48) return failure("{}: {} bytes, too few for a run file", name, image.size());
    if (std::memcmp(image.data(), signature.data(), signature.size()) != 0)
        return failure("{}: no HDF5 signature at offset 0; expected a run file ({})", name, kRunFormat);
    if (const auto version = valueAt<std::uint8_t>(image, 8); version != 3)
        return failure("{}: HDF5 superblock version {} at offset 8, expected 3: not written by a sweep", name, version);
    if (valueAt<std::uint8_t>(image, 9) != 8 || valueAt<std::uint8_t>(image, 10) != 8 || valueAt<std::uint64_t>(image, 12) != 0)
        return failure("{}: HDF5 address sizes and base at offset 9, expected 8, 8, 0", name);
    if (const auto end = valueAt<std::uint64_t>(image, 28); end != image.size())
        return failure("{}: {} bytes, expected {} (end of file stated at offset 28): truncated or extended", name,
                       image.size(), end);
    return {};
}

Result<std::vector<Dataset>> checkStructure(hid_t file, std::size_t fileBytes, std::string_view name) {
    Walk walk(fileBytes, name);
    if (const Result<void> group = walk.group(file, "", 0); !group) return failureOf(group);
    return std::move(walk.datasets);
}

}  // namespace isobit
