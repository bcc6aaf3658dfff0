// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <clocale>
#include <locale>

#include "evidence/ej1.h"
#include "evidence/process.h"

using namespace isobit;
using namespace isobit::evidence;

namespace {

bool isAccepted(const std::string& text) { return readEj1(text, "m.json").has_value(); }

std::string refusal(const std::string& text) {
    const auto read = readEj1(text, "m.json");
    return read ? std::string("accepted") : read.error().message;
}

}  // namespace

class TestEj1 : public QObject {
    Q_OBJECT
private slots:
    void theCanonicalSpellingIsAcceptedAndWrittenBack() {
        const std::string text =
            "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    true,\n    \"x\\\"\\\\y\"\n  ]\n}\n";
        const auto read = readEj1(text, "m.json");
        QVERIFY2(read.has_value(), refusal(text).c_str());
        QCOMPARE(writeEj1(*read), text);
    }

    void everyOtherSpellingIsRefused() {
        for (const char* text :
             {"{}", "{ }\n", "{}\n\n", "{\"a\":1}\n", "{\n  \"b\": 1,\n  \"a\": 2\n}\n", "{\n\t\"a\": 1\n}\n",
              "{\n  \"a\": \"\\u0041\"\n}\n", "{\n  \"a\": \"\\/\"\n}\n", "{\n  \"a\": \"\\n\"\n}\n", "{}\n{}\n",
              "{} {}\n", "\xef\xbb\xbf{}\n", "{\n  \"a\": \"\xc3\xa9\"\n}\n", "{\n  \"a\": \"\x7f\"\n}\n", "", "\n",
              "[1,\n", "nul\n"})
            QVERIFY2(!isAccepted(text), text);
    }

    void whatParsersSilentlyChangeIsRefused() {
        QVERIFY(refusal("{\n  \"a\": 1,\n  \"a\": 2\n}\n").find("key \"a\" occurs twice") != std::string::npos);
        for (const char* value : {"NaN",
                                  "Infinity",
                                  "-Infinity",
                                  "null",
                                  "-0",
                                  "-1",
                                  "0.5",
                                  "1.0",
                                  "1e3",
                                  "1e999",
                                  "1e-07",
                                  "1e-7",
                                  "0.00001",
                                  "1e+21",
                                  "5e-324",
                                  "0.10000000149011612",
                                  "0,1",
                                  "01",
                                  "\"\\ud800\"",
                                  "9007199254740992",
                                  "9007199254740993",
                                  "18446744073709551616"})
            QVERIFY2(!isAccepted(std::string("[\n  ") + value + "\n]\n"), value);
        QVERIFY(isAccepted("[\n  9007199254740991\n]\n"));
        QVERIFY(isAccepted("[\n  0\n]\n"));
    }

    void lineEndingsAreNamed() {
        QCOMPARE(refusal("{\r\n}\r\n"),
                 std::string("m.json: carriage return at byte 1: line endings were converted to CRLF (core.autocrlf)"));
    }

    void depthAndSizeAreLimitedBeforeTheyHurt() {
        QVERIFY(refusal(std::string(200000, '[') + std::string(200000, ']') + "\n").find("nested deeper than 16") !=
                std::string::npos);
        QVERIFY(refusal(std::string((4u << 20) + 1, ' ')).find("expected at most 4194304") != std::string::npos);
        CanonicalJson deepest = 1;
        for (int i = 0; i < kEj1DepthLimit; ++i) deepest = CanonicalJson::array({deepest});
        QVERIFY(isAccepted(writeEj1(deepest)));
        QVERIFY(!isAccepted(writeEj1(CanonicalJson::array({deepest}))));
    }

    void jqPrintsTheSameBytes() {
        CanonicalJson document;
        document["list"] = {1, 2, CanonicalJson::object(), CanonicalJson::array(), "quote \" and \\"};
        document["B"] = true;
        document["a_1"] = {{"z", 9007199254740991u}, {"-", "~"}};
        const std::string text = writeEj1(document);
        const auto printed = runProcess({.arguments = {"jq", "-S", "--indent", "2", "."}, .input = text});
        QVERIFY(printed.has_value());
        QCOMPARE(printed->out, text);
    }

    void theLocaleChangesNothing() {
        const std::string text = writeEj1({{"n", 1234567}, {"t", "0.5"}});
        for (const char* name : {"de_DE.UTF-8", "en_DK.UTF-8", "C.UTF-8"}) {
            std::setlocale(LC_ALL, name);  // stays as it is where the machine lacks it
            QCOMPARE(writeEj1({{"n", 1234567}, {"t", "0.5"}}), text);
            QVERIFY(isAccepted(text));
        }
        std::setlocale(LC_ALL, "C");
    }
};

QTEST_APPLESS_MAIN(TestEj1)
#include "test_ej1.moc"
