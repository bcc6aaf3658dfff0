// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <map>

#include "evidence/artifact_folder.h"
#include "tests/support/evidence_repository.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

// Bytes of every file of an artifact, spoiled one at a time: nothing is accepted, and each file has its checks that catch
// it. The strict checks stand alone here, without a second opinion by ssh-keygen.
class TestFlips : public QObject {
    Q_OBJECT
private slots:
    void noFlippedByteOfAnyFileIsAccepted() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const auto session = VerifySession::open(folder, {});
        QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
        VerifyContext context{&session->policy(), session->binding(), session->timeFor(folder), false};
        // The run file's reader has seen these bytes; any others must be caught before they reach it.
        const std::string run = readAll(folder + "/data/run.h5");
        const auto claims = readRunGuarded(run, "data/run.h5");
        QVERIFY(claims.has_value());
        context.readRun = [&](std::string_view bytes, const std::string&) -> Result<GuardedRun> {
            return bytes == run ? *claims : GuardedRun{true, "other bytes", {}};
        };
        const auto state = [&] { return verifyArtifact(folder, context)->state; };
        QCOMPARE(state(), State::Verified);

        std::map<std::string, std::map<std::string, int>> caughtBy;
        const auto files = ArtifactFolder::open(folder);
        for (const FolderEntry& entry : files->files()) {
            const std::string path = folder + "/" + entry.name;
            const std::string good = readAll(path);
            // tests/bench/evidence_flips.cpp takes every byte and every pattern; here a sample of the large files.
            const std::size_t step = entry.name.ends_with(".h5") ? 997 : entry.name == kManifestName ? 29 : 3;
            for (std::size_t i = 0; i < good.size(); i += step) {
                std::string flipped = good;
                flipped[i] = static_cast<char>(flipped[i] ^ (i / step % 3 == 0 ? 0x01 : i / step % 3 == 1 ? 0x20 : 0x80));
                writeAll(path, flipped);
                const auto verification = verifyArtifact(folder, context);
                QVERIFY2(verification && verification->state != State::Verified,
                         (entry.name + " " + std::to_string(i)).c_str());
                for (const Check& check : verification->checks)
                    if (check.outcome == Outcome::Fail) ++caughtBy[entry.name][check.id];
            }
            writeAll(path, good);
        }
        QCOMPARE(state(), State::Verified);
        const auto flipsOf = [&](const char* file, std::size_t step) {
            return static_cast<int>((readAll(folder + "/" + file).size() + step - 1) / step);
        };
        QCOMPARE(caughtBy["manifest.json"]["signature"], flipsOf("manifest.json", 29));
        QCOMPARE(caughtBy["data/run.h5"]["digests"], flipsOf("data/run.h5", 997));
        QCOMPARE(caughtBy["review.reviewer.json"]["review.reviewer"], flipsOf("review.reviewer.json", 3));
    }

    void noShortenedFileIsAccepted() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const auto files = ArtifactFolder::open(folder);
        for (const FolderEntry& entry : files->files()) {
            const std::string path = folder + "/" + entry.name;
            const std::string good = readAll(path);
            for (const std::size_t length : {std::size_t(0), good.size() / 2, good.size() - 1}) {
                writeAll(path, good.substr(0, length));
                QVERIFY2(repository.state(folder) != "VERIFIED", entry.name.c_str());
            }
            writeAll(path, good + "\n");
            QVERIFY2(repository.state(folder) != "VERIFIED", entry.name.c_str());
            writeAll(path, good);
        }
        QCOMPARE(repository.state(folder), std::string("VERIFIED"));
    }
};

QTEST_GUILESS_MAIN(TestFlips)
#include "test_flips.moc"
