// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/pairing_file.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::string_view kPairingFormat = "isobit.pairing/1";

Json sideOf(const TensorFile& file, std::optional<std::size_t> tensor, const Selection& part) {
    if (!tensor) return nullptr;
    Json side = Json::object();
    if (part.pieces.empty()) {
        side["tensor"] = file.tensors()[*tensor].name;
    } else {
        side["rows"] = Json::array();
        for (const RowPiece& piece : part.pieces)
            side["rows"].push_back(
                {{"tensor", file.tensors()[piece.tensor].name}, {"first", piece.first}, {"count", piece.count}});
        side["row_shape"] = part.rowShape;
    }
    if (part.columns.count != 0) side["columns"] = {part.columns.first, part.columns.count};
    return side;
}

/// Reads one document.
class PairingReader {
public:
    PairingReader(std::string_view name, const TensorFile& trainer, const TensorFile& sampler)
        : m_name(name), m_trainer(trainer), m_sampler(sampler) {}

    Result<GivenPairing> read(const Json& document) {
        if (!document.is_object() || document.value("format", Json()) != std::string(kPairingFormat))
            return failure("{}: \"format\" is not \"{}\"", m_name, kPairingFormat);
        if (auto known = onlyKeys(document, "the document", {"format", "others", "pairs"}); !known) return failureOf(known);
        const Json others = document.value("others", Json("automatic"));
        if (others != "automatic" && others != "left_out")
            return failure("{}: \"others\" is {}, expected \"automatic\" or \"left_out\"", m_name, shown(others));
        if (!document.contains("pairs") || !document["pairs"].is_array())
            return failure("{}: \"pairs\" is not a list", m_name);
        GivenPairing pairing;
        pairing.pairOthers = others == "automatic";
        for (const Json& entry : document["pairs"]) {
            auto pair = readPair(entry, pairing.pairs.size());
            if (!pair) return failureOf(pair);
            pairing.pairs.push_back(std::move(*pair));
        }
        if (!m_unknown.empty()) return tl::unexpected<Error>(Error{fmt::format("{}", fmt::join(m_unknown, "\n"))});
        return pairing;
    }

private:
    static std::string shown(const Json& value) {
        return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    [[nodiscard]] Result<void> onlyKeys(const Json& object, const std::string& what,
                                        const std::vector<std::string_view>& known) const {
        for (const auto& [key, value] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                return failure("{}: {} has an unknown key \"{}\"", m_name, what, printable(key));
        return {};
    }

    Result<TensorPair> readPair(const Json& entry, std::size_t index) {
        const std::string what = fmt::format("pair {}", index);
        if (!entry.is_object()) return failure("{}: {} is {}, expected an object", m_name, what, shown(entry));
        const auto known = onlyKeys(entry, what, {"name", "match", "how", "aligned", "trainer", "sampler"});
        if (!known) return failureOf(known);
        TensorPair pair;
        pair.match = MatchKind::Given;
        if (auto side = readSide(entry, "trainer", what, m_trainer, pair.trainer, pair.trainerPart); !side)
            return failureOf(side);
        if (auto side = readSide(entry, "sampler", what, m_sampler, pair.sampler, pair.samplerPart); !side)
            return failureOf(side);
        if (!pair.trainer && !pair.sampler && m_unknown.empty())
            return failure("{}: {} names no tensor of either side", m_name, what);
        if (auto named = nameOf(entry, what, pair); !named) return failureOf(named);
        pair.how = fmt::format("paired by {}", m_name);
        if (!pair.trainer || !pair.sampler) {
            pair.match = MatchKind::Missing;
            pair.how = fmt::format("left alone by {}", m_name);
        }
        return pair;
    }

    Result<void> nameOf(const Json& entry, const std::string& what, TensorPair& pair) {
        if (entry.contains("name")) {
            if (!entry["name"].is_string()) return failure("{}: \"name\" of {} is not a text", m_name, what);
            pair.name = entry["name"].get<std::string>();
        } else {
            pair.name = pair.trainer   ? m_trainer.tensors()[*pair.trainer].name
                        : pair.sampler ? m_sampler.tensors()[*pair.sampler].name
                                       : "";
        }
        if (!pair.name.empty() && !m_names.insert(pair.name).second)
            return failure("{}: two pairs have the name \"{}\"", m_name, printable(pair.name));
        return {};
    }

    Result<void> readSide(const Json& entry, const char* key, const std::string& what, const TensorFile& file,
                          std::optional<std::size_t>& tensor, Selection& part) {
        if (!entry.contains(key)) return failure("{}: {} has no \"{}\"; null says that it has no partner", m_name, what, key);
        const Json& side = entry[key];
        if (side.is_null()) return {};
        const std::string place = fmt::format("\"{}\" of {}", key, what);
        if (!side.is_object()) return failure("{}: {} is {}, expected an object or null", m_name, place, shown(side));
        if (auto known = onlyKeys(side, place, {"tensor", "rows", "row_shape", "columns"}); !known) return known;
        if (side.contains("tensor") == side.contains("rows"))
            return failure("{}: {} has \"tensor\" and \"rows\", or neither; expected one of them", m_name, place);
        auto read = side.contains("rows") ? readRows(side, place, key, file, tensor, part)
                                          : readTensor(side, place, key, file, tensor);
        if (!read || !tensor || !side.contains("columns")) return read;
        return readColumns(side["columns"], place, file, *tensor, part);
    }

    // A name that is not there is noted, so that all of them are said at once.
    Result<void> readTensor(const Json& side, const std::string& place, std::string_view key, const TensorFile& file,
                            std::optional<std::size_t>& tensor) {
        if (!side["tensor"].is_string()) return failure("{}: \"tensor\" in {} is not a text", m_name, place);
        const std::string name = side["tensor"].get<std::string>();
        tensor = file.find(name);
        if (!tensor)
            m_unknown.push_back(fmt::format("{}: the {}'s {} has no tensor \"{}\"", m_name, key, printable(file.path()),
                                            printable(name)));
        return {};
    }

    Result<void> readRows(const Json& side, const std::string& place, std::string_view key, const TensorFile& file,
                          std::optional<std::size_t>& tensor, Selection& part) {
        auto rowShape = integers(side.value("row_shape", Json()), place + ": \"row_shape\"");
        if (!rowShape) return failureOf(rowShape);
        part.rowShape = std::move(*rowShape);
        if (!side["rows"].is_array() || side["rows"].empty())
            return failure("{}: \"rows\" in {} is not a list of pieces", m_name, place);
        for (const Json& entry : side["rows"]) {
            if (!entry.is_object() || !entry.contains("tensor") || !entry.contains("first") || !entry.contains("count") ||
                entry.size() != 3)
                return failure("{}: a piece in {} is {}, expected tensor, first and count", m_name, place, shown(entry));
            std::optional<std::size_t> one;
            if (auto read = readTensor(entry, place, key, file, one); !read) return read;
            auto range = integers({entry["first"], entry["count"]}, place + ": \"first\" and \"count\"");
            if (!range) return failureOf(range);
            if (!one) continue;
            if (auto inside = rowsInside(file.tensors()[*one], part.rowShape, *range, place); !inside) return inside;
            if (tensor && file.tensors()[*tensor].dtype != file.tensors()[*one].dtype)
                return failure("{}: {} joins pieces of different types", m_name, place);
            part.pieces.push_back({*one, (*range)[0], (*range)[1]});
            if (!tensor) tensor = one;
        }
        return {};
    }

    [[nodiscard]] Result<void> rowsInside(const TensorInfo& info, const Shape& rowShape, const Shape& range,
                                          const std::string& place) const {
        const bool ends = rowShape.size() <= info.shape.size() &&
                          std::equal(rowShape.rbegin(), rowShape.rend(), info.shape.rbegin());
        const std::int64_t row = ends ? elementsOf(rowShape) : 0;
        const std::int64_t rows = row == 0 ? 0 : elementsOf(info.shape) / row;
        if (!ends || range[0] > rows || range[1] > rows - range[0])
            return failure("{}: {} takes rows {} to {} of shape {} from \"{}\" of shape {}", m_name, place, range[0],
                           range[0] + (range[1] - 1), textOf(rowShape), printable(info.name), textOf(info.shape));
        return {};
    }

    Result<void> readColumns(const Json& value, const std::string& place, const TensorFile& file, std::size_t tensor,
                             Selection& part) {
        const auto range = integers(value, place + ": \"columns\"");
        if (!range) return failureOf(range);
        const Shape shape = selectedShape(file, tensor, part);
        const bool hasColumns = part.pieces.empty() ? !shape.empty() : !part.rowShape.empty();
        if (range->size() != 2 || (*range)[1] == 0 || !hasColumns || (*range)[0] > shape.back() ||
            (*range)[1] > shape.back() - (*range)[0])
            return failure("{}: \"columns\" in {} is {}, expected [first, count] within a shape of {}", m_name, place,
                           shown(value), textOf(shape));
        part.columns = {(*range)[0], (*range)[1]};
        return {};
    }

    [[nodiscard]] Result<Shape> integers(const Json& value, const std::string& place) const {
        Shape list;
        if (!value.is_array()) return failure("{}: {} is not a list of numbers", m_name, place);
        for (const Json& entry : value) {
            if (!entry.is_number_integer() || entry.get<double>() < 0 || entry.get<double>() > 9.0e15)
                return failure("{}: {} holds {}, expected whole numbers from 0 on", m_name, place, shown(entry));
            list.push_back(entry.get<std::int64_t>());
        }
        return list;
    }

    std::string_view m_name;
    const TensorFile& m_trainer;
    const TensorFile& m_sampler;
    std::set<std::string> m_names;
    std::vector<std::string> m_unknown;
};

}  // namespace

Json pairingDocument(const TensorFile& trainer, const TensorFile& sampler, const std::vector<TensorPair>& pairs) {
    Json document{{"format", kPairingFormat}, {"others", "automatic"}, {"pairs", Json::array()}};
    for (const TensorPair& pair : pairs) {
        Json entry{{"name", pair.name}, {"match", nameOf(pair.match)}};
        if (!pair.how.empty()) entry["how"] = pair.how;
        if (!pair.aligned.empty()) entry["aligned"] = pair.aligned;
        entry["trainer"] = sideOf(trainer, pair.trainer, pair.trainerPart);
        entry["sampler"] = sideOf(sampler, pair.sampler, pair.samplerPart);
        document["pairs"].push_back(std::move(entry));
    }
    return document;
}

Result<GivenPairing> parsePairing(std::string_view text, std::string_view name, const TensorFile& trainer,
                                  const TensorFile& sampler) {
    const auto document = parseJsonStrictly(text, name);
    if (!document) return failureOf(document);
    return PairingReader(name, trainer, sampler).read(*document);
}

}  // namespace isobit
