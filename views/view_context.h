// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace isobit::views {

class Appearance;
class Session;

/// What every view is made with; both outlive it.
struct ViewContext {
    Session& session;
    Appearance& appearance;
};

}  // namespace isobit::views
