// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/confinement/endpoint.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

/// An address as 16 bytes; IPv4 in its mapped form ::ffff:a.b.c.d, so that both spellings are one.
using Address = std::array<std::uint8_t, 16>;

std::optional<Address> addressOf(const std::string& text) {
    Address address{};
    if (inet_pton(AF_INET6, text.c_str(), address.data()) == 1) return address;
    address = {};
    address[10] = address[11] = 0xFF;
    if (inet_pton(AF_INET, text.c_str(), address.data() + 12) == 1) return address;
    return std::nullopt;
}

bool inNetwork(const Address& address, const Address& network, int bits) {
    for (int i = 0; i < bits; ++i) {
        const auto byte = static_cast<std::size_t>(i / 8);
        if (((address[byte] ^ network[byte]) >> (7 - i % 8) & 1) != 0) return false;
    }
    return true;
}

/// "10.0.0.0/8" or a plain address; nothing for a host name.
bool isInside(const Address& address, const std::string& entry) {
    const std::size_t slash = entry.find('/');
    const auto network = addressOf(entry.substr(0, slash));
    if (!network) return false;
    if (slash == std::string::npos) return address == *network;
    int bits = -1;
    const char* end = entry.data() + entry.size();
    const auto [stop, problem] = std::from_chars(entry.data() + slash + 1, end, bits);
    const int offset = entry.find(':') == std::string::npos ? 96 : 0;
    if (problem != std::errc() || stop != end || bits < 0 || bits + offset > 128) return false;
    return inNetwork(address, *network, bits + offset);
}

struct Range {
    std::string_view network;
    std::string_view what;
};
constexpr std::array kNever{Range{"169.254.0.0/16", "link-local"}, Range{"fe80::/10", "link-local"},
                            Range{"224.0.0.0/4", "multicast"},     Range{"ff00::/8", "multicast"},
                            Range{"0.0.0.0/8", "unspecified"},     Range{"::/128", "unspecified"},
                            Range{"240.0.0.0/4", "reserved"}};
constexpr std::array kLoopback{Range{"127.0.0.0/8", "loopback"}, Range{"::1/128", "loopback"}};

std::string_view kindIn(const Address& address, const auto& ranges) {
    for (const Range& range : ranges)
        if (isInside(address, std::string(range.network))) return range.what;
    return "";
}

/// The mapped form of the IPv4 address that a translated one leads to: NAT64 (RFC 6052) and 6to4 (RFC 3056) carry it.
std::optional<Address> innerOf(const Address& address) {
    const auto mapped = [&](std::size_t from) {
        Address inner{};
        inner[10] = inner[11] = 0xFF;
        std::copy_n(address.begin() + static_cast<std::ptrdiff_t>(from), 4, inner.begin() + 12);
        return inner;
    };
    if (isInside(address, "64:ff9b::/96")) return mapped(12);
    if (isInside(address, "2002::/16")) return mapped(2);
    return std::nullopt;
}

bool hasForbiddenCharacter(std::string_view host) {
    return std::ranges::any_of(host, [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F ||
               std::string_view("/\\@?#").find(c) != std::string_view::npos;
    });
}

}  // namespace

Result<Endpoint> checkEndpoint(const EndpointRequest& request, const Resolve& resolve) {
    if (request.host.empty() || request.host.size() > 253 || hasForbiddenCharacter(request.host))
        return failure(
            "the host \"{}\" is no host: expected a name or an address without / \\ @ ? # and control characters",
            printable(request.host));
    if (request.port < 1 || request.port > 65535) return failure("port {}, expected 1 to 65535", request.port);
    std::string text = request.host;
    if (!addressOf(text)) {
        auto resolved = resolve(request.host);
        if (!resolved) return failureOf(resolved);
        text = std::move(*resolved);
    }
    const auto address = addressOf(text);
    if (!address) return failure("{} is no address of {}", printable(text), printable(request.host));
    const std::optional<Address> inner = innerOf(*address);
    const auto isIn = [&](const std::string& entry) {
        return isInside(*address, entry) || (inner && isInside(*inner, entry));
    };
    const bool byAddress = std::ranges::any_of(request.allowed, isIn);
    const bool byName = std::ranges::find(request.allowed, request.host) != request.allowed.end();
    std::string_view kind = kindIn(*address, kNever);
    if (kind.empty() && inner) kind = kindIn(*inner, kNever);
    if (!kind.empty() && !byAddress)
        return failure("{} is a {} address, which no name and no list of names allows", printable(text), kind);
    const bool local = request.host == "localhost" && !kindIn(*address, kLoopback).empty();
    if (request.fromApi && !local && !byName && !byAddress)
        return failure("{} ({}) is not in the allow-list, which a value that came in by the API needs",
                       printable(request.host), printable(text));
    return Endpoint{text, request.port};
}

}  // namespace isobit
