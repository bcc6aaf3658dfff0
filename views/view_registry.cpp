// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_registry.h"

#include "views/grid/grid_view.h"

namespace isobit::views {

namespace {

template <class View>
QWidget* create(const ViewContext& context, QWidget* parent) {
    return new View(context, parent);
}

int gridSuitability(const Run& run) { return run.plan.axes.empty() ? 0 : 100; }

}  // namespace

const std::vector<ViewEntry>& viewRegistry() {
    static const std::vector<ViewEntry> entries{
        {"grid", "Grid", "Where over shapes?", gridSuitability, create<GridView>},
    };
    return entries;
}

}  // namespace isobit::views
