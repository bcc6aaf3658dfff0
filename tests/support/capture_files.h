// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <cstring>
#include <string>
#include <vector>

namespace isobit::support {

/// One tensor of a file that a test writes: type as safetensors names it, shape, bytes.
struct StoredTensor {
    std::string name;
    std::string type;
    std::vector<int> shape;
    QByteArray bytes;
};

template <class T>
StoredTensor stored(const std::string& name, const std::string& type, std::vector<int> shape, const std::vector<T>& words) {
    return {name, type, std::move(shape), QByteArray(reinterpret_cast<const char*>(words.data()), qsizetype(words.size() * sizeof(T)))};
}

/// Writes a safetensors file: eight bytes of length, the header as JSON, the tensors one after the other.
QString writeSafetensors(const QString& path, const std::vector<StoredTensor>& tensors);

/// Two captures of a small decoder with one layer, in `folder`: q_norm is equal, q_rope differs in words 5 and 70 of
/// [4, 32], hidden differs in every word; v_proj is only the trainer's, k_proj has other shapes; 6 log-probabilities of
/// which token 2 and 4 differ.
struct CapturePaths {
    QString trainer;
    QString sampler;
};
inline CapturePaths writeCaptures(const QString& folder) {
    const std::vector<std::uint16_t> base = [] {
        std::vector<std::uint16_t> words(128);
        for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::uint16_t(0x3F80 + i);
        return words;
    }();
    std::vector<std::uint16_t> rope = base;
    rope[5] ^= 1;
    rope[70] ^= 6;
    std::vector<std::uint16_t> hidden = base;
    for (auto& word : hidden) word ^= 0x10;
    const std::vector<std::int64_t> ids{7, 11, 13, 17, 19, 23};
    const std::vector<float> ours{-1, -2, -3, -4, -5, -6};
    const std::vector<float> theirs{-1, -2, -3.5F, -4, -4.75F, -6};
    const std::vector<int> shape{4, 32};
    std::vector<StoredTensor> trainer{stored("token_ids", "I64", {6}, ids), stored("layers.00.q_norm", "BF16", shape, base),
                                      stored("layers.00.q_rope", "BF16", shape, base), stored("layers.00.hidden", "BF16", shape, base),
                                      stored("layers.00.k_proj", "BF16", {8, 16}, base), stored("decision_logprob", "F32", {6}, ours)};
    std::vector<StoredTensor> sampler{stored("token_ids", "I64", {6}, ids), stored("layers.00.q_norm", "BF16", shape, base),
                                      stored("layers.00.q_rope", "BF16", shape, rope), stored("layers.00.hidden", "BF16", shape, hidden),
                                      stored("layers.00.k_proj", "BF16", {4, 32}, base), stored("decision_logprob", "F32", {6}, theirs)};
    trainer.push_back(stored("layers.00.v_proj", "BF16", shape, base));
    return {writeSafetensors(folder + "/small_trainer.safetensors", trainer), writeSafetensors(folder + "/small_sampler.safetensors", sampler)};
}

}  // namespace isobit::support
