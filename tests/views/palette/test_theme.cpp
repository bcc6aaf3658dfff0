// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>

#include "views/palette/theme.h"

using namespace isobit;
using namespace isobit::views;

namespace {

/// How a colour looks to a person without long-wave (protan) or middle-wave (deutan) cones: the linear model of Vienot,
/// Brettel and Mollon (1999), "Digital video colourmaps for checking the legibility of displays by dichromats".
QColor seenBy(const QColor& color, bool protan) {
    const double r = color.redF(), g = color.greenF(), b = color.blueF();
    const double mixed = protan ? 0.11238 * r + 0.88762 * g : 0.29275 * r + 0.70725 * g;
    const double blue = protan ? 0.00401 * r - 0.00401 * g + b : -0.02234 * r + 0.02234 * g + b;
    return QColor::fromRgbF(float(qBound(0.0, mixed, 1.0)), float(qBound(0.0, mixed, 1.0)), float(qBound(0.0, blue, 1.0)));
}

double distance(const QColor& a, const QColor& b) {
    return std::abs(a.redF() - b.redF()) + std::abs(a.greenF() - b.greenF()) + std::abs(a.blueF() - b.blueF());
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void textCanBeReadOnEverySurface() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
            for (const QColor& surface : {theme->window, theme->panel, theme->raised, theme->highlight})
                for (const QColor& ink : {theme->text, theme->mutedText, theme->failed})
                    QVERIFY2(contrastRatio(ink, surface) >= 4.5, qPrintable(theme->name + ink.name() + surface.name()));
            for (const QColor& ink : {theme->trainer, theme->sampler})
                QVERIFY2(contrastRatio(ink, theme->panel) >= 4.5, qPrintable(theme->name + ink.name()));
            QVERIFY(contrastRatio(theme->equalGlyph, theme->equalCell) >= 4.5);
            for (const QColor& fill : theme->ramp) QVERIFY(contrastRatio(readableOn(fill), fill) >= 4.5);
        }
    }

    void theRampGoesOneWay() {
        for (std::size_t bin = 1; bin < lightTheme().ramp.size(); ++bin) {
            QVERIFY(contrastRatio(lightTheme().ramp[bin], Qt::white) > contrastRatio(lightTheme().ramp[bin - 1], Qt::white));
            QVERIFY(contrastRatio(darkTheme().ramp[bin], Qt::black) > contrastRatio(darkTheme().ramp[bin - 1], Qt::black));
        }
    }

    void equalityIsNotAColourOfTheRamp() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()})
            for (const QColor& fill : theme->ramp) QVERIFY(distance(fill, theme->equalCell) > 0.25);
    }

    void theTwoSidesStayApartForColourBlindEyes() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()})
            for (const bool protan : {true, false})
                QVERIFY(distance(seenBy(theme->trainer, protan), seenBy(theme->sampler, protan)) > 0.4);
    }

    void everyPlaceholderOfTheStyleSheetIsFilled() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
            static const QRegularExpression left("\\{[a-z_]+\\}");
            QVERIFY(!styleSheet(*theme).contains(left));
        }
    }
};

QTEST_GUILESS_MAIN(TestTheme)
#include "test_theme.moc"
