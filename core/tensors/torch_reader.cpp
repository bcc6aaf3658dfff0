// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// A torch archive: PREFIX/data.pkl describes the objects, PREFIX/data/KEY holds a storage's bytes. The pickle is read as
// data (pickle.h); the names below are the whole list of what is understood, everything else is shown as ignored.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/tensors/checked.h"
#include "core/tensors/number_lists.h"
#include "core/tensors/pickle.h"
#include "core/tensors/reader.h"
#include "core/tensors/swapped_storage.h"
#include "core/tensors/zip_archive.h"

namespace isobit {
namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t kPickleLimit = 64u << 20;
constexpr std::uint64_t kCheckedMembers = 64u << 20;
constexpr int kNestingLimit = 64;
constexpr std::size_t kRepeatLimit = 200'000;    // of elements in the second and further places of a container
constexpr std::size_t kNumberLimit = 4'000'000;  // of numbers of lists, in all their places
constexpr std::size_t kMetadataLimit = 10'000;
constexpr std::size_t kTensorLimit = 100'000;
constexpr std::size_t kIgnoredLimit = 1'000;

struct TorchType {
    std::string_view dtype;    // torch.NAME
    std::string_view storage;  // torch.NAME, empty where only untyped storages exist
    DType word;
    int words = 1;
};

constexpr std::array kTorchTypes{
    TorchType{"float32", "FloatStorage", DType::Fp32},
    TorchType{"float64", "DoubleStorage", DType::Fp64},
    TorchType{"float16", "HalfStorage", DType::Fp16},
    TorchType{"bfloat16", "BFloat16Storage", DType::Bf16},
    TorchType{"int64", "LongStorage", DType::I64},
    TorchType{"int32", "IntStorage", DType::I32},
    TorchType{"int16", "ShortStorage", DType::I16},
    TorchType{"int8", "CharStorage", DType::I8},
    TorchType{"uint8", "ByteStorage", DType::U8},
    TorchType{"bool", "BoolStorage", DType::Bool},
    TorchType{"complex64", "ComplexFloatStorage", DType::Fp32, 2},
    TorchType{"complex128", "ComplexDoubleStorage", DType::Fp64, 2},
    TorchType{"uint16", "", DType::U16},
    TorchType{"uint32", "", DType::U32},
    TorchType{"uint64", "", DType::U64},
    TorchType{"float8_e4m3fn", "", DType::Fp8E4M3},
    TorchType{"float8_e5m2", "", DType::Fp8E5M2},
    TorchType{"float8_e8m0fnu", "", DType::Fp8E8M0},
    TorchType{"float8_e4m3fnuz", "", DType::Raw8},
    TorchType{"float8_e5m2fnuz", "", DType::Raw8},
    TorchType{"float4_e2m1fn_x2", "", DType::Fp4E2M1x2},
};

const TorchType* typeOfStorage(std::string_view global) {
    for (const TorchType& type : kTorchTypes)
        if (!type.storage.empty() && (global == fmt::format("torch.{}", type.storage) ||
                                      global == fmt::format("torch.cuda.{}", type.storage)))
            return &type;
    return nullptr;
}

const TorchType* typeOfDtype(std::string_view global) {
    for (const TorchType& type : kTorchTypes)
        if (global == fmt::format("torch.{}", type.dtype)) return &type;
    return nullptr;
}

bool isUntypedStorage(std::string_view global) {
    return global == "torch.UntypedStorage" || global == "torch.storage.UntypedStorage";
}

// Walks the objects of one archive and adds what it understands to a TensorFile.
class TorchWalk {
public:
    TorchWalk(const ZipArchive& archive, std::string prefix, const Pickle& pickle, bool bigEndian, TensorFile& file)
        : m_archive(archive), m_prefix(std::move(prefix)), m_pickle(pickle), m_bigEndian(bigEndian), m_file(file),
          m_where(printable(file.path())) {}

    Result<void> walk() {
        if (auto walked = visit(m_pickle.root, "", 0); !walked) return walked;
        if (m_ignoredMore > 0) m_file.addIgnored(fmt::format("{} more objects", m_ignoredMore));
        return {};
    }

private:
    using Id = std::uint32_t;

