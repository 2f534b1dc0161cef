#pragma once

#include <fftw3.h>

namespace weft {

/// FFTW's names by precision, so that code is written once for both.
template <class Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  using Dim = fftw_iodim64;
  static constexpr auto plan_dft = fftw_plan_guru64_dft;
  static constexpr auto plan_r2c = fftw_plan_guru64_dft_r2c;
  static constexpr auto plan_c2r = fftw_plan_guru64_dft_c2r;
  static constexpr auto plan_r2r = fftw_plan_guru64_r2r;
  static constexpr auto execute = fftw_execute;
  static constexpr auto execute_dft = fftw_execute_dft;
  static constexpr auto execute_r2c = fftw_execute_dft_r2c;
  static constexpr auto execute_c2r = fftw_execute_dft_c2r;
  static constexpr auto execute_r2r = fftw_execute_r2r;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto alloc_real = fftw_alloc_real;
  static constexpr auto free = fftw_free;
  static constexpr auto alignment_of = fftw_alignment_of;
  static constexpr auto set_threads = fftw_plan_with_nthreads;
  static constexpr auto init_threads = fftw_init_threads;
  static constexpr auto make_planner_safe = fftw_make_planner_thread_safe;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  using Dim = fftwf_iodim64;
  static constexpr auto plan_dft = fftwf_plan_guru64_dft;
  static constexpr auto plan_r2c = fftwf_plan_guru64_dft_r2c;
  static constexpr auto plan_c2r = fftwf_plan_guru64_dft_c2r;
  static constexpr auto plan_r2r = fftwf_plan_guru64_r2r;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto execute_dft = fftwf_execute_dft;
  static constexpr auto execute_r2c = fftwf_execute_dft_r2c;
  static constexpr auto execute_c2r = fftwf_execute_dft_c2r;
  static constexpr auto execute_r2r = fftwf_execute_r2r;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto alloc_real = fftwf_alloc_real;
  static constexpr auto free = fftwf_free;
  static constexpr auto alignment_of = fftwf_alignment_of;
  static constexpr auto set_threads = fftwf_plan_with_nthreads;
  static constexpr auto init_threads = fftwf_init_threads;
  static constexpr auto make_planner_safe = fftwf_make_planner_thread_safe;
};

}  // namespace weft
