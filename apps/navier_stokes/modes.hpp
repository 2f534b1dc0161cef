#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "weft/plan_array.hpp"

namespace weft::navier_stokes {

/// One mode exp(i k x) of a real field in the box of lengths 2 pi.
struct Mode {
  Index offset;             ///< of its coefficient in this rank's arrays
  std::array<double, 3> k;  ///< wavenumbers
  double k2;                ///< k * k
  double weight;            ///< modes it stands for: 2 where that of -k is not stored

  /// Number of the shell that it belongs to, k - 1/2 <= |k| < k + 1/2.
  WEFT_HOST_DEVICE std::size_t shell() const {
    return static_cast<std::size_t>(std::lround(std::sqrt(k2)));
  }
};

/// Where the modes that this rank owns lie, for loops over them on the host or a device.
struct ModeGrid {
  Index lower[3];
  Index extent[3];
  Index stride[3];
  Index first;
  const double* wavenumbers[3];  ///< along each axis, by the index in the global array

  WEFT_HOST_DEVICE Index rows() const { return extent[0] * extent[1]; }
  WEFT_HOST_DEVICE Index count() const { return rows() * extent[2]; }
  /// Rows run along the last axis.
  WEFT_HOST_DEVICE Mode at(Index row, Index k) const {
    const Index i = row / extent[1], j = row - i * extent[1];
    const double x = wavenumbers[0][lower[0] + i], y = wavenumbers[1][lower[1] + j],
                 z = wavenumbers[2][lower[2] + k];
    return {first + i * stride[0] + j * stride[1] + k * stride[2],
            {x, y, z},
            x * x + y * y + z * z,
            z > 0 ? 2.0 : 1.0};
  }
  /// By their number among all.
  WEFT_HOST_DEVICE Mode at(Index number) const {
    const Index row = number / extent[2];
    return at(row, number - row * extent[2]);
  }
};

/// The modes that this rank owns in the spectral space of a plan (r2c of the last axis).
class Modes {
 public:
  explicit Modes(const Plan& plan);

  /// For loops on the host, and where the plan works.
  ModeGrid on_host() const;
  ModeGrid in_place() const;
  /// Number of shells of the plan, on all ranks.
  std::size_t shells() const { return shells_; }

 private:
  ModeGrid grid(const double* wavenumbers) const;

  Box box_;
  Strides strides_;
  Index first_;
  std::array<std::size_t, 3> counts_{};
  std::vector<double> wavenumbers_;  ///< of all axes
  PlanArray<double> copy_;           ///< where the plan works
  std::size_t shells_;
};

}  // namespace weft::navier_stokes
