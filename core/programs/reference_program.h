// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/programs/program.h"

namespace isobit {

/// A Program of engine "reference": who it is. Derive, and write run.
class ReferenceProgram : public Program {
public:
    /// The texts are kept by reference but for the name, which is "reference:" and the arithmetic.
    ReferenceProgram(std::string_view operation, std::string_view arithmetic, int version)
        : m_name("reference:" + std::string(arithmetic)),
          m_operation(operation),
          m_arithmetic(arithmetic),
          m_version(version) {}

    /// The same with a name of its own.
    ReferenceProgram(std::string name, std::string_view operation, std::string_view arithmetic, int version)
        : m_name(std::move(name)), m_operation(operation), m_arithmetic(arithmetic), m_version(version) {}

    [[nodiscard]] std::string_view name() const override { return m_name; }
    [[nodiscard]] std::string_view operation() const override { return m_operation; }
    [[nodiscard]] std::string_view arithmetic() const override { return m_arithmetic; }
    [[nodiscard]] std::string_view engine() const override { return "reference"; }
    [[nodiscard]] int version() const override { return m_version; }

protected:
    [[nodiscard]] tl::unexpected<Error> stopped() const { return tl::unexpected(Error{m_name + ": stopped"}); }

private:
    std::string m_name;
    std::string_view m_operation;
    std::string_view m_arithmetic;
    int m_version;
};

}  // namespace isobit
