#pragma once

#include <cstdint>

#include "weft/axes.hpp"

/// What the planning side (stockham.cpp, stockham_plan.cpp) and the kernels compiled for each
/// instruction set say to each other. Plain data only: a kernel that called an inline function of
/// the standard library could leave a copy of it behind that only some processors can run.
namespace weft::stockham {

/// How the complex transform of a line relates to what is stored of it.
enum class Form {
  complex,
  real_even_forward,   ///< neighboring reals are one complex number; the spectrum is unfolded
  real_even_backward,  ///< and the reverse
  real_odd_forward,    ///< real numbers with imaginary parts of zero
  real_odd_backward,
};

/// One radix of a transform by decimation in frequency, in place in the buffer: butterflies over
/// `legs` elements, each result turned by its twiddle factor.
template <class Real>
struct Stage {
  int radix;
  int outer, outer_distance;  ///< groups of blocks, in rows of the buffer
  int blocks, block_distance;
  int inner;             ///< butterflies of a block
  int leg;               ///< distance between the elements of a butterfly
  const Real* twiddles;  ///< [inner][radix - 1], real and imaginary part; null in the last stage
};

/// All stages of a forward transform. The buffer holds a row of vectors for each point.
template <class Real>
struct Stages {
  int points;
  int count;
  const Stage<Real>* stage;
  const std::int32_t* origin;          ///< coefficient 0 of each butterfly of the last stage
  int step;                            ///< from one coefficient of such a butterfly to the next
  const std::int32_t* load_position;   ///< row where element j of the input goes
  const std::int32_t* store_position;  ///< row where coefficient k is found
};

/// The first stage of a contiguous line with vectors of neighboring points. Its results, turned in
/// registers, are `radix` shorter lines side by side.
template <class Real>
struct Inside {
  int radix;  ///< a multiple of `lanes`; 0: the line does not suit
  int lanes;
  const Real* twiddles;  ///< for each vector: [radix - 1] vectors of real and imaginary parts
  int rows;              ///< of a buffer for `lanes` of the shorter lines
  Stages<Real> rest;
};

/// The transform along one axis. Backward is forward with real and imaginary parts exchanged before
/// and after.
template <class Real>
struct Line {
  Form form;
  bool backward;
  Stages<Real> stages;
  Inside<Real> inside;
  const Real* fold;               ///< factors that turn two half spectra into one, by k
  int in_elements, out_elements;  ///< stored elements of the line
  bool in_real, out_real;
  bool in_pruned, out_pruned;         ///< stored are not all that there are
  const std::int32_t* load_position;  ///< rows of the stored elements
  const std::int32_t* store_position;
  const std::int32_t* missing;  ///< vectors of the buffer that elements which are not stored have
  int missing_count;
};

/// How the lines of a group lie in memory.
enum class Access {
  rows,      ///< side by side: equal elements of all lines are contiguous
  lines,     ///< each line is contiguous
  elements,  ///< anything else
};

inline constexpr int most_lanes = 16;

/// Which of neighboring lines a lane holds. With this order two vectors of complex numbers of
/// neighboring lines come apart into real and imaginary parts without moving data between halves
/// of a register.
[[gnu::always_inline]] constexpr int line_of_lane(int lane, int lanes) {
  return (lane & 1) * (lanes / 2) + lane / 2;
}

/// As many lines as a vector has lanes; the same line may occur several times.
template <class Real>
struct Group {
  const Real* in[most_lanes];
  Real* out[most_lanes];
  Index in_stride, out_stride;  ///< of a line, in reals
  Access in_access, out_access;
};

/// Kernels of one size of vectors, for groups of `lanes` lines and for single ones that are
/// contiguous. The buffer is aligned to 64 bytes.
template <class Real>
struct Kernel {
  int lanes;
  void (*run)(const Line<Real>& line, const Group<Real>& group, Real* buffer);
  void (*run_inside)(const Line<Real>& line, const Real* in, Real* out, Real* buffer);
};

/// The kernels of one instruction set.
template <class Real>
struct Kernels {
  Kernel<Real> wide;
  Kernel<Real> half;    ///< half as wide, at least 16 bytes
  Kernel<Real> narrow;  ///< 16 bytes: for few lines, or long ones
};

Kernels<float> portable_kernels(float);
Kernels<double> portable_kernels(double);
#ifdef WEFT_X86_KERNELS
Kernels<float> avx2_kernels(float);
Kernels<double> avx2_kernels(double);
Kernels<float> avx512_kernels(float);
Kernels<double> avx512_kernels(double);
#endif

}  // namespace weft::stockham
