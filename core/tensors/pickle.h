// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// One value of a pickle. Values refer to each other by number, so that a value may occur in several places, even in
/// itself, and nothing recurses.
struct PickleValue {
    enum class Kind {
        None, Bool, Integer, Float, Text, Bytes, Tuple, List, Dict, Set,
        Global,      ///< a name such as "torch.FloatStorage" in `text`
        Call,        ///< what calling items[0] with the tuple items[1] would give; nothing is ever called
        Opaque,      ///< what is not interpreted; `text` says what it is
        Persistent,  ///< what the archive holds under the id `items[0]`
    };
    Kind kind = Kind::None;
    std::int64_t integer = 0;  ///< Bool, Integer
    double number = 0;         ///< Float
    std::string text;
    std::vector<std::uint32_t> items;  ///< elements; see Call and Persistent
    std::vector<std::uint32_t> pairs;  ///< key, value, key, value ... of a dictionary or of a called dictionary type
    std::uint64_t offset = 0;          ///< of the opcode in the pickle
};

struct Pickle {
    std::vector<PickleValue> values;
    std::uint32_t root = 0;

    [[nodiscard]] const PickleValue& at(std::uint32_t value) const { return values[value]; }
    /// The name that a call would call, or empty when the callee is no name.
    [[nodiscard]] std::string_view calleeOf(const PickleValue& call) const {
        const PickleValue& callee = at(call.items[0]);
        return callee.kind == PickleValue::Kind::Global ? std::string_view(callee.text) : std::string_view();
    }
};

/// Interprets the opcodes of protocols 0 to 5 as data. Nothing is imported, called or executed: a global is a name, a
/// call is a record of its name and arguments. A pickle that names what can only be meant to run something (os.system,
/// builtins.eval ...) is refused, as is one that uses what torch never writes (extension registry, out-of-band buffers).
/// `where` names the pickle in errors, which give the offset.
[[nodiscard]] Result<Pickle> parsePickle(std::string_view bytes, const std::string& where);

}  // namespace isobit
