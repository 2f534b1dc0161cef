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
  real_even_forward,   ///< neighbouring reals are one complex number; the spectrum is unfolded
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

/// The transform along one axis. The buffer holds a row of vectors for each point.
template <class Real>
struct Line {
  Form form;
  int points;  ///< of the complex transform
  int stages;
  const Stage<Real>* stage;
  const std::int32_t* origin;  ///< coefficient 0 of each last butterfly; `points` stands for 0
  int step;                    ///< from one coefficient of a last butterfly to the next
  const std::int32_t* load_position;   ///< row where element j of the input goes
  const std::int32_t* store_position;  ///< row where coefficient k is found
  const Real* fold;                    ///< factors that turn two half spectra into one, by k
  int in_elements, out_elements;       ///< stored elements of the line
  bool in_real, out_real;
};

/// How the lines of a group lie in memory.
enum class Access {
  rows,      ///< side by side: equal elements of all lines are contiguous
  lines,     ///< each line is contiguous
  elements,  ///< anything else
};

inline constexpr int most_lanes = 16;

/// As many lines as a vector has lanes; the same line may occur several times.
template <class Real>
struct Group {
  const Real* in[most_lanes];
  Real* out[most_lanes];
  Index in_stride, out_stride;  ///< of a line, in reals
  Access in_access, out_access;
};

/// A kernel for groups of `lanes` lines. The buffer is aligned to 64 bytes.
template <class Real>
struct Kernel {
  int lanes;
  void (*run)(const Line<Real>& line, const Group<Real>& group, Real* buffer);
};

/// The kernels of one instruction set.
template <class Real>
struct Kernels {
  Kernel<Real> wide;
  Kernel<Real> narrow;  ///< for few lines, or lines that are long; lanes fill 16 bytes
};

Kernels<float> baseline_kernels(float);
Kernels<double> baseline_kernels(double);
#ifdef WEFT_STOCKHAM_X86
Kernels<float> avx2_kernels(float);
Kernels<double> avx2_kernels(double);
Kernels<float> avx512_kernels(float);
Kernels<double> avx512_kernels(double);
#endif

}  // namespace weft::stockham
