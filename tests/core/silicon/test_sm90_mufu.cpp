// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <functional>
#include <vector>

#include "core/base/sha256.h"
#include "core/silicon/silicon.h"

using namespace isobit;

namespace {

constexpr Subnormals kKeep = Subnormals::Keep;
constexpr Subnormals kFlush = Subnormals::Flush;

const Silicon& hopper() { return **sm90Silicon(); }

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float word(std::uint32_t value) { return std::bit_cast<float>(value); }

using Function = std::function<float(float)>;

// SHA-256 of the result words, little-endian, for consecutive operand words.
std::string digestOf(const Function& function, std::uint32_t first, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    for (std::size_t i = 0; i < count; ++i) words[i] = bits(function(word(first + std::uint32_t(i))));
    return sha256Hex(std::as_bytes(std::span(words)));
}

struct Fact {
    std::uint32_t x;
    std::uint32_t expected;
};

void expectWords(const Function& function, std::initializer_list<Fact> facts) {
    for (const Fact& fact : facts)
        if (const std::uint32_t found = bits(function(word(fact.x))); found != fact.expected)
            QFAIL(qPrintable(QString("operand %1: word %2, the chip gives %3")
                                 .arg(fact.x, 8, 16, QChar('0'))
                                 .arg(found, 8, 16, QChar('0'))
                                 .arg(fact.expected, 8, 16, QChar('0'))));
}

}  // namespace

// Words and digests were measured on an NVIDIA H200 (driver 580.159, CUDA 13.0).
class TestSm90Mufu : public QObject {
    Q_OBJECT
private slots:
    void everyReciprocalOfABinadeHasTheMeasuredWord() {
        QCOMPARE(digestOf([](float x) { return hopper().rcp(x, kFlush); }, 0x3f800000, 1u << 23),
                 std::string("c408381446132e07fa5581e930dc33fb790bea7ec4276ef3621e322df2492a55"));
    }
    void everyReciprocalRootOfTwoBinadesHasTheMeasuredWord() {
        QCOMPARE(digestOf([](float x) { return hopper().rsqrt(x, kFlush); }, 0x3f800000, 1u << 24),
                 std::string("218fc04d271773269367dedf4cff9ff719081b1218c3d67d248d8d6126040246"));
    }
    void everyRootOfTwoBinadesHasTheMeasuredWord() {
        QCOMPARE(digestOf([](float x) { return hopper().sqrt(x, kFlush); }, 0x3f800000, 1u << 24),
                 std::string("4e017678de306e0be8bed66193c2ebf09e9c60a9600cad56cd05bb7b6c3f266f"));
    }
    void everyPowerOfTwoBetweenOneAndTwoHasTheMeasuredWord() {
        // Measured for operands in [1, 2), halved: the results for [0, 1) at the same fractions.
        QCOMPARE(digestOf([](float x) { return hopper().ex2(x, kFlush) * 0.5f; }, 0x3f800000, 1u << 23),
                 std::string("b2a42c4a626469c986e33e43f16f41bde9d84de94347cd9ceaa1bd68d36bcdf0"));
    }
    void everyLogarithmOfTheBinadeAboveOneHasTheMeasuredWord() {
        QCOMPARE(digestOf([](float x) { return hopper().lg2(x, kFlush); }, 0x3f800000, 1u << 23),
                 std::string("7fd9be9a924e40a0ee18ba20e7f5158135112947597c8dd86131d3d4d8f9dbfa"));
    }
    void everyLogarithmOfTheBinadeBelowOneHasTheMeasuredWord() {
        QCOMPARE(digestOf([](float x) { return -hopper().lg2(x, kFlush); }, 0x3f000000, 1u << 23),
                 std::string("3dc2a5d57ebbc00b2ceb3d9c788243c9a3b585d2326d23ed7154f7e23b0ad24e"));
    }

