#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/heffte/gpu.hpp"
#include "weft/heffte/options.hpp"
#include "weft/heffte/problem.hpp"

namespace heffte {

namespace detail {

/// What transforms of complex and of real data have in common. Making, using and destroying one is
/// collective over the communicator, which must exist as long as it does. Arrays have size_inbox()
/// and size_outbox() numbers for each field of a batch, one field after another. Plans for a type
/// of numbers, a batch and a scale are made when they are first used. Errors are thrown on every
/// rank: std::invalid_argument for boxes that cannot fit together, otherwise weft::Error, which is
/// a std::runtime_error.
template <typename backend_tag, typename index, bool real_to_complex>
class transform
    : public backend::device_instance<typename backend::buffer_traits<backend_tag>::location> {
  using instance = backend::device_instance<typename backend::buffer_traits<backend_tag>::location>;
  static_assert(
      backend::is_enabled<backend_tag>::value,
      "weft does not serve this backend: there are fftw, mkl and stock, for cosine and "
      "sine transforms fftw_cos, fftw_sin, fftw_cos1, fftw_sin1, stock_cos, stock_sin and "
      "stock_cos1, and for GPUs cufft where Heffte_ENABLE_CUDA is defined, or rocfft where "
      "Heffte_ENABLE_ROCM is");

 public:
  using location_tag = typename backend::buffer_traits<backend_tag>::location;  ///< of arrays
  /// std::vector<T>, or on GPUs gpu::vector<T>
  template <typename T>
  using buffer_container = typename backend::buffer_traits<backend_tag>::template container<T>;
  /// The same, of real numbers for coefficients T.
  template <typename T>
  using real_buffer_container =
      buffer_container<typename transform_real_type<T, backend_tag>::type>;
  /// The same, of coefficients for numbers T.
  template <typename T>
  using output_buffer_container = buffer_container<typename transform_output<T, backend_tag>::type>;

  long long size_inbox() const {
    return inbox_.count();
  }  ///< numbers of a field, at physical points
  long long size_outbox() const { return outbox_.count(); }  ///< coefficients of a field
  box3d<index> inbox() const { return inbox_; }              ///< as given
  box3d<index> outbox() const { return outbox_; }            ///< as given
  /// Numbers that a workspace needs: none, plans have their own. Any pointer will do.
  std::size_t size_workspace() const { return 0; }
  std::size_t size_comm_buffers() const { return 0; }  ///< likewise
  /// The factor of a scale.
  double get_scale_factor(scale scaling) const {
    double const full = transform_.full_scale();
    return scaling == scale::none ? 1 : scaling == scale::symmetric ? std::sqrt(full) : full;
  }

  /// Transforms from physical to spectral space.
  template <typename input, typename output>
  void forward(input const in[], output out[], scale scaling = scale::none) const {
    forward(1, in, out, scaling);
  }
  /// The same; the workspace is not looked at.
  template <typename input, typename output>
  void forward(input const in[], output out[], output /*workspace*/[],
               scale scaling = scale::none) const {
    forward(1, in, out, scaling);
  }
  /// Transforms a batch of fields; the workspace is not looked at.
  template <typename input, typename output>
  void forward(int batch, input const in[], output out[], output /*workspace*/[],
               scale scaling = scale::none) const {
    forward(batch, in, out, scaling);
  }
  /// Transforms a batch of fields.
  template <typename input, typename output>
  void forward(int batch, input const in[], output out[], scale scaling = scale::none) const {
    check_types<input, output>();
    transform_.forward(batch, array_of(in), array_of(out), scaling);
  }
  /// Transforms a vector of at least size_inbox() numbers into a new one.
  template <typename input>
  output_buffer_container<input> forward(buffer_container<input> const& in,
                                         scale scaling = scale::none) const {
    check_size(in.size(), size_inbox(), "input of forward", "size_inbox()");
    auto out = make_buffer_container<typename transform_output<input, backend_tag>::type>(
        this->stream(), static_cast<std::size_t>(size_outbox()));
    forward(in.data(), out.data(), scaling);
    return out;
  }

  /// Transforms from spectral to physical space.
  template <typename input, typename output>
  void backward(input const in[], output out[], scale scaling = scale::none) const {
    backward(1, in, out, scaling);
  }
  /// The same; the workspace is not looked at.
  template <typename input, typename output>
  void backward(input const in[], output out[], input /*workspace*/[],
                scale scaling = scale::none) const {
    backward(1, in, out, scaling);
  }
  /// Transforms a batch of fields; the workspace is not looked at.
  template <typename input, typename output>
  void backward(int batch, input const in[], output out[], input /*workspace*/[],
                scale scaling = scale::none) const {
    backward(batch, in, out, scaling);
  }
  /// Transforms a batch of fields.
  template <typename input, typename output>
  void backward(int batch, input const in[], output out[], scale scaling = scale::none) const {
    check_types<output, input>();
    transform_.backward(batch, array_of(in), array_of(out), scaling);
  }

 protected:
  transform(typename instance::stream_type stream, box3d<index> const& inbox,
            box3d<index> const& outbox, MPI_Comm comm, int halved)
      : instance(stream),
        inbox_(inbox),
        outbox_(outbox),
        transform_(problem(stream, inbox, outbox, comm, halved)) {}
  /// Transforms a vector of at least size_outbox() coefficients into a new one.
  template <typename output, typename input>
  buffer_container<output> backward_vector(buffer_container<input> const& in, scale scaling) const {
    check_size(in.size(), size_outbox(), "input of backward", "size_outbox()");
    auto out =
        make_buffer_container<output>(this->stream(), static_cast<std::size_t>(size_inbox()));
    backward(in.data(), out.data(), scaling);
    return out;
  }

 private:
  static weft::detail::HeffteProblem problem(typename instance::stream_type stream,
                                             box3d<index> const& inbox, box3d<index> const& outbox,
                                             MPI_Comm comm, int halved) {
    weft::detail::HeffteProblem result = problem_of(
        inbox, outbox, comm,
        real_to_complex ? weft::detail::HeffteKind::r2c : backend::transform_of<backend_tag>::kind,
        halved, backend::transform_of<backend_tag>::backward_factor);
    result.on_gpu = backend::uses_gpu<backend_tag>::value;
    if (result.on_gpu) result.stream = stream;
    return result;
  }
  template <typename physical, typename spectral>
  static void check_types() {
    static_assert(backend::check_types<backend_tag, physical, spectral>::value &&
                      (!real_to_complex || std::is_floating_point<physical>::value),
                  "these types of numbers do not go together in this transform");
  }
  static void check_size(std::size_t size, long long least, char const* array, char const* name) {
    if (size >= static_cast<std::size_t>(least)) return;
    throw std::invalid_argument("the " + std::string(array) + " has " + std::to_string(size) +
                                " numbers, " + name + " is " + std::to_string(least));
  }

  box3d<index> inbox_, outbox_;
  weft::detail::HeffteTransform transform_;
};

}  // namespace detail

/// Transforms of complex data, or of real data to coefficients of which none is left out; with tags
/// for cosines and sines, of real data to real data. In every call the program chooses types: float
/// and std::complex<float>, or double and std::complex<double>.
template <typename backend_tag, typename index = int>
class fft3d : public detail::transform<backend_tag, index, false> {
  using base = detail::transform<backend_tag, index, false>;

