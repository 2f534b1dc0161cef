#pragma once

#include <algorithm>

#include "c/boundary.hpp"
#include "c/element.hpp"

namespace weft::c {

/// A function of the caller for lines of numbers of type T.
template <class T>
struct LineFunction {
  weft_line_function function;
  void* user_data;

  void operator()(const PointLine& line) const {
    if (line.scale != 1) scale(line);
    weft_line told{line.values, line.stride,      line.count,        {},
                   line.axis,   line.first.field, line.first.offset, line.offset_stride};
    std::copy(line.first.index.begin(), line.first.index.end(), told.index);
    const int result = function(&told, user_data);
    if (result != 0) fail_with(result);
  }

 private:
  static void scale(const PointLine& line) {
    T* value = reinterpret_cast<T*>(line.values);
    const auto factor = static_cast<decltype(std::abs(T{}))>(line.scale);
    for (Index i = 0; i < line.count; ++i, value += line.stride) *value *= factor;
  }
};

/// Calls run(stages...) with the stages for the functions that are given, if any.
template <class In, class Out, class Run>
void with_stages(const weft_functions* given, Run&& run) {
  const weft_functions functions = given != nullptr ? *given : weft_functions{};
  const auto input = on_input(LineFunction<In>{functions.input, functions.input_data});
  const auto output = on_output(LineFunction<Out>{functions.output, functions.output_data});
  if (functions.input != nullptr && functions.output != nullptr) {
    run(input, output);
  } else if (functions.input != nullptr) {
    run(input);
  } else if (functions.output != nullptr) {
    run(output);
  } else {
    run();
  }
}

}  // namespace weft::c
