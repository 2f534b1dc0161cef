#pragma once

#include <nanobind/nanobind.h>

#include <limits>
#include <string>

#include "weft/error.hpp"

namespace weft::python {

namespace nb = nanobind;

/// An int of Python: the object itself, or what one of another type that stands for an integer is,
/// such as NumPy's. Throws Error, with `name` and the object, for any other, and for bools: where a
/// number is asked for they are a mistake.
nb::object exact_integer(nb::handle given, const std::string& name);
/// "shape[0] 2.5"
std::string named(nb::handle given, const std::string& name);

/// The same in a type that may be too small for it, which is an Error too.
template <class T>
T integer_of(nb::handle given, const std::string& name) {
  const nb::object exact = exact_integer(given, name);
  T value{};
  if (nb::try_cast<T>(exact, value)) return value;
  using Limits = std::numeric_limits<T>;
  throw Error(named(given, name) + ": must be between " + std::to_string(Limits::min()) + " and " +
              std::to_string(Limits::max()));
}

}  // namespace weft::python
