#pragma once

#include <string>

#include "c/boundary.hpp"
#include "weft/halo.hpp"
#include "weft/plan.hpp"

namespace weft::c {

/// A struct that its initializer has been called for. When a later version adds members it must
/// accept the size that the struct has now, and take the defaults of the new members.
template <class Struct>
const Struct& initialized(const Struct* pointer, const std::string& name) {
  const Struct& known = given(pointer, name.c_str());
  if (known.struct_size == sizeof(Struct)) return known;
  throw Error(name + " has struct_size " + std::to_string(known.struct_size) + " instead of " +
              std::to_string(sizeof(Struct)) +
              ": it was not initialized, or the program was compiled for another version of weft");
}

/// Throws Error unless 1 to 6 axes are given.
void check_axes(int axes);
/// So many numbers.
Extents extents_of(const std::int64_t* numbers, int axes);
/// The same; none where all are zero.
Extents extents_or_none(const std::int64_t* numbers, int axes);
Precision precision_of(int number);

/// `otherwise` where no layout is given. `name` is that of the layout in messages.
LayoutSpec layout_of(const weft_layout* layout, int axes, Index batch, const std::string& name,
                     const LayoutSpec& otherwise);
Problem problem_of(const weft_problem* problem);
/// The defaults where the text is null.
Options options_of(const char* text);
HaloProblem halo_problem_of(const weft_halo_problem* problem);

/// Form, axis, parts, split and order.
void write_layout(const LayoutSpec& spec, weft_layout& layout);
weft_local_array local_array_of(const LocalArray& array);

}  // namespace weft::c
