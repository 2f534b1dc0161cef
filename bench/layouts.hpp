#pragma once

#include "adapter.hpp"
#include "weft/layout_spec.hpp"

/// For adapters: from the decompositions that a case asks for to boxes.
namespace weft::bench {

int rank_of(const Case& problem);
int ranks_of(const Case& problem);
bool has_kind(const Case& problem, Kind kind);
/// Whether all transformed axes have cosine or sine transforms, which leave real data real.
bool is_real_to_real(const Case& problem);
bool is_real(const Case& problem);  ///< in physical space
Extents spectral_shape(const Case& problem);
/// Value of a setting; `fallback` where the case does not name it.
std::string setting(const Case& problem, const std::string& name, const std::string& fallback);

/// For libraries that take any boxes: what the case asks for, where "any" is the `favorite`,
/// "slab" slab:0 before and slab:1 after, "pencil" pencil:2 before and pencil:0 after.
LayoutSpec asked_input(const Case& problem, const std::string& favorite);
LayoutSpec asked_output(const Case& problem, const std::string& favorite);
/// The array of this rank in that layout.
LocalArray input_array(const Case& problem, const LayoutSpec& layout);
LocalArray output_array(const Case& problem, const LayoutSpec& layout);

/// For libraries with layouts of their own: an array without gaps, by its box and memory order
/// (slowest axis first); the fields of a batch lie one after another.
LocalArray array_of(const Box& box, const AxisList& order, ElementType type, Index batch = 1);
/// Throws Unsupported unless the case accepts both decompositions, such as "slab:0".
void require_layouts(const Case& problem, const std::string& in, const std::string& out);
/// Throws Unsupported with `what` unless `offered`.
void require(bool offered, const std::string& what);
/// Throws Unsupported unless the fields of the case have three axes and kind c2c or r2c ...
void require_3d(const Case& problem);
/// ... or cosine and sine transforms.
void require_3d_or_real(const Case& problem);
/// Throws Unsupported unless the case is a single field ...
void require_single(const Case& problem);
/// ... of three axes and kind c2c or r2c.
void require_single_3d(const Case& problem);

/// The description of a transform between two arrays.
TransformDescription transform_of(const Case& problem, const LocalArray& in, const LocalArray& out);

/// Bytes that an array takes.
std::size_t bytes_of(const LocalArray& array);

/// Whether boxes split into `parts` per axis are what was `asked` for.
bool conforms(const std::string& asked, const Extents& parts);

}  // namespace weft::bench