    Result<void> visit(Id id, const std::string& name, int depth) {
        const PickleValue& value = m_pickle.at(id);
        // A few bytes can put one object into any number of places; what a file holds once is limited by its size.
        if (m_seen[id]) m_repeats += value.items.size() + value.pairs.size();
        m_seen[id] = true;
        if (m_repeats > kRepeatLimit)
            return failure("{}: the pickle puts its objects into more than {} further places", m_where, kRepeatLimit);
        if (depth > kNestingLimit) return ignore(name, fmt::format("nested deeper than {} levels", kNestingLimit));
        switch (value.kind) {
            case Kind::Dict: return visitPairs(value, name, depth);
            case Kind::List:
            case Kind::Tuple: return visitItems(value, name, depth);
            case Kind::Call: return visitCall(value, name, depth);
            case Kind::Set: return ignore(name, "a set");
            case Kind::Bytes: return ignore(name, fmt::format("{} bytes", value.text.size()));
            case Kind::Persistent: return ignore(name, "a bare storage");
            case Kind::Opaque: return ignore(name, value.text);
            default: return addScalar(value, name);
        }
    }

    static std::string below(const std::string& name, std::string_view key) {
        return name.empty() ? std::string(key) : fmt::format("{}.{}", name, key);
    }

    Result<void> visitPairs(const PickleValue& dict, const std::string& name, int depth) {
        for (std::size_t i = 0; i + 1 < dict.pairs.size(); i += 2) {
            const PickleValue& key = m_pickle.at(dict.pairs[i]);
            if (key.kind != Kind::Text && key.kind != Kind::Integer) {
                if (auto noted = ignore(name, "an entry whose key is neither text nor integer"); !noted) return noted;
                continue;
            }
            const std::string keyText = key.kind == Kind::Text ? key.text : std::to_string(key.integer);
            if (auto visited = visit(dict.pairs[i + 1], below(name, keyText), depth + 1); !visited) return visited;
        }
        return {};
    }

    Result<void> visitItems(const PickleValue& list, const std::string& name, int depth) {
        const auto all = [&](Kind kind) {
            return !list.items.empty() &&
                   std::all_of(list.items.begin(), list.items.end(), [&](Id id) { return m_pickle.at(id).kind == kind; });
        };
        TensorInfo info;
        info.name = name.empty() ? "list" : name;
        if (all(Kind::Integer)) {
            std::vector<std::int64_t> numbers;
            for (const Id id : list.items) numbers.push_back(m_pickle.at(id).integer);
            return chargeWords(numbers.size(), [&] { return addIntegers(m_file, info, numbers); });
        }
        if (all(Kind::Float)) {
            std::vector<double> numbers;
            for (const Id id : list.items) numbers.push_back(m_pickle.at(id).number);
            return chargeWords(numbers.size(), [&] { return addFloats(m_file, info, numbers); });
        }
        for (std::size_t i = 0; i < list.items.size(); ++i)
            if (auto visited = visit(list.items[i], below(name, std::to_string(i)), depth + 1); !visited) return visited;
        return {};
    }

    // One list in a pickle may stand in many places; its numbers are copied each time, so the copies are counted.
    template <class Add>
    Result<void> chargeWords(std::size_t words, Add add) {
        m_numbers += words;
        if (m_numbers > kNumberLimit)
            return failure("{}: the pickle's lists hold more than {} numbers in all their places", m_where, kNumberLimit);
        return add();
    }

