#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"
#include "weft/kinds.hpp"
#include "weft/layout_spec.hpp"

namespace weft {

/// A value of an enumeration and its name in text.
template <class E>
struct Enumerator {
  E value;
  std::string_view name;
};

/// The values of each enumeration, once: what is read, printed, offered and refused follows. Those
/// of options stand beside the table of options.
template <class E>
inline constexpr Enumerator<E> enumerators[1] = {};
template <>
inline constexpr Enumerator<Precision> enumerators<Precision>[] = {{Precision::f32, "f32"},
                                                                   {Precision::f64, "f64"}};
template <>
inline constexpr Enumerator<Numbers> enumerators<Numbers>[] = {
    {Numbers::automatic, "automatic"}, {Numbers::real, "real"}, {Numbers::complex, "complex"}};
template <>
inline constexpr Enumerator<Norm> enumerators<Norm>[] = {{Norm::backward, "backward"},
                                                         {Norm::ortho, "ortho"},
                                                         {Norm::forward, "forward"},
                                                         {Norm::none, "none"}};
template <>
inline constexpr Enumerator<Split> enumerators<Split>[] = {{Split::balanced, "balanced"},
                                                           {Split::block, "block"}};

template <class E>
std::vector<std::string_view> names_of_all() {
  std::vector<std::string_view> names;
  for (const auto& [value, name] : enumerators<E>) names.push_back(name);
  return names;
}

/// Throws Error, with what it is called, for a text that is no value's name.
template <class E>
E parse_enumerator(const std::string& what, const std::string& text) {
  for (const auto& [value, name] : enumerators<E>) {
    if (text == name) return value;
  }
  throw unknown_name(what, text, names_of_all<E>());
}

template <class E>
std::string name_of(E given) {
  for (const auto& [value, name] : enumerators<E>) {
    if (given == value) return std::string(name);
  }
  return "unknown";
}

/// Throws Error for a number that is no value: other languages may pass any.
template <class E>
void check_enumerator(const std::string& what, E given) {
  for (const auto& [value, name] : enumerators<E>) {
    if (given == value) return;
  }
  throw Error(what + " " + std::to_string(static_cast<int>(given)) + " is unknown");
}

}  // namespace weft
