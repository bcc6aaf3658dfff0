// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/open_arguments.h"

#include <algorithm>
#include <charconv>

#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

Result<DType> parseType(const std::string& name) {
    if (const auto dtype = dtypeByName(name)) return *dtype;
    return failure("\"{}\" is not an element type; expected bf16, fp16, fp32, fp64, fp8_e4m3, fp8_e5m2, int8 ... uint64",
                   printable(name));
}

}  // namespace

Result<Shape> parseShape(const std::string& text) {
    Shape shape;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view item = rest.substr(0, rest.find(','));
        std::int64_t size = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), size);
        if (error != std::errc() || end != item.data() + item.size() || size < 0)
            return failure("\"{}\" is not a shape; expected sizes such as 64,3840", printable(text));
        shape.push_back(size);
        rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    }
    return shape;
}

Result<OpenOptions> OpenArguments::options() const {
    OpenOptions result;
    result.inputRoot = inputRoot;
    result.linkRoot = linkRoot;
    result.checksums = !noChecksums;
    if (!as.empty()) {
        const auto type = parseType(as);
        if (!type) return failureOf(type);
        result.as = *type;
    }
    if (dtype.empty()) {
        if (!shape.empty() || offset != 0 || bigEndian)
            return failure("--shape, --offset and --big-endian describe a headerless array and need --dtype");
        return result;
    }
    const auto type = parseType(dtype);
    if (!type) return failureOf(type);
    const auto sizes = parseShape(shape);
    if (!sizes) return failureOf(sizes);
    result.raw = RawLayout{*type, *sizes, offset, bigEndian};
    return result;
}

std::shared_ptr<OpenArguments> addOpenArguments(CLI::App& command) {
    auto arguments = std::make_shared<OpenArguments>();
    command.add_option("--as", arguments->as, "read raw or integer words of this width as this type (bf16 kept as uint16)");
    command.add_option("--dtype", arguments->dtype, "the file is one headerless array of this type");
    command.add_option("--shape", arguments->shape, "sizes of that array, such as 64,3840");
    command.add_option("--offset", arguments->offset, "bytes before that array");
    command.add_flag("--big-endian", arguments->bigEndian, "words of that array are big-endian");
    command.add_option("--input-root", arguments->inputRoot, "only files of this user below this folder");
    command.add_option("--follow-links", arguments->linkRoot,
                       "links in a folder or set may lead below this folder, as in a Hugging Face cache");
    command.add_flag("--no-checksums", arguments->noChecksums, "accept archive members whose CRC-32 does not fit");
    return arguments;
}

Result<TensorFile> openFile(const std::string& path, const OpenArguments& arguments) {
    const auto options = arguments.options();
    if (!options) return failureOf(options);
    auto file = openTensorFile(path, *options);
    if (!file || !options->as) return file;
    const bool taken = std::any_of(file->tensors().begin(), file->tensors().end(),
                                   [&](const TensorInfo& info) { return info.dtype == *options->as; });
    if (!taken)
        return failure("{}: no tensor of raw or integer words of {} bytes that --as {} could mean", printable(path),
                       bytesOf(*options->as), arguments.as);
    return file;
}

}  // namespace isobit::cli