    // Sampled from the independent measurements of the same functions (differences in ULP from the correctly rounded
    // value, mufu1.bin to mufu3.bin of the shared material); all 142.6 million entries were compared once, with no
    // difference but in entries that are only bounds.
    void wordsAgreeWithAnIndependentMeasurement() {
        expectWords([](float x) { return hopper().rsqrt(x, kFlush); }, {{0x3f803039, 0x3f7fcfd4},
                                                                        {0x3faaddec, 0x3f5d9294},
                                                                        {0x3fd591b1, 0x3f462ff0},
                                                                        {0x40004b88, 0x3f34cfa2},
                                                                        {0x402b0b71, 0x3f1c9811},
                                                                        {0x4055d16c, 0x3f0c0ed6}});
        expectWords([](float x) { return hopper().rcp(x, kFlush); }, {{0x3f803039, 0x3f7f9fb2},
                                                                      {0x3f958897, 0x3f5b2280},
                                                                      {0x3faae707, 0x3f3fbc30},
                                                                      {0x3fc04b89, 0x3f2a67a0},
                                                                      {0x3fd5b61d, 0x3f19540b},
                                                                      {0x3feb26c3, 0x3f0b5938}});
        expectWords([](float x) { return hopper().lg2(x, kFlush); }, {{0x3f958897, 0x3e65b598},
                                                                      {0x3faae707, 0x3ed584de},
                                                                      {0x3fc04b89, 0x3f16514b},
                                                                      {0x3fd5b61d, 0x3f3d512d},
                                                                      {0x3feb26c3, 0x3f60a051},
                                                                      {0x3f003039, 0xbf7f74f5},
                                                                      {0x3f158897, 0xbf469299},
                                                                      {0x3f2ae707, 0xbf153d90},
                                                                      {0x3f404b89, 0xbed35d69},
                                                                      {0x3f55b61d, 0xbe855da4},
                                                                      {0x3f6b26c3, 0xbdfafd77},
                                                                      {0x41803039, 0x40801161},
                                                                      {0x41958897, 0x40872dac},
                                                                      {0x41aae707, 0x408d584d},
                                                                      {0x41c04b89, 0x4092ca29},
                                                                      {0x41d5b61d, 0x4097aa25},
                                                                      {0x41eb26c3, 0x409c140a}});
        expectWords(
            [](float x) { return hopper().ex2(x, kFlush); },
            {{0xbf003039, 0x3f34ed52}, {0xbf158897, 0x3f2ac453}, {0xbf2ae707, 0x3f212abe}, {0xbf404b89, 0x3f1818d2},
             {0xbf55b61d, 0x3f0f8735}, {0xbf6b26c3, 0x3f076ef4}, {0xbf803039, 0x3effbd2e}, {0xbf958897, 0x3ee3d2aa},
             {0xbfaae707, 0x3ecaed95}, {0xbfc04b89, 0x3eb4baf7}, {0xbfd5b61d, 0x3ea0f0a9}, {0xbfeb26c3, 0x3e8f4c69},
             {0xbe803039, 0x3f5736ef}, {0xbe958897, 0x3f5115a1}, {0xbeaae707, 0x3f4b1f5c}, {0xbec04b89, 0x3f4552fb},
             {0xbed5b61d, 0x3f3faf67}, {0xbeeb26c3, 0x3f3a338d}, {0xbe003039, 0x3f6ab91c}, {0xbe158897, 0x3f675b28},
             {0xbe2ae707, 0x3f64089f}, {0xbe404b89, 0x3f60c160}, {0xbe55b61d, 0x3f5d854b}, {0xbe6b26c3, 0x3f5a5439},
             {0xc1803039, 0x377bdb10}, {0xc1958897, 0x361e7f10}, {0xc1aae707, 0x34c71419}, {0xc1c04b89, 0x337989cf},
             {0xc1d5b61d, 0x321c12b2}, {0xc1eb26c3, 0x30c2d486}, {0x3f803039, 0x40002172}, {0x3f958897, 0x400fd4bd},
             {0x3faae707, 0x402179d7}, {0x3fc04b89, 0x40354f0e}, {0x3fd5b61d, 0x404b9a8e}, {0x3feb26c3, 0x4064ab68},
             {0x3f003039, 0x3fb51c97}, {0x3f158897, 0x3fbfe326}, {0x3f2ae707, 0x3fcb512d}, {0x3f404b89, 0x3fd77108},
             {0x3f55b61d, 0x3fe44dbc}, {0x3f6b26c3, 0x3ff1f2fd}});
        expectWords([](float x) { return hopper().expf(x); }, {{0xbf003039, 0x3f1b285b},
                                                               {0xbf158897, 0x3f0ebecd},
                                                               {0xbf2ae707, 0x3f035054},
                                                               {0xbf404b89, 0x3ef192b6},
                                                               {0xbf55b61d, 0x3ede2f9a},
                                                               {0xbf6b26c3, 0x3ecc55f4}});
        expectWords([](float x) { return hopper().logf(x); }, {{0x41803039, 0x40318a30},
                                                               {0x41958897, 0x403b65a7},
                                                               {0x41aae707, 0x4043f219},
                                                               {0x41c04b89, 0x404b7e65},
                                                               {0x41d5b61d, 0x40524078},
                                                               {0x41eb26c3, 0x40585ed5}});
    }

