#pragma once

#include "weft/kernels/plane_pass.hpp"
#include "weft/kernels/point_places.hpp"

namespace weft::detail {

/// A pass over the lines of an array, and where a callback is applied.
struct FusedPass {
  const LinePass* pass;
  bool on_input;  ///< applied to what is loaded, else to what is stored
  PointPlaces places;
  /// Not null: both passes over planes, of which `pass` is the first if its callback is on the
  /// input, otherwise the second.
  const PlanePass<>* planes = nullptr;

  const LineSide& side() const { return on_input ? pass->in : pass->out; }
  /// Whether lines are along an axis, which may be PointPlaces::any_axis.
  bool has_lines_along(int axis) const {
    return axis == PointPlaces::any_axis || places.has_lines_along(axis, side().step);
  }
  /// Whether threads have all parts of the numbers that they load, or store, at a time.
  bool has_whole_numbers() const {
    return pass->form == LineForm::whole || pass->form == LineForm::complex ||
           pass->form == (on_input ? LineForm::from_packed : LineForm::to_packed);
  }
};

}  // namespace weft::detail
