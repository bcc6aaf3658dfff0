// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cublaslt.h"

#include <cublasLt.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace isobit::cuda {
namespace {

static_assert(sizeof(cublasLtMatmulAlgo_t) == sizeof(LtAlgorithm::words), "an algorithm is eight words");

cublasLtMatmulAlgo_t opaqueOf(const LtAlgorithm& algorithm) {
    cublasLtMatmulAlgo_t opaque;
    std::memcpy(&opaque, algorithm.words.data(), sizeof opaque);
    return opaque;
}

Error libraryError(std::string_view doing, cublasStatus_t status) {
    return Error{fmt::format("cuBLASLt: {} failed with status {}", doing, static_cast<int>(status))};
}

}  // namespace

// Every entry point used, by its own name.
struct CublasLt::Functions {
#define ISOBIT_LT_FUNCTIONS(use)                                                                                       \
    use(cublasLtCreate) use(cublasLtDestroy) use(cublasLtGetVersion) use(cublasLtMatmul) use(cublasLtMatmulDescCreate) \
        use(cublasLtMatmulDescDestroy) use(cublasLtMatmulDescSetAttribute) use(cublasLtMatrixLayoutCreate)             \
            use(cublasLtMatrixLayoutDestroy) use(cublasLtMatmulPreferenceCreate) use(cublasLtMatmulPreferenceDestroy)  \
                use(cublasLtMatmulPreferenceSetAttribute) use(cublasLtMatmulAlgoGetHeuristic)                          \
                    use(cublasLtMatmulAlgoGetIds) use(cublasLtMatmulAlgoInit) use(cublasLtMatmulAlgoCheck)             \
                        use(cublasLtMatmulAlgoCapGetAttribute) use(cublasLtMatmulAlgoConfigSetAttribute)               \
                            use(cublasLtMatmulAlgoConfigGetAttribute)
#define ISOBIT_LT_MEMBER(name) decltype(&::name) name = nullptr;
    ISOBIT_LT_FUNCTIONS(ISOBIT_LT_MEMBER)
#undef ISOBIT_LT_MEMBER
};

std::string textOf(const LtAlgorithm& algorithm) {
    return fmt::format(
        "algorithm {}, tile {}, stages {}, split-K {}, reduction {}, swizzle {}, custom {}, inner {}, "
        "cluster {}, workspace {}",
        algorithm.id, algorithm.tile, algorithm.stages, algorithm.splitK, algorithm.reduction, algorithm.swizzle,
        algorithm.custom, algorithm.inner, algorithm.cluster, algorithm.workspace);
}

Result<std::shared_ptr<const CublasLt>> CublasLt::open() {
    const char* const chosen = std::getenv("ISOBIT_CUBLASLT");
    const std::string file = chosen != nullptr && *chosen != '\0' ? chosen : "libcublasLt.so.13";
    std::shared_ptr<CublasLt> library(new CublasLt);
    library->m_library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library->m_library == nullptr)
        return failure("cuBLASLt cannot be opened: {}; ISOBIT_CUBLASLT may name its file", dlerror());
    library->m_functions = std::make_unique<Functions>();
    const char* missing = nullptr;
#define ISOBIT_LT_LOAD(name)                                                                            \
    library->m_functions->name = reinterpret_cast<decltype(&::name)>(dlsym(library->m_library, #name)); \
    if (library->m_functions->name == nullptr) missing = #name;
    ISOBIT_LT_FUNCTIONS(ISOBIT_LT_LOAD)
#undef ISOBIT_LT_LOAD
    if (missing != nullptr) return failure("{} has no entry point {}", file, missing);
    cublasLtHandle_t handle = nullptr;
    if (const auto status = library->m_functions->cublasLtCreate(&handle); status != CUBLAS_STATUS_SUCCESS)
        return tl::unexpected(libraryError("making a handle", status));
    library->m_handle = handle;
    library->m_version = library->m_functions->cublasLtGetVersion();
    Dl_info info{};
    library->m_file =
        dladdr(reinterpret_cast<void*>(library->m_functions->cublasLtCreate), &info) != 0 && info.dli_fname != nullptr
            ? info.dli_fname
            : file;
    return std::shared_ptr<const CublasLt>(std::move(library));
}

CublasLt::~CublasLt() {
    if (m_handle != nullptr) m_functions->cublasLtDestroy(static_cast<cublasLtHandle_t>(m_handle));
    if (m_library != nullptr) dlclose(m_library);
}

Result<LtProduct> LtProduct::create(std::shared_ptr<const CublasLt> library, std::int64_t rows, std::int64_t columns,
                                    std::int64_t depth, GemmOutputType output) {
    LtProduct product;
    product.m_library = std::move(library);
    product.m_output = output;
    const CublasLt::Functions& lt = *product.m_library->m_functions;
    const cudaDataType_t type = output == GemmOutputType::Fp32 ? CUDA_R_32F : CUDA_R_16BF;
    // The library thinks in columns: out^T [N, M] = w [N, K] a^T, with w stored as [K, N] columns and transposed.
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t layouts[3] = {nullptr, nullptr, nullptr};
    auto status = lt.cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    product.m_operation = operation;
    const cublasOperation_t transpose = CUBLAS_OP_T;
    if (status == CUBLAS_STATUS_SUCCESS)
        status =
            lt.cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transpose, sizeof transpose);
    const auto n = static_cast<std::uint64_t>(columns);
    const auto m = static_cast<std::uint64_t>(rows);
    const auto k = static_cast<std::uint64_t>(depth);
    if (status == CUBLAS_STATUS_SUCCESS) status = lt.cublasLtMatrixLayoutCreate(&layouts[0], CUDA_R_16BF, k, n, depth);
    product.m_weightLayout = layouts[0];
    if (status == CUBLAS_STATUS_SUCCESS) status = lt.cublasLtMatrixLayoutCreate(&layouts[1], CUDA_R_16BF, k, m, depth);
    product.m_aLayout = layouts[1];
    if (status == CUBLAS_STATUS_SUCCESS) status = lt.cublasLtMatrixLayoutCreate(&layouts[2], type, n, m, columns);
    product.m_outLayout = layouts[2];
    if (status != CUBLAS_STATUS_SUCCESS)
        return tl::unexpected(
            libraryError(fmt::format("describing a product of {} x {} x {}", rows, columns, depth), status));
    return product;
}

