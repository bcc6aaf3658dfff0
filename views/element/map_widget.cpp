// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/element/map_widget.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/element/map_palette.h"
#include "views/inspector/word_text.h"
#include "views/palette/fonts.h"

namespace isobit::views {

namespace {

constexpr int kSettleMs = 25;      // a drag or a wheel asks for words once it rests
constexpr double kZoomStep = 1.6;
constexpr int kFrame = 1;          // around the picture, never on it: the last row may be the one that differs
constexpr double kGridFrom = 7;    // pixels an element: closer up, a gap sets elements apart

}  // namespace

MapWidget::MapWidget(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(&theme) {
    setFocusPolicy(Qt::StrongFocus);
    setFont(wordFont());
    setAccessibleName(QStringLiteral("Map of the tensor"));
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &MapWidget::load);
    for (Layer& layer : m_layers) {
        layer.loader = new MapLoader(this);
        connect(layer.loader, &MapLoader::bandLoaded, this, [this, &layer](const MapBand& band) { addBand(layer, band); });
        connect(layer.loader, &MapLoader::finished, this, &MapWidget::finishLayer);
        connect(layer.loader, &MapLoader::failed, this, &MapWidget::failed);
    }
    connect(&m_words, &MapLoader::wordsLoaded, this, [this](const WordPatch& patch) {
        m_patch = patch;
        update();
    });
    connect(&m_words, &MapLoader::finished, this, &MapWidget::finishLayer);
    connect(&m_words, &MapLoader::failed, this, &MapWidget::failed);
}

void MapWidget::setTheme(const Theme& theme) {
    m_theme = &theme;
    changed(false);
}

void MapWidget::setTensor(const CapturePtr& capture, int tensor) {
    if (capture == m_capture && tensor == m_tensor) return;
    m_capture = capture;
    m_tensor = tensor;
    if (tensor >= 0) {
        const WalkStep& step = capture->walk.steps[static_cast<std::size_t>(tensor)];
        m_dtype = step.comparison.dtype;
        m_slice = SlicePlane(shapeOf(*capture, step));
        m_window.setPlane(m_slice.plane());
    }
    changed(false);
}

void MapWidget::setSlice(const SlicePlane& slice) {
    if (slice == m_slice) return;
    m_slice = slice;
    m_window.setPlane(slice.plane());
    changed(false);
}

void MapWidget::setMode(MapMode mode, int bit) {
    m_mode = mode;
    m_bit = std::clamp(bit, 0, bitsOfWord(m_dtype) - 1);
    changed(false);
}

void MapWidget::setCurrent(std::int64_t element) {
    m_current = element;
    const auto current = currentRect();
    if (current && m_window.reveal(current->row, current->column)) changed();
    update();
}

std::optional<PlaneRect> MapWidget::currentRect() const {
    const auto place = m_slice.placeOf(m_current);
    return place ? std::optional(PlaneRect{place->row, place->column, 1, 1}) : std::nullopt;
}

void MapWidget::changed(bool keepPictures) {
    for (Layer& layer : m_layers) {
        layer.loader->stop();
        if (!keepPictures) layer.image = layer.backdrop = QImage();
    }
    m_words.stop();
    if (!keepPictures) m_patch = {};
    m_settle.start();
    update();
}

QSizeF MapWidget::wordSize() const {
    const QFontMetricsF metrics(font());
    return {metrics.horizontalAdvance(QLatin1Char('0')) * double(2 * bytesOf(m_dtype)) + 10, metrics.height() + 4};
}

bool MapWidget::showsWords() const {
    const QSizeF scale = m_window.scale();
    return m_tensor >= 0 && scale.width() >= wordSize().width() && scale.height() >= wordSize().height();
}

void MapWidget::load() {
    m_loading = 0;
    if (m_tensor >= 0 && m_window.plane().rows > 0 && m_window.plane().columns > 0) {
        const QSize tiles = m_window.tiles();
        MapRequest request{m_capture, m_tensor, m_window.plane(), m_window.seen(), tiles.height(), tiles.width(), {}};
        const std::uint64_t mask = m_mode == MapMode::Distance ? ~std::uint64_t(0) : std::uint64_t(1) << m_bit;
        request.question = {m_mode == MapMode::Bit ? WordSource::Trainer : WordSource::Xor, mask};
        loadLayer(m_layers[0], request);
        request.question.source = WordSource::Sampler;
        if (m_mode == MapMode::Bit) loadLayer(m_layers[1], request);
        if (showsWords()) {
            ++m_loading;
            m_words.loadWords(request);
        }
    }
    emit loadingChanged();
}

void MapWidget::loadLayer(Layer& layer, const MapRequest& request) {
    if (!layer.image.isNull()) {
        layer.backdrop = layer.image;
        layer.backdropRect = layer.rect;
    }
    layer.image = QImage(request.tileColumns, request.tileRows, QImage::Format_ARGB32_Premultiplied);
    layer.image.fill(Qt::transparent);
    layer.rect = request.rect;
    ++m_loading;
    layer.loader->loadMap(request);
}

QColor MapWidget::colorOf(const MapTally& tile) const {
    return m_mode == MapMode::Distance ? m_theme->colorOf(binOf(tile)) : bitColor(inkOf(tile), *m_theme);
}

void MapWidget::addBand(Layer& layer, const MapBand& band) {
    for (std::int64_t row = 0; row < band.map.rows; ++row) {
        auto* pixels = reinterpret_cast<QRgb*>(layer.image.scanLine(band.firstTileRow + int(row)));
        for (std::int64_t column = 0; column < band.map.columns; ++column) pixels[column] = colorOf(band.map.tile(row, column)).rgba();
    }
    update();
}

void MapWidget::finishLayer() {
    --m_loading;
    update();
    emit loadingChanged();
}

void MapWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    if (m_tensor < 0) return;
    painter.save();
    painter.translate(kFrame, kFrame);
    painter.setClipRect(QRectF(QPointF(0, 0), roomSize()));
    drawPictures(painter, m_layers[m_mode == MapMode::Bit && m_sampler ? 1 : 0]);
    if (showsWords()) drawWords(painter);
    painter.setClipping(false);
    drawCurrent(painter);
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(hasFocus() ? m_theme->focus : m_theme->border, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void MapWidget::drawPictures(QPainter& painter, const Layer& layer) const {
    if (!layer.backdrop.isNull()) painter.drawImage(m_window.pixelsOf(layer.backdropRect), layer.backdrop);
    if (!layer.image.isNull()) painter.drawImage(m_window.pixelsOf(layer.rect), layer.image);
    const QSizeF scale = m_window.scale();
    if (scale.width() < kGridFrom || scale.height() < kGridFrom) return;
    painter.setPen(m_theme->panel);
    const PlaneRect seen = m_window.seen();
    for (std::int64_t row = seen.row; row <= seen.row + seen.rows; ++row) {
        const double y = std::round(m_window.pixelsOf({row, 0, 1, 1}).top());
        painter.drawLine(QPointF(0, y), QPointF(width(), y));
    }
    for (std::int64_t column = seen.column; column <= seen.column + seen.columns; ++column) {
        const double x = std::round(m_window.pixelsOf({0, column, 1, 1}).left());
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    }
}

void MapWidget::drawWords(QPainter& painter) const {
    const PlaneRect seen = m_window.seen();
    for (std::int64_t row = seen.row; row < seen.row + seen.rows; ++row)
        for (std::int64_t column = seen.column; column < seen.column + seen.columns; ++column) {
            const ElementDifference* element = m_patch.at(row, column);
            if (element == nullptr) continue;
            const bool differs = element->trainer != element->sampler;
            const QColor fill = m_mode == MapMode::Distance ? m_theme->colorOf(ulpBinOf(m_dtype, element->trainer, element->sampler))
                                                            : bitColor(isSet(*element) ? 1 : 0, *m_theme);
            painter.setPen(differs || m_mode != MapMode::Distance ? readableOn(fill) : m_theme->mutedText);
            const std::uint64_t word = m_sampler ? element->sampler : element->trainer;
            painter.drawText(m_window.pixelsOf({row, column, 1, 1}), Qt::AlignCenter, QString::fromStdString(hexOf(m_dtype, word)).toUpper());
        }
}

void MapWidget::drawCurrent(QPainter& painter) const {
    const auto current = currentRect();
    if (!current) return;
    QRectF ring = m_window.pixelsOf(*current);
    if (!ring.intersects(QRectF(rect()))) return;
    constexpr double kSmallestRing = 9;
    const double wider = std::max(0.0, (kSmallestRing - ring.width()) / 2);
    const double higher = std::max(0.0, (kSmallestRing - ring.height()) / 2);
    ring.adjust(-wider, -higher, wider, higher);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme->panel, 1));
    for (const double inset : {1.5, -1.5}) painter.drawRect(ring.adjusted(inset, inset, -inset, -inset));
    painter.setPen(QPen(m_theme->focus, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(ring);
}

bool MapWidget::isSet(const ElementDifference& element) const {
    const WordSource source = m_mode == MapMode::Flips ? WordSource::Xor : m_sampler ? WordSource::Sampler : WordSource::Trainer;
    return (wordFrom(source, element.trainer, element.sampler) >> m_bit & 1) != 0;
}

void MapWidget::fit() {
    m_window.fit();
    changed();
}

void MapWidget::zoomIn() {
    const auto current = currentRect();
    const QPointF element = current ? m_window.pixelsOf(*current).center() : QPointF(-1, -1);
    m_window.zoom(kZoomStep, QRectF(rect()).contains(element) ? element : QRectF(rect()).center());
    changed();
}

void MapWidget::zoomOut() {
    m_window.zoom(1 / kZoomStep, QRectF(rect()).center());
    changed();
}

void MapWidget::showWords() {
    const PlaneRect current = currentRect().value_or(PlaneRect{});
    m_window.show(current.row, current.column, wordSize() + QSizeF(2, 2));
    changed();
}

void MapWidget::setSampler(bool sampler) {
    if (sampler == m_sampler) return;
    m_sampler = sampler;
    update();
    emit sideChanged();
}

void MapWidget::moveCurrent(int rows, int columns) {
    if (m_tensor < 0) return;
    const PlaneRect at = currentRect().value_or(PlaneRect{});
    const std::int64_t row = std::clamp<std::int64_t>(at.row + rows, 0, m_window.plane().rows - 1);
    const std::int64_t column = std::clamp<std::int64_t>(at.column + columns, 0, m_window.plane().columns - 1);
    emit elementChosen(m_window.plane().indexOf(row, column));
}

void MapWidget::resizeEvent(QResizeEvent*) {
    m_window.setRoom(roomSize());
    changed();
}

QSize MapWidget::roomSize() const { return size() - QSize(2 * kFrame, 2 * kFrame); }

QPointF MapWidget::inRoom(const QPointF& position) const { return position - QPointF(kFrame, kFrame); }

void MapWidget::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_dragged = event->position();
    m_dragging = false;
}

void MapWidget::mouseMoveEvent(QMouseEvent* event) {
    if (!m_dragging && (event->position() - m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
    m_dragging = true;
    m_window.moveBy(m_dragged - event->position());
    m_dragged = event->position();
    changed();
}

void MapWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (m_dragging || m_tensor < 0 || event->button() != Qt::LeftButton) return;
    const QPointF element = m_window.elementAt(inRoom(event->position()));
    emit elementChosen(m_window.plane().indexOf(std::int64_t(element.y()), std::int64_t(element.x())));
}

void MapWidget::mouseDoubleClickEvent(QMouseEvent*) { showWords(); }

void MapWidget::wheelEvent(QWheelEvent* event) {
    m_window.zoom(std::pow(kZoomStep, event->angleDelta().y() / 120.0), inRoom(event->position()));
    changed();
    event->accept();
}

void MapWidget::keyPressEvent(QKeyEvent* event) {
    const int page = event->modifiers() & Qt::ShiftModifier ? 16 : 1;
    switch (event->key()) {
        case Qt::Key_Space:
            if (!event->isAutoRepeat()) setSampler(true);
            return;
        case Qt::Key_Left: return moveCurrent(0, -page);
        case Qt::Key_Right: return moveCurrent(0, page);
        case Qt::Key_Up: return moveCurrent(-page, 0);
        case Qt::Key_Down: return moveCurrent(page, 0);
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoomIn();
        case Qt::Key_Minus: return zoomOut();
        case Qt::Key_0: return fit();
        case Qt::Key_Return:
        case Qt::Key_Enter: return showWords();
        default: QWidget::keyPressEvent(event);
    }
}

void MapWidget::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
    if (!event->isAutoRepeat()) setSampler(false);
}

void MapWidget::focusOutEvent(QFocusEvent* event) {
    setSampler(false);  // the release of the key goes elsewhere
    QWidget::focusOutEvent(event);
}

}  // namespace isobit::views
