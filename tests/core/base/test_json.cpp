// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/json.h"

using namespace isobit;

class TestJson : public QObject {
    Q_OBJECT
private slots:
    void aDocumentIsParsedInItsOwnOrder() {
        const auto parsed = parseJsonStrictly(R"({"b":1,"a":[2,3]})", "text");
        QVERIFY(parsed.has_value());
        QCOMPARE(parsed->dump(), std::string(R"({"b":1,"a":[2,3]})"));
    }

    void duplicateKeysAreRefusedInEveryObject() {
        for (const char* text : {R"({"a":1,"a":2})", R"({"x":[{"a":1,"b":2,"a":1}]})"}) {
            const auto parsed = parseJsonStrictly(text, "file.json");
            QVERIFY(!parsed);
            QCOMPARE(parsed.error().message, std::string("file.json: duplicate key \"a\" in one object"));
        }
        QVERIFY(parseJsonStrictly(R"([{"a":1},{"a":2}])", "text").has_value());
    }

    void whatIsNotOneDocumentIsRefusedWithItsPlace() {
        for (const char* text : {"{} {}", "[1,", "nul", "{\"a\":NaN}"}) {
            const auto parsed = parseJsonStrictly(text, "file.json");
            QVERIFY(!parsed);
            QVERIFY(parsed.error().message.starts_with("file.json: is not JSON at byte "));
        }
    }

    void whatCannotBeADocumentIsNamedForWhatItIs() {
        const auto problemOf = [](std::string_view text) {
            const auto parsed = parseJsonStrictly(text, "file.json");
            return parsed ? std::string() : parsed.error().message;
        };
        QCOMPARE(problemOf(""), std::string("file.json: is empty, expected one JSON document"));
        QCOMPARE(problemOf(" \r\n\t"),
                 std::string("file.json: holds nothing but white space, expected one JSON document"));
        const std::string mark =
            "file.json: starts with a byte order mark (EF BB BF), which JSON does not allow: save it as UTF-8 without "
            "one";
        QCOMPARE(problemOf("\xEF\xBB\xBF{}"), mark);
        QCOMPARE(problemOf("\xEF\xBB\xBF"), mark);
        QCOMPARE(problemOf(std::string_view("\xFF\xFE{\0}\0", 6)),
                 std::string("file.json: is UTF-16, expected JSON in UTF-8"));
        QCOMPARE(problemOf(std::string_view("\xFE\xFF\0{\0}", 6)),
                 std::string("file.json: is UTF-16, expected JSON in UTF-8"));
        QVERIFY(problemOf("{\"mark\":\"\xEF\xBB\xBF\"}").empty());
    }

    void deepNestingIsRefusedBeforeItHurts() {
        const auto parsed = parseJsonStrictly(std::string(200000, '['), "deep");
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().message, std::string("deep: nested deeper than 64 levels"));
    }
};

QTEST_APPLESS_MAIN(TestJson)
#include "test_json.moc"
