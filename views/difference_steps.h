// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace isobit::views {

/// A view of the centre in which the keys for the first, the next and the previous difference lead somewhere.
class DifferenceSteps {
public:
    virtual void goToFirstDifference() = 0;
    virtual void goToNextDifference() = 0;
    virtual void goToPreviousDifference() = 0;

protected:
    ~DifferenceSteps() = default;
};

}  // namespace isobit::views
