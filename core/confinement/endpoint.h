// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// Where a server is asked to connect to.
struct EndpointRequest {
    std::string host;
    std::int64_t port = 0;
    bool fromApi = false;  ///< the value came in by the API: an allow-list entry is needed, but for localhost
    std::vector<std::string> allowed;  ///< hosts, addresses and networks: XORL_OUTBOUND_ENDPOINT_ALLOWLIST
};

/// What may be connected to: the address, never again the name.
struct Endpoint {
    std::string address;
    std::int64_t port = 0;
};

/// Gives the address of a name, once.
using Resolve = std::function<Result<std::string>(const std::string& host)>;

/// Refused: a host with / \ @ ? # or a control character, a port outside 1 to 65535, link-local, multicast, unspecified and
/// reserved addresses unless they are allowed by address or network, anything that is not allowed where that is needed,
/// private addresses among it (loopback excepted). Source: confinement.md 7.
[[nodiscard]] Result<Endpoint> checkEndpoint(const EndpointRequest& request, const Resolve& resolve);

}  // namespace isobit
