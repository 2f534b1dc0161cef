#pragma once

#include <string>
#include <vector>

#include "adapter.hpp"
#include "fftw_kinds.hpp"

/// FFTW's names in one precision, for adapters.
namespace weft::bench {

inline unsigned fftw_flags(const std::string& rigor) {
  if (rigor == "patient") return FFTW_PATIENT;
  return rigor == "measure" ? FFTW_MEASURE : FFTW_ESTIMATE;
}

/// Kinds of all axes of a real-to-real case.
inline std::vector<fftw_r2r_kind> fftw_r2r_kinds(const Case& problem, Direction direction) {
  std::vector<fftw_r2r_kind> kinds;
  for (Kind kind : problem.kinds) {
    if (const auto known = fftw_r2r_kind_of(kind, direction)) kinds.push_back(*known);
  }
  return kinds;
}

template <class Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  using Dimension = fftw_iodim64;
  static constexpr auto alloc = fftw_alloc_real;
  static constexpr auto free = fftw_free;
  static constexpr auto execute = fftw_execute;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto init_threads = fftw_init_threads;
  static constexpr auto plan_with_threads = fftw_plan_with_nthreads;
  static constexpr auto dft = fftw_plan_guru64_dft;
  static constexpr auto r2c = fftw_plan_guru64_dft_r2c;
  static constexpr auto c2r = fftw_plan_guru64_dft_c2r;
  static constexpr auto r2r = fftw_plan_guru64_r2r;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  using Dimension = fftwf_iodim64;
  static constexpr auto alloc = fftwf_alloc_real;
  static constexpr auto free = fftwf_free;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto init_threads = fftwf_init_threads;
  static constexpr auto plan_with_threads = fftwf_plan_with_nthreads;
  static constexpr auto dft = fftwf_plan_guru64_dft;
  static constexpr auto r2c = fftwf_plan_guru64_dft_r2c;
  static constexpr auto c2r = fftwf_plan_guru64_dft_c2r;
  static constexpr auto r2r = fftwf_plan_guru64_r2r;
};

}  // namespace weft::bench