 public:
  /// std::vector<T>, or on GPUs gpu::vector<T>
  template <typename T>
  using buffer_container = typename base::template buffer_container<T>;

  /// `in`: what this rank owns in physical space; `out`: in spectral space. Collective.
  fft3d(box3d<index> const in, box3d<index> const out, MPI_Comm const comm,
        plan_options const /*options*/ = default_options<backend_tag>())
      : base(nullptr, in, out, comm, -1) {}
  /// The same, in a stream of the GPU; the host has none, and does not look at it.
  fft3d(typename base::stream_type stream, box3d<index> const in, box3d<index> const out,
        MPI_Comm const comm, plan_options const /*options*/ = default_options<backend_tag>())
      : base(stream, in, out, comm, -1) {}

  using base::backward;
  /// Transforms a vector of at least size_outbox() coefficients into a new one of the same type.
  template <typename input>
  buffer_container<input> backward(buffer_container<input> const& in,
                                   scale scaling = scale::none) const {
    return this->template backward_vector<input, input>(in, scaling);
  }
  /// The real parts of that.
  template <typename input>
  typename base::template real_buffer_container<input> backward_real(
      buffer_container<input> const& in, scale scaling = scale::none) const {
    using real = typename transform_real_type<input, backend_tag>::type;
    return this->template backward_vector<real, input>(in, scaling);
  }
};
/// In two dimensions, with boxes of two.
template <typename backend_tag, typename index = int>
using fft2d = fft3d<backend_tag, index>;
/// With a tag for cosine or sine transforms.
template <typename backend_tag, typename index = int>
using rtransform = fft3d<backend_tag, index>;

/// Transforms of real data to n/2 + 1 of n complex coefficients along one dimension, and all along
/// the others.
template <typename backend_tag, typename index = int>
class fft3d_r2c : public detail::transform<backend_tag, index, true> {
  using base = detail::transform<backend_tag, index, true>;
  static_assert(backend::uses_fft_types<backend_tag>::value,
                "transforms of real to complex data need the tag of a Fourier transform");

 public:
  /// std::vector<T>, or on GPUs gpu::vector<T>
  template <typename T>
  using buffer_container = typename base::template buffer_container<T>;

  /// `in`: what this rank owns of real data; `out`: of the world that r2c(direction) of theirs is.
  /// Collective.
  fft3d_r2c(box3d<index> const in, box3d<index> const out, int direction, MPI_Comm const comm,
            plan_options const /*options*/ = default_options<backend_tag>())
      : base(nullptr, in, out, comm, direction) {}
  /// The same, in a stream of the GPU; the host has none, and does not look at it.
  fft3d_r2c(typename base::stream_type stream, box3d<index> const in, box3d<index> const out,
            int direction, MPI_Comm const comm,
            plan_options const /*options*/ = default_options<backend_tag>())
      : base(stream, in, out, comm, direction) {}

  using base::backward;
  /// Transforms a vector of at least size_outbox() coefficients into real data.
  template <typename input>
  typename base::template real_buffer_container<input> backward(buffer_container<input> const& in,
                                                                scale scaling = scale::none) const {
    using real = typename transform_real_type<input, backend_tag>::type;
    return this->template backward_vector<real, input>(in, scaling);
  }
};
/// In two dimensions, with boxes of two.
template <typename backend_tag, typename index = int>
using fft2d_r2c = fft3d_r2c<backend_tag, index>;

/// Makes a transform for boxes of whatever type of index.
template <typename backend_tag, typename index>
fft3d<backend_tag, index> make_fft3d(box3d<index> const in, box3d<index> const out,
                                     MPI_Comm const comm,
                                     plan_options const options = default_options<backend_tag>()) {
  return fft3d<backend_tag, index>(in, out, comm, options);
}
/// Makes a transform of real data, likewise.
template <typename backend_tag, typename index>
fft3d_r2c<backend_tag, index> make_fft3d_r2c(
    box3d<index> const in, box3d<index> const out, int direction, MPI_Comm const comm,
    plan_options const options = default_options<backend_tag>()) {
  return fft3d_r2c<backend_tag, index>(in, out, direction, comm, options);
}

}  // namespace heffte
