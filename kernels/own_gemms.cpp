// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/own_gemms.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cassert>

namespace isobit::cuda {
namespace {

constexpr std::int64_t kNarrowRows = 64;  // the weight is read once

bool always(const GemmArguments&) { return true; }
bool fewRows(const GemmArguments& call) { return call.rows <= 4 * kNarrowRows; }
bool manyRows(const GemmArguments& call) { return call.rows > 16; }

template <int kTileRows>
bool notTooMany(const GemmArguments& call) {
    return call.rows <= 64 * kTileRows;
}
template <int kTileRows>
CudaStatus launchRows(const GemmArguments& call, LaunchOptions options) {
    return launchMmaGemm(call, kTileRows, options);
}

CudaStatus launchWide(const GemmArguments& call, LaunchOptions options) {
    int multiprocessors = 0;
    if (const CudaStatus status = countMultiprocessors(multiprocessors); status != cudaSuccess) return status;
    return launchWideGemm(call, wideTileFor(call.rows, call.columns, multiprocessors), options);
}
template <int kRows, int kColumns>
CudaStatus launchWideTile(const GemmArguments& call, LaunchOptions options) {
    return launchWideGemm(call, {kRows, kColumns}, options);
}

constexpr OwnGemm kGemms[] = {
    {"narrow", narrowAdmits, fewRows, launchNarrowGemm, true},
    {"wide", wideAdmits, manyRows, launchWide, true},
    {"wide64x64", wideAdmits, manyRows, launchWideTile<64, 64>, true},
    {"wide64x128", wideAdmits, manyRows, launchWideTile<64, 128>, true},
    {"wide64x192", wideAdmits, manyRows, launchWideTile<64, 192>, true},
    {"wide64x256", wideAdmits, manyRows, launchWideTile<64, 256>, true},
    {"wide128x128", wideAdmits, manyRows, launchWideTile<128, 128>, true},
    {"wide128x192", wideAdmits, manyRows, launchWideTile<128, 192>, true},
    {"wide128x256", wideAdmits, manyRows, launchWideTile<128, 256>, true},
    {"rows16", always, notTooMany<16>, launchRows<16>, false},
    {"rows32", always, notTooMany<32>, launchRows<32>, false},
    {"rows64", always, notTooMany<64>, launchRows<64>, false},
    {"rows128", always, notTooMany<128>, launchRows<128>, false},
};

std::string_view tileName(int tileRows) {
    return tileRows == 16 ? "rows16" : tileRows == 32 ? "rows32" : tileRows == 64 ? "rows64" : "rows128";
}

}  // namespace

CudaStatus countMultiprocessors(int& count) {
    int device = 0;
    if (const cudaError_t status = cudaGetDevice(&device); status != cudaSuccess) return status;
    return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
}

std::span<const OwnGemm> ownGemms() { return kGemms; }

const OwnGemm* findOwnGemm(std::string_view name) {
    const auto found = std::ranges::find(kGemms, name, &OwnGemm::name);
    return found == std::end(kGemms) ? nullptr : &*found;
}

const OwnGemm& suitedGemm(const GemmArguments& call) {
    if (call.rows <= kNarrowRows && narrowAdmits(call)) return *findOwnGemm("narrow");
    if (call.rows > kNarrowRows && wideAdmits(call)) return *findOwnGemm("wide");
    const OwnGemm* const tiled = findOwnGemm(tileName(tileRowsFor(call.rows)));
    assert(tiled != nullptr);
    return *tiled;
}

}  // namespace isobit::cuda
