// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/element/element_cursor.h"

#include "views/session.h"

namespace isobit::views {

ElementCursor::ElementCursor(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    m_worker.setMaxThreadCount(1);
    connect(&session, &Session::selectionChanged, this, &ElementCursor::readSelected);
    connect(&session, &Session::captureChanged, this, &ElementCursor::readSelected);
    readSelected();
}

ElementCursor::~ElementCursor() {
    stop();
    m_worker.waitForDone();
}

void ElementCursor::stop() { m_stop.request_stop(); }

void ElementCursor::readSelected() {
    const std::int64_t element = m_session.selection().element;
    if (m_element && std::int64_t(m_element->index) != element) m_element.reset();
    ask([element](const PairWords& words, std::stop_token) -> Answer {
        if (element < 0 || element >= words.elements()) return std::nullopt;
        auto read = elementAt(words, element);
        if (!read) return failureOf(read);
        return *read;
    }, false);
}

void ElementCursor::ask(const Question& question, bool search) {
    stop();
    m_stop = std::stop_source();
    const int ticket = ++m_ticket;
    const CapturePtr capture = m_session.capture();
    const WalkStep* step = m_session.selectedStep();
    m_problem.clear();
    if (step == nullptr || step->status == TensorStatus::Missing || step->status == TensorStatus::NotComparable) {
        m_element.reset();
        m_searching = false;
        emit changed();
        return;
    }
    m_searching = search;
    emit changed();
    m_worker.start([this, capture, step, question, search, ticket, stop = m_stop.get_token()] {
        const auto words = PairWords::of(capture->trainer, *capture->sampler, step->pair);
        auto answer = std::make_shared<Answer>(words ? question(*words, stop) : failureOf(words));
        QMetaObject::invokeMethod(this, [this, ticket, search, answer] { finish(ticket, search, std::move(*answer)); },
                                  Qt::QueuedConnection);
    });
}

void ElementCursor::finish(int ticket, bool search, Answer answer) {
    if (ticket != m_ticket) return;
    m_searching = false;
    if (!answer && !m_stop.stop_requested()) m_problem = QString::fromStdString(answer.error().message);
    const bool found = answer && *answer;
    if (found) m_element = **answer;
    if (found && search) return m_session.selectElement(std::int64_t(m_element->index));  // which tells everybody
    emit changed();
    if (answer && search) emit noMore();
}

void ElementCursor::goToFirst() {
    ask([](const PairWords& words, std::stop_token stop) { return nextDifference(words, 0, stop); }, true);
}

void ElementCursor::goToNext() {
    const std::int64_t from = m_session.selection().element + 1;
    ask([from](const PairWords& words, std::stop_token stop) -> Answer {
        if (from >= words.elements()) return std::nullopt;
        return nextDifference(words, from, stop);
    }, true);
}

void ElementCursor::goToPrevious() {
    const std::int64_t before = std::max<std::int64_t>(0, m_session.selection().element);
    ask([before](const PairWords& words, std::stop_token stop) { return previousDifference(words, before, stop); }, true);
}

}  // namespace isobit::views
