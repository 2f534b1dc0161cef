#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "weft/plan.hpp"

namespace weft {

/// The smallest length of at least n that transforms well: a product of 2, 3, 5 and 7.
Index good_length(Index n);

/// What is to be convolved: the same arguments on every rank.
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
/// Periodic: with indices modulo the shape of a, which the result has too. Linear: b is zero
/// outside its shape and the result has every k for which the sum is not empty: along each axis m +
/// n - 1 for m and n points, of correlate from lag -(m - 1) on, as scipy.signal.fftconvolve and
/// correlate in mode "full".
///
/// Made of two transforms forward and one backward; spectra are multiplied while the second one is
/// written, and the zeros that make a convolution linear are neither stored nor sent. Collective
/// like Plan, with the same promises; holds two spectra.
template <class T>
class Convolution {
 public:
  /// Makes the plans. Collective.
  Convolution(MPI_Comm comm, const ConvolutionProblem& problem, const Options& options = {});
  ~Convolution();  ///< collective
  /// The one moved from can only be assigned to or destroyed.
  Convolution(Convolution&&) noexcept;
  /// The one moved from can only be assigned to or destroyed. Collective, as what was here is
  /// destroyed.
  Convolution& operator=(Convolution&&) noexcept;

  const LocalArray& first() const;   ///< what this rank owns of the first input
  const LocalArray& second() const;  ///< what it owns of the second one
  const LocalArray& result() const;  ///< what it owns of the result
  int device_number() const;         ///< its number among this process's devices; -1 on the host

  /// Convolves a with b. Arrays are given as to plans: pointers to the first allocated element of
  /// this rank's array, or contiguous ranges, whose sizes are checked.
  template <NumberArray A, NumberArray B, NumberArray C>
  void convolve(const A& a, const B& b, C&& c) {
    run(detail::any_array(a), detail::any_array(b), detail::any_array(c), false);
  }
  /// Correlates a with b, likewise.
  template <NumberArray A, NumberArray B, NumberArray C>
  void correlate(const A& a, const B& b, C&& c) {
    run(detail::any_array(a), detail::any_array(b), detail::any_array(c), true);
  }
  /// Either of them, with arrays that know their types.
  void run(const detail::AnyArray& a, const detail::AnyArray& b, const detail::AnyArray& c,
           bool correlate);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
