// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace isobit::cuda {

/// What the driver's management library says of the first GPU now. It is opened at run time, never linked.
struct Clocks {
    int smMhz = 0;  ///< 0: not known
    int memoryMhz = 0;
    std::string driver;  ///< "580.159.04", empty if not known
    std::string vbios;   ///< "96.00.D0.00.02", empty if not known
    std::string mig;     ///< "off", "on", empty if not known
};

/// Reads the clocks; unknown values where the library is missing. Changes nothing on the device.
[[nodiscard]] Clocks readClocks();

}  // namespace isobit::cuda
