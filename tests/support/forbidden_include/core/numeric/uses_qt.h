// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
// What the include check must refuse; compiled by nothing.
#include <QString>
