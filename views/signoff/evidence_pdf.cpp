// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/evidence_pdf.h"

#include <QAbstractTextDocumentLayout>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>

namespace isobit::views {

namespace {

constexpr int kPictureScale = 3;  // 300 dots an inch of a drawing that is laid out for 96

// A text document draws no SVG: the grid becomes a picture of it.
QString withPicture(QString html, QTextDocument& document) {
    const qsizetype begin = html.indexOf(QLatin1String("<svg"));
    const qsizetype end = html.indexOf(QLatin1String("</svg>"), begin);
    if (begin < 0 || end < 0) return html;
    QSvgRenderer drawing(html.mid(begin, end + 6 - begin).toUtf8());
    const QSize size = drawing.defaultSize();
    QImage picture(size * kPictureScale, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    drawing.render(&painter);
    document.addResource(QTextDocument::ImageResource, QUrl("grid"), picture);
    return html.replace(begin, end + 6 - begin,
                        QStringLiteral("<p><img src=\"grid\" width=\"%1\" height=\"%2\"></p>").arg(size.width()).arg(size.height()));
}

}  // namespace

Result<void> writeEvidencePdf(const QString& html, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failure("{}: {}", path.toStdString(), file.errorString().toStdString());
    QTextDocument document;
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);  // digests are longer than their column
    document.setDefaultTextOption(option);
    QFont font(QStringLiteral("sans-serif"));
    font.setPointSizeF(8);
    document.setDefaultFont(font);
    document.setHtml(withPicture(html, document));
    {
        QPdfWriter writer(&file);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageOrientation(QPageLayout::Landscape);
        writer.setPageMargins(QMarginsF(12, 12, 12, 12), QPageLayout::Millimeter);
        writer.setResolution(96 * kPictureScale);
        writer.setTitle(document.metaInformation(QTextDocument::DocumentTitle));
        writer.setCreator(QStringLiteral("Isobit"));
        document.print(&writer);
    }
    if (!file.commit()) return failure("{}: {}", path.toStdString(), file.errorString().toStdString());
    return {};
}

}  // namespace isobit::views
