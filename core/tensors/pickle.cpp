// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/pickle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <unordered_map>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t kValueLimit = 2'000'000;
constexpr std::size_t kStackLimit = 4'000'000;  // of places on the stack, marks and memo entries, each of which a byte makes
constexpr std::size_t kGlobalTextLimit = 16u << 20;  // of all names together, which a few bytes can repeat

// Modules that no tensor file needs and that run things.
constexpr std::array<std::string_view, 26> kForbiddenModules{
    "os",     "posix",  "nt",     "subprocess", "sys",   "shutil", "socket",          "importlib", "runpy",
    "pty",    "ctypes", "code",   "codeop",     "pdb",   "bdb",    "multiprocessing", "commands",  "webbrowser",
    "pickle", "_pickle", "marshal", "pip",      "timeit", "cProfile", "profile",      "asyncio",
};
constexpr std::array<std::string_view, 16> kPlainBuiltins{
    "set", "frozenset", "list", "dict", "tuple", "int", "float", "str", "bool", "bytes", "bytearray", "complex", "slice",
    "range", "object", "long",
};

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

bool isForbidden(std::string_view module, std::string_view name) {
    const std::string_view top = module.substr(0, module.find('.'));
    if (top == "builtins" || top == "__builtin__") return !contains(kPlainBuiltins, name);
    return contains(kForbiddenModules, top);
}

// The stack machine. A step returns an empty text, or what is wrong.
class Machine {
public:
    explicit Machine(std::string_view bytes) : m_bytes(bytes) {}

    std::string run() {
        while (!m_stopped) {
            m_opcodeOffset = m_at;
            if (m_at >= m_bytes.size()) return "ends without STOP";
            const auto opcode = static_cast<unsigned char>(m_bytes[m_at++]);
            if (std::string problem = step(opcode); !problem.empty()) return problem;
            if (m_pickle.values.size() > kValueLimit) return fmt::format("makes more than {} values", kValueLimit);
            if (m_stack.size() + m_marks.size() + m_memo.size() > kStackLimit)
                return fmt::format("holds more than {} places on its stack and in its memo", kStackLimit);
        }
        return {};
    }
    [[nodiscard]] std::uint64_t opcodeOffset() const { return m_opcodeOffset; }
    Pickle take() { return std::move(m_pickle); }

private:
    using Id = std::uint32_t;
    static constexpr const char* kTruncated = "ends inside an opcode";
    static constexpr const char* kUnderflow = "takes more from its stack than is there";

    // Arguments of opcodes.
    bool takeBytes(std::uint64_t count, std::string_view& out) {
        if (count > m_bytes.size() - m_at) return false;
        out = m_bytes.substr(m_at, count);
        m_at += count;
        return true;
    }
    bool takeUnsigned(int bytes, std::uint64_t& value) {
        std::string_view raw;
        if (!takeBytes(bytes, raw)) return false;
        value = 0;
        for (int i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(raw[i]);
        return true;
    }
    bool takeLine(std::string_view& line) {
        const auto end = m_bytes.find('\n', m_at);
        if (end == std::string_view::npos) return false;
        line = m_bytes.substr(m_at, end - m_at);
        m_at = end + 1;
        return true;
    }

    // The stack.
    Id make(Kind kind) {
        m_pickle.values.push_back({kind, 0, 0, {}, {}, {}, m_opcodeOffset});
        return static_cast<Id>(m_pickle.values.size() - 1);
    }
    PickleValue& value(Id id) { return m_pickle.values[id]; }
    std::string push(Id id) {
        m_stack.push_back(id);
        return {};
    }
    std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    bool pop(Id& id) {
        if (m_stack.size() <= floor()) return false;
        id = m_stack.back();
        m_stack.pop_back();
        return true;
    }
    bool top(Id& id) const {
        if (m_stack.size() <= floor()) return false;
        id = m_stack.back();
        return true;
    }
    bool popMark(std::vector<Id>& above) {
        if (m_marks.empty()) return false;
        above.assign(m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back()), m_stack.end());
        m_stack.resize(m_marks.back());
        m_marks.pop_back();
        return true;
    }

