// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/confinement/endpoint.h"

using namespace isobit;

namespace {

// One name, one address, and a count of how often it was asked for.
struct Names {
    std::string address = "203.0.113.7";
    mutable int asked = 0;
    Resolve resolve() const {
        return [this](const std::string&) -> Result<std::string> {
            ++asked;
            return address;
        };
    }
};

std::string said(const EndpointRequest& request, const Names& names = {}) {
    const auto endpoint = checkEndpoint(request, names.resolve());
    return endpoint ? fmt::format("{}:{}", endpoint->address, endpoint->port) : "refused: " + endpoint.error().message;
}

class TestEndpoint : public QObject {
    Q_OBJECT
private slots:
    void theAddressIsUsedAndTheNameIsAskedOnce() {
        const Names names;
        QCOMPARE(said({"worker-1", 8000}, names), "203.0.113.7:8000");
        QCOMPARE(names.asked, 1);
        QCOMPARE(said({"198.51.100.2", 80}, names), "198.51.100.2:80");
        QCOMPARE(names.asked, 1);
    }

    void aHostWithMoreInItIsRefused() {
        for (const char* host : {"", "a/b", "a\\b", "user@host", "h?q", "h#f", "a b", "a\nb", "a\tb"})
            QVERIFY2(said({host, 80}).starts_with("refused: the host"), host);
        QVERIFY(said({std::string("a\0b", 3), 80}).starts_with("refused: the host"));
        for (const std::int64_t port : {0, -1, 65536}) QVERIFY(said({"h", port}).starts_with("refused: port"));
        QCOMPARE(said({"h", 65535}), "203.0.113.7:65535");
    }

    void whatCameInByTheApiNeedsAnEntry() {
        EndpointRequest request{"worker-1", 8000, true};
        QVERIFY(said(request).find("is not in the allow-list") != std::string::npos);
        for (const char* entry : {"worker-1", "203.0.113.7", "203.0.113.0/24"}) {
            request.allowed = {entry};
            QCOMPARE(said(request), "203.0.113.7:8000");
        }
        for (const char* entry : {"worker-2", "203.0.114.0/24", "203.0.113.0/33", "203.0.113.0/", "203.0.113.7/x"}) {
            request.allowed = {entry};
            QVERIFY2(said(request).starts_with("refused: "), entry);
        }
        QCOMPARE(said({"localhost", 80, true}, {"127.0.0.1"}), "127.0.0.1:80");
        QVERIFY(said({"localhost", 80, true}, {"203.0.113.7"}).starts_with("refused: "));  // a name that lies
    }

    void specialAddressesAreRefusedWhateverTheirName() {
        for (const char* address : {"169.254.169.254", "224.0.0.1", "0.0.0.0", "255.255.255.255", "fe80::1", "ff02::1",
                                    "::", "::ffff:169.254.169.254"}) {
            QVERIFY2(said({address, 80}).starts_with("refused: "), address);
            QVERIFY2(said({"metadata", 80, false, {"metadata"}}, {address}).starts_with("refused: "), address);
            QVERIFY2(!said({address, 80, true, {address}}).starts_with("refused: "), address);
        }
    }

    void aTranslatedAddressIsTheOneInsideIt() {
        for (const char* address :
             {"64:ff9b::a9fe:a9fe", "64:ff9b::169.254.169.254", "64:ff9b::", "64:ff9b::e000:1", "64:ff9b::ffff:ffff",
              "2002:a9fe:a9fe::", "2002:a9fe:a9fe::1", "2002:e000:1::1", "2002::1"}) {
            QVERIFY2(said({address, 80}).starts_with("refused: "), address);
            QVERIFY2(said({"metadata", 80, false, {"metadata"}}, {address}).starts_with("refused: "), address);
            QVERIFY2(!said({address, 80, true, {address}}).starts_with("refused: "), address);
        }
        QCOMPARE(said({"64:ff9b::a9fe:a9fe", 80}), said({"64:ff9b::a9fe:a9fe", 80, true, {"10.0.0.0/8"}}));
        QCOMPARE(said({"64:ff9b::cb00:7107", 80}), "64:ff9b::cb00:7107:80");
        QCOMPARE(said({"2002:cb00:7107::1", 80, true, {"203.0.113.0/24"}}), "2002:cb00:7107::1:80");
        QVERIFY(said({"2002:cb00:7107::1", 80, true, {"203.0.114.0/24"}}).starts_with("refused: "));
        QCOMPARE(said({"64:ff9b:1::a9fe:a9fe", 80}), "64:ff9b:1::a9fe:a9fe:80");  // another prefix
    }

    void privateAddressesNeedAnEntryOnlyFromTheApi() {
        QCOMPARE(said({"172.16.0.9", 80}), "172.16.0.9:80");
        QVERIFY(said({"172.16.0.9", 80, true}).starts_with("refused: "));
        QCOMPARE(said({"172.16.0.9", 80, true, {"172.16.0.0/12"}}), "172.16.0.9:80");
        QCOMPARE(said({"fd00::1", 80, true, {"fd00::/8"}}), "fd00::1:80");
    }

    void aNameThatResolvesToNoAddressIsRefused() {
        QVERIFY(said({"h", 80}, {"not an address"}).starts_with("refused: "));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestEndpoint)
#include "test_endpoint.moc"