    Result<void> visitCall(const PickleValue& call, const std::string& name, int depth) {
        const std::string_view callee = m_pickle.calleeOf(call);
        const auto& arguments = m_pickle.at(call.items[1]).items;
        if (callee == "torch._utils._rebuild_tensor_v2" || callee == "torch._utils._rebuild_tensor")
            return addTensor(arguments, nullptr, name);
        if (callee == "torch._utils._rebuild_tensor_v3" && arguments.size() >= 7) {
            const TorchType* type = typeOfDtype(m_pickle.at(arguments[6]).text);
            if (type == nullptr)
                return ignore(name, fmt::format("a tensor of type {}", m_pickle.at(arguments[6]).text));
            return addTensor(arguments, type, name);
        }
        if ((callee == "torch._utils._rebuild_parameter" || callee == "torch._utils._rebuild_parameter_with_state") &&
            !arguments.empty())
            return visit(arguments[0], name, depth + 1);
        if (callee == "torch._tensor._rebuild_from_type_v2" && arguments.size() >= 3)
            return visitTyped(arguments, name);
        if (callee == "collections.OrderedDict" || callee == "collections.defaultdict") return visitPairs(call, name, depth);
        if (callee == "torch.Size" && arguments.size() == 1) return visit(arguments[0], name, depth + 1);
        return ignore(name, callee.empty() ? std::string("an object of no known type")
                                           : fmt::format("an object of {}, which is not interpreted", callee));
    }

    // A subclass of Tensor: (function, type, arguments, state).
    Result<void> visitTyped(const std::vector<Id>& arguments, const std::string& name) {
        const std::string_view function = m_pickle.at(arguments[0]).text;
        const PickleValue& inner = m_pickle.at(arguments[2]);
        if (inner.kind == Kind::Tuple && function == "torch._utils._rebuild_tensor_v2")
            return addTensor(inner.items, nullptr, name);
        return ignore(name, fmt::format("an object rebuilt by {}, which is not interpreted", function));
    }

    struct StorageRecord {
        const TorchType* type = nullptr;  // null: untyped
        std::shared_ptr<const Storage> bytes;
        std::uint64_t size = 0;
        std::uint64_t fileOffset = 0;
    };

    // ("storage", class, key, location, element count), or what is wrong with it.
    Result<StorageRecord> findStorage(Id id) {
        const PickleValue& reference = m_pickle.at(id);
        if (reference.kind != Kind::Persistent) return failure("its storage is no reference into the archive");
        const PickleValue& tuple = m_pickle.at(reference.items[0]);
        if (tuple.kind != Kind::Tuple || tuple.items.size() < 5 || m_pickle.at(tuple.items[0]).text != "storage" ||
            m_pickle.at(tuple.items[1]).kind != Kind::Global || m_pickle.at(tuple.items[2]).kind != Kind::Text ||
            m_pickle.at(tuple.items[4]).kind != Kind::Integer)
            return failure("its storage reference is not (\"storage\", type, key, location, size)");
        const std::string& global = m_pickle.at(tuple.items[1]).text;
        StorageRecord record;
        record.type = typeOfStorage(global);
        if (record.type == nullptr && !isUntypedStorage(global))
            return failure("its storage type {} is not known", printable(global));
        const std::string member = fmt::format("{}data/{}", m_prefix, m_pickle.at(tuple.items[2]).text);
        const ZipMember* found = m_archive.find(member);
        if (found == nullptr) return failure("its storage \"{}\" is not in the archive", printable(member));
        const std::int64_t count = m_pickle.at(tuple.items[4]).integer;
        const std::size_t width = record.type == nullptr ? 1 : bytesOf(record.type->word) * static_cast<std::size_t>(record.type->words);
        const auto needed = checkedBytes({count}, width);
        if (!needed) return failureOf(needed);
        if (*needed != found->bytes)
            return failure("its storage of {} elements needs {} bytes, \"{}\" has {}", count, *needed, printable(member),
                           found->bytes);
        auto& shared = m_storages[member];
        if (shared == nullptr) shared = m_archive.storage(*found);
        record.bytes = shared;
        record.size = found->bytes;
        record.fileOffset = found->dataOffset;
        return record;
    }