    std::string pushInteger(std::int64_t number, Kind kind = Kind::Integer) {
        const Id id = make(kind);
        value(id).integer = number;
        return push(id);
    }
    std::string pushText(std::string_view text, Kind kind) {
        const Id id = make(kind);
        value(id).text = text;
        return push(id);
    }
    std::string pushCounted(int lengthBytes, Kind kind) {
        std::uint64_t length = 0;
        std::string_view text;
        if (!takeUnsigned(lengthBytes, length) || !takeBytes(length, text)) return kTruncated;
        return pushText(text, kind);
    }
    std::string pushSigned(int bytes) {
        std::uint64_t raw = 0;
        if (!takeUnsigned(bytes, raw)) return kTruncated;
        const int unused = 64 - 8 * bytes;
        return pushInteger(bytes == 4 ? static_cast<std::int64_t>(raw << unused) >> unused : static_cast<std::int64_t>(raw));
    }
    std::string pushLong(int lengthBytes) {
        std::uint64_t length = 0;
        std::string_view raw;
        if (!takeUnsigned(lengthBytes, length) || !takeBytes(length, raw)) return kTruncated;
        if (length > 8) return pushText(fmt::format("an integer of {} bytes", length), Kind::Opaque);
        std::uint64_t bits = length > 0 && (static_cast<unsigned char>(raw.back()) & 0x80) != 0 ? ~std::uint64_t(0) : 0;
        for (std::size_t i = length; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(raw[i]);
        return pushInteger(static_cast<std::int64_t>(bits));
    }
    std::string pushTextInteger() {
        std::string_view line;
        if (!takeLine(line)) return kTruncated;
        if (line == "00" || line == "01") return pushInteger(line == "01" ? 1 : 0, Kind::Bool);
        if (line.ends_with('L')) line.remove_suffix(1);
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (error != std::errc() || end != line.data() + line.size()) return "has an integer that is none of 63 bits";
        return pushInteger(number);
    }
    std::string pushFloat(bool asText) {
        double number = 0;
        if (asText) {
            std::string_view line;
            if (!takeLine(line)) return kTruncated;
            const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
            if (error != std::errc() || end != line.data() + line.size()) return "has a number that is none";
        } else {
            std::uint64_t raw = 0;
            if (!takeUnsigned(8, raw)) return kTruncated;
            number = std::bit_cast<double>(__builtin_bswap64(raw));
        }
        const Id id = make(Kind::Float);
        value(id).number = number;
        return push(id);
    }

    std::string pushCollection(Kind kind, std::vector<Id> items) {
        const Id id = make(kind);
        value(id).items = std::move(items);
        return push(id);
    }
    std::string pushTuple(int count) {
        std::vector<Id> items(static_cast<std::size_t>(count));
        for (int i = count; i-- > 0;)
            if (!pop(items[static_cast<std::size_t>(i)])) return kUnderflow;
        return pushCollection(Kind::Tuple, std::move(items));
    }
    std::string pushMarked(Kind kind) {
        std::vector<Id> items;
        if (!popMark(items)) return "has no MARK";
        if (kind != Kind::Dict) return pushCollection(kind, std::move(items));
        if (items.size() % 2 != 0) return "has a dictionary key without a value";
        const Id id = make(Kind::Dict);
        value(id).pairs = std::move(items);
        return push(id);
    }
    std::string append(bool marked) {
        std::vector<Id> items(1);
        if (marked ? !popMark(items) : !pop(items[0])) return kUnderflow;
        Id list = 0;
        if (!top(list)) return kUnderflow;
        auto& to = value(list).items;
        if (value(list).kind == Kind::Call) return {};  // of an object of a type that is not interpreted
        if (value(list).kind != Kind::List && value(list).kind != Kind::Set) return "appends to what is no list";
        to.insert(to.end(), items.begin(), items.end());
        return {};
    }
    std::string setItems(bool marked) {
        std::vector<Id> items(2);
        if (marked ? !popMark(items) : !(pop(items[1]) && pop(items[0]))) return kUnderflow;
        Id dict = 0;
        if (!top(dict)) return kUnderflow;
        if (value(dict).kind != Kind::Dict && value(dict).kind != Kind::Call) return "sets items of what is no dictionary";
        if (items.size() % 2 != 0) return "has a dictionary key without a value";
        auto& to = value(dict).pairs;
        to.insert(to.end(), items.begin(), items.end());
        return {};
    }

    std::string pushGlobal(std::string_view module, std::string_view name) {
        if (isForbidden(module, name))
            return fmt::format("asks for {}.{}, which no tensor file needs: refused, nothing was run", printable(module),
                               printable(name));
        m_globalText += module.size() + name.size();
        if (m_globalText > kGlobalTextLimit) return fmt::format("names globals of more than {} bytes", kGlobalTextLimit);
        return pushText(fmt::format("{}.{}", module, name), Kind::Global);
    }
    std::string pushGlobalOfLines() {
        std::string_view module;
        std::string_view name;
        if (!takeLine(module) || !takeLine(name)) return kTruncated;
        return pushGlobal(module, name);
    }
    std::string pushGlobalOfStack() {
        Id name = 0;
        Id module = 0;
        if (!pop(name) || !pop(module)) return kUnderflow;
        if (value(name).kind != Kind::Text || value(module).kind != Kind::Text) return "has a global whose name is no text";
        return pushGlobal(std::string(value(module).text), std::string(value(name).text));
    }
    // A call is recorded and never made.
    std::string recordCall(Id callee, Id arguments) { return pushCollection(Kind::Call, {callee, arguments}); }
    std::string reduce(int extraArguments) {  // REDUCE, NEWOBJ; NEWOBJ_EX has keywords above the arguments
        Id keywords = 0;
        Id arguments = 0;
        Id callee = 0;
        if (extraArguments != 0 && !pop(keywords)) return kUnderflow;
        if (!pop(arguments) || !pop(callee)) return kUnderflow;
        if (value(arguments).kind != Kind::Tuple) return "calls with arguments that are no tuple";
        return recordCall(callee, arguments);
    }
    std::string instance(bool ofLines) {
        std::vector<Id> arguments;
        if (ofLines)
            if (std::string problem = pushGlobalOfLines(); !problem.empty()) return problem;
        Id callee = 0;
        if (ofLines && !pop(callee)) return kUnderflow;
        if (!popMark(arguments)) return "has no MARK";
        if (!ofLines) {
            if (arguments.empty()) return kUnderflow;
            callee = arguments.front();
            arguments.erase(arguments.begin());
        }
        const Id tuple = make(Kind::Tuple);
        value(tuple).items = std::move(arguments);
        return recordCall(callee, tuple);
    }
    std::string build() {  // state of an object; objects are not made, so it is dropped
        Id state = 0;
        Id object = 0;
        if (!pop(state) || !top(object)) return kUnderflow;
        return {};
    }
    std::string persistent() {
        Id id = 0;
        if (!pop(id)) return kUnderflow;
        return pushCollection(Kind::Persistent, {id});
    }

    std::string memoize(std::uint64_t key) {
        Id id = 0;
        if (!top(id)) return kUnderflow;
        m_memo[key] = id;
        return {};
    }
    std::string put(int bytes) {
        std::uint64_t key = 0;
        return takeUnsigned(bytes, key) ? memoize(key) : kTruncated;
    }
    std::string get(int bytes) {
        std::uint64_t key = 0;
        return takeUnsigned(bytes, key) ? recall(key) : kTruncated;
    }
    std::string recall(std::uint64_t key) {
        const auto found = m_memo.find(key);
        if (found == m_memo.end()) return fmt::format("refers to memo {}, which is not there", key);
        return push(found->second);
    }
    std::string memoOfLine(bool isPut) {
        std::string_view line;
        if (!takeLine(line)) return kTruncated;
        std::uint64_t key = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), key);
        if (error != std::errc() || end != line.data() + line.size()) return "has a memo number that is none";
        return isPut ? memoize(key) : recall(key);
    }
    std::string skip(int bytes) {
        std::uint64_t unused = 0;
        return takeUnsigned(bytes, unused) ? std::string() : kTruncated;
    }
    std::string drop() {
        if (!m_marks.empty() && m_stack.size() == m_marks.back()) {
            m_marks.pop_back();
            return {};
        }
        Id id = 0;
        return pop(id) ? std::string() : kUnderflow;
    }
    std::string textLine() {
        std::string_view line;
        if (!takeLine(line)) return kTruncated;
        const bool quoted = line.size() >= 2 && (line.front() == '\'' || line.front() == '"') && line.back() == line.front();
        return pushText(quoted ? line.substr(1, line.size() - 2) : line, Kind::Text);
    }
    std::string stop() {
        Id id = 0;
        if (!m_marks.empty() || !pop(id) || !m_stack.empty()) return "stops with other than one value on its stack";
        if (m_at != m_bytes.size()) return fmt::format("has {} bytes after STOP", m_bytes.size() - m_at);
        m_pickle.root = id;
        m_stopped = true;
        return {};
    }

    std::string step(unsigned char opcode);

    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::uint64_t m_opcodeOffset = 0;
    bool m_stopped = false;
    std::size_t m_globalText = 0;
    Pickle m_pickle;
    std::vector<Id> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, Id> m_memo;
};