LtProduct::LtProduct(LtProduct&& other) noexcept
    : m_library(std::move(other.m_library)),
      m_operation(std::exchange(other.m_operation, nullptr)),
      m_weightLayout(std::exchange(other.m_weightLayout, nullptr)),
      m_aLayout(std::exchange(other.m_aLayout, nullptr)),
      m_outLayout(std::exchange(other.m_outLayout, nullptr)),
      m_output(other.m_output) {}

LtProduct::~LtProduct() {
    if (m_library == nullptr) return;
    const CublasLt::Functions& lt = *m_library->m_functions;
    for (void* const layout : {m_weightLayout, m_aLayout, m_outLayout})
        if (layout != nullptr) lt.cublasLtMatrixLayoutDestroy(static_cast<cublasLtMatrixLayout_t>(layout));
    if (m_operation != nullptr) lt.cublasLtMatmulDescDestroy(static_cast<cublasLtMatmulDesc_t>(m_operation));
}

namespace {

// The fields of an opaque algorithm.
template <class Functions>
LtAlgorithm describe(const Functions& lt, const cublasLtMatmulAlgo_t& opaque, std::size_t workspace) {
    LtAlgorithm algorithm;
    std::memcpy(algorithm.words.data(), &opaque, sizeof opaque);
    algorithm.workspace = workspace;
    const auto get = [&](cublasLtMatmulAlgoConfigAttributes_t attribute, auto& field) {
        std::size_t written = 0;
        lt.cublasLtMatmulAlgoConfigGetAttribute(&opaque, attribute, &field, sizeof field, &written);
    };
    get(CUBLASLT_ALGO_CONFIG_ID, algorithm.id);
    get(CUBLASLT_ALGO_CONFIG_TILE_ID, algorithm.tile);
    get(CUBLASLT_ALGO_CONFIG_STAGES_ID, algorithm.stages);
    get(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, algorithm.splitK);
    get(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, algorithm.reduction);
    get(CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, algorithm.swizzle);
    get(CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, algorithm.custom);
    get(CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, algorithm.inner);
    get(CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, algorithm.cluster);
    return algorithm;
}

// A list-valued capability of an algorithm.
template <class Functions>
std::vector<std::uint32_t> listOf(const Functions& lt, const cublasLtMatmulAlgo_t& opaque,
                                  cublasLtMatmulAlgoCapAttributes_t attribute) {
    std::size_t bytes = 0;
    lt.cublasLtMatmulAlgoCapGetAttribute(&opaque, attribute, nullptr, 0, &bytes);
    std::vector<std::uint32_t> values(bytes / sizeof(std::uint32_t));
    if (!values.empty()) lt.cublasLtMatmulAlgoCapGetAttribute(&opaque, attribute, values.data(), bytes, &bytes);
    return values;
}

}  // namespace

