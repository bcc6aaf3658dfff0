// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/sample_run.h"
#include "views/grid/cell_face.h"

using namespace isobit;
using namespace isobit::views;

namespace {

CellResult cellOf(std::vector<std::uint16_t> trainer, std::vector<std::uint16_t> sampler) {
    CellResult cell;
    OutputResult output;
    output.name = "out";
    output.comparison = compareWords(DType::Bf16, std::as_bytes(std::span(trainer)), std::as_bytes(std::span(sampler)));
    cell.status = output.comparison.equal() ? CellStatus::Equal : CellStatus::Different;
    cell.outputs.push_back(output);
    return cell;
}

}  // namespace

class TestCellFace : public QObject {
    Q_OBJECT
private slots:
    void everyKindOfCellHasItsOwnGlyph() {
        const Run run = support::sampleRun();
        QCOMPARE(glyphOf(faceOf(&run.cells[0], "")), QString("═"));
        QCOMPARE(glyphOf(faceOf(&run.cells[1], "")), QString("2·1"));
        QCOMPARE(glyphOf(faceOf(&run.cells[4], "")), QString("!"));
        QCOMPARE(glyphOf(faceOf(&run.cells[5], "")), QString("···"));
        QCOMPARE(faceOf(nullptr, "").kind, CellFace::Missing);
        QCOMPARE(glyphOf(faceOf(nullptr, "")), QString());
    }

    void oneOutputIsJudgedByItself() {
        const Run run = support::sampleRun();
        QCOMPARE(faceOf(&run.cells[1], "out").kind, CellFace::Different);
        QCOMPARE(faceOf(&run.cells[1], "residual_out").kind, CellFace::Equal);
        QCOMPARE(faceOf(&run.cells[1], "").kind, CellFace::Different);
        QCOMPARE(faceOf(&run.cells[1], "").elements, std::uint64_t(2 * 3 * 64));
        QCOMPARE(faceOf(&run.cells[1], "no_such_output").kind, CellFace::Missing);
    }

    void equalityIsNeverABinOfWhatDiffers() {
        QCOMPARE(faceOf(&support::sampleRun().cells[0], "").bin == UlpBin::Equal, true);
    }

    void aSignOfZeroIsADifferenceAndSaysSo() {
        const CellFace face = faceOf(std::make_unique<CellResult>(cellOf({0x0000}, {0x8000})).get(), "");
        QCOMPARE(face.kind, CellFace::Different);
        QCOMPARE(glyphOf(face), QString("1·±0"));
        QVERIFY(sentenceOf(face).contains("only +0 against -0"));
    }

    void infinityAndNanAreKindsOfTheirOwn() {
        for (const std::uint16_t word : {0x7F80, 0x7FC0}) {
            const CellResult cell = cellOf({0x3F80}, {word});
            QCOMPARE(faceOf(&cell, "").kind, CellFace::NotFinite);
        }
        const CellResult payload = cellOf({0x7FC0}, {0x7FC1});
        QCOMPARE(faceOf(&payload, "").kind, CellFace::NotFinite);
    }

    void brokenBatchInvarianceIsMarkedOnAnyCell() {
        const Run run = support::sampleRun();
        QVERIFY(faceOf(&run.cells[1], "").rowsDepend);
        QVERIFY(!faceOf(&run.cells[0], "").rowsDepend);
    }

    void everyBinHasAShortLabel() {
        QStringList labels;
        for (std::size_t bin = 0; bin < kUlpBins; ++bin) labels << shortLabelOf(static_cast<UlpBin>(bin));
        QCOMPARE(labels.removeDuplicates(), 0);
        QVERIFY(!labels.contains(QString()));
    }
};

QTEST_APPLESS_MAIN(TestCellFace)
#include "test_cell_face.moc"
