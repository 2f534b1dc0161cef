#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "weft/plan.hpp"

namespace weft {

/// The smallest length of at least n that is a product of 2, 3, 5 and 7, for fast transforms.
Index good_length(Index n);

/// The convolution to compute; the same arguments on every rank.
struct ConvolutionProblem {
  Extents first;         ///< shape of the first array
  Extents second = {};   ///< shape of the second array, in each axis at most as long if periodic;
                         ///< default: like the first
  bool periodic = true;  ///< circular, with the periods of the first array; else linear
  LayoutSpec input = slab_split(0);  ///< layout of both inputs
  LayoutSpec output = {};            ///< layout of the result; default: like `input`
};

/// Convolution and correlation of arrays of T (float, double, or complex numbers of these) that are
/// spread over all ranks:
///
///     convolve:  c[k] = sum over j of a[j] b[k - j]
///     correlate: c[k] = sum over j of conj(a[j]) b[j + k]
///
/// Periodic: indices are modulo the shape of a, and the result has this shape. Linear: b is zero
/// outside its shape, and the result has every k for which the sum is not empty, m + n - 1 points
/// along an axis for m and n points; correlate starts at lag -(m - 1). This is the mode "full" of
/// scipy.signal.fftconvolve and correlate.
///
/// Computed with two forward transforms and one backward transform. Spectra are multiplied in a
/// callback, and the zero padding of linear convolutions is neither stored nor communicated.
/// Collective like Plan, with the same guarantees; holds two spectra.
template <class T>
class Convolution {
 public:
  /// Makes the plans. Collective.
  Convolution(MPI_Comm comm, const ConvolutionProblem& problem, const Options& options = {});
  ~Convolution();  ///< collective
  /// An object that was moved from can only be assigned to or destroyed.
  Convolution(Convolution&&) noexcept;
  /// Destroys this object first, so it is collective. An object that was moved from can only be
  /// assigned to or destroyed.
  Convolution& operator=(Convolution&&) noexcept;

  const LocalArray& first() const;   ///< this rank's part of the first input
  const LocalArray& second() const;  ///< this rank's part of the second input
  const LocalArray& result() const;  ///< this rank's part of the result
  int device_number() const;         ///< its number among this process's devices; -1 on the host

  /// Convolves a with b. Arrays are given as to plans: pointers to the first allocated element of
  /// this rank's array, or contiguous ranges, whose sizes are checked.
  template <NumberArray A, NumberArray B, NumberArray C>
  void convolve(const A& a, const B& b, C&& c) {
    run(detail::any_array(a), detail::any_array(b), detail::any_array(c), false);
  }
  /// Correlates a with b; otherwise like convolve.
  template <NumberArray A, NumberArray B, NumberArray C>
  void correlate(const A& a, const B& b, C&& c) {
    run(detail::any_array(a), detail::any_array(b), detail::any_array(c), true);
  }
  /// Either operation, for arrays whose types are known at run time.
  void run(const detail::AnyArray& a, const detail::AnyArray& b, const detail::AnyArray& c,
           bool correlate);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
