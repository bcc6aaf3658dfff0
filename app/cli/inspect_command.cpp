// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/open_arguments.h"
#include "core/tensors/confinement.h"
#include "core/tensors/slice.h"

namespace isobit::cli {
namespace {

struct InspectArguments {
    std::string path;
    std::string name;
    std::string slice;
    std::int64_t limit = 1000;
    bool json = false;
};

struct Element {
    Shape index;
    std::uint64_t word;
};

Result<std::vector<Element>> readElements(const TensorFile& file, std::size_t tensor, const Slice& slice,
                                          std::int64_t limit) {
    const TensorInfo& info = file.tensors()[tensor];
    std::vector<Element> elements;
    const std::int64_t count = std::min(limit, slice.elements());
    for (std::int64_t i = 0; i < count; ++i) {
        Element element{slice.indexOf(i), 0};
        const auto word = std::as_writable_bytes(std::span(&element.word, 1)).first(bytesOf(info.dtype));
        if (auto read = file.read(tensor, rowMajorPosition(element.index, info.shape), word); !read) return failureOf(read);
        elements.push_back(std::move(element));
    }
    return elements;
}

Json documentOf(const TensorInfo& info, const Slice& slice, const std::vector<Element>& elements) {
    Json document{{"name", info.name},
                  {"dtype", nameOf(info.dtype)},
                  {"stored_dtype", info.storedType},
                  {"shape", info.shape},
                  {"note", info.note},
                  {"elements", slice.elements()},
                  {"shown", elements.size()},
                  {"words", Json::array()}};
    for (const Element& element : elements)
        document["words"].push_back({{"index", element.index},
                                     {"word", hexOf(info.dtype, element.word)},
                                     {"bits", bitsOf(info.dtype, element.word)},
                                     {"value", decimalOf(info.dtype, element.word)},
                                     {"class", nameOf(classify(info.dtype, element.word))}});
    return document;
}

void printText(const TensorInfo& info, const Slice& slice, const std::vector<Element>& elements, std::ostream& out) {
    out << fmt::format("{} {} {}\n", printable(info.name), nameOf(info.dtype), textOf(info.shape));
    if (!info.note.empty()) out << printableSentence(info.note) << '\n';
    for (const Element& element : elements)
        out << fmt::format("{:<16} {}  {}  {}\n", textOf(element.index), hexOf(info.dtype, element.word),
                           bitsOf(info.dtype, element.word), decimalOf(info.dtype, element.word));
    const auto left = slice.elements() - static_cast<std::int64_t>(elements.size());
    if (left > 0) out << fmt::format("{} more elements; --limit shows more\n", left);
}

void inspect(const InspectArguments& wanted, const OpenArguments& open, Invocation& invocation) {
    const auto file = openFile(wanted.path, open);
    if (!file) return invocation.cannotRun("inspect", file.error());
    const auto tensor = file->find(wanted.name);
    if (!tensor)
        return invocation.cannotRun("inspect", {fmt::format("{}: has no tensor \"{}\" among its {}; isobit open lists them",
                                                            printable(wanted.path), printable(wanted.name),
                                                            file->tensors().size())});
    const TensorInfo& info = file->tensors()[*tensor];
    const auto slice = parseSlice(wanted.slice, info.shape);
    if (!slice) return invocation.cannotRun("inspect", slice.error());
    const auto elements = readElements(*file, *tensor, *slice, wanted.limit);
    if (!elements) return invocation.cannotRun("inspect", elements.error());
    if (wanted.json) invocation.print(documentOf(info, *slice, *elements));
    else printText(info, *slice, *elements, invocation.out);
}

}  // namespace

void addInspectCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("inspect", "words, bits and values of a tensor's elements");
    const auto wanted = std::make_shared<InspectArguments>();
    command->add_option("FILE", wanted->path, "file or folder")->required();
    command->add_option("NAME", wanted->name, "tensor")->required();
    command->add_option("SLICE", wanted->slice, "such as 0,:,3:7; left out: all");
    command->add_option("--limit", wanted->limit, "elements shown at most")->check(CLI::Range(1, 10'000'000));
    command->add_flag("--json", wanted->json, "print one JSON document");
    const auto open = addOpenArguments(*command);
    command->callback([&invocation, wanted, open] { inspect(*wanted, *open, invocation); });
}

}  // namespace isobit::cli
