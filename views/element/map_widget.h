// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>

#include "views/element/map_face.h"
#include "views/element/map_loader.h"
#include "views/element/map_window.h"
#include "views/element/slice_plane.h"
#include "views/palette/theme.h"

namespace isobit::views {

/// A 2-D slice of a pair of tensors at any zoom: far out a tile a pixel, close up the words themselves. Fills in band by
/// band; what is not read yet shows the picture of before. Holding the space bar shows the sampler in the trainer's
/// place, from pictures that are both there already.
class MapWidget final : public QWidget {
    Q_OBJECT
public:
    explicit MapWidget(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shows a tensor whose words can be compared; -1 for none.
    void setTensor(const CapturePtr& capture, int tensor);
    /// Shows another slice of the tensor than all of it.
    void setSlice(const SlicePlane& slice);
    void setMode(MapMode mode, int bit);
    void setCurrent(std::int64_t element);

    [[nodiscard]] MapMode mode() const { return m_mode; }
    [[nodiscard]] bool showsSampler() const { return m_sampler; }
    [[nodiscard]] bool isLoading() const { return m_loading > 0 || m_settle.isActive(); }
    [[nodiscard]] bool showsWords() const;
    [[nodiscard]] const MapWindow& window() const { return m_window; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 90}; }

public slots:
    void fit();
    void zoomIn();
    void zoomOut();
    /// So close that words can be read, with the current element in the middle.
    void showWords();

signals:
    void elementChosen(qint64 element);
    void sideChanged();
    void loadingChanged();
    void failed(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// A picture of the tiles of a rectangle, and the one before it until it is whole.
    struct Layer {
        MapLoader* loader = nullptr;
        QImage image;
        PlaneRect rect;
        QImage backdrop;
        PlaneRect backdropRect;
    };
    void changed(bool keepPictures = true);
    void load();
    void loadLayer(Layer& layer, const MapRequest& request);
    void addBand(Layer& layer, const MapBand& band);
    void finishLayer();
    void setSampler(bool sampler);
    void moveCurrent(int rows, int columns);
    [[nodiscard]] QColor colorOf(const MapTally& tile) const;
    [[nodiscard]] bool isSet(const ElementDifference& element) const;
    [[nodiscard]] QSizeF wordSize() const;
    /// Room of the picture, within the frame; and a point of the widget in it.
    [[nodiscard]] QSize roomSize() const;
    [[nodiscard]] QPointF inRoom(const QPointF& position) const;
    /// The selected element in the slice; empty if it is not of it.
    [[nodiscard]] std::optional<PlaneRect> currentRect() const;
    void drawPictures(QPainter& painter, const Layer& layer) const;
    void drawWords(QPainter& painter) const;
    void drawCurrent(QPainter& painter) const;

    const Theme* m_theme;
    CapturePtr m_capture;
    int m_tensor = -1;
    DType m_dtype = DType::Bf16;
    MapMode m_mode = MapMode::Distance;
    int m_bit = 0;
    SlicePlane m_slice;
    MapWindow m_window;
    std::int64_t m_current = -1;
    bool m_sampler = false;
    Layer m_layers[2];  ///< the picture; the sampler's where each side has one
    MapLoader m_words;
    WordPatch m_patch;
    int m_loading = 0;  ///< layers and words that are not whole yet
    QTimer m_settle;
    QPointF m_pressed;
    QPointF m_dragged;
    bool m_dragging = false;
};

}  // namespace isobit::views
