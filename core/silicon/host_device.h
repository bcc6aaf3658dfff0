// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Marks a function that is compiled for the host and, by nvcc, for the device too: the same source is what the CPU
// runs and what `isobit silicon verify` compares with the hardware.
#ifdef __CUDACC__
#define ISOBIT_HOST_DEVICE __host__ __device__
#else
#define ISOBIT_HOST_DEVICE
#endif
