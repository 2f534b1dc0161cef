#pragma once

#include <optional>
#include <vector>

#include "weft/axes.hpp"
#include "weft/box.hpp"

namespace weft {

/// How one axis is divided into parts.
enum class Split {
  balanced,  ///< part sizes differ by at most one, larger parts first
  block,     ///< FFTW's rule: every part ceil(n/p) long, the last ones shorter or empty
};

/// What a user says of a layout: which part of the global array each rank owns, and how that part
/// lies in the rank's memory. The plan resolves it for its shape and number of ranks.
///
/// Memory: by default C order (the last axis contiguous) without gaps. A rank's array is passed as
/// a pointer to its first allocated element, halo included.
struct LayoutSpec {
  /// Which points each rank owns; see the functions of the same names.
  enum class Form {
    as_input,  ///< like the input of the plan, for outputs
    slab,      ///< `axis` is split over all ranks
    pencil,    ///< `axis` is whole
    brick,     ///< the first three axes are split
    grid,      ///< parts[a] parts along axis a
    boxes,     ///< `all`: one box for each rank
    own_box,   ///< `own`: the box of the calling rank
  };

  Form form = Form::as_input;  ///< which of the members below count
  int axis = 0;                ///< slab: the axis that is split; pencil: the axis that stays whole
  Extents parts;         ///< grid: number of parts of each axis; their product is the rank count
  std::vector<Box> all;  ///< boxes: one for each rank
  Box own;               ///< own_box: the box of the calling rank
  Split split = Split::balanced;  ///< how each axis is divided
  AxisList order;                 ///< axes from slowest to fastest in memory; empty: 0, 1, 2, ...
  Extents halo_lower;             ///< allocated but not owned elements before the box, per axis
  Extents halo_upper;             ///< as many allocated but not owned elements behind the box
  Strides strides;           ///< explicit distances, of the calling rank; then no halo and no order
  bool r2c_padding = false;  ///< see padded_for_r2c()

  /// Memory order, slowest axis first; {2,1,0} is Fortran order of a 3-D array.
  LayoutSpec with_order(AxisList axes) const;
  /// How each axis is divided into parts.
  LayoutSpec with_split(Split rule) const;
  /// Allocated but not owned elements around the box. They are neither read nor written.
  LayoutSpec with_halo(Extents lower, Extents upper) const;
  /// Distance in elements between neighbours along each axis, followed by the distance between
  /// fields when there is a batch. The data pointer is then that of the first owned element.
  /// May differ between ranks.
  LayoutSpec with_strides(Strides distances) const;
  /// Pads the halved axis of the real array, which must be the contiguous one and whole, to
  /// 2*(n/2+1) elements, so that the half spectrum fits in the same memory (in-place r2c).
  LayoutSpec padded_for_r2c() const;
};

/// Split along one axis over all ranks.
LayoutSpec slab_split(int axis);
/// Whole along `axis`; the first two other axes are split over a near-square grid of ranks (the
/// smaller factor first). A 2-D array has one other axis to split, a 1-D array none: it then lies
/// on rank 0.
LayoutSpec pencil_along(int axis);
/// The first three axes are split over a near-cubic grid of ranks.
LayoutSpec brick();
/// parts[a] parts along axis a; ranks are numbered with the last axis varying fastest.
LayoutSpec grid(Extents parts);
/// One box for each rank; together they must tile the array.
LayoutSpec boxes(std::vector<Box> one_per_rank);
/// The box of the calling rank; together they must tile the array.
LayoutSpec box(Box own);
/// Reads a layout: "slab:0", "pencil:2", "brick", "grid:2x1x4", optionally followed by
/// ",order=210" and ",split=block".
LayoutSpec parse_layout(const std::string& text);

}  // namespace weft
