// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/open_arguments.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

Json pairsOf(const TextPairs& pairs) {
    Json document = Json::object();
    for (const auto& [key, value] : pairs) document[key] = value;
    return document;
}

Json documentOf(const TensorInfo& info) {
    Json tensor{{"name", info.name}, {"dtype", nameOf(info.dtype)}, {"shape", info.storedShape}, {"bytes", info.byteCount}};
    tensor["stored_dtype"] = info.storedType;
    if (info.shape != info.storedShape) tensor["word_shape"] = info.shape;
    if (!info.file.empty()) tensor["file"] = info.file;
    tensor["offset"] = info.offset;
    if (info.bigEndian) tensor["big_endian"] = true;
    if (!info.tags.empty()) tensor["tags"] = pairsOf(info.tags);
    if (!info.note.empty()) tensor["note"] = info.note;
    return tensor;
}

Json documentOf(const TensorFile& file) {
    Json document{{"format", file.format()}, {"tensors", Json::array()}, {"ignored", file.ignored()}};
    for (const TensorInfo& info : file.tensors()) document["tensors"].push_back(documentOf(info));
    document["metadata"] = pairsOf(file.metadata());
    return document;
}

void printText(const TensorFile& file, std::ostream& out) {
    out << fmt::format("{}: {}, {} tensor{}\n", printable(file.path()), file.format(), file.tensors().size(),
                       file.tensors().size() == 1 ? "" : "s");
    for (const auto& [key, value] : file.metadata()) out << fmt::format("  {} = {}\n", printable(key), printable(value));
    for (const TensorInfo& info : file.tensors()) {
        out << fmt::format("{:<40} {:<16} {:<20} {:>14} bytes\n", printable(info.name), nameOf(info.dtype),
                           textOf(info.storedShape), info.byteCount);
        if (!info.note.empty()) out << "    " << printableSentence(info.note) << '\n';
    }
    for (const std::string& sentence : file.ignored()) out << "ignored: " << printableSentence(sentence) << '\n';
}

}  // namespace

void addOpenCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("open", "list the tensors of a file, a sharded set or a dump folder");
    const auto path = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    command->add_option("FILE", *path, "file or folder")->required();
    command->add_flag("--json", *json, "print one JSON document");
    const auto arguments = addOpenArguments(*command);
    command->callback([&invocation, path, json, arguments] {
        const auto file = openFile(*path, *arguments);
        if (!file) return invocation.cannotRun("open", file.error());
        if (*json) return invocation.print(documentOf(*file));
        printText(*file, invocation.out);
    });
}

}  // namespace isobit::cli
