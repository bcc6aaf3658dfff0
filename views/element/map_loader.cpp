// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/element/map_loader.h"

#include <algorithm>

#include "core/capture/element_search.h"

namespace isobit::views {

namespace {

constexpr std::int64_t kBandElements = std::int64_t(1) << 24;  // some ten milliseconds of reading: soon seen, soon stopped

/// Tile rows a band: few where the tiles are large.
int bandHeight(const MapRequest& request) {
    const std::int64_t elementsPerTileRow = std::max<std::int64_t>(1, request.rect.rows * request.rect.columns / std::max(1, request.tileRows));
    return static_cast<int>(std::clamp<std::int64_t>(kBandElements / elementsPerTileRow, 1, std::max(1, request.tileRows)));
}

Result<PairWords> wordsOf(const MapRequest& request) {
    const WalkStep& step = request.capture->walk.steps[static_cast<std::size_t>(request.tensor)];
    return PairWords::of(request.capture->trainer, *request.capture->sampler, step.pair);
}

Result<MapBand> countBand(const MapRequest& request, int first, int last, std::stop_token stop) {
    const auto words = wordsOf(request);
    if (!words) return failureOf(words);
    const auto rowAt = [&](std::int64_t tile) { return request.rect.rows * tile / request.tileRows; };
    PlaneRect rect = request.rect;
    rect.row += rowAt(first);
    rect.rows = rowAt(last) - rowAt(first);
    auto map = differenceMap(*words, request.plane, rect, last - first, request.tileColumns, request.question, stop);
    if (!map) return failureOf(map);
    return MapBand{first, std::move(*map)};
}

Result<WordPatch> readPatch(const MapRequest& request, std::stop_token stop) {
    const auto words = wordsOf(request);
    if (!words) return failureOf(words);
    WordPatch patch{request.rect, {}};
    for (std::int64_t row = 0; row < request.rect.rows; ++row)
        for (std::int64_t column = 0; column < request.rect.columns && !stop.stop_requested(); ++column) {
            auto element = elementAt(*words, request.plane.indexOf(request.rect.row + row, request.rect.column + column));
            if (!element) return failureOf(element);
            patch.words.push_back(*element);
        }
    return patch;
}

}  // namespace

const ElementDifference* WordPatch::at(std::int64_t row, std::int64_t column) const {
    row -= rect.row;
    column -= rect.column;
    const bool inside = row >= 0 && column >= 0 && row < rect.rows && column < rect.columns;
    const auto place = static_cast<std::size_t>(row * rect.columns + column);
    return inside && place < words.size() ? &words[place] : nullptr;
}

MapLoader::MapLoader(QObject* parent) : QObject(parent) { m_workers.setMaxThreadCount(2); }

MapLoader::~MapLoader() {
    stop();
    m_workers.waitForDone();
}

void MapLoader::stop() {
    m_stop.request_stop();
    m_workers.clear();
    m_stop = std::stop_source();
    ++m_ticket;
}

void MapLoader::loadMap(const MapRequest& request) {
    stop();
    const int height = bandHeight(request);
    m_bandsLeft = (request.tileRows + height - 1) / height;
    for (int first = 0; first < request.tileRows; first += height) {
        const int last = std::min(first + height, request.tileRows);
        m_workers.start([this, request, first, last, ticket = m_ticket, stop = m_stop.get_token()] {
            if (stop.stop_requested()) return;
            auto band = std::make_shared<Result<MapBand>>(countBand(request, first, last, stop));
            QMetaObject::invokeMethod(this, [this, ticket, band] { deliver(ticket, std::move(*band)); }, Qt::QueuedConnection);
        });
    }
}

void MapLoader::deliver(int ticket, Result<MapBand> band) {
    if (ticket != m_ticket) return;
    if (!band) {
        stop();
        emit failed(QString::fromStdString(band.error().message));
        return;
    }
    emit bandLoaded(*band);
    if (--m_bandsLeft == 0) emit finished();
}

void MapLoader::loadWords(const MapRequest& request) {
    stop();
    m_workers.start([this, request, ticket = m_ticket, stop = m_stop.get_token()] {
        auto patch = std::make_shared<Result<WordPatch>>(readPatch(request, stop));
        QMetaObject::invokeMethod(this, [this, ticket, patch] {
            if (ticket != m_ticket) return;
            if (!*patch) return emit failed(QString::fromStdString(patch->error().message));
            emit wordsLoaded(**patch);
            emit finished();
        }, Qt::QueuedConnection);
    });
}

}  // namespace isobit::views
