// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/atomic_file.h"
#include "core/base/hdf5_lock.h"
#include "core/base/sha256.h"
#include "core/sweep/hdf5_handle.h"
#include "core/sweep/run_file.h"

namespace isobit {
namespace {

constexpr std::size_t kGrowthBytes = 1 << 20;
constexpr std::uint64_t kMostChunkBytes = 1 << 20;  // the library's own cache holds a chunk of this size

// The file is made in memory: a full disk then meets one plain write, never the library in the middle of its own
// structures. The library hands the finished memory over when it closes the file.
struct Image {
    void* memory = nullptr;
    std::size_t size = 0;
    bool finished = false;
};

void* imageAllocate(std::size_t size, H5FD_file_image_op_t, void* image) {
    auto& target = *static_cast<Image*>(image);
    target.size = size;
    return target.memory = std::calloc(size, 1);
}

void* imageReallocate(void* memory, std::size_t size, H5FD_file_image_op_t, void* image) {
    auto& target = *static_cast<Image*>(image);
    void* grown = std::realloc(memory, size);
    if (grown == nullptr) return nullptr;
    if (size > target.size) std::memset(static_cast<char*>(grown) + target.size, 0, size - target.size);
    target.size = size;
    return target.memory = grown;
}

herr_t imageFree(void* memory, H5FD_file_image_op_t operation, void* image) {
    auto& target = *static_cast<Image*>(image);
    if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
        target.finished = true;
    } else {
        std::free(memory);
        target.memory = nullptr;
    }
    return 0;
}

void* imageCopy(void* to, const void* from, std::size_t size, H5FD_file_image_op_t, void*) {
    return std::memcpy(to, from, size);
}

/// Links stay in a group's header, under its checksum, in creation order: at most 64 of them, more than a run needs.
void keepLinksCompact(const Hdf5Handle& creation) {
    H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED);
    H5Pset_link_phase_change(creation.id(), 64, 32);
}

// The recipe for equal bytes: fixed format version, no recorded times, creation order kept, explicit types, everything
// chunked with a checksum and filled on allocation.
Hdf5Handle createFile(Image& image) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_fapl_core(access.id(), kGrowthBytes, 0);
    H5FD_file_image_callbacks_t callbacks{imageAllocate, imageCopy, imageReallocate, imageFree,
                                          [](void* same) { return same; }, [](void*) { return herr_t(0); }, &image};
    H5Pset_file_image_callbacks(access.id(), &callbacks);
    const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.id(), false);
    keepLinksCompact(creation);
    return {H5Fcreate("run", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose};
}

bool createGroup(hid_t file, const std::string& path) {
    const Hdf5Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.id(), false);
    keepLinksCompact(creation);
    return Hdf5Handle(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Gclose).close();
}

/// Every group above a dataset's path, once.
bool createGroupsOf(hid_t file, const std::string& path, std::vector<std::string>& groups) {
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        const std::string group = path.substr(0, slash);
        if (std::find(groups.begin(), groups.end(), group) != groups.end()) continue;
        if (!createGroup(file, group)) return false;
        groups.push_back(group);
    }
    return true;
}

bool writeDataset(hid_t file, const Dataset& dataset) {
    const std::vector<hsize_t> shape(dataset.shape.begin(), dataset.shape.end());
    std::vector<hsize_t> chunk = shape;
    const std::uint64_t rowBytes = dataset.bytes.size() / shape[0];
    chunk[0] = std::clamp<std::uint64_t>(kMostChunkBytes / std::max<std::uint64_t>(rowBytes, 1), 1, shape[0]);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.id(), false);
    H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_fletcher32(creation.id());
    H5Pset_fill_time(creation.id(), H5D_FILL_TIME_ALLOC);
    const Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
    const hid_t type = hdf5TypeOf(dataset.type);
    Hdf5Handle target(H5Dcreate2(file, dataset.path.c_str(), type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                      H5Dclose);
    return target.valid() && H5Dwrite(target.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, dataset.bytes.data()) >= 0 &&
           target.close();
}

Result<void> writeBytes(const std::string& path, std::span<const std::byte> bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file < 0) return failure("{}: cannot be opened: {}", path, std::strerror(errno));
    int problem = 0;
    for (std::size_t written = 0; problem == 0 && written < bytes.size();) {
        const ssize_t count = ::write(file, bytes.data() + written, bytes.size() - written);
        if (count >= 0)
            written += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            problem = errno;
    }
    if (::close(file) != 0 && problem == 0) problem = errno;
    if (problem != 0) return failure("{}", std::strerror(problem));
    return {};
}

}  // namespace

Result<std::vector<std::byte>> runFileImage(const Run& run) {
    const std::scoped_lock lock(hdf5Mutex());
    quietHdf5();
    Image image;
    bool written = false;
    {
        Hdf5Handle file = createFile(image);
        std::vector<std::string> groups;
        written = file.valid();
        for (const Dataset& dataset : datasetsOf(run))
            written = written && createGroupsOf(file.id(), dataset.path, groups) && writeDataset(file.id(), dataset);
        written = file.close() && written;
    }
    std::vector<std::byte> bytes;
    if (written && image.finished) {
        // The memory grows in steps; the superblock (offset 28, 64 bits) says where the file ends.
        std::uint64_t end = 0;
        std::memcpy(&end, static_cast<const char*>(image.memory) + 28, sizeof end);
        const auto* first = static_cast<const std::byte*>(image.memory);
        bytes.assign(first, first + std::min<std::uint64_t>(end, image.size));
    }
    if (image.finished) std::free(image.memory);
    if (bytes.empty()) return failure("the run could not be laid out as HDF5");
    return bytes;
}

Result<std::string> writeRunFile(const Run& run, const std::string& path) {
    const Result<std::vector<std::byte>> image = runFileImage(run);
    if (!image) return failureOf(image);
    const Result<void> written = writeAtomically(path, [&](const std::string& temporaryPath) -> Result<void> {
        if (const Result<void> bytes = writeBytes(temporaryPath, *image); !bytes)
            return failure("{}: cannot be written: {}", path, bytes.error().message);
        return {};
    });
    if (!written) return failureOf(written);
    return sha256Hex(*image);
}

std::vector<ContentDigest> contentDigests(const Run& run) {
    std::vector<ContentDigest> digests;
    for (const Dataset& dataset : datasetsOf(run))
        digests.push_back({dataset.path, std::string(nameOf(dataset.type)), dataset.shape, sha256Hex(dataset.bytes)});
    return digests;
}

}  // namespace isobit
