// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace isobit::views {

class Appearance;
class ElementCursor;
class Session;

/// What every view is made with; all of it outlives the view.
struct ViewContext {
    Session& session;
    Appearance& appearance;
    ElementCursor& cursor;
};

}  // namespace isobit::views
