// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QThreadPool>
#include <stop_token>

#include "core/capture/difference_map.h"
#include "core/compare/comparison.h"
#include "views/captures/capture.h"

namespace isobit::views {

/// What of a tensor is asked for: a rectangle of its plane, cut into tiles.
struct MapRequest {
    CapturePtr capture;
    int tensor = -1;
    Plane plane;
    PlaneRect rect;
    int tileRows = 0;
    int tileColumns = 0;
    MapQuestion question;
};

/// Rows [first, first + map.rows) of the tiles that were asked for.
struct MapBand {
    int firstTileRow = 0;
    DifferenceMap map;
};

/// The words of a small rectangle, row by row.
struct WordPatch {
    PlaneRect rect;
    std::vector<ElementDifference> words;
    [[nodiscard]] const ElementDifference* at(std::int64_t row, std::int64_t column) const;
};

/// Counts tiles and reads words on workers, band by band from the top, so that a map of 10^9 elements fills in as it is
/// read. A new request stops the one before and makes its answers void.
class MapLoader final : public QObject {
    Q_OBJECT
public:
    explicit MapLoader(QObject* parent = nullptr);
    ~MapLoader() override;

    /// Answered by bandLoaded for every band, then finished.
    void loadMap(const MapRequest& request);
    /// Answered by wordsLoaded; at most a few thousand elements.
    void loadWords(const MapRequest& request);
    void stop();

signals:
    void bandLoaded(const isobit::views::MapBand& band);
    void wordsLoaded(const isobit::views::WordPatch& patch);
    void finished();
    void failed(const QString& sentence);

private:
    void deliver(int ticket, Result<MapBand> band);

    QThreadPool m_workers;
    std::stop_source m_stop;
    int m_ticket = 0;
    int m_bandsLeft = 0;
};

}  // namespace isobit::views
