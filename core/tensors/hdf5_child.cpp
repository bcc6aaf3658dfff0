// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/hdf5_child.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/base/json.h"
#include "core/numeric/dtype.h"
#include "core/tensors/hdf5_driver.h"

namespace isobit {
namespace {

constexpr int kGroupDepthLimit = 64;
constexpr std::size_t kObjectLimit = 100'000;
constexpr std::size_t kAttributeLimit = 4096;

// An identifier of the library that is given back.
class Handle {
public:
    explicit Handle(hid_t id) : m_id(id) {}
    ~Handle() {
        if (m_id >= 0) H5Idec_ref(m_id);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator hid_t() const { return m_id; }  // NOLINT: every call of the library takes one
    [[nodiscard]] bool good() const { return m_id >= 0; }

private:
    hid_t m_id;
};

struct ElementType {
    DType dtype = DType::U8;
    bool bigEndian = false;
    std::string stored;
    std::string note;
};

std::optional<DType> bySize(std::size_t bytes, DType one, DType two, DType four, DType eight) {
    switch (bytes) {
        case 1: return one;
        case 2: return two;
        case 4: return four;
        case 8: return eight;
        default: return std::nullopt;
    }
}

// A float by where its sign, exponent and mantissa lie; bf16 and fp8 have no class of their own in HDF5 before 2.0.
std::optional<DType> floatType(hid_t type) {
    std::size_t sign = 0, exponent = 0, exponentBits = 0, mantissa = 0, mantissaBits = 0;
    if (H5Tget_fields(type, &sign, &exponent, &exponentBits, &mantissa, &mantissaBits) < 0) return std::nullopt;
    const std::size_t bits = 8 * H5Tget_size(type);
    const std::size_t bias = H5Tget_ebias(type);
    const auto is = [&](std::size_t wantedExponent, std::size_t wantedMantissa) {
        return bits == 1 + wantedExponent + wantedMantissa && sign == bits - 1 && mantissa == 0 &&
               mantissaBits == wantedMantissa && exponent == wantedMantissa && exponentBits == wantedExponent &&
               bias == (std::size_t(1) << (wantedExponent - 1)) - 1 && H5Tget_offset(type) == 0 &&
               H5Tget_precision(type) == bits && H5Tget_norm(type) == H5T_NORM_IMPLIED;
    };
    if (is(8, 7)) return DType::Bf16;
    if (is(5, 10)) return DType::Fp16;
    if (is(4, 3)) return DType::Fp8E4M3;
    if (is(5, 2)) return DType::Fp8E5M2;
    if (is(8, 23)) return DType::Fp32;
    if (is(11, 52)) return DType::Fp64;
    return std::nullopt;
}

Result<ElementType> integerType(hid_t type) {
    const std::size_t bytes = H5Tget_size(type);
    const bool isSigned = H5Tget_sign(type) == H5T_SGN_2;
    const auto dtype = isSigned ? bySize(bytes, DType::I8, DType::I16, DType::I32, DType::I64)
                                : bySize(bytes, DType::U8, DType::U16, DType::U32, DType::U64);
    if (!dtype || H5Tget_offset(type) != 0 || H5Tget_precision(type) != 8 * bytes)
        return failure("integers of {} bytes with padding or an unusual size", bytes);
    return ElementType{*dtype, false, fmt::format("{}{}", isSigned ? "int" : "uint", 8 * bytes), ""};
}

Result<ElementType> elementType(hid_t type) {
    const std::size_t bytes = H5Tget_size(type);
    Result<ElementType> result = failure("an unknown type class");
    switch (H5Tget_class(type)) {
        case H5T_INTEGER: result = integerType(type); break;
        case H5T_FLOAT: {
            const auto dtype = floatType(type);
            if (!dtype) return failure("floats of an unusual layout of {} bytes", bytes);
            result = ElementType{*dtype, false, std::string(nameOf(*dtype)), ""};
            break;
        }
        case H5T_OPAQUE:
        case H5T_BITFIELD: {
            const auto dtype = bySize(bytes, DType::Raw8, DType::Raw16, DType::Raw32, DType::Raw64);
            if (!dtype) return failure("opaque elements of {} bytes", bytes);
            result = ElementType{*dtype, false, "opaque", "raw words: bfloat16, perhaps, where they have 2 bytes"};
            break;
        }
        case H5T_ENUM: {
            const Handle base(H5Tget_super(type));
            result = integerType(base);
            if (result) result->stored = "enum of " + result->stored;
            if (result && H5Tget_nmembers(type) == 2 && bytes == 1) result->dtype = DType::Bool;
            break;
        }
        case H5T_COMPOUND: return failure("elements of a compound type");
        case H5T_STRING: return failure("texts");
        case H5T_REFERENCE: return failure("references, which are not followed");
        case H5T_VLEN: return failure("elements of variable length, which are not followed");
        case H5T_ARRAY: return failure("elements that are arrays");
        default: return result;
    }
    const H5T_order_t order = H5Tget_order(type);
    if (result && bytesOf(result->dtype) > 1) {
        if (order != H5T_ORDER_LE && order != H5T_ORDER_BE && order != H5T_ORDER_NONE)
            return failure("an unusual byte order");
        result->bigEndian = order == H5T_ORDER_BE;
    }
    return result;
}

// Why a dataset's data may not be read, or empty.
std::string storageProblem(hid_t properties) {
    if (H5Pget_external_count(properties) > 0) return "its data lies in external files, which are not opened";
    const H5D_layout_t layout = H5Pget_layout(properties);
    if (layout == H5D_VIRTUAL) return "a virtual dataset, whose sources are not opened";
    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) return "an unknown data layout";
    const int filters = layout == H5D_CHUNKED ? H5Pget_nfilters(properties) : 0;
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
            return fmt::format("its chunks need filter {}, which is not one of deflate, shuffle and fletcher32",
                               static_cast<int>(filter));
    }
    return {};
}

// Chunks that the dataset has and that the file holds; packed chunks are smaller, so bytes would not tell.
bool hasEveryChunk(hid_t dataset, hid_t properties, const std::vector<hsize_t>& sizes) {
    std::vector<hsize_t> chunk(sizes.size());
    if (H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(sizes.size())) return false;
    hsize_t expected = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (chunk[i] == 0 || __builtin_mul_overflow(expected, sizes[i] / chunk[i] + (sizes[i] % chunk[i] != 0), &expected))
            return false;
    hsize_t present = 0;
    const Handle space(H5Dget_space(dataset));
    return H5Dget_num_chunks(dataset, space, &present) >= 0 && present >= expected;
}

// What the user should know of data that was never written, or empty.
std::string neverWritten(hid_t dataset, hid_t properties, const std::vector<hsize_t>& sizes) {
    H5D_space_status_t status = H5D_SPACE_STATUS_ALLOCATED;
    if (H5Dget_space_status(dataset, &status) < 0 || status == H5D_SPACE_STATUS_ALLOCATED) return {};
    if (H5Pget_layout(properties) == H5D_CHUNKED && hasEveryChunk(dataset, properties, sizes)) return {};
    H5D_fill_value_t fill = H5D_FILL_VALUE_UNDEFINED;
    H5Pfill_value_defined(properties, &fill);
    return fmt::format("{} of it was never written: those elements show {}",
                       status == H5D_SPACE_STATUS_PART_ALLOCATED ? "a part" : "all",
                       fill == H5D_FILL_VALUE_USER_DEFINED ? "the file's fill value" : "zero, no fill value is given");
}

// The text of an attribute of fixed length, or the number of an integer one.
std::optional<std::string> attributeText(hid_t object, const char* name) {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
    if (!attribute.good()) return std::nullopt;
    const Handle type(H5Aget_type(attribute));
    const Handle space(H5Aget_space(attribute));
    if (!type.good() || !space.good() || H5Sget_simple_extent_npoints(space) != 1) return std::nullopt;
    const std::size_t bytes = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && bytes > 0 && bytes <= kAttributeLimit) {
        std::string text(bytes, '\0');
        if (H5Aread(attribute, type, text.data()) < 0) return std::nullopt;
        text.resize(std::min(text.find('\0'), text.size()));
        return text;
    }
    if (H5Tget_class(type) != H5T_INTEGER || bytes > 8) return std::nullopt;
    long long number = 0;
    if (H5Aread(attribute, H5T_NATIVE_LLONG, &number) < 0) return std::nullopt;
    return std::to_string(number);
}

