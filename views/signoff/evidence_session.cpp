// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/evidence_session.h"

#include <QDir>
#include <QFileInfo>

#include "views/signoff/evidence_process.h"

namespace isobit::views {

namespace {

Result<Json> jsonOf(const QByteArray& text) {
    return parseJsonStrictly(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), "isobit evidence");
}

QStringList cellArguments(const QString& cells) {
    return QStringList{"--cells"} + cells.split(' ', Qt::SkipEmptyParts);
}

}  // namespace

EvidenceSession::EvidenceSession(QString isobitProgram, QObject* parent) : QObject(parent), m_program(std::move(isobitProgram)) {}

EvidenceSession::~EvidenceSession() = default;

void EvidenceSession::start(Task task, const QStringList& arguments, Finish finish, Fail fail) {
    if (isBusy()) return;
    m_task = task;
    m_error.clear();
    m_message.clear();
    m_process = new EvidenceProcess(m_program, this);
    connect(m_process, &EvidenceProcess::lineRead, this, &EvidenceSession::readCellLine);
    connect(m_process, &EvidenceProcess::finished, this,
            [this, finish = std::move(finish), fail = std::move(fail)](int exitCode, const QByteArray& output, const QString& error) {
                m_process->deleteLater();
                m_process = nullptr;
                m_task = Task::None;
                if (exitCode >= 0) return finish(output);
                if (fail && !error.isEmpty()) return fail();
                finishTask(error.isEmpty() ? QStringLiteral("Stopped.") : QString(), error);
            });
    m_process->start(arguments);
    emit taskChanged();
}

void EvidenceSession::finishTask(const QString& message, const QString& error) {
    m_message = message;
    m_error = error;
    emit taskChanged();
}

void EvidenceSession::stop() {
    if (m_process != nullptr) m_process->stop();
}

bool EvidenceSession::isArtifactOrCheckout(const QString& folder) {
    const QDir content(folder);
    if (folder.isEmpty()) return false;
    return content.exists(QStringLiteral("manifest.json.author.sshsig")) ||
           content.exists(QStringLiteral("evidence/policy/allowed_signers")) ||
           (content.exists(QStringLiteral("manifest.json")) && content.exists(QStringLiteral("data/run.h5")));
}

void EvidenceSession::open(const QString& folder) {
    if (folder.isEmpty() || isBusy()) return;
    const QString absolute = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    const bool checkout = QDir(absolute).exists(QStringLiteral("evidence/policy/allowed_signers"));
    if (!checkout) return openArtifact(absolute);
    start(Task::Listing, {"gate", absolute, "--json"}, [this, absolute](const QByteArray& output) { showList(absolute, output); });
}

void EvidenceSession::showList(const QString& root, const QByteArray& output) {
    const auto json = jsonOf(output);
    auto listed = json ? artifactsFromJson(*json, root) : Result<std::vector<ListedArtifact>>(failureOf(json));
    if (!listed) return finishTask({}, QString::fromStdString(listed.error().message));
    m_artifacts.setArtifacts(std::move(*listed));
    if (m_artifacts.rowCount() == 0) return finishTask({}, QStringLiteral("%1: holds no artifact").arg(root));
    openArtifact(m_artifacts.path(0));
}

void EvidenceSession::openArtifact(const QString& folder) {
    if (folder.isEmpty() || isBusy()) return;
    if (folder != m_folder) {
        m_folder = folder;
        m_artifact = {};
        m_grid.setManifest(nullptr);
        emit artifactChanged();
    }
    start(Task::Verifying, {"verify", m_folder, "--json"}, [this](const QByteArray& output) { showVerification(output); });
}

void EvidenceSession::showVerification(const QByteArray& output) {
    const auto json = jsonOf(output);
    auto found = json ? verificationFromJson(*json) : Result<ShownVerification>(failureOf(json));
    if (!found) return finishTask({}, QString::fromStdString(found.error().message));
    m_artifact.verification = std::move(*found);
    start(Task::Verifying, {"show", m_folder, "--format", "json"}, [this](const QByteArray& text) { showManifest(text); },
          [this] { showNoManifest(); });
}

// A manifest that cannot be read is no error of the window: its check says why.
void EvidenceSession::showNoManifest() {
    m_artifact.manifest = nullptr;
    m_grid.setManifest(nullptr);
    finishVerifying();
}

void EvidenceSession::showChanges(const QByteArray& output) {
    const auto json = jsonOf(output);
    auto changes = json ? changesFromJson(*json) : Result<std::vector<ShownChange>>(failureOf(json));
    if (changes)
        m_artifact.changes = std::move(*changes);
    else
        m_artifact.changesProblem = QString::fromStdString(changes.error().message);
    finishVerifying();
}

void EvidenceSession::finishVerifying() {
    emit artifactChanged();
    finishTask(QStringLiteral("%1 checks made.").arg(m_artifact.verification.checks.size()), {});
}

void EvidenceSession::showManifest(const QByteArray& text) {
    auto manifest = evidence::readManifest(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), evidence::kManifestName);
    if (!manifest) return finishTask({}, QString::fromStdString(manifest.error().message));
    const bool same = m_artifact.manifest && evidence::writeManifest(*m_artifact.manifest) == text.toStdString();
    if (!same) {
        m_artifact.manifest = std::make_shared<const evidence::Manifest>(std::move(*manifest));
        m_grid.setManifest(m_artifact.manifest);
    }
    m_artifact.changes.clear();
    m_artifact.changesProblem.clear();
    if (m_artifact.manifest->predicate.supersedes.empty()) return finishVerifying();
    start(Task::Verifying, {"diff", m_folder, "--json"}, [this](const QByteArray& changes) { showChanges(changes); }, [this] {
        m_artifact.changesProblem = QStringLiteral("the artifact that it supersedes is not beside it");
        finishVerifying();
    });
}

