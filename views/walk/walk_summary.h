// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/captures/capture.h"

class QHBoxLayout;
class QLabel;

namespace isobit::views {

/// What comes before the numbers: the checks of comparability, the first trustworthy divergence with its reason and what
/// to capture next, and what the log-probabilities say. A failed check blocks the verdict, or labels every number, and says so.
class WalkSummary final : public QWidget {
    Q_OBJECT
public:
    explicit WalkSummary(QWidget* parent = nullptr);
    void setCapture(const CapturePtr& capture);
    /// Where there is little room: without the reason, which the inspector has, too.
    void setBrief(bool brief);

private:
    void showPart(const Capture& capture);
    void showChecks(const Capture& capture);
    void showReplay(const Capture& capture);
    void showDivergence(const Capture& capture);

    QHBoxLayout* m_checks;
    QLabel* m_barrier;
    QLabel* m_labels;
    QLabel* m_first;
    QLabel* m_why;
    QLabel* m_next;
    bool m_brief = false;
    bool m_isPart = false;  ///< what is shown is a comparison that goes on
};

/// Of a check that is known: "═ token_ids" holds, "! token_ids" fails.
[[nodiscard]] QString chipOf(const Comparability& check);

}  // namespace isobit::views