class Lister {
public:
    explicit Lister(hid_t file) : m_file(file) {
        m_document["tensors"] = Json::array();
        m_document["metadata"] = Json::object();
        m_document["ignored"] = Json::array();
    }

    Result<std::string> list() {
        H5O_info_t root{};
        if (H5Oget_info2(m_file, &root, H5O_INFO_BASIC) >= 0) m_seen.insert(root.addr);
        visitGroup(m_file, "", 0);
        readAttributes();
        if (!m_problem.empty()) return failure("{}", m_problem);
        return m_document.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

private:
    struct Place {
        Lister* lister;
        std::string path;
        int depth;
    };

    void ignore(const std::string& path, std::string_view what) {
        m_document["ignored"].push_back(fmt::format("\"{}\": {}", path, what));
    }

    void visitGroup(hid_t group, const std::string& path, int depth) {
        if (depth > kGroupDepthLimit) return ignore(path, fmt::format("groups nested deeper than {}", kGroupDepthLimit));
        Place place{this, path, depth};
        hsize_t index = 0;
        if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &index, visitLink, &place) < 0 && m_problem.empty())
            m_problem = fmt::format("the group \"/{}\" is damaged", path);
    }

    static herr_t visitLink(hid_t group, const char* name, const H5L_info_t* info, void* data) {
        const Place& place = *static_cast<Place*>(data);
        return place.lister->visitLink(group, name, *info, place);
    }

    herr_t visitLink(hid_t group, const char* name, const H5L_info_t& info, const Place& place) {
        const std::string path = place.path.empty() ? name : place.path + "/" + name;
        if (++m_objects > kObjectLimit) {
            m_problem = fmt::format("has more than {} objects", kObjectLimit);
            return -1;
        }
        if (info.type != H5L_TYPE_HARD) {
            ignore(path, info.type == H5L_TYPE_SOFT       ? "a soft link, which is not followed"
                         : info.type == H5L_TYPE_EXTERNAL ? "an external link, which is not followed"
                                                          : "a user-defined link, which is not followed");
            return 0;
        }
        H5O_info_t object{};
        if (H5Oget_info_by_name2(group, name, &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0) {
            m_problem = fmt::format("the object \"/{}\" is damaged", path);
            return -1;
        }
        if (!m_seen.insert(object.addr).second) {
            ignore(path, "a second name of an object that is listed already");
            return 0;
        }
        if (object.type == H5O_TYPE_GROUP) {
            const Handle inner(H5Gopen2(group, name, H5P_DEFAULT));
            if (inner.good()) visitGroup(inner, path, place.depth + 1);
            return m_problem.empty() ? 0 : -1;
        }
        if (object.type != H5O_TYPE_DATASET) {
            ignore(path, "a named type");
            return 0;
        }
        const Handle dataset(H5Dopen2(group, name, H5P_DEFAULT));
        if (!dataset.good()) m_problem = fmt::format("the dataset \"/{}\" is damaged", path);
        else addDataset(dataset, path);
        return m_problem.empty() ? 0 : -1;
    }

    void addDataset(hid_t dataset, const std::string& path) {
        const Handle type(H5Dget_type(dataset));
        const Handle space(H5Dget_space(dataset));
        const Handle properties(H5Dget_create_plist(dataset));
        if (!type.good() || !space.good() || !properties.good()) {
            m_problem = fmt::format("the dataset \"/{}\" is damaged", path);
            return;
        }
        if (const std::string problem = storageProblem(properties); !problem.empty()) return ignore(path, problem);
        auto element = elementType(type);
        if (!element) return ignore(path, element.error().message);
        if (H5Sget_simple_extent_type(space) == H5S_NULL) return ignore(path, "a null dataspace");
        const int rank = H5Sget_simple_extent_ndims(space);
        if (rank < 0) return ignore(path, "no simple dataspace");
        std::vector<hsize_t> sizes(static_cast<std::size_t>(rank) + 1);
        H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
        sizes.resize(static_cast<std::size_t>(rank));
        readConvention(dataset, *element);
        Json tensor{{"name", path}, {"type", nameOf(element->dtype)}, {"big_endian", element->bigEndian},
                    {"shape", sizes}, {"stored", element->stored}};
        const haddr_t address = H5Pget_layout(properties) == H5D_CONTIGUOUS ? H5Dget_offset(dataset) : HADDR_UNDEF;
        tensor["address"] = address == HADDR_UNDEF ? Json(nullptr) : Json(address);
        const std::string unwritten = neverWritten(dataset, properties, sizes);
        tensor["note"] = element->note.empty() || unwritten.empty() ? element->note + unwritten
                                                                    : element->note + "; " + unwritten;
        m_document["tensors"].push_back(std::move(tensor));
    }

    // A 16-bit unsigned dataset whose attribute "dtype" names bf16 is bf16 by convention.
    static void readConvention(hid_t dataset, ElementType& element) {
        if (element.dtype != DType::U16 && element.dtype != DType::Raw16) return;
        if (H5Aexists(dataset, "dtype") <= 0) return;
        const auto text = attributeText(dataset, "dtype");
        if (!text || (*text != "bfloat16" && *text != "bf16")) return;
        element.note = fmt::format("stored as {}; its attribute dtype says {}", element.stored, *text);
        element.dtype = DType::Bf16;
    }

    static herr_t collectName(hid_t, const char* name, const H5A_info_t*, void* data) {
        static_cast<std::vector<std::string>*>(data)->emplace_back(name);
        return 0;
    }

    void readAttributes() {
        std::vector<std::string> names;
        hsize_t index = 0;
        H5Aiterate2(m_file, H5_INDEX_NAME, H5_ITER_INC, &index, collectName, &names);
        for (const std::string& name : names) {
            if (const auto text = attributeText(m_file, name.c_str())) m_document["metadata"][name] = *text;
            else ignore("/", fmt::format("attribute \"{}\", which is neither a short text of fixed length nor an integer", name));
        }
    }

    hid_t m_file;
    Json m_document;
    std::set<haddr_t> m_seen;
    std::size_t m_objects = 0;
    std::string m_problem;
};

}  // namespace