    void reciprocalsAtTheEdges() {
        expectWords([](float x) { return hopper().rcp(x, kFlush); }, {{0x00000000, 0x7f800000},
                                                                      {0x80000001, 0xff800000},
                                                                      {0x00800000, 0x7e800000},
                                                                      {0x7e800000, 0x00800000},
                                                                      {0x7e800001, 0x00000000},
                                                                      {0xff7fffff, 0x80000000},
                                                                      {0x7f800000, 0x00000000},
                                                                      {0xffc00000, 0x7fffffff},
                                                                      {0x7f800001, 0x7fffffff}});
        expectWords([](float x) { return hopper().rcp(x, kKeep); }, {{0x00000001, 0x7f800000},
                                                                     {0x007fffff, 0x7e800001},
                                                                     {0x00400000, 0x7f000000},
                                                                     {0x7e800001, 0x007fffff},
                                                                     {0x7f7fffff, 0x00200000},
                                                                     {0xff800000, 0x80000000},
                                                                     {0x80000000, 0xff800000},
                                                                     {0x7fc00000, 0x7fffffff}});
    }
    void rootsAtTheEdges() {
        expectWords([](float x) { return hopper().rsqrt(x, kFlush); }, {{0x80000001, 0xff800000},
                                                                        {0x00800000, 0x5f000000},
                                                                        {0x80800000, 0x7fffffff},
                                                                        {0x7f7fffff, 0x1f800000},
                                                                        {0x7f800000, 0x00000000},
                                                                        {0x3f800000, 0x3f800000}});
        expectWords(
            [](float x) { return hopper().rsqrt(x, kKeep); },
            {{0x00000001, 0x64b504f2}, {0x80000001, 0x7fffffff}, {0x007fffff, 0x5f000000}, {0x80000000, 0xff800000}});
        expectWords([](float x) { return hopper().sqrt(x, kFlush); }, {{0x80000000, 0x80000000},
                                                                       {0x00000001, 0x00000000},
                                                                       {0x7f7fffff, 0x5f7fffff},
                                                                       {0xbf800000, 0x7fffffff},
                                                                       {0x7f800000, 0x7f800000}});
        expectWords([](float x) { return hopper().sqrt(x, kKeep); },
                    {{0x00000001, 0x1a3504f3}, {0x807fffff, 0x7fffffff}, {0x00400000, 0x1fb504f3}});
    }
    void powersOfTwoAtTheEdges() {
        expectWords([](float x) { return hopper().ex2(x, kFlush); }, {{0x80000000, 0x3f800000},
                                                                      {0xb3000000, 0x3f800000},
                                                                      {0xb4000000, 0x3f7ffffe},
                                                                      {0xbf800000, 0x3f000000},
                                                                      {0xc2fc0000, 0x00800000},
                                                                      {0xc2fc0001, 0x00000000},
                                                                      {0x42ffffff, 0x7f7fffa8},
                                                                      {0x43000000, 0x7f800000},
                                                                      {0xff800000, 0x00000000}});
        expectWords([](float x) { return hopper().ex2(x, kKeep); }, {{0xc2fc0001, 0x007fffd3},
                                                                     {0xc2fe0000, 0x003fffff},
                                                                     {0xc3000000, 0x00200000},
                                                                     {0xc3150000, 0x00000001},
                                                                     {0xc3160000, 0x00000000}});
    }
    void logarithmsAtTheEdges() {
        expectWords([](float x) { return hopper().lg2(x, kFlush); }, {{0x007fffff, 0xff800000},
                                                                      {0x00800000, 0xc2fbffff},
                                                                      {0x80800000, 0x7fffffff},
                                                                      {0x3f800000, 0x00000000},
                                                                      {0x7f7fffff, 0x42ffffff},
                                                                      {0x33000000, 0xc1c7ffff}});
        expectWords([](float x) { return hopper().lg2(x, kKeep); }, {{0x00000001, 0xc3150000},
                                                                     {0x007fffff, 0xc2fc0000},
                                                                     {0x00400000, 0xc2fdffff},
                                                                     {0x80000001, 0x7fffffff},
                                                                     {0x80000000, 0xff800000}});
    }
    void divisionScalesWhereTheReciprocalWouldLeaveItsRange() {
        const auto divide = [](std::uint32_t a, std::uint32_t b, Subnormals mode) {
            return bits(hopper().divFull(word(a), word(b), mode));
        };
        // Tininess is decided on 24 bits with an unbounded exponent. Kept, all of these round to 2^-126; flushed, the
        // first two vanish, and the third, which 24 bits already round up, stays.
        QCOMPARE(divide(0x3f7fffff, 0x7e800000, kKeep), 0x00800000u);
        QCOMPARE(divide(0x3f7fffff, 0x7e800000, kFlush), 0x00000000u);
        QCOMPARE(divide(0x0460072e, 0xc360072e, kFlush), 0x80000000u);
        QCOMPARE(divide(0xbf800001, 0x7e800001, kFlush), 0x80800000u);
        QCOMPARE(divide(0x00000001, 0x00000001, kKeep), 0x3f800000u);
        QCOMPARE(divide(0x7f7fffff, 0x7f7fffff, kKeep),
                 bits(word(0x7f7fffff) * 0.25f * hopper().rcp(word(0x7e7fffff), kFlush)));
    }
    void libraryLogarithmAtTheEdges() {
        expectWords([](float x) { return hopper().logf(x); }, {{0x00000001, 0xc2ce8ed0},
                                                               {0x80000001, 0x7fffffff},
                                                               {0x00400000, 0xc2b00f34},
                                                               {0x7f7fffff, 0x42b17218},
                                                               {0x34000000, 0xc17f1402},
                                                               {0x80000000, 0xff800000},
                                                               {0x7f800000, 0x7f800000},
                                                               {0xff812345, 0x7fffffff}});
        expectWords([](float x) { return hopper().logf(x, kFlush); },
                    {{0x007fffff, 0xff800000}, {0x00800000, 0xc2aeac50}, {0x42fe0000, 0x409b0395}});
    }
    void libraryExponentialAtTheEdges() {
        expectWords([](float x) { return hopper().expf(x); }, {{0x3f800000, 0x402df854},
                                                               {0xbf800000, 0x3ebc5ab3},
                                                               {0x7fc00000, 0x7fffffff},
                                                               {0xff800000, 0x00000000},
                                                               {0x42ffffff, 0x7f800000},
                                                               {0xb3000000, 0x3f800000},
                                                               {0x8058b90c, 0x3f800000}});
    }
};

QTEST_APPLESS_MAIN(TestSm90Mufu)
#include "test_sm90_mufu.moc"
