// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
// window_stalls [--stop-after MS] FILE | TRAINER SAMPLER | --run PRESET
//
// Opens the real window and prints, in milliseconds: from the start of the program to the first paint, from asking to the
// first rows or cells and to the end, the longest time that the event loop stood still while the work was done, and with
// --stop-after from asking to stop to the window being free and to the work having ended. What the machine does besides
// makes times longer; what the window's own thread took of the processor is printed, too, and is not.
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <ctime>
#include <optional>

#include "app/workbench/opening.h"
#include "app/workbench/window.h"

using namespace isobit;
using views::Session;

namespace {

struct Asked {
    QStringList paths;
    QString preset;
    int stopAfter = -1;
};

std::optional<Asked> readArguments(const QStringList& arguments) {
    Asked asked;
    for (qsizetype place = 0; place < arguments.size(); ++place) {
        const bool more = place + 1 < arguments.size();
        if (arguments[place] == "--run" && more)
            asked.preset = arguments[++place];
        else if (arguments[place] == "--stop-after" && more)
            asked.stopAfter = arguments[++place].toInt();
        else
            asked.paths << arguments[place];
    }
    return asked.preset.isEmpty() == asked.paths.isEmpty() || asked.paths.size() > 2 ? std::nullopt : std::optional(asked);
}

/// Milliseconds of the processor that this thread has taken.
qint64 threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Longest time between two turns of the event loop that ought to be ten milliseconds apart.
class Heart {
public:
    Heart() {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            m_worst = std::max(m_worst, m_since.restart() - kBeatMs);
            const qint64 taken = threadMs();
            m_busiest = std::max(m_busiest, taken - m_taken);
            m_taken = taken;
        });
    }
    void begin() {
        m_worst = m_busiest = 0;
        m_taken = threadMs();
        m_since.start();
        m_timer.start(kBeatMs);
    }
    [[nodiscard]] qint64 worst() const { return m_worst; }
    [[nodiscard]] qint64 busiest() const { return m_busiest; }  ///< of the processor, in one turn

private:
    static constexpr qint64 kBeatMs = 10;
    QTimer m_timer;
    QElapsedTimer m_since;
    qint64 m_worst = 0;
    qint64 m_busiest = 0;
    qint64 m_taken = 0;
};

class FirstPaint final : public QObject {
public:
    explicit FirstPaint(std::function<void()> painted) : m_painted(std::move(painted)) {}

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && !m_seen) {
            m_seen = true;
            QTimer::singleShot(0, this, m_painted);
        }
        return false;
    }

private:
    std::function<void()> m_painted;
    bool m_seen = false;
};

void print(const char* what, qint64 milliseconds) {
    if (milliseconds >= 0) std::printf("%-34s %6lld ms\n", what, static_cast<long long>(milliseconds));
}

}  // namespace

int main(int argc, char** argv) {
    QElapsedTimer sinceStart;
    sinceStart.start();
    QApplication application(argc, argv);
    const auto asked = readArguments(QCoreApplication::arguments().mid(1));
    if (!asked) return std::fputs("window_stalls [--stop-after MS] FILE | TRAINER SAMPLER | --run PRESET\n", stderr), 2;

    const QTemporaryDir folder;
    QSettings settings(folder.filePath("workbench.ini"), QSettings::IniFormat);
    views::Appearance appearance;
    appearance.apply();
    const QString program = QStringLiteral(ISOBIT_BINARY_DIR "/bin/isobit");
    QElapsedTimer sinceAsked, sinceStop;
    qint64 firstPaint = -1, firstShown = -1, done = -1, stopped = -1, ended = -1, paintTaken = -1;
    Heart heart;
    {
        Session session({program, folder.filePath("runs"), workbench::openPath});
        workbench::Window window({session, appearance, settings, {}, program});
        window.restore();
        const auto shown = [&] {
            if (firstShown < 0 && (session.run() || session.capture())) firstShown = sinceAsked.elapsed();
        };
        QObject::connect(&session, &Session::runChanged, &window, shown);
        QObject::connect(&session, &Session::captureChanged, &window, shown);
        QObject::connect(&session, &Session::stateChanged, &window, [&] {
            const auto state = session.state();
            if (state == Session::State::Opening || state == Session::State::Comparing || state == Session::State::Running) return;
            (sinceStop.isValid() ? stopped : done) = sinceStop.isValid() ? sinceStop.elapsed() : sinceAsked.elapsed();
            if (state == Session::State::Failed) std::fprintf(stderr, "%s\n", qPrintable(session.error()));
            // What the end asks for, layouts and painting, is part of it.
            QTimer::singleShot(300, &application, &QCoreApplication::quit);
        });
        FirstPaint paint([&] {
            firstPaint = sinceStart.elapsed();
            paintTaken = threadMs();
            heart.begin();
            sinceAsked.start();
            if (!asked->preset.isEmpty()) session.runPreset(asked->preset);
            if (asked->paths.size() == 1) session.open(asked->paths[0]);
            if (asked->paths.size() == 2) session.compare(asked->paths[0], asked->paths[1]);
            if (asked->stopAfter >= 0)
                QTimer::singleShot(asked->stopAfter, &window, [&] {
                    sinceStop.start();
                    session.stop();
                });
        });
        window.installEventFilter(&paint);
        window.show();
        QApplication::exec();
        if (stopped >= 0) sinceStop.restart();
    }
    if (stopped >= 0) ended = sinceStop.elapsed();
    print("first paint", firstPaint);
    print("  of the processor", paintTaken);
    print("first rows or cells", firstShown);
    print("all of them", done);
    print("longest standstill", heart.worst());
    print("  of the processor, in one turn", heart.busiest());
    print("stop to free window", stopped);
    print("work still going on 300 ms later", ended);
    return 0;
}
