#pragma once

#include <algorithm>

#include "c/boundary.hpp"
#include "c/element.hpp"

namespace weft::c {

/// A function of the caller for lines of numbers of a type.
struct LineFunction {
  weft_line_function function;
  void* user_data;
  ElementType type;

  void operator()(const PointLine& line) const {
    if (line.scale != 1) scale(line);
    weft_line told{line.values, line.stride,      line.count,        {},
                   line.axis,   line.first.field, line.first.offset, line.offset_stride};
    std::copy(line.first.index.begin(), line.first.index.end(), told.index);
    const int result = function(&told, user_data);
    if (result != 0) fail_with(result);
  }

 private:
  void scale(const PointLine& line) const {
    with_type(type, [&](auto number) {
      auto* value = reinterpret_cast<typename decltype(number)::type*>(line.values);
      for (Index i = 0; i < line.count; ++i, value += line.stride)
        detail::scale_number(*value, line.scale);
    });
  }
};

/// What plans are told of a function, which is referred to; nothing if it is null.
inline detail::PointFunction point_function(const LineFunction& of) {
  // The type means nothing here: lines are handed on as they are.
  return of.function == nullptr ? detail::PointFunction{} : detail::PointFunction::of<double>(of);
}

}  // namespace weft::c
