// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "views/view_context.h"

class QWidget;

namespace isobit::views {

/// One view of the centre: the question that it answers, and how well it can answer it for what the session holds.
struct ViewEntry {
    QString id;        ///< stable: "grid"
    QString title;     ///< "Grid"
    QString question;  ///< "Where over shapes?"
    std::function<int(const Session& session)> suitability;  ///< 0 it has nothing to show; the largest is shown first
    std::function<QWidget*(const ViewContext& context, QWidget* parent)> create;
};

/// Every view, in the order of the tabs. To add one, add its line here.
[[nodiscard]] const std::vector<ViewEntry>& viewRegistry();

}  // namespace isobit::views
