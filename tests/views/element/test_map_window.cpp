// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "views/element/map_face.h"
#include "views/element/map_window.h"
#include "views/element/slice_plane.h"

using namespace isobit;
using namespace isobit::views;

class TestMapWindow : public QObject {
    Q_OBJECT
private slots:
    void aHugePlaneMakesNoMoreTilesThanPixels() {
        MapWindow window;
        window.setRoom({700, 400});
        window.setPlane(wholePlane({100'000, 12'000}));
        QCOMPARE(window.tiles(), QSize(350, 200));
        QCOMPARE(window.seen().rows, std::int64_t(100'000));
    }

    void aSmallPlaneFillsTheRoomAndHasATileAnElement() {
        MapWindow window;
        window.setRoom({640, 400});
        window.setPlane(wholePlane({4, 32}));
        QCOMPARE(window.tiles(), QSize(32, 4));
        QCOMPARE(window.pixelsOf({0, 0, 4, 32}), QRectF(0, 0, 640, 400));
        QCOMPARE(window.elementAt({639, 399}), QPointF(31, 3));
    }

    void zoomingKeepsTheElementUnderThePointer() {
        MapWindow window;
        window.setRoom({500, 500});
        window.setPlane(wholePlane({1000, 1000}));
        const QPointF pointer(123, 321);
        const QPointF before = window.elementAt(pointer);
        for (int step = 0; step < 5; ++step) window.zoom(2, pointer);
        QCOMPARE(window.elementAt(pointer), before);
        for (int step = 0; step < 9; ++step) window.zoom(0.5, pointer);
        QCOMPARE(window.visible(), QRectF(0, 0, 1000, 1000));
    }

    void whatIsSelectedIsBroughtIntoSight() {
        MapWindow window;
        window.setRoom({500, 500});
        window.setPlane(wholePlane({1000, 1000}));
        QVERIFY(!window.reveal(999, 999));
        window.show(0, 0, {50, 20});
        QVERIFY(window.reveal(999, 999));
        QVERIFY(QRectF(0, 0, 500, 500).contains(window.pixelsOf({999, 999, 1, 1}).center()));
    }

    void nothingIsEverShownBeyondThePlane() {
        MapWindow window;
        window.setRoom({500, 500});
        window.setPlane(wholePlane({10, 10}));
        window.zoom(4, {0, 0});
        window.moveBy({-5000, 90000});
        QVERIFY(QRectF(0, 0, 10, 10).contains(window.visible()));
        const PlaneRect seen = window.seen();
        QVERIFY(seen.row >= 0 && seen.row + seen.rows <= 10 && seen.column >= 0 && seen.column + seen.columns <= 10);
    }

    void aSliceOfManyDimensionsLeadsToItsElementsAndBack_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QSize>("size");
        QTest::newRow("all") << "" << QSize(5, 24);
        QTest::newRow("last two") << "1, 2, :, :" << QSize(5, 2);
        QTest::newRow("outer two") << "[:, :, 1, 4]" << QSize(4, 3);
        QTest::newRow("first and last") << ":,0,1,:" << QSize(5, 3);
    }
    void aSliceOfManyDimensionsLeadsToItsElementsAndBack() {
        QFETCH(QString, text);
        QFETCH(QSize, size);
        const auto slice = SlicePlane::of(text.toStdString(), {3, 4, 2, 5});
        QVERIFY2(slice.has_value(), slice ? "" : slice.error().message.c_str());
        QCOMPARE(QSize(int(slice->plane().columns), int(slice->plane().rows)), size);
        int inside = 0;
        for (std::int64_t element = 0; element < 120; ++element)
            if (const auto place = slice->placeOf(element)) {
                QCOMPARE(slice->plane().indexOf(place->row, place->column), element);
                ++inside;
            }
        QCOMPARE(inside, size.width() * size.height());
    }

    void aSliceThatCannotBeIsOneSentence() {
        for (const char* text : {":", ":,:", ":,:,:,0", "0,0,0,0", "3,:,:,0", "x,:,:,0", ":,,:,0"})
            QVERIFY2(!SlicePlane::of(text, {3, 4, 2, 5}).has_value(), text);
    }

    void equalityIsNoColourOfTheRamp() {
        QCOMPARE(binOf({.elements = 1000}), UlpBin::Equal);
        QCOMPARE(binOf({.elements = 1000, .marked = 1, .maxUlp = 1}), UlpBin::One);
        QCOMPARE(binOf({.elements = 1000, .marked = 1, .maxUlp = 4}), UlpBin::UpTo4);
        QCOMPARE(binOf({.elements = 1000, .marked = 1, .maxUlp = 70'000}), UlpBin::Larger);
        QCOMPARE(binOf({.elements = 1000, .marked = 1}), UlpBin::SignOfZero);
        QCOMPARE(binOf({.elements = 1000, .marked = 1, .unordered = true}), UlpBin::SignOrClass);
        QCOMPARE(binOf({.elements = 1000, .marked = 1, .maxUlp = 2, .signOrClass = true}), UlpBin::SignOrClass);
        QCOMPARE(inkOf({.elements = 1000}), 0.0);
        QVERIFY(inkOf({.elements = 1'000'000'000, .marked = 1}) >= 0.4);
        QCOMPARE(inkOf({.elements = 8, .marked = 8}), 1.0);
    }

    void bitsAreNamedByTheirField() {
        QCOMPARE(bitName(DType::Bf16, 0), QString("mantissa 0"));
        QCOMPARE(bitName(DType::Bf16, 7), QString("exponent 0"));
        QCOMPARE(bitName(DType::Bf16, 15), QString("sign"));
        QCOMPARE(bitName(DType::Fp32, 23), QString("exponent 0"));
        QCOMPARE(bitName(DType::I32, 31), QString("bit 31"));
    }
};

QTEST_GUILESS_MAIN(TestMapWindow)
#include "test_map_window.moc"
