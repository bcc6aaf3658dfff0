// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobit {

// CUDA 13.0's sinf and cosf as its library compiles them without fast math: IEEE operations only, so that they give the
// same words on every machine. The numbers are those of the emitted PTX. A NaN or an infinity gives NaN, 0x7FFFFFFF.

[[nodiscard]] float deviceSine(float x);
[[nodiscard]] float deviceCosine(float x);

}  // namespace isobit
