// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_program.h"

#include <algorithm>
#include <bit>

#include "core/programs/attention_programs.h"

namespace isobit::cuda {
namespace {

constexpr int kVersion = 1;

std::int32_t narrowed(std::int64_t value) { return static_cast<std::int32_t>(value); }

// The kernels copy 16 bytes at a time: rows must begin at multiples of eight elements.
bool isAligned(const TensorView& view) {
    return std::all_of(view.strides.begin(), view.strides.end() - 1, [](std::int64_t stride) { return stride % 8 == 0; });
}

// A contiguous copy of a view with unit last stride.
Tensor gathered(const TensorView& view) {
    Tensor tensor(view.dtype, view.shape);
    const std::int64_t width = view.shape.back();
    const std::int64_t rows = width == 0 ? 0 : view.elements() / width;
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t rest = row;
        std::int64_t offset = 0;
        for (std::size_t i = view.shape.size() - 1; i-- > 0;) {
            offset += rest % view.shape[i] * view.strides[i];
            rest /= view.shape[i];
        }
        std::copy_n(view.as<std::uint16_t>() + offset, width, tensor.as<std::uint16_t>() + row * width);
    }
    return tensor;
}

std::vector<DeviceRequest> deviceRequests(const std::vector<AttentionRequest>& requests) {
    std::vector<DeviceRequest> list;
    for (const AttentionRequest& request : requests)
        list.push_back({narrowed(request.firstQuery), narrowed(request.queries), narrowed(request.firstKey),
                        narrowed(request.keys), narrowed(request.tableRow)});
    return list;
}

class CudaAttention final : public DeviceProgram {
public:
    CudaAttention(const NamedAttention& attention, std::string_view suffix, AttentionRoute route, AttentionKernel kernel)
        : DeviceProgram(fmt::format("cuda:{}{}", attention.name, suffix), "attention", attention.name, kVersion),
          m_arithmetic(attention.arithmetic),
          m_route(route),
          m_kernel(kernel) {}

    [[nodiscard]] std::vector<std::string_view> batchInputs() const override { return {"q", "k", "v"}; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto inputs = requireAttentionInputs(call);
        if (!inputs) return failureOf(inputs);
        const bool moves = m_route == AttentionRoute::Paged && inputs->pageTable.empty();
        const PagedKv paged = moves ? pagedKvOf(*inputs) : PagedKv{};
        const AttentionInputs used = moves ? onPages(*inputs, paged) : *inputs;
        const auto device = DeviceAttention::create(m_arithmetic, used, m_route);
        if (!device) return failureOf(device);
        auto outputs = attentionOutputs(used);
        if (auto done = (*device)->run(m_kernel, outputs, name()); !done) return failureOf(done);
        return outputs;
    }

    [[nodiscard]] Result<std::vector<NamedTensor>> runRowsAlone(const OperationCall& call,
                                                                const RunOptions& options) const override {
        return requestsAlone(*this, call, options);
    }

private:
    const AttentionArithmetic& m_arithmetic;
    AttentionRoute m_route;
    AttentionKernel m_kernel;
};

}  // namespace

Result<std::unique_ptr<DeviceAttention>> DeviceAttention::create(const AttentionArithmetic& arithmetic,
                                                                 const AttentionInputs& inputs, AttentionRoute route) {
    const auto launches = launchesOf(inputs, route);
    if (!launches) return failureOf(launches);
    auto device = std::unique_ptr<DeviceAttention>(new DeviceAttention);
    device->upload(inputs);
    device->plan(arithmetic, inputs, *launches);
    if (auto done = device->m_device.finish("copying the inputs of attention"); !done) return failureOf(done);
    return device;
}

void DeviceAttention::upload(const AttentionInputs& inputs) {
    AttentionInputs aligned = inputs;
    std::vector<Tensor> copies;
    for (TensorView* view : {&aligned.q, &aligned.k, &aligned.v})
        if (!isAligned(*view)) *view = copies.emplace_back(gathered(*view)).view();
    const AttentionCall call = callOf(aligned);
    AttentionArguments& p = m_common;
    p.q = m_device.upload(aligned.q);
    p.qTokenStride = call.qTokenStride;
    p.qHeadStride = call.qHeadStride;
    p.k = {m_device.upload(aligned.k), call.k.pageStride, call.k.tokenStride, call.k.headStride};
    p.v = {m_device.upload(aligned.v), call.v.pageStride, call.v.tokenStride, call.v.headStride};
    p.pageTable = m_device.upload(std::span<const std::int32_t>(aligned.pageTable));
    p.tableStride = narrowed(inputs.tableStride);
    p.pageSize = narrowed(inputs.pageSize);
    const auto size = static_cast<std::uint64_t>(inputs.pageSize);
    p.pageShift = std::has_single_bit(size) ? std::countr_zero(size) : -1;
    p.queryHeads = narrowed(inputs.queryHeads);
    p.kvHeads = narrowed(inputs.kvHeads);
    p.headDim = narrowed(inputs.headDim);
    p.scale = inputs.scale;
    p.scaleInBaseTwo = scaleInBaseTwo(inputs.scale);
    p.causal = inputs.causal;
    p.windowLeft = narrowed(inputs.windowLeft);
    p.windowRight = narrowed(inputs.windowRight);
    p.queryRows = inputs.queryRows();
    m_outBytes = static_cast<std::size_t>(p.queryRows * p.queryHeads * p.headDim) * 2;
    m_lseBytes = static_cast<std::size_t>(p.queryRows * p.queryHeads) * sizeof(float);
    p.out = m_device.allocate(m_outBytes);
    p.lse = static_cast<float*>(m_device.allocate(m_lseBytes));
}

