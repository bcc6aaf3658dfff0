// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_registry.h"

#include "views/element/element_view.h"
#include "views/engagement/engagement_view.h"
#include "views/engagement/qualification_view.h"
#include "views/engagement/shown_engagement.h"
#include "views/grid/grid_view.h"
#include "views/replay/replay_view.h"
#include "views/session.h"
#include "views/tensors/tensors_view.h"
#include "views/timing/timing_view.h"
#include "views/walk/walk_view.h"

namespace isobit::views {

namespace {

template <class View>
QWidget* create(const ViewContext& context, QWidget* parent) {
    return new View(context, parent);
}

int gridSuitability(const Session& session) { return session.run() && !session.run()->plan.axes.empty() ? 100 : 0; }

/// Second to the walk, which says where to look first.
int elementSuitability(const Session& session) { return session.capture() && session.capture()->isPair() ? 50 : 0; }

/// Of a pair only where there is something to replay, or a reason why not.
int replaySuitability(const Session& session) {
    const CapturePtr& capture = session.capture();
    return capture && (capture->replay || !capture->replayProblem.empty()) ? 40 : 0;
}

int tensorsSuitability(const Session& session) { return session.capture() ? 10 : 0; }

int walkSuitability(const Session& session) { return session.capture() && session.capture()->isPair() ? 100 : 0; }

int engagementSuitability(const Session& session) { return session.engagement() && session.engagement()->report ? 100 : 0; }

int qualificationSuitability(const Session& session) { return session.engagement() && session.engagement()->qualification ? 100 : 0; }

/// Only norms have realisations to time; without times the view says how to get them.
int timingSuitability(const Session& session) {
    const bool norm = session.run() && session.run()->plan.operation == "rms_norm";
    return !norm ? 0 : session.run()->measurement ? 50 : 1;
}

}  // namespace

const std::vector<ViewEntry>& viewRegistry() {
    static const std::vector<ViewEntry> entries{
        {"grid", "Grid", "Where over shapes?", gridSuitability, create<GridView>},
        {"timing", "Curves", "When and how fast?", timingSuitability, create<TimingView>},
        {"walk", "Walk", "Where in the model?", walkSuitability, create<WalkView>},
        {"element", "Element", "Which words?", elementSuitability, create<ElementView>},
        {"replay", "Replay", "Does the policy see the same log-probabilities?", replaySuitability, create<ReplayView>},
        {"engagement", "Engagement", "Did it really run?", engagementSuitability, create<EngagementView>},
        {"qualification", "Qualification", "May it be claimed?", qualificationSuitability, create<QualificationView>},
        {"tensors", "Tensors", "What is in the file?", tensorsSuitability, create<TensorsView>},
    };
    return entries;
}

}  // namespace isobit::views
