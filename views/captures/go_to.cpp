// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/captures/go_to.h"

#include <QRegularExpression>
#include <QStringList>

#include "core/tensors/slice.h"

namespace isobit::views {

namespace {

const QRegularExpression kNumbers(QStringLiteral("^\\[?#?\\s*([0-9]{1,18}(?:\\s*,\\s*[0-9]{1,18})*)\\s*\\]?$"));

/// The tensor of that name; else the only one that has the text in its name.
Result<int> tensorOf(const QString& text, const Capture& capture) {
    const std::string wanted = text.toStdString();
    const auto& steps = capture.walk.steps;
    int found = -1;
    int hits = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (steps[step].pair.name == wanted) return static_cast<int>(step);
        if (!QString::fromStdString(steps[step].pair.name).contains(text, Qt::CaseInsensitive)) continue;
        found = static_cast<int>(step);
        ++hits;
    }
    if (hits == 1) return found;
    if (hits == 0) return failure("no tensor has \"{}\" in its name", wanted);
    return failure("{} tensors have \"{}\" in their names; write more of it", hits, wanted);
}

Result<std::int64_t> elementOf(const QString& numbers, const Shape& shape) {
    Shape index;
    for (const QString& number : numbers.split(QLatin1Char(','))) index.push_back(number.trimmed().toLongLong());
    const std::int64_t elements = elementsOf(shape);
    if (index.size() == 1) {
        if (index[0] >= elements) return failure("element {}: the tensor has {} elements", index[0], elements);
        return index[0];
    }
    // Two numbers are row and column, all dimensions but the last being rows.
    Shape matched = shape;
    if (index.size() == 2 && shape.size() > 2) matched = {elements / std::max<std::int64_t>(1, shape.back()), shape.back()};
    if (index.size() != matched.size()) return failure("{} coordinates: the tensor has shape {}", index.size(), textOf(shape));
    for (std::size_t dimension = 0; dimension < index.size(); ++dimension)
        if (index[dimension] >= matched[dimension])
            return failure("coordinate {} is {}: the tensor has shape {}", dimension, index[dimension], textOf(shape));
    return rowMajorPosition(index, matched);
}

}  // namespace

Result<Selection> placeOf(const QString& text, const Capture& capture, const Selection& now) {
    QString name = text.trimmed();
    QString numbers;
    if (const auto all = kNumbers.match(name); all.hasMatch()) {
        numbers = all.captured(1);
        name.clear();
    } else if (const auto blank = name.indexOf(QLatin1Char(' ')); blank > 0) {
        const auto rest = kNumbers.match(name.mid(blank).trimmed());
        if (!rest.hasMatch()) return failure("\"{}\": expected coordinates such as 12, 403 after the name", name.mid(blank + 1).toStdString());
        numbers = rest.captured(1);
        name.truncate(blank);
    }
    Selection place;
    place.tensor = now.tensor;
    if (!name.isEmpty()) {
        const auto tensor = tensorOf(name, capture);
        if (!tensor) return failureOf(tensor);
        place.tensor = *tensor;
    }
    if (place.tensor < 0 || place.tensor >= static_cast<int>(capture.walk.steps.size())) return failure("no tensor is selected; begin with its name");
    const WalkStep& step = capture.walk.steps[static_cast<std::size_t>(place.tensor)];
    if (numbers.isEmpty()) {
        if (step.comparison.first) place.element = static_cast<std::int64_t>(step.comparison.first->index);
        return place;
    }
    const bool compared = step.status == TensorStatus::Equal || step.status == TensorStatus::Different;
    if (!compared) return failure("{} has no elements to go to: {}", step.pair.name, step.reason);
    const auto element = elementOf(numbers, shapeOf(capture, step));
    if (!element) return failureOf(element);
    place.element = *element;
    return place;
}

}  // namespace isobit::views
