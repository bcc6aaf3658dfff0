// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/capture/pairing.h"

namespace isobit {

/// The `isobit.pairing/1` document, which a person may edit and parsePairing reads back:
///
///     {"format": "isobit.pairing/1", "others": "automatic",
///      "pairs": [{"name": "layers.0.q_proj", "match": "slice", "how": "...",
///                 "trainer": {"tensor": "layers.0.q_proj"},
///                 "sampler": {"tensor": "qkv_proj", "columns": [0, 512]}}]}
///
/// A side is null where it has no partner, else {"tensor": name} or {"rows": [{"tensor": name, "first": n, "count": n}],
/// "row_shape": [sizes]}; both may have "columns": [first, count] of the last dimension. "name", "match", "how" and
/// "aligned" are for people. "others" says what becomes of tensors that no pair names: "automatic" pairs them by the
/// usual rules, "left_out" does not compare them.
[[nodiscard]] Json pairingDocument(const TensorFile& trainer, const TensorFile& sampler,
                                   const std::vector<TensorPair>& pairs);

/// What a pairing file settles.
struct GivenPairing {
    std::vector<TensorPair> pairs;
    bool pairOthers = true;
};

/// Reads such a document. An Error names it and what is wrong; tensors that a capture does not hold are one sentence
/// each, a line each. Rows and columns must lie inside their tensors, a name must not come twice.
[[nodiscard]] Result<GivenPairing> parsePairing(std::string_view text, std::string_view name, const TensorFile& trainer,
                                                const TensorFile& sampler);

}  // namespace isobit