    Result<Shape> shapeOf(Id id) {
        const PickleValue* value = &m_pickle.at(id);
        if (value->kind == Kind::Call && m_pickle.calleeOf(*value) == "torch.Size") {
            const auto& arguments = m_pickle.at(value->items[1]).items;
            if (arguments.size() == 1) value = &m_pickle.at(arguments[0]);
        }
        if (value->kind != Kind::Tuple && value->kind != Kind::List) return failure("its size or stride is no tuple");
        Shape shape;
        for (const Id item : value->items) {
            if (m_pickle.at(item).kind != Kind::Integer) return failure("its size or stride has what is no integer");
            shape.push_back(m_pickle.at(item).integer);
        }
        return shape;
    }

    // (storage, offset, size, stride, ...)
    Result<void> addTensor(const std::vector<Id>& arguments, const TorchType* type, const std::string& name) {
        const std::string shown = name.empty() ? "tensor" : name;
        const auto added = buildTensor(arguments, type, shown);
        if (added || added.error().message.starts_with(m_where)) return added;  // TensorFile names the place itself
        return failure("{}: tensor \"{}\": {}", m_where, printable(shown), added.error().message);
    }

    Result<void> buildTensor(const std::vector<Id>& arguments, const TorchType* type, const std::string& name) {
        if (m_file.tensors().size() >= kTensorLimit) return failure("is one of more than {} tensors", kTensorLimit);
        if (arguments.size() < 4 || m_pickle.at(arguments[1]).kind != Kind::Integer)
            return failure("is not built from storage, offset, size and stride");
        const auto storage = findStorage(arguments[0]);
        if (!storage) return failureOf(storage);
        if (type == nullptr) type = storage->type;
        if (type == nullptr) return failure("has an untyped storage and no type");
        const auto shape = shapeOf(arguments[2]);
        if (!shape) return failureOf(shape);
        const auto strides = shapeOf(arguments[3]);
        if (!strides) return failureOf(strides);
        const std::int64_t first = m_pickle.at(arguments[1]).integer;
        const std::size_t width = bytesOf(type->word) * static_cast<std::size_t>(type->words);
        const auto elements = static_cast<std::int64_t>(storage->size / width);
        if (first < 0) return failure("its storage offset {} is negative", first);
        const auto reach = checkedReach(*shape, *strides);
        if (!reach) return failureOf(reach);
        if (first > elements || *reach > elements - first)
            return failure("offset {} with shape {} and strides {} reaches element {} of a storage of {} elements", first,
                           textOf(*shape), textOf(*strides), static_cast<std::uint64_t>(first) + *reach - 1, elements);
        return addChecked(*storage, *type, first, *shape, *strides, name, arguments);
    }

    Result<void> addChecked(const StorageRecord& storage, const TorchType& type, std::int64_t first, const Shape& shape,
                            const Shape& strides, const std::string& name, const std::vector<Id>& arguments) {
        TensorInfo info;
        info.name = name;
        info.dtype = type.word;
        info.shape = info.storedShape = shape;
        info.strides = strides;
        info.storedType = fmt::format("torch.{}", type.dtype);
        info.bigEndian = m_bigEndian && bytesOf(type.word) > 1;
        const std::size_t width = bytesOf(type.word) * static_cast<std::size_t>(type.words);
        const std::uint64_t offset = static_cast<std::uint64_t>(first) * width;
        info.offset = storage.fileOffset + offset;
        if (type.words > 1) {
            for (std::int64_t& stride : info.strides)
                if (__builtin_mul_overflow(stride, type.words, &stride)) return failure("a stride overflows 63 bits");
            info.shape.push_back(type.words);
            info.strides.push_back(1);
            info.note = "complex: real and imaginary part are the last dimension";
        }
        if (type.word == DType::Raw8) info.note = fmt::format("{} values are not interpreted: raw words", type.dtype);
        if (arguments.size() == 7 && !m_pickle.at(arguments[6]).pairs.empty())
            info.note = "marked conjugate or negative in the file; the stored words are shown";
        std::shared_ptr<const Storage> words = storage.bytes;
        if (info.bigEndian) {
            auto& swapped = m_swapped[{words.get(), bytesOf(type.word)}];
            if (swapped == nullptr) swapped = std::make_shared<SwappedStorage>(words, bytesOf(type.word));
            words = swapped;
        }
        return m_file.add(std::move(info), std::move(words), offset, storage.size);
    }

