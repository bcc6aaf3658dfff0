// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/confinement/repo_scan.h"

using namespace isobit;

namespace {

// The samples are in two pieces each, so that this file is clean itself.
std::string in(const char* a, const char* b) { return std::string(a) + b; }

TrackedFile fileOf(std::string bytes) { return {"a.txt", false, false, bytes.size(), bytes}; }

std::string found(const TrackedFile& file, const ScanOptions& options = {}) {
    std::string text;
    for (const ScanFinding& finding : scanFile(file, options))
        text += (text.empty() ? "" : " ") + finding.rule + ":" + std::to_string(finding.line);
    return text;
}

class TestRepoScan : public QObject {
    Q_OBJECT
private slots:
    void eachPatternIsFoundOnItsLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char* name, const std::string& text, const char* rule) { QTest::newRow(name) << QString::fromStdString(text) << rule; };
        row("home", in("see /ho", "me/somebody/x"), "home-path");
        row("home of another system", in("'/Us", "ers/some.body'"), "home-path");
        row("third spelling", in("C:\\Us", "ers\\somebody"), "home-path");
        row("user folder", in("cp /da", "ta/users/somebody/w ."), "shared-storage");
        row("scratch", in("/scr", "atch/run1"), "shared-storage");
        row("key", in("-----BE", "GIN RSA PRIVATE ") + "KEY-----", "private-key");
        row("service", in("http://a.b.svc.", "cluster.local:80"), "cluster-address");
        row("cluster command", in("kube", "ctl get pods"), "cluster-address");
        row("queue label", in("kueue.", "x-k8s.io/queue: q"), "scheduler");
        row("batch key", in("#SB", "ATCH -N 1"), "scheduler");
        row("assistant", in("Written with Chat", "GPT."), "assistant");
        row("assistant in a trailer", in("Co-Authored-By: Cla", "ude <x>"), "assistant");
        row("tracker", in("Fixes PROJ", "-1234."), "tracker-number");
        row("conflict", std::string(7, '<') + " HEAD", "merge-marker");
        row("end of a conflict", std::string(7, '>') + " branch", "merge-marker");
    }
    void eachPatternIsFoundOnItsLine() {
        QFETCH(QString, text);
        QFETCH(QString, rule);
        QCOMPARE(found(fileOf("first\n" + text.toStdString() + "\nlast\n")), rule.toStdString() + ":2");
    }

    void whatOnlyLooksSimilarIsClean_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"/home/", "a/home page", "SHA-256 and AVX-512", "CVE-2025-1234", "UTF-16", "v1-1000", "encoded", "copilots",
                                 "=======", "<<<<<<<<", "-----BEGIN PUBLIC KEY-----", "a.svc", "XPROJ_1-200", "my-PROJ-1234x"})
            QTest::newRow(text) << text;
    }
    void whatOnlyLooksSimilarIsClean() {
        QFETCH(QString, text);
        QCOMPARE(found(fileOf(text.toStdString() + "\n")), "");
    }

    void theFirstMatchOfARuleIsEnough() {
        const std::string line = in("/ho", "me/somebody\n");
        QCOMPARE(found(fileOf(line + line)), "home-path:1");
    }

    void namesOfFilesAreLookedAtToo() {
        TrackedFile file = fileOf("");
        file.path = in("notes/PROJ", "-1234");
        QCOMPARE(found(file), "tracker-number:0");
    }

    void linksLargeFilesAndModesAreFound() {
        TrackedFile link = fileOf("");
        link.isLink = true;
        QCOMPARE(found(link), "symlink:0");
        TrackedFile large = fileOf("");
        large.size = 1'000'001;
        QCOMPARE(found(large), "large-file:0");
        large.size = 1'000'000;
        QCOMPARE(found(large), "");
        QCOMPARE(found(fileOf("#!/bin/sh\n")), "shebang:1");
        TrackedFile program = fileOf("text\n");
        program.executable = true;
        QCOMPARE(found(program), "shebang:0");
        program.bytes = "#!/bin/sh\n";
        QCOMPARE(found(program), "");
    }

    void whatIsNotUtf8IsNotSearched() {
        QCOMPARE(found(fileOf(in("\xFF/ho", "me/somebody"))), "");
        QCOMPARE(found(fileOf(std::string("\0", 1) + in("/ho", "me/somebody"))), "");
        QCOMPARE(found(fileOf(in("\xC3\xA9 /ho", "me/somebody"))), "home-path:1");
    }

    void anOwnersTermsAreFoundAndAnExcerptCannotSteerATerminal() {
        ScanOptions options;
        options.terms = {"blue\x1b" "fin"};
        const auto findings = scanFile(fileOf("x blue\x1b" "fin y"), options);
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].rule, "term");
        QCOMPARE(findings[0].excerpt, "blue\\x1bfin");
    }

    void oneLongLineIsScannedInOneGo() {
        std::string text(4'000'000, 'A');
        TrackedFile file = fileOf(text + in("/ho", "me/somebody"));
        file.size = 0;
        QCOMPARE(found(file), "");  // a name in front: no path begins there
        file.bytes = text + " " + in("/ho", "me/somebody");
        QCOMPARE(found(file), "home-path:1");
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestRepoScan)
#include "test_repo_scan.moc"
