// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/projection_presets.h"

#include <utility>

namespace isobit {
namespace {

Plan projectionPlan(std::string name, std::string operation, std::string rowAxis, std::string pairing, std::string trainer,
          std::string sampler) {
    Plan plan;
    plan.preset = std::move(name);
    plan.operation = std::move(operation);
    plan.rowAxis = std::move(rowAxis);
    plan.pairing = {std::move(pairing), {std::move(trainer), "", "", 0, false}, {std::move(sampler), "", "", 0, false}};
    plan.seedBase = 3000;
    plan.seedStep = 10;
    return plan;
}

// Operands of ordinary range: sums of thousands of products stay far from overflow and cancel often.
std::vector<InputSpec> gemmInputs() {
    return {{"a", "bf16", {"M", "K"}, 118, 128, 0, 0}, {"b", "bf16", {"K", "N"}, 118, 128, 0, 1}};
}

Preset gemmSplitK() {
    Plan p = projectionPlan("gemm-split-k", "gemm", "M", "one chain against split-K in four ranges", "reference:gemm.bf16",
                  "reference:gemm.bf16.split_k4");
    p.inputs = gemmInputs();
    // Depths of one K tile, where nothing can be split, to an MLP's down projection.
    p.axes = {{"K", {64, 512, 3840, 15360}}, {"N", {256}}, {"M", {1, 8, 64, 256}}};
    return {"split-K against the contract's one chain: where the ranges of K begin to change bits", std::move(p)};
}

Preset gemmStreamK() {
    Plan p = projectionPlan("gemm-stream-k", "gemm", "M", "one chain against stream-K on 132 multiprocessors",
                  "reference:gemm.bf16", "reference:gemm.bf16.stream_k132");
    p.inputs = gemmInputs();
    p.axes = {{"K", {3840}}, {"N", {512, 1024}}, {"M", {1, 2, 8, 64, 256}}};
    return {"stream-K shares K by the launch's shape: a row's bits follow the batch, the contract's do not",
            std::move(p)};
}

// Needs a GPU. Rows alone would bring the whole weight to the device once a row, and a change of the library's words
// with M shows against the contract's, which do not change.
Preset gemmBatchInvariance() {
    Plan p = projectionPlan("gemm-batch-invariance", "gemm", "M", "one chain against cuBLASLt's default", "cuda:gemm.bf16",
                  "cuda:cublaslt.default");
    p.inputs = gemmInputs();
    p.axes = {{"K", {3840, 15360}}, {"N", {3840, 5376}}, {"M", {1, 2, 8, 32, 64, 128, 256, 512, 1024}}};
    p.checkBatchInvariance = false;
    return {
        "cuBLASLt's default against the contract over M, on the GPU: from which M on a weight's words are the chain's",
        std::move(p)};
}

// The weights of the contract's table with K 3840; --axis K=15360 --axis N=3840 is the one that is left. Needs a GPU.
Preset gemmTable() {
    Plan p = projectionPlan("gemm-table", "gemm", "M", "own kernels against what was admitted", "cuda:gemm.bf16",
                  "cuda:gemm.bf16.admitted");
    p.inputs = gemmInputs();
    p.axes = {{"K", {3840}}, {"N", {3840, 5376, 8192, 11520, 30720}}, {"M", {1, 8, 16, 64, 256, 1024, 4096}}};
    p.checkBatchInvariance = false;
    return {
        "the contract's weights on the GPU, own kernels against the admitted ones; --time: both and the default's "
        "times",
        std::move(p)};
}

Preset lmHead() {
    Plan p = projectionPlan("lm-head", "lm_head", "M", "scoring v1 against v2", "reference:head.v1", "reference:head.v2");
    p.inputs = {{"h", "bf16", {"M", "K"}, 119, 127, 0, 0},
                {"W", "bf16", {"V", "K"}, 114, 121, 0, 1},
                {"ids", "index", {"M"}, 0, 0, 1000, 2}};
    p.parameters = {{"temperature", "0.7"}};
    p.axes = {{"V", {1000, 8192, 32000}}, {"K", {512}}, {"M", {1, 8, 64}}};
    return {"LM head v1 against v2: the same logits, other trees, so other log-probabilities in some rows",
            std::move(p)};
}

// The vocabularies and rows of the contract's table. Needs a GPU.
Preset lmHeadTable() {
    Plan p =
        projectionPlan("lm-head-table", "lm_head", "M", "the model of v2 against the GPU", "reference:head.v2", "cuda:head.v2");
    p.inputs = {{"h", "bf16", {"M", "K"}, 119, 127, 0, 0},
                {"W", "bf16", {"V", "K"}, 114, 121, 0, 1},
                {"ids", "index", {"M"}, 0, 0, 128256, 2}};
    p.axes = {{"V", {128256}}, {"K", {3840}}, {"M", {1, 8, 64, 256, 1024}}};
    p.checkBatchInvariance = false;
    return {
        "LM head v2 on the GPU against its model, a vocabulary of 128,256; --time: beside the library's plain product",
        std::move(p)};
}

Preset loraFold() {
    Plan p = projectionPlan("lora-fold", "lora_fold", "", "the contract's chain against two slices", "reference:lora.fold",
                  "reference:lora.fold.two_slices");
    p.inputs = {{"W", "bf16", {"512", "384"}, 116, 122, 0, 0},
                {"A", "fp32", {"R", "384"}, 116, 124, 0, 1},
                {"B", "fp32", {"512", "R"}, 116, 124, 0, 2}};
    p.parameters = {{"scaling", "0.6666666666666666"}};
    p.axes = {{"R", {1, 2, 4, 8, 16, 32, 64, 128}}};
    p.checkBatchInvariance = false;
    return {"LoRA fold at ranks 1 to 128: from which rank a vendor's sliced product leaves the chain", std::move(p)};
}

Preset siluMul() {
    Plan p = projectionPlan("silu-mul", "silu_mul", "M", "eager against fused", "reference:silu_mul.eager",
                  "reference:silu_mul.fused");
    p.inputs = {{"x", "bf16", {"M", "W"}, 118, 129, 0, 0}};
    p.axes = {{"W", {1024, 7680, 30720}}, {"M", {1, 8, 64}}};
    return {"SiLU-and-multiply, a framework's eager form against the fused one", std::move(p)};
}

}  // namespace

std::vector<Preset> projectionPresets() {
    return {gemmSplitK(), gemmStreamK(), gemmBatchInvariance(), gemmTable(), lmHead(), lmHeadTable(),
            loraFold(),   siluMul()};
}

}  // namespace isobit
