// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/object_reader.h"

using namespace isobit;

namespace {

std::string problemOf(ObjectReader& in) {
    const auto done = in.finish();
    return done ? "" : done.error().message;
}

class TestObjectReader : public QObject {
    Q_OBJECT
private slots:
    void fieldsAreReadByType() {
        const Json document{{"name", "a"}, {"count", 3}, {"on", true}, {"rate", 0.5}, {"list", {1, 2}}, {"pairs", {{"x", 1}, {"y", "b"}}}};
        ObjectReader in(document, "f");
        QCOMPARE(in.text("name"), "a");
        QCOMPARE(in.whole("count"), 3);
        QVERIFY(in.truth("on"));
        QCOMPARE(in.number("rate"), 0.5);
        QCOMPARE(in.wholes("list"), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(in.textMembers("pairs"), (std::vector<std::pair<std::string, std::string>>{{"x", "1"}, {"y", "b"}}));
        QCOMPARE(in.text("absent", "none"), "none");
        QCOMPARE(in.wholeOr("absent", 7), 7);
        QCOMPARE(problemOf(in), "");
    }

    void theFirstProblemStaysAndNamesItsPlace() {
        const Json document{{"a", {{{"n", 1}}, {{"n", "x"}}, {{"n", -1}}}}};
        ObjectReader in(document, "f.json");
        in.each("a", [](ObjectReader& one) { (void)one.whole("n"); });
        QCOMPARE(in.text("name"), "");
        QCOMPARE(problemOf(in), "f.json: a[1].n is \"x\", expected a whole number from 0 to 9007199254740991");
    }

    void aMissingFieldSaysWhatItShouldBe() {
        const Json document = Json::object();
        ObjectReader in(document, "f");
        (void)in.whole("n");
        QCOMPARE(problemOf(in), "f: n is missing, expected a whole number");
    }

    void aKeyThatNobodyAskedForIsRefused() {
        const Json document{{"observed", 1}, {"obseved", 2}};
        ObjectReader in(document, "f");
        (void)in.whole("observed");
        QCOMPARE(problemOf(in), "f: has an unknown key \"obseved\"");
    }

    void controlCharactersNeverComeIn_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("escape") << QByteArray("a\x1b[2J");
        QTest::newRow("line feed") << QByteArray("a\nb");
        QTest::newRow("delete") << QByteArray("\x7f");
        QTest::newRow("C1") << QByteArray("\xC2\x9B");
        QTest::newRow("right to left") << QByteArray("\xE2\x80\xAE");
        QTest::newRow("isolate") << QByteArray("\xE2\x81\xA6");
    }
    void controlCharactersNeverComeIn() {
        QFETCH(QByteArray, text);
        QVERIFY(!isPlainText(text.toStdString()));
        const Json document{{"name", text.toStdString()}};
        ObjectReader in(document, "f");
        QCOMPARE(in.text("name"), "");
        const std::string problem = problemOf(in);
        QVERIFY2(problem.find("without control characters") != std::string::npos, problem.c_str());
        QVERIFY(isPlainText(problem));
    }

    void lettersOfAnyScriptAreText() { QVERIFY(isPlainText("\xC3\xA9\xE2\x82\xAC\xE2\x80\x94 \xF0\x9F\x98\x80")); }

    void numbersThatJsonReadersDisagreeOnAreRefused() {
        for (const char* number : {"9007199254740992", "1e3", "-1", "1.0", "18446744073709551615"}) {
            const Json document = parseJsonStrictly(std::string("{\"n\":") + number + "}", "t").value();
            ObjectReader in(document, "f");
            (void)in.whole("n");
            QVERIFY2(!problemOf(in).empty(), number);
        }
    }

    void whatIsNoObjectIsRefusedAsAWhole() {
        const Json document{1, 2};
        ObjectReader in(document, "f");
        QCOMPARE(in.texts("list"), std::vector<std::string>());
        QCOMPARE(problemOf(in), "f: the document is a list of 2, expected an object");
    }

    void digestsHave64Digits() {
        const Json document{{"a", std::string(64, 'a')}, {"b", std::string(63, 'a')}};
        ObjectReader in(document, "f");
        QCOMPARE(in.sha256("a"), std::string(64, 'a'));
        QCOMPARE(in.sha256("absent"), "");
        QCOMPARE(in.sha256("b"), "");
        QVERIFY(!in.good());
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestObjectReader)
#include "test_object_reader.moc"
