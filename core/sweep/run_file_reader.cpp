// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/atomic_file.h"
#include "core/base/hdf5_lock.h"
#include "core/base/sha256.h"
#include "core/sweep/hdf5_handle.h"
#include "core/sweep/run_file.h"
#include "core/sweep/run_file_guard.h"

namespace isobit {
namespace {

// Every sample of a measured run of 65,536 cells fits; a file beyond it is refused before it is read.
constexpr std::size_t kMostFileBytes = std::size_t(1) << 30;

// The library opens the bytes that were checked and hashed, not the path again.
Hdf5Handle openImage(std::span<const std::byte> image) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), 1 << 20, 0);
    // The library copies the bytes, in spite of its signature.
    H5Pset_file_image(access.id(), const_cast<std::byte*>(image.data()), image.size());
    return {H5Fopen("run", H5F_ACC_RDONLY, access.id()), H5Fclose};
}

Result<void> readElements(hid_t file, Dataset& dataset, std::string_view name) {
    std::size_t bytes = bytesOf(dataset.type);
    for (const std::uint64_t size : dataset.shape) bytes *= size;
    dataset.bytes.resize(bytes);
    const Hdf5Handle source(H5Dopen2(file, dataset.path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!source.valid() || H5Dread(source.id(), hdf5TypeOf(dataset.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, dataset.bytes.data()) < 0)
        return failure("{}: {} cannot be read: its bytes do not fit their checksum", name, dataset.path);
    return {};
}

Result<std::vector<Dataset>> readDatasets(std::span<const std::byte> image, std::string_view name) {
    const std::scoped_lock lock(hdf5Mutex());
    quietHdf5();
    const Hdf5Handle file = openImage(image);
    if (!file.valid()) return failure("{}: HDF5 cannot open it: its structure is damaged", name);
    Result<std::vector<Dataset>> datasets = checkStructure(file.id(), image.size(), name);
    if (!datasets) return datasets;
    for (Dataset& dataset : *datasets)
        if (const Result<void> elements = readElements(file.id(), dataset, name); !elements) return failureOf(elements);
    return datasets;
}

}  // namespace

Result<Run> readRunImage(std::span<const std::byte> image, std::string_view name) {
    if (const Result<void> superblock = checkSuperblock(image, name); !superblock) return failureOf(superblock);
    const Result<std::vector<Dataset>> datasets = readDatasets(image, name);
    if (!datasets) return failureOf(datasets);
    return runFromDatasets(*datasets, name);
}

Result<RunFile> readRunFile(const std::string& path) {
    const Result<std::string> text = readTextFile(path, kMostFileBytes);
    if (!text) return failureOf(text);
    const auto image = std::as_bytes(std::span(text->data(), text->size()));
    Result<Run> run = readRunImage(image, path);
    if (!run) return failureOf(run);
    return RunFile{std::move(*run), sha256Hex(image)};
}

}  // namespace isobit