// One line an opcode, in the order of Python's Lib/pickletools.py documentation.
std::string Machine::step(unsigned char opcode) {
    switch (opcode) {
        case 'I': return pushTextInteger();              // INT
        case 'L': return pushTextInteger();              // LONG
        case 'J': return pushSigned(4);                  // BININT
        case 'K': return pushSigned(1);                  // BININT1
        case 'M': return pushSigned(2);                  // BININT2
        case 0x8A: return pushLong(1);                   // LONG1
        case 0x8B: return pushLong(4);                   // LONG4
        case 'S': return textLine();                     // STRING
        case 'V': return textLine();                     // UNICODE
        case 'T': return pushCounted(4, Kind::Text);     // BINSTRING
        case 'U': return pushCounted(1, Kind::Text);     // SHORT_BINSTRING
        case 0x8C: return pushCounted(1, Kind::Text);    // SHORT_BINUNICODE
        case 'X': return pushCounted(4, Kind::Text);     // BINUNICODE
        case 0x8D: return pushCounted(8, Kind::Text);    // BINUNICODE8
        case 'B': return pushCounted(4, Kind::Bytes);    // BINBYTES
        case 'C': return pushCounted(1, Kind::Bytes);    // SHORT_BINBYTES
        case 0x8E: return pushCounted(8, Kind::Bytes);   // BINBYTES8
        case 0x96: return pushCounted(8, Kind::Bytes);   // BYTEARRAY8
        case 'N': return push(make(Kind::None));         // NONE
        case 0x88: return pushInteger(1, Kind::Bool);    // NEWTRUE
        case 0x89: return pushInteger(0, Kind::Bool);    // NEWFALSE
        case 'F': return pushFloat(true);                // FLOAT
        case 'G': return pushFloat(false);               // BINFLOAT
        case ']': return pushCollection(Kind::List, {}); // EMPTY_LIST
        case 'a': return append(false);                  // APPEND
        case 'e': return append(true);                   // APPENDS
        case 'l': return pushMarked(Kind::List);         // LIST
        case ')': return pushTuple(0);                   // EMPTY_TUPLE
        case 't': return pushMarked(Kind::Tuple);        // TUPLE
        case 0x85: return pushTuple(1);                  // TUPLE1
        case 0x86: return pushTuple(2);                  // TUPLE2
        case 0x87: return pushTuple(3);                  // TUPLE3
        case '}': return pushCollection(Kind::Dict, {}); // EMPTY_DICT
        case 'd': return pushMarked(Kind::Dict);         // DICT
        case 's': return setItems(false);                // SETITEM
        case 'u': return setItems(true);                 // SETITEMS
        case 0x8F: return pushCollection(Kind::Set, {}); // EMPTY_SET
        case 0x90: return append(true);                  // ADDITEMS
        case 0x91: return pushMarked(Kind::Set);         // FROZENSET
        case '0': return drop();                         // POP
        case '1': {                                      // POP_MARK
            std::vector<Id> dropped;
            return popMark(dropped) ? std::string() : "has no MARK";
        }
        case '2': {  // DUP
            Id id = 0;
            return top(id) ? push(id) : kUnderflow;
        }
        case '(': m_marks.push_back(m_stack.size()); return {};  // MARK
        case 'g': return memoOfLine(false);              // GET
        case 'h': return get(1);                         // BINGET
        case 'j': return get(4);                         // LONG_BINGET
        case 'p': return memoOfLine(true);               // PUT
        case 'q': return put(1);                         // BINPUT
        case 'r': return put(4);                         // LONG_BINPUT
        case 0x94: return memoize(m_memo.size());        // MEMOIZE
        case 'c': return pushGlobalOfLines();            // GLOBAL
        case 0x93: return pushGlobalOfStack();           // STACK_GLOBAL
        case 'R': return reduce(0);                      // REDUCE
        case 'b': return build();                        // BUILD
        case 'i': return instance(true);                 // INST
        case 'o': return instance(false);                // OBJ
        case 0x81: return reduce(0);                     // NEWOBJ
        case 0x92: return reduce(1);                     // NEWOBJ_EX
        case 0x80: return skip(1);                       // PROTO
        case 0x95: return skip(8);                       // FRAME
        case 'Q': return persistent();                   // BINPERSID
        case '.': return stop();                         // STOP
        default: return fmt::format("has the opcode 0x{:02x}, which torch never writes", opcode);
    }
}

}  // namespace

Result<Pickle> parsePickle(std::string_view bytes, const std::string& where) {
    Machine machine(bytes);
    if (const std::string problem = machine.run(); !problem.empty())
        return failure("{}: pickle offset {}: {}", where, machine.opcodeOffset(), problem);
    return machine.take();
}

}  // namespace isobit