void EvidenceSession::beginCells(int wanted) {
    m_grid.clearAgain();
    m_cellsDone = 0;
    m_cellsWanted = wanted;
    m_elementsDone = m_elementsWanted = 0;
    m_watch.start();
    emit progressChanged();
}

std::uint64_t EvidenceSession::elementsOf(const QString& cell) const {
    std::uint64_t elements = 0;
    for (const evidence::CellRecord& record : m_artifact.manifest->predicate.cells)
        if (cell.isEmpty() || cell == QString::fromStdString(record.id))
            for (const evidence::OutputRecord& output : record.outputs) elements += output.elements;
    return elements;
}

void EvidenceSession::readCellLine(const QByteArray& line) {
    if (m_task != Task::Rerunning && m_task != Task::Reviewing) return;
    const auto json = jsonOf(line);
    if (!json || textIn(*json, "kind") != QLatin1String("cell") || !json->contains("cell") || !m_artifact.manifest) return;
    const Json& cell = (*json)["cell"];
    const QString id = textIn(cell, "id");
    m_cellsDone = numberIn(cell, "done");
    m_cellsWanted = numberIn(cell, "all");
    m_elementsDone += elementsOf(id);
    m_grid.setAgain(id, {textIn(cell, "outcome"), textIn(cell, "detail")});
    emit progressChanged();
}

std::optional<double> EvidenceSession::secondsLeft() const {
    if (m_cellsDone == 0 || m_elementsDone == 0 || !m_artifact.manifest) return std::nullopt;
    // Which cells are still to come is known only when all are: else the mean of those done stands for them.
    const double wanted = m_cellsWanted == static_cast<int>(m_artifact.manifest->predicate.cells.size())
                              ? static_cast<double>(elementsOf({}))
                              : static_cast<double>(m_elementsDone) / m_cellsDone * m_cellsWanted;
    return static_cast<double>(m_watch.elapsed()) / 1000 * (wanted / static_cast<double>(m_elementsDone) - 1);
}

void EvidenceSession::rerun(const QString& cells) {
    if (isBusy() || !m_artifact.manifest) return;
    beginCells(0);
    start(Task::Rerunning, QStringList{"rerun", m_folder, "--stream"} + cellArguments(cells), [this](const QByteArray&) {
        finishTask(QStringLiteral("%1 cells computed again: %2 equal, %3 different, %4 not comparable.")
                       .arg(m_cellsDone)
                       .arg(m_grid.countAgain(QStringLiteral("EQUAL")))
                       .arg(m_grid.countAgain(QStringLiteral("DIFFERENT")))
                       .arg(m_grid.countAgain(QStringLiteral("NOT_COMPARABLE"))),
                   {});
    });
}

QStringList EvidenceSession::keyArguments(const QString& keyFile) {
    return keyFile.isEmpty() ? QStringList() : QStringList{"--key", keyFile};
}

void EvidenceSession::describe(const QString& keyFile) {
    start(Task::Describing, QStringList{"sign", m_folder, "--describe"} + keyArguments(keyFile),
          [this, keyFile](const QByteArray& text) {
              finishTask({}, {});
              emit described(QString::fromUtf8(text), keyFile);
          });
}

void EvidenceSession::sign(const QString& keyFile, bool replace) {
    QStringList arguments{"sign", m_folder, "--manifest", m_artifact.verification.manifestSha256};
    if (replace) arguments << "--replace";
    start(Task::Signing, arguments + keyArguments(keyFile), [this](const QByteArray&) { verify(); });
}

void EvidenceSession::review(const ReviewRequest& request) {
    if (isBusy() || !m_artifact.manifest) return;
    QStringList arguments{"review", m_folder, "--stream", "--verdict", request.verdict};
    arguments += cellArguments(request.cells);
    if (!request.comment.isEmpty()) arguments << "--comment" << request.comment;
    if (!request.changeRef.isEmpty()) arguments << "--change" << request.changeRef;
    for (const QString& note : m_grid.notes()) arguments << "--note" << note;
    beginCells(0);
    start(Task::Reviewing, arguments + keyArguments(request.keyFile), [this](const QByteArray&) { verify(); });
}

void EvidenceSession::seal(const QString& run, const QString& folder, const QString& qualification) {
    QStringList arguments{"seal", run, "--out", folder, "--json"};
    if (!qualification.isEmpty()) arguments << "--qualification" << qualification;
    start(Task::Sealing, arguments, [this, folder](const QByteArray&) { openArtifact(QFileInfo(folder).absoluteFilePath()); });
}

void EvidenceSession::exportTo(const QString& path, const QString& format, const QString& pemKey) {
    if (format == QLatin1String("pdf")) {
        start(Task::Exporting, {"show", m_folder, "--format", "html"}, [this, path](const QByteArray& html) {
            m_task = Task::Exporting;
            emit pdfWanted(path, QString::fromUtf8(html));
        });
        return;
    }
    QStringList arguments{"show", m_folder, "--format", format, "--out", path};
    if (!pemKey.isEmpty()) arguments << "--key" << pemKey;
    start(Task::Exporting, arguments, [this, path](const QByteArray&) { finishExport(path, {}); });
}

void EvidenceSession::finishExport(const QString& path, const QString& error) {
    m_task = Task::None;
    finishTask(error.isEmpty() ? QStringLiteral("Written: %1").arg(path) : QString(), error);
}

}  // namespace isobit::views