void DeviceAttention::plan(const AttentionArithmetic& arithmetic, const AttentionInputs& inputs,
                           const std::vector<std::vector<AttentionRequest>>& launches) {
    std::vector<DeviceRequest> all;
    AttentionCall call = callOf(inputs);
    std::int64_t most = 1;
    for (const auto& requests : launches) {
        AttentionArguments p = m_common;
        call.requests = requests;
        const int splits = splitsOf(arithmetic, call);
        p.requestCount = narrowed(std::ssize(requests));
        if (arithmetic.split == KvSplit::Length) p.splitBlocks = narrowed(arithmetic.splitLength / kAttentionBlock);
        p.splits = splits;
        p.mergeByLogSumExp = arithmetic.merge == SplitMerge::LogSumExp;
        for (const AttentionRequest& request : requests) {
            p.mostQueries = std::max(p.mostQueries, narrowed(request.queries));
            p.mostRanges = std::max(p.mostRanges, narrowed(std::ssize(splitRanges(arithmetic, request.keys, splits))));
        }
        // One range a request is no split: its rows are finished where they arise.
        if (p.mostRanges == 1) p.splitBlocks = p.splits = 0;
        most = std::max<std::int64_t>(most, p.mostRanges);
        const auto list = deviceRequests(requests);
        all.insert(all.end(), list.begin(), list.end());
        m_launches.push_back(p);
    }
    const DeviceRequest* next = m_device.upload(std::span<const DeviceRequest>(all));
    const std::int64_t rows = most == 1 ? 0 : most * m_common.queryRows * m_common.queryHeads;
    auto* const sums = m_device.allocate<float>(rows * m_common.headDim);
    auto* const records = m_device.allocate<float>(rows * 2);
    for (AttentionArguments& p : m_launches) {
        p.requests = next;
        next += p.requestCount;
        if (p.mostRanges == 1) continue;
        p.partSums = sums;
        p.partRecords = records;
    }
}

Result<void> DeviceAttention::launch(AttentionKernel kernel, const LaunchOptions& options) const {
    for (const AttentionArguments& p : m_launches)
        if (auto done = checked(launchAttention(p, kernel, options), "launching attention"); !done) return done;
    return {};
}

Result<void> DeviceAttention::run(AttentionKernel kernel, std::vector<NamedTensor>& outputs, std::string_view name) {
    if (m_outBytes == 0) return {};
    if (auto done = launch(kernel, m_device.options()); !done) return done;
    m_device.download(outputs[0].tensor.bytes().data(), m_common.out, m_outBytes);
    m_device.download(outputs[1].tensor.bytes().data(), m_common.lse, m_lseBytes);
    return m_device.finish(fmt::format("running {}", name));
}

void addAttentionPrograms(ProgramList& programs) {
    const auto add = [&](const NamedAttention& attention, std::string_view suffix, AttentionRoute route,
                         AttentionKernel kernel) {
        programs.push_back(std::make_unique<CudaAttention>(attention, suffix, route, kernel));
    };
    for (const char* const name :
         {"attention.local", "attention.split_512", "attention.split_count", "attention.heuristic"}) {
        const NamedAttention& attention = *findAttention(name);
        for (const AttentionRoute route : {AttentionRoute::OnePiece, AttentionRoute::Chunked, AttentionRoute::Paged})
            add(attention, suffixOf(route), route, AttentionKernel::Suitable);
        if (dependenceOf(attention.arithmetic) != AttentionDependence::Nothing) continue;
        add(attention, ".rows128", AttentionRoute::OnePiece, AttentionKernel::Rows128);
        add(attention, ".rows16", AttentionRoute::OnePiece, AttentionKernel::Rows16);
    }
}

}  // namespace isobit::cuda
