#pragma once

#include <span>
#include <vector>

#include "weft/plan.hpp"

namespace weft {

/// The energy spectrum of fields: energy by the length of wave vectors.
struct ShellSpectrum {
  double width = 0;  ///< width of a shell, as an angular wavenumber
  /// Energy of shell s: half of the squares of all modes with (s - 1/2) width <= |k| < (s + 1/2)
  /// width.
  std::vector<double> energy;
};

/// The energy spectrum of the fields, such as the components of a velocity, whose coefficients are
/// in spectral space of a plan: E(s) = 1/2 sum over fields (those of a batch too) and over the
/// modes of shell s of |u_k|^2, in double precision. Collective; every rank gets the same numbers.
///
/// u_k is the amplitude of the wave exp(i k x) in the field, whatever the norm of the plan. A
/// coefficient of r2c counts twice unless that of -k is stored too. So, by Parseval's theorem, the
/// energies of all shells add up to half of the mean of u^2 over the points in physical space: over
/// all of the shape, zeros of a padded input included; if modes are truncated, of the field without
/// them. The same holds for waves of cosine and sine transforms, with points at the borders of the
/// domain counted half, as in the trapezoidal rule. Along an axis of kind none it is the mean over
/// its points. Energy divided by the width is a density E(k).
///
/// `lengths` are those of the box, one for each axis. `width` is that of the shells; 0: the
/// smallest wavenumber of the box, which is the smallest 2 pi / length (cosines and sines: pi /
/// length) of the transformed axes with more than one coefficient. Shell 0 lies around k = 0, and
/// the last one contains the highest mode.
///
/// With a plan on a device, arrays are copied to the host and summed there.
///
/// Throws Error on every rank if an array does not fit, if the lengths or the width are invalid or
/// differ between ranks, and for dct1, dct3 and dst3 with orthogonal matrices, which transform a
/// field with other values at the borders.
ShellSpectrum shell_spectrum(const Plan& plan, std::span<const detail::AnyArray> fields,
                             std::span<const double> lengths, double width = 0);
/// The spectrum of a single field, given by a pointer to its coefficients or a contiguous range of
/// them.
template <NumberArray Array>
ShellSpectrum shell_spectrum(const Plan& plan, const Array& field, std::span<const double> lengths,
                             double width = 0) {
  const detail::AnyArray one = detail::any_array(field);
  return shell_spectrum(plan, std::span(&one, 1), lengths, width);
}
/// The spectrum of several fields.
template <detail::FieldRange Fields>
ShellSpectrum shell_spectrum(const Plan& plan, const Fields& fields,
                             std::span<const double> lengths, double width = 0) {
  std::vector<detail::AnyArray> arrays;
  for (const auto& field : fields) arrays.push_back(detail::any_array(field));
  return shell_spectrum(plan, std::span<const detail::AnyArray>(arrays), lengths, width);
}

}  // namespace weft
