#pragma once

#include "local/line_transform.hpp"

namespace weft {

/// Runs kernels for GPUs on the emulated device.
template <class Real>
struct EmulatedPasses {
  static void run(const LinePass& pass);
  static void run(const PieceLines& pass);
  /// Blocks one after another: they would wait forever where none runs at the same time.
  static void run(const PlanePass<>& pass);
};

extern template struct EmulatedPasses<float>;
extern template struct EmulatedPasses<double>;

}  // namespace weft