    Result<void> addScalar(const PickleValue& value, const std::string& name) {
        if (m_file.metadata().size() >= kMetadataLimit) {
            ++m_ignoredMore;
            return {};
        }
        std::string text = value.text;
        if (value.kind == Kind::None) text = "None";
        if (value.kind == Kind::Bool) text = value.integer != 0 ? "True" : "False";
        if (value.kind == Kind::Integer) text = std::to_string(value.integer);
        if (value.kind == Kind::Float) text = decimalOf(DType::Fp64, std::bit_cast<std::uint64_t>(value.number));
        if (text.size() > 4096) return ignore(name, fmt::format("a text of {} bytes", text.size()));
        m_file.addMetadata(name.empty() ? "value" : name, text);
        return {};
    }

    Result<void> ignore(const std::string& name, const std::string& what) {
        if (m_file.ignored().size() >= kIgnoredLimit) ++m_ignoredMore;
        else m_file.addIgnored(fmt::format("\"{}\": {}", printable(name), printable(what)));
        return {};
    }

    const ZipArchive& m_archive;
    std::string m_prefix;
    const Pickle& m_pickle;
    bool m_bigEndian;
    TensorFile& m_file;
    std::string m_where;
    std::map<std::string, std::shared_ptr<const Storage>> m_storages;
    std::map<std::pair<const Storage*, std::size_t>, std::shared_ptr<const Storage>> m_swapped;
    std::vector<bool> m_seen = std::vector<bool>(m_pickle.values.size());
    std::size_t m_repeats = 0;
    std::size_t m_numbers = 0;
    std::size_t m_ignoredMore = 0;
};

Result<bool> isBigEndian(const ZipArchive& archive, const std::string& prefix, const std::string& path, TensorFile& file) {
    const ZipMember* member = archive.find(prefix + "byteorder");
    if (member == nullptr) {
        file.addMetadata("byteorder", "little (assumed: the archive has no byteorder record)");
        return false;
    }
    const auto text = archive.text(*member, 64);
    if (!text) return failureOf(text);
    if (*text != "little" && *text != "big")
        return failure("{}: offset {}: byteorder \"{}\", expected little or big", path, member->dataOffset, printable(*text));
    file.addMetadata("byteorder", *text);
    return *text == "big";
}

Result<const ZipMember*> findPickle(const ZipArchive& archive, const std::string& path) {
    const ZipMember* found = nullptr;
    for (const ZipMember& member : archive.members()) {
        if (member.name != "data.pkl" && !member.name.ends_with("/data.pkl")) continue;
        if (found != nullptr)
            return failure("{}: two pickles, \"{}\" and \"{}\", expected one data.pkl", path, printable(found->name),
                           printable(member.name));
        found = &member;
    }
    return found;
}

}  // namespace

Result<TensorFile> openTorch(const ZipArchive& archive, const std::string& path) {
    const std::string where = printable(path);
    const auto member = findPickle(archive, where);
    if (!member) return failureOf(member);
    const std::string prefix = (*member)->name.substr(0, (*member)->name.size() - std::string_view("data.pkl").size());
    const auto bytes = archive.text(**member, kPickleLimit);
    if (!bytes) return failureOf(bytes);
    const auto pickle = parsePickle(*bytes, fmt::format("{}: offset {}: {}", where, (*member)->dataOffset, printable((*member)->name)));
    if (!pickle) return failureOf(pickle);
    TensorFile result(path, "torch");
    const auto bigEndian = isBigEndian(archive, prefix, where, result);
    if (!bigEndian) return failureOf(bigEndian);
    TorchWalk walk(archive, prefix, *pickle, *bigEndian, result);
    if (auto walked = walk.walk(); !walked) return failureOf(walked);
    if (auto checked = archive.checkSmallMembers(kCheckedMembers); !checked) return failureOf(checked);
    if (archive.strayBytes() > 0)
        result.addIgnored(fmt::format("{} bytes that belong to no member", archive.strayBytes()));
    return result;
}

}  // namespace isobit
