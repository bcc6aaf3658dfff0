// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/gemm_admission.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/object_reader.h"

namespace isobit {
namespace {

constexpr std::string_view kAdmissionFormat = "isobit.gemm-admission/1";
constexpr std::size_t kFileLimit = 4u << 20;
constexpr std::size_t kMostEntries = 4096;
constexpr std::int64_t kMostSize = std::int64_t(1) << 20;
constexpr std::int64_t kMostWorkspace = std::int64_t(1) << 30;
constexpr std::int64_t kMostVersion = std::int64_t(1) << 32;

// Reads fields of JSON objects; the first problem is kept, and every later read is harmless.
class AdmissionReader {
public:
    explicit AdmissionReader(std::string_view name) : m_name(name) {}
    [[nodiscard]] bool failed() const { return !m_problem.empty(); }
    [[nodiscard]] tl::unexpected<Error> error() const { return tl::unexpected(Error{m_problem}); }
    void enter(std::string place) { m_place = std::move(place); }
    void fail(std::string_view problem) {
        if (m_problem.empty()) m_problem = fmt::format("{}: {}{}", m_name, m_place, problem);
    }

    void keys(const Json& object, std::initializer_list<std::string_view> known) {
        if (!object.is_object()) return fail(fmt::format("found {}, expected an object", object.type_name()));
        for (const auto& [key, value] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                fail(fmt::format("key {} is not known", shownJson(key)));
    }

    const Json& member(const Json& object, const char* key) {
        static const Json kNone;
        const auto found = object.is_object() ? object.find(key) : object.end();
        if (found != object.end()) return *found;
        fail(fmt::format("key \"{}\" is missing", key));
        return kNone;
    }

    const Json& array(const Json& object, const char* key, std::size_t most) {
        static const Json kNone = Json::array();
        const Json& value = member(object, key);
        if (value.is_array() && value.size() <= most) return value;
        fail(fmt::format("\"{}\": expected an array of at most {}", key, most));
        return kNone;
    }

    std::string text(const Json& object, const char* key) {
        const Json& value = member(object, key);
        if (value.is_string() && isPlainText(value.get_ref<const std::string&>())) return value.get<std::string>();
        return fail(fmt::format("\"{}\": expected a text without control characters", key)), "";
    }

    std::int64_t whole(const Json& value, const char* key, std::int64_t low, std::int64_t high) {
        const bool fits = value.is_number_integer() &&
                          !(value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(high)) &&
                          value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high;
        if (fits) return value.get<std::int64_t>();
        return fail(fmt::format("\"{}\" is {}, expected a whole number from {} to {}", key, shownJson(value), low, high)),
               low;
    }
    std::int64_t wholeField(const Json& object, const char* key, std::int64_t low, std::int64_t high) {
        return whole(member(object, key), key, low, high);
    }

    double time(const Json& object, const char* key) {
        const Json& value = member(object, key);
        if (value.is_number() && value.get<double>() >= 0 && value.get<double>() < 1e9) return value.get<double>();
        return fail(fmt::format("\"{}\" is {}, expected microseconds", key, shownJson(value))), 0;
    }

private:
    std::string m_name;
    std::string m_place;
    std::string m_problem;
};

std::uint64_t hexWord(AdmissionReader& reader, const Json& value) {
    std::uint64_t word = 0;
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
    if (text.size() != 16 || problem != std::errc() || end != text.data() + text.size())
        reader.fail(fmt::format("\"words\" holds {}, expected 16 digits of base 16", shownJson(value)));
    return word;
}

AdmittedAlgorithm algorithmOf(AdmissionReader& reader, const Json& object) {
    reader.keys(object, {"id", "tile", "stages", "split_k", "reduction", "swizzle", "custom", "inner", "cluster",
                         "workspace", "words"});
    constexpr std::int64_t most = 1 << 20;
    AdmittedAlgorithm a;
    for (const auto& [key, field] : {std::pair{"id", &a.id},
                                     {"tile", &a.tile},
                                     {"stages", &a.stages},
                                     {"reduction", &a.reduction},
                                     {"swizzle", &a.swizzle},
                                     {"custom", &a.custom},
                                     {"inner", &a.inner},
                                     {"cluster", &a.cluster}})
        *field = reader.wholeField(object, key, 0, most);
    a.splitK = reader.wholeField(object, "split_k", 0, most);
    if (a.splitK > 1) reader.fail(fmt::format("an algorithm with {} ranges of K is not the contract's", a.splitK));
    a.workspace = static_cast<std::uint64_t>(reader.wholeField(object, "workspace", 0, kMostWorkspace));
    const Json& words = reader.array(object, "words", a.words.size());
    if (words.size() != a.words.size()) reader.fail(fmt::format("\"words\": expected {} words", a.words.size()));
    for (std::size_t i = 0; i < words.size(); ++i) a.words[i] = hexWord(reader, words[i]);
    return a;
}

void readFastest(AdmissionReader& reader, const Json& fastest, AdmittedGemm& entry) {
    entry.realisation = reader.text(fastest, "name");
    entry.us = reader.time(fastest, "us");
    if (entry.realisation != "cublasLt") return reader.keys(fastest, {"name", "us"});
    reader.keys(fastest, {"name", "us", "algorithm", "rows_kept"});
    entry.algorithm = algorithmOf(reader, reader.member(fastest, "algorithm"));
    for (const Json& rows : reader.array(fastest, "rows_kept", 64))
        entry.rowsKept.push_back(reader.whole(rows, "rows_kept", 1, kMostSize));
}

AdmittedGemm entryOf(AdmissionReader& reader, const Json& object) {
    reader.keys(object, {"M", "N", "K", "words_sha256", "tried", "admitted", "default_us", "fastest"});
    AdmittedGemm entry;
    entry.rows = reader.wholeField(object, "M", 1, kMostSize);
    entry.columns = reader.wholeField(object, "N", 1, kMostSize);
    entry.depth = reader.wholeField(object, "K", 1, kMostSize);
    entry.wordsSha256 = reader.text(object, "words_sha256");
    const bool digest =
        entry.wordsSha256.size() == 64 && entry.wordsSha256.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!digest) reader.fail("\"words_sha256\": expected 64 digits of base 16");
    entry.defaultUs = reader.time(object, "default_us");
    readFastest(reader, reader.member(object, "fastest"), entry);
    return entry;
}

}  // namespace

const AdmittedGemm* GemmAdmissionTable::find(std::int64_t rows, std::int64_t columns, std::int64_t depth) const {
    const auto found = std::ranges::find_if(entries, [&](const AdmittedGemm& entry) {
        return entry.rows == rows && entry.columns == columns && entry.depth == depth;
    });
    return found == entries.end() ? nullptr : &*found;
}

Result<GemmAdmissionTable> parseGemmAdmission(std::string_view text, std::string_view name) {
    const auto json = parseJsonStrictly(text, name);
    if (!json) return failureOf(json);
    AdmissionReader reader(name);
    reader.keys(*json, {"format", "gpu", "driver", "library", "entries"});
    if (const std::string format = reader.text(*json, "format"); !reader.failed() && format != kAdmissionFormat)
        reader.fail(fmt::format("format \"{}\", expected \"{}\"", format, kAdmissionFormat));
    GemmAdmissionTable table;
    table.source = name;
    table.gpu = reader.text(*json, "gpu");
    table.driver = reader.text(*json, "driver");
    const Json& library = reader.member(*json, "library");
    reader.keys(library, {"name", "version"});
    table.library = reader.text(library, "name");
    table.libraryVersion = static_cast<std::uint64_t>(reader.wholeField(library, "version", 1, kMostVersion));
    for (const Json& object : reader.array(*json, "entries", kMostEntries)) {
        reader.enter(fmt::format("entry {}: ", table.entries.size()));
        AdmittedGemm entry = entryOf(reader, object);
        if (reader.failed()) break;
        if (table.find(entry.rows, entry.columns, entry.depth) != nullptr)
            reader.fail(fmt::format("M {}, N {}, K {} is there twice", entry.rows, entry.columns, entry.depth));
        table.entries.push_back(std::move(entry));
    }
    if (reader.failed()) return reader.error();
    return table;
}

Result<GemmAdmissionTable> readGemmAdmission(const std::string& path) {
    const auto text = readTextFile(path, kFileLimit);
    if (!text) return failureOf(text);
    return parseGemmAdmission(*text, path);
}

Result<void> requireSameMachine(const GemmAdmissionTable& table, std::string_view gpu, std::uint64_t libraryVersion) {
    constexpr std::string_view remedy = "`isobit admit gemm --table FILE --readmit` admits its shapes again";
    if (table.library != "cublasLt")
        return failure("{} admits algorithms of \"{}\", expected cublasLt", table.source, table.library);
    if (table.gpu != gpu)
        return failure("{} was admitted on {}, this is {}: not used; {}", table.source, table.gpu, gpu, remedy);
    if (table.libraryVersion != libraryVersion)
        return failure("{} was admitted for cublasLt {}, this is {}: not used; {}", table.source, table.libraryVersion,
                       libraryVersion, remedy);
    return {};
}

}  // namespace isobit
