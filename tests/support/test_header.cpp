// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Nothing: a precompiled header needs a target with a source of its own.