Result<std::string> listHdf5(int descriptor, std::uint64_t fileBytes) {
    const hid_t file = openHdf5Descriptor(descriptor, fileBytes);
    if (file < 0) return failure("is damaged: the HDF5 library cannot read its superblock or root group");
    return Lister(file).list();
}

Result<std::string> readHdf5(int descriptor, std::uint64_t fileBytes, const std::string& dataset, std::span<std::byte> out) {
    const hid_t file = openHdf5Descriptor(descriptor, fileBytes);
    if (file < 0) return failure("is damaged: the HDF5 library cannot read its superblock or root group");
    const Handle opened(H5Dopen2(file, ("/" + dataset).c_str(), H5P_DEFAULT));
    const Handle type(opened.good() ? H5Dget_type(opened) : -1);
    const Handle space(opened.good() ? H5Dget_space(opened) : -1);
    if (!type.good() || !space.good()) return failure("the dataset \"/{}\" is damaged", dataset);
    const hssize_t elements = H5Sget_simple_extent_npoints(space);
    const std::size_t width = H5Tget_size(type);
    if (elements < 0 || width == 0 || static_cast<std::uint64_t>(elements) != out.size() / width || out.size() % width != 0)
        return failure("the dataset \"/{}\" changed since it was listed", dataset);
    if (H5Dread(opened, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
        return failure("the data of \"/{}\" is damaged: a chunk cannot be unpacked or lies outside the file", dataset);
    return std::string();
}

}  // namespace isobit
