// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/arithmetic/rope.h"

namespace isobit {
namespace {

// No rounding but that of the two results.
RopeArithmetic oneChain(RopeContraction contraction) {
    RopeArithmetic p;
    p.cosine = p.sine = p.x1Cosine = p.x2Sine = p.x2Cosine = p.x1Sine = RopeRounding::Fp32;
    p.contraction = contraction;
    return p;
}

RopeArithmetic classB() { return oneChain(RopeContraction::CosineProduct); }

RopeArithmetic changed(RopeArithmetic p, void (*change)(RopeArithmetic&)) {
    change(p);
    return p;
}

RopeArithmetic productsRounded() {
    return changed(RopeArithmetic(), [](RopeArithmetic& p) { p.cosine = p.sine = RopeRounding::Fp32; });
}

RopeArithmetic tableRounded() {
    return changed(classB(), [](RopeArithmetic& p) { p.cosine = p.sine = RopeRounding::Input; });
}

}  // namespace

const std::vector<NamedRope>& namedRopes() {
    static const std::vector<NamedRope> list{
        {"rope.class_a", "eight roundings: table, products and results in the input's type", {}},
        {"rope.class_b", "one FP32 chain as a compiler contracts it, one rounding of each result", classB()},
        {"rope.class_b.adjoint", "what Class B's gradients go through: the sine negated",
         changed(classB(), [](RopeArithmetic& p) { p.direction = RopeDirection::Adjoint; })},
        {"rope.class_b.uncontracted", "the chain without a fused multiply-add", oneChain(RopeContraction::None)},
        {"rope.class_b.sine_product", "the chain with the other product fused", oneChain(RopeContraction::SineProduct)},
        {"rope.class_b.fp32", "the chain for FP32 in and out",
         changed(classB(), [](RopeArithmetic& p) { p.element = RopeElement::Fp32; })},
        {"rope.class_b.on_cpu", "what a CPU runs while Class B is selected: the plain expression, promoted to FP32",
         changed(oneChain(RopeContraction::None),
                 [](RopeArithmetic& p) {
                     p.first = p.second = RopeRounding::Fp32;
                     p.output = RopeOutput::Fp32;
                 })},
        {"rope.class_b.table_downcast", "the chain over a table that was rounded in transit: neither class",
         tableRounded()},
        {"rope.class_b.table_downcast_from_2", "the same where a wrapper casts the table from layer 2 on",
         changed(tableRounded(), [](RopeArithmetic& p) { p.tableRoundedFromLayer = 2; })},
        {"rope.products_rounded", "an FP32 table, products and results rounded", productsRounded()}};
    return list;
}

const NamedRope* findRope(std::string_view name) {
    const auto found = std::ranges::find(namedRopes(), name, &NamedRope::name);
    return found == namedRopes().end() ? nullptr : &*found;
}

}  // namespace isobit
