// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/confinement/artifact_root.h"

using namespace isobit;

namespace {

namespace fs = std::filesystem;

/// ROOT/runs/a.txt, ROOT/link -> runs, and OUTSIDE beside it.
class Root {
public:
    Root() {
        path = fs::canonical(folder.path().toStdString()).string() + "/root";
        fs::create_directories(path + "/runs");
        std::ofstream(path + "/runs/a.txt") << "a";
        std::ofstream(path + "/../outside.txt") << "b";
        fs::create_symlink("runs", path + "/link");
        fs::create_symlink(path, path + "/../spelling");
    }
    std::string load(const std::string& candidate) const { return said(resolveBelow(path, candidate, PathUse::Load)); }
    std::string save(const std::string& candidate) const { return said(resolveBelow(path, candidate, PathUse::Save)); }
    static std::string said(const Result<std::string>& result) { return result ? *result : "refused: " + result.error().message; }

    QTemporaryDir folder;
    std::string path;
};

bool refused(const std::string& said, std::string_view why) { return said.starts_with("refused: ") && said.find(why) != std::string::npos; }

class TestArtifactRoot : public QObject {
    Q_OBJECT
private slots:
    void relativePathsResolveBelowTheRoot() {
        const Root root;
        QCOMPARE(root.load("runs/a.txt"), root.path + "/runs/a.txt");
        QCOMPARE(root.load("./runs//a.txt"), root.path + "/runs/a.txt");
        QCOMPARE(root.load(root.path + "/runs"), root.path + "/runs");
        QCOMPARE(root.load(root.path), root.path);  // a load may mean the root itself
    }

    void escapesAndLinksAreRefused() {
        const Root root;
        QVERIFY(refused(root.load("../outside.txt"), "is not below"));
        QVERIFY(refused(root.load("runs/../../outside.txt"), "is not below"));
        QVERIFY(refused(root.load("/etc/hostname"), "is not below"));
        QVERIFY(refused(root.load(root.path + "-other"), "is not below"));
        QVERIFY(refused(root.load("link/a.txt"), "is a symbolic link"));
        QVERIFY(refused(root.save("link"), "is a symbolic link"));
        QVERIFY(refused(root.load(root.path + "/../spelling/runs"), "is not below"));
        QVERIFY(refused(root.load(""), "is empty"));
        QVERIFY(refused(root.load(std::string("a\0b", 3)), "NUL"));
        QVERIFY(refused(root.load("runs/a.txt/b"), "is no folder"));
    }

    void theRootsOwnLinksAreFollowed() {
        const Root root;
        QCOMPARE(Root::said(resolveBelow(root.path + "/../spelling", "runs/a.txt", PathUse::Load)), root.path + "/runs/a.txt");
        QVERIFY(refused(Root::said(resolveBelow(root.path + "/nowhere", "a", PathUse::Load)), "the root cannot be resolved"));
    }

    void aLoadMustExistAndASaveMayNot() {
        const Root root;
        QVERIFY(refused(root.load("runs/new"), "cannot be used"));
        QCOMPARE(root.save("runs/new/deeper"), root.path + "/runs/new/deeper");
        QVERIFY(refused(root.save("."), "is the root itself"));
    }

    void anExplicitRootIsAuthoritative() {
        const EnvironmentVariables environment{{"XORL_SERVER_ARTIFACT_ROOT", " /srv/out \n"}, {"PYTHONPATH", "/elsewhere"}};
        QCOMPARE(artifactRoot("/srv/given", environment, "/w"), "/srv/given");
        QCOMPARE(artifactRoot("", environment, "/w"), "/srv/out");
        QCOMPARE(artifactRoot("", {{"XORL_SERVER_ARTIFACT_ROOT", "  "}}, "/w"), "/w/checkpoints");
        // Under an explicit root a path below the variable's is an escape.
        const Root root;
        QVERIFY(refused(root.load("/srv/out/a"), "is not below"));
    }

    void anAdapterLiesInItsRootAndALoadMayComeFromBeside() {
        const Root root;
        fs::create_directories(root.path + "/adapters/one");
        fs::create_directories(root.path + "/../art/two");
        AdapterRequest request{"one", "", root.path + "/adapters", "", PathUse::Load};
        QCOMPARE(Root::said(adapterFolder(request)), root.path + "/adapters/one");
        request.path = root.path + "/runs";
        QCOMPARE(Root::said(adapterFolder(request)), root.path + "/runs");  // the parent of the adapters' root
        request.path = fs::canonical(root.path + "/../art/two").string();
        QVERIFY(refused(Root::said(adapterFolder(request)), "is not below"));
        request.artifactRoot = root.path + "/../art";
        QCOMPARE(Root::said(adapterFolder(request)), request.path);
        request.use = PathUse::Save;
        QVERIFY(refused(Root::said(adapterFolder(request)), "is not below"));
        request = {"../one", "", root.path + "/adapters", "", PathUse::Save};
        QVERIFY(refused(Root::said(adapterFolder(request)), "is not an identifier"));
    }

    void modelIdsFollowTheStricterRule() {
        QCOMPARE(modelId("").value(), "default");
        QCOMPARE(modelId("llama_3-8B").value(), "llama_3-8B");
        QCOMPARE(modelId(std::string(128, 'a')).value().size(), std::size_t(128));
        for (const std::string& bad : {std::string("a.b"), std::string("a/b"), std::string("a b"), std::string("-a"), std::string("_a"),
                                       std::string(129, 'a'), std::string(".."), std::string("../a"), std::string("a\n")})
            QVERIFY2(!modelId(bad), bad.c_str());
    }

    void configTreesArePlainAndBounded() {
        QVERIFY(checkConfigTree(Json::parse(R"({"a": [1, {"b": null}]})"), "c").has_value());
        QCOMPARE(checkConfigTree(Json::parse(R"({"a": {"__class__": 1}})"), "c").error().message, "c: the key \"__class__\" begins with two underscores");
        QVERIFY(checkConfigTree(Json(Json::array_t(100'000, 1)), "c").has_value());
        QVERIFY(!checkConfigTree(Json(Json::array_t(100'001, 1)), "c"));
        Json deep = 1;
        for (int i = 0; i < 40; ++i) deep = Json::array({deep});
        QVERIFY(!checkConfigTree(deep, "c"));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestArtifactRoot)
#include "test_artifact_root.moc"