Result<std::vector<LtAlgorithm>> LtProduct::heuristics(int most, std::size_t workspaceLimit) const {
    const CublasLt::Functions& lt = *m_library->m_functions;
    cublasLtMatmulPreference_t preference = nullptr;
    if (const auto status = lt.cublasLtMatmulPreferenceCreate(&preference); status != CUBLAS_STATUS_SUCCESS)
        return tl::unexpected(libraryError("making a preference", status));
    lt.cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspaceLimit,
                                            sizeof workspaceLimit);
    std::vector<cublasLtMatmulHeuristicResult_t> found(static_cast<std::size_t>(most));
    int count = 0;
    const auto out = static_cast<cublasLtMatrixLayout_t>(m_outLayout);
    const auto status = lt.cublasLtMatmulAlgoGetHeuristic(
        static_cast<cublasLtHandle_t>(m_library->m_handle), static_cast<cublasLtMatmulDesc_t>(m_operation),
        static_cast<cublasLtMatrixLayout_t>(m_weightLayout), static_cast<cublasLtMatrixLayout_t>(m_aLayout), out, out,
        preference, most, found.data(), &count);
    lt.cublasLtMatmulPreferenceDestroy(preference);
    if (status != CUBLAS_STATUS_SUCCESS) return tl::unexpected(libraryError("asking for algorithms", status));
    std::vector<LtAlgorithm> algorithms;
    for (int i = 0; i < count; ++i)
        if (found[i].state == CUBLAS_STATUS_SUCCESS)
            algorithms.push_back(describe(lt, found[i].algo, found[i].workspaceSize));
    return algorithms;
}

std::vector<LtAlgorithm> LtProduct::unsplitConfigurations(std::size_t workspaceLimit, std::size_t most) const {
    const CublasLt::Functions& lt = *m_library->m_functions;
    const auto handle = static_cast<cublasLtHandle_t>(m_library->m_handle);
    const cudaDataType_t type = m_output == GemmOutputType::Fp32 ? CUDA_R_32F : CUDA_R_16BF;
    std::array<int, 128> ids{};
    int count = 0;
    lt.cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, type, type,
                                static_cast<int>(ids.size()), ids.data(), &count);
    std::vector<LtAlgorithm> algorithms;
    for (int i = 0; i < count; ++i) {
        cublasLtMatmulAlgo_t base;
        if (lt.cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, type, type,
                                      ids[i], &base) != CUBLAS_STATUS_SUCCESS)
            continue;
        for (const std::uint32_t tile : listOf(lt, base, CUBLASLT_ALGO_CAP_TILE_IDS))
            for (const std::uint32_t stages : listOf(lt, base, CUBLASLT_ALGO_CAP_STAGES_IDS)) {
                cublasLtMatmulAlgo_t opaque = base;
                lt.cublasLtMatmulAlgoConfigSetAttribute(&opaque, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile, sizeof tile);
                lt.cublasLtMatmulAlgoConfigSetAttribute(&opaque, CUBLASLT_ALGO_CONFIG_STAGES_ID, &stages,
                                                        sizeof stages);
                const LtAlgorithm algorithm = describe(lt, opaque, workspaceLimit);
                if (algorithm.splitK > 1 || !supports(algorithm)) continue;
                algorithms.push_back(algorithm);
                if (algorithms.size() == most) return algorithms;
            }
    }
    return algorithms;
}

bool LtProduct::supports(const LtAlgorithm& algorithm) const {
    const CublasLt::Functions& lt = *m_library->m_functions;
    const cublasLtMatmulAlgo_t opaque = opaqueOf(algorithm);
    cublasLtMatmulHeuristicResult_t result{};
    const auto out = static_cast<cublasLtMatrixLayout_t>(m_outLayout);
    const auto status = lt.cublasLtMatmulAlgoCheck(
        static_cast<cublasLtHandle_t>(m_library->m_handle), static_cast<cublasLtMatmulDesc_t>(m_operation),
        static_cast<cublasLtMatrixLayout_t>(m_weightLayout), static_cast<cublasLtMatrixLayout_t>(m_aLayout), out, out,
        &opaque, &result);
    return status == CUBLAS_STATUS_SUCCESS && result.workspaceSize <= algorithm.workspace;
}

Result<void> LtProduct::run(const LtAlgorithm& algorithm, const void* a, const void* w, void* out, void* workspace,
                            StreamHandle stream) const {
    const cublasLtMatmulAlgo_t opaque = opaqueOf(algorithm);
    const float one = 1.0f;
    const float zero = 0.0f;
    const auto layout = static_cast<cublasLtMatrixLayout_t>(m_outLayout);
    const auto status = m_library->m_functions->cublasLtMatmul(
        static_cast<cublasLtHandle_t>(m_library->m_handle), static_cast<cublasLtMatmulDesc_t>(m_operation), &one, w,
        static_cast<cublasLtMatrixLayout_t>(m_weightLayout), a, static_cast<cublasLtMatrixLayout_t>(m_aLayout), &zero,
        out, layout, out, layout, &opaque, workspace, algorithm.workspace, static_cast<cudaStream_t>(stream));
    if (status != CUBLAS_STATUS_SUCCESS) return tl::unexpected(libraryError("a product", status));
    return {};
}

}  // namespace isobit::cuda
