// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/rope_fit.h"

#include <algorithm>
#include <cstring>

namespace isobit {
namespace {

// Batch and sequence as one dimension of tokens, down to `rank` dimensions.
TensorView withTokens(TensorView view, std::size_t rank) {
    while (view.shape.size() > rank) {
        view.shape[1] *= view.shape[0];
        view.shape.erase(view.shape.begin());
    }
    view.strides = contiguousStrides(view.shape);
    return view;
}

Result<void> check(const TensorView& x, const TensorView& cosine, const TensorView& sine, const TensorView& out) {
    if (x.shape.size() != 3)
        return failure("x has shape {}, expected [T, heads, D] or [B, S, heads, D]", textOf(x.shape));
    if (cosine.shape != sine.shape)
        return failure("cos has shape {} and sin {}, expected one shape", textOf(cosine.shape), textOf(sine.shape));
    if (cosine.shape.size() != 2 || cosine.shape[0] != x.shape[0])
        return failure("cos has shape {}, expected a row for each of {} tokens", textOf(cosine.shape), x.shape[0]);
    if (elementsOf(out.shape) != elementsOf(x.shape))
        return failure("the result has shape {}, expected as many elements as x, {}", textOf(out.shape),
                       textOf(x.shape));
    return {};
}

std::uint64_t differingFrom(const Tensor& own, const TensorView& captured) {
    const std::size_t size = bytesOf(captured.dtype);
    const auto words = own.bytes();
    std::uint64_t count = 0;
    for (std::size_t at = 0; at < words.size(); at += size)
        count += std::memcmp(words.data() + at, captured.data + at, size) != 0 ? 1 : 0;
    return count;
}

RopeFit fitOne(const Program& program, const OperationCall& call, const TensorView& out, const RunOptions& options) {
    RopeFit fit{std::string(program.name()), call.choices.at("pairing"), 0, ""};
    const auto outputs = program.run(call, options);
    if (!outputs)
        fit.refusal = outputs.error().message;
    else if (outputs->front().tensor.dtype() != out.dtype)
        fit.refusal =
            fmt::format("it stores {}, the capture is {}", nameOf(outputs->front().tensor.dtype()), nameOf(out.dtype));
    else
        fit.differing = differingFrom(outputs->front().tensor, out);
    return fit;
}

}  // namespace

Result<std::vector<RopeFit>> fitRope(const ProgramList& programs, TensorView x, TensorView cosine, TensorView sine,
                                     const TensorView& out, const RunOptions& options) {
    x = withTokens(std::move(x), 3);
    cosine = withTokens(std::move(cosine), 2);
    sine = withTokens(std::move(sine), 2);
    if (const auto valid = check(x, cosine, sine, out); !valid) return failureOf(valid);
    OperationCall call{"rope", {{"x", x}, {"cos", cosine}, {"sin", sine}}, {}};
    call.parameters["layer"] = 2;  // where every wrapper that a named value describes has cast the table
    if (2 * cosine.shape[1] > x.shape[2]) call.choices["layout"] = "doubled";
    std::vector<RopeFit> fits;
    for (const auto& program : programs) {
        if (program->operation() != "rope") continue;
        for (const char* pairing : {"half_split", "interleaved"}) {
            if (options.stop.stop_requested()) return failure("rope fit: stopped");
            call.choices["pairing"] = pairing;
            fits.push_back(fitOne(*program, call, out, options));
        }
    }
    std::ranges::stable_sort(fits, [](const RopeFit& a, const RopeFit& b) {
        if (a.refusal.empty() != b.refusal.empty()) return a.refusal.empty();
        return a.differing < b.differing;
    });
    return fits;
}

}  // namespace isobit
