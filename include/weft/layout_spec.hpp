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

/// Describes a layout: which part of the global array each rank owns, and how that part lies in the
/// rank's memory. The plan resolves it for its shape and number of ranks.
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

  Form form = Form::as_input;  ///< which of the members below are used
  int axis = 0;                ///< slab: the axis that is split; pencil: the axis that stays whole
  Extents parts;         ///< grid: number of parts of each axis; their product is the rank count
  std::vector<Box> all;  ///< boxes: one for each rank
  Box own;               ///< own_box: the box of the calling rank
  Split split = Split::balanced;  ///< how each axis is divided
  AxisList order;                 ///< axes from slowest to fastest in memory; empty: 0, 1, 2, ...
  Extents halo_lower;             ///< halo: elements allocated before the box, per axis
  Extents halo_upper;             ///< halo: elements allocated behind the box, per axis
  Strides strides;                ///< explicit strides of the calling rank; exclude halo and order
  bool r2c_padding = false;       ///< see padded_for_r2c()

  /// Memory order, slowest axis first; {2,1,0} is Fortran order of a 3-D array.
  LayoutSpec with_order(AxisList axes) const;
  /// How each axis is divided into parts.
  LayoutSpec with_split(Split rule) const;
  /// Room for a halo around the box. Plans neither read nor write it.
  LayoutSpec with_halo(Extents lower, Extents upper) const;
  /// Distance in elements between neighbors along each axis, followed by the distance between
  /// fields when there is a batch. The data pointer is then that of the first owned element.
  /// May differ between ranks.
  LayoutSpec with_strides(Strides distances) const;
  /// Pads the halved axis of the real array, which must be the contiguous one and whole, to
  /// 2*(n/2+1) elements, so that the half spectrum fits in the same memory (in-place r2c).
  LayoutSpec padded_for_r2c() const;
};

/// A layout that is split along one axis over all ranks.
LayoutSpec slab_split(int axis);
/// A layout that is whole along `axis`; the first two other axes are split over a near-square grid
/// of ranks (the smaller factor first). A 2-D array has one other axis to split, and a 1-D array
/// none: it is then on rank 0.
LayoutSpec pencil_along(int axis);
/// A layout whose first three axes are split over a near-cubic grid of ranks.
LayoutSpec brick();
/// A layout with parts[a] parts along axis a; ranks are numbered with the last axis varying
/// fastest.
LayoutSpec grid(Extents parts);
/// A layout given by the boxes of all ranks; together they must tile the array.
LayoutSpec boxes(std::vector<Box> one_per_rank);
/// A layout given by the box of the calling rank; together the boxes must tile the array.
LayoutSpec box(Box own);
/// Reads a layout: "slab:0", "pencil:2", "brick", "grid:2x1x4", optionally followed by
/// ",order=210" and ",split=block".
LayoutSpec parse_layout(const std::string& text);

}  // namespace weft
