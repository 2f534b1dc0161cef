#pragma once

#include "weft/kernels/line_pass.hpp"
#include "weft/kernels/point_places.hpp"

namespace weft::detail {

/// A pass over the lines of an array, and where a callback is applied.
struct FusedPass {
  const LinePass* pass;
  LineForm form;  ///< whole or complex
  bool on_input;  ///< applied to what is loaded, else to what is stored
  PointPlaces places;
};

}  // namespace weft::detail
