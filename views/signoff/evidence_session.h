// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <functional>
#include <optional>

#include "views/signoff/artifacts_model.h"
#include "views/signoff/record_grid_model.h"
#include "views/signoff/shown_artifact.h"

namespace isobit::views {

class EvidenceProcess;

/// What a counter-signature says.
struct ReviewRequest {
    QString verdict = "approve";  ///< "approve", "reject", "comment"
    QString cells = "all";        ///< "all", "random:N", "none", or ids separated by blanks
    QString keyFile;              ///< empty: the user's default key
    QString changeRef;
    QString comment;
};

/// The artifact that the sign-off view shows, and the one thing that is being done with it. Everything is done by child
/// processes: nothing blocks, and nothing of a foreign artifact is parsed here but what the child printed.
class EvidenceSession final : public QObject {
    Q_OBJECT
public:
    enum class Task { None, Listing, Sealing, Verifying, Rerunning, Describing, Signing, Reviewing, Exporting };
    Q_ENUM(Task)

    explicit EvidenceSession(QString isobitProgram, QObject* parent = nullptr);
    ~EvidenceSession() override;

    /// Whether a folder looks like one of the two that open() takes.
    [[nodiscard]] static bool isArtifactOrCheckout(const QString& folder);
    /// Verifies the folder and shows what it holds; of a checkout, lists the artifacts first and shows the first one. The
    /// state is shown as unknown until that is done.
    void open(const QString& folder);
    void verify() { openArtifact(m_folder); }
    /// Computes cells again: "all", "random:N", or ids separated by blanks.
    void rerun(const QString& cells);
    /// Asks what would be signed; described() brings the text.
    void describe(const QString& keyFile);
    /// Signs the manifest that is shown, and no other.
    void sign(const QString& keyFile, bool replace);
    /// Verifies, computes again, and writes the signed statement, with the opinions of the grid's cells.
    void review(const ReviewRequest& request);
    /// Seals a run into a folder that does not exist yet and shows it.
    void seal(const QString& run, const QString& folder, const QString& qualification = {});
    /// Writes what `isobit evidence show` prints: "html", "markdown", "svg", "json", "dsse" (with a PEM key), or "pdf".
    void exportTo(const QString& path, const QString& format, const QString& pemKey = {});
    /// The end of an export to PDF, which is the view's work.
    void finishExport(const QString& path, const QString& error);
    void stop();

    [[nodiscard]] Task task() const { return m_task; }
    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] const ShownArtifact& artifact() const { return m_artifact; }
    [[nodiscard]] QString error() const { return m_error; }      ///< of the last thing done; empty if it was done
    [[nodiscard]] QString message() const { return m_message; }  ///< what was done last
    [[nodiscard]] RecordGridModel& grid() { return m_grid; }
    [[nodiscard]] ArtifactsModel& artifacts() { return m_artifacts; }  ///< of the checkout; empty without one
    [[nodiscard]] int cellsDone() const { return m_cellsDone; }
    [[nodiscard]] int cellsWanted() const { return m_cellsWanted; }
    /// Seconds that the rerun still needs, judged by the words done so far; nothing before the first cell.
    [[nodiscard]] std::optional<double> secondsLeft() const;
    [[nodiscard]] bool isBusy() const { return m_task != Task::None; }

signals:
    void artifactChanged();
    void taskChanged();
    void progressChanged();
    void described(const QString& text, const QString& keyFile);
    /// An HTML report that is to become a PDF file; the task lasts until finishExport().
    void pdfWanted(const QString& path, const QString& html);

private:
    using Finish = std::function<void(const QByteArray& output)>;
    using Fail = std::function<void()>;
    /// Runs a child; `fail` replaces saying that it could not be done.
    void start(Task task, const QStringList& arguments, Finish finish, Fail fail = {});
    void openArtifact(const QString& folder);
    void showList(const QString& root, const QByteArray& output);
    void finishTask(const QString& message, const QString& error);
    void showVerification(const QByteArray& output);
    void showManifest(const QByteArray& text);
    void showNoManifest();
    void showChanges(const QByteArray& output);
    void finishVerifying();
    void readCellLine(const QByteArray& line);
    void beginCells(int wanted);
    [[nodiscard]] std::uint64_t elementsOf(const QString& cell) const;
    static QStringList keyArguments(const QString& keyFile);

    QString m_program;
    QString m_folder;
    ShownArtifact m_artifact;
    RecordGridModel m_grid;
    ArtifactsModel m_artifacts;
    Task m_task = Task::None;
    QString m_error;
    QString m_message;
    EvidenceProcess* m_process = nullptr;
    int m_cellsDone = 0;
    int m_cellsWanted = 0;
    QElapsedTimer m_watch;
    std::uint64_t m_elementsDone = 0;
    std::uint64_t m_elementsWanted = 0;
};

}  // namespace isobit::views
