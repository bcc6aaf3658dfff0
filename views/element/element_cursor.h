// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <optional>
#include <stop_token>

#include "core/capture/element_search.h"
#include "views/captures/capture.h"

namespace isobit::views {

class Session;

/// The selected element of the selected tensor with both of its words, and the way to the next that differs. Words are
/// read and searched on a worker; the answer comes as a signal, and a newer request makes an older one void.
class ElementCursor final : public QObject {
    Q_OBJECT
public:
    /// `session` outlives it.
    explicit ElementCursor(Session& session, QObject* parent = nullptr);
    ~ElementCursor() override;

    /// Both words of the selected element; empty while they are being read, or without a selected element of a pair.
    [[nodiscard]] const std::optional<ElementDifference>& element() const { return m_element; }
    [[nodiscard]] bool isSearching() const { return m_searching; }
    [[nodiscard]] QString problem() const { return m_problem; }  ///< one sentence; empty if the words could be read

    void goToFirst();
    void goToNext();      ///< the next element after the selected one whose words differ
    void goToPrevious();
    void stop();

signals:
    void changed();
    /// A search ended without a find in its direction.
    void noMore();

private:
    using Answer = Result<std::optional<ElementDifference>>;
    using Question = std::function<Answer(const PairWords& words, std::stop_token stop)>;
    void readSelected();
    void ask(const Question& question, bool search);
    void finish(int ticket, bool search, Answer answer);

    Session& m_session;
    std::optional<ElementDifference> m_element;
    bool m_searching = false;
    QString m_problem;
    QThreadPool m_worker;
    int m_ticket = 0;
    std::stop_source m_stop;
};

}  // namespace isobit::views
