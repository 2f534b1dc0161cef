#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "weft/heffte/transform.hpp"

// Names and their meaning are heFFTe's.
namespace heffte {

/// Where arrays are.
namespace tag {
struct cpu {};  ///< in memory of the host
struct gpu {};  ///< in memory of a device
}  // namespace tag

/// Whether arrays of T are arrays of std::complex<float>; to be specialized for other types that
/// lie in memory alike.
template <typename T>
struct is_ccomplex : std::false_type {};
template <>
struct is_ccomplex<std::complex<float>> : std::true_type {};
template <>
struct is_ccomplex<float[2]> : std::true_type {};  // fftwf_complex
/// Whether arrays of T are arrays of std::complex<double>; to be specialized likewise.
template <typename T>
struct is_zcomplex : std::false_type {};
template <>
struct is_zcomplex<std::complex<double>> : std::true_type {};
template <>
struct is_zcomplex<double[2]> : std::true_type {};  // fftw_complex

/// The type of the standard for numbers that lie in memory like T.
template <typename T, typename = void>
struct define_standard_type {};
template <>
struct define_standard_type<float, void> {
  using type = float;  ///< that type
};
template <>
struct define_standard_type<double, void> {
  using type = double;  ///< that type
};
template <typename T>
struct define_standard_type<T, typename std::enable_if<is_ccomplex<T>::value>::type> {
  using type = std::complex<float>;  ///< that type
};
template <typename T>
struct define_standard_type<T, typename std::enable_if<is_zcomplex<T>::value>::type> {
  using type = std::complex<double>;  ///< that type
};

/// An array as one of the type of the standard.
template <typename T>
typename define_standard_type<T>::type* convert_to_standard(T array[]) {
  return reinterpret_cast<typename define_standard_type<T>::type*>(array);
}
/// A constant array as one of the type of the standard.
template <typename T>
typename define_standard_type<T>::type const* convert_to_standard(T const array[]) {
  return reinterpret_cast<typename define_standard_type<T>::type const*>(array);
}

/// What programs choose the library of local transforms by. Here tags choose between Fourier,
/// cosine and sine transforms alone: weft takes what is fastest, or what Options::local and
/// WEFT_LOCAL say.
namespace backend {

struct fftw {};         ///< Fourier transforms
struct fftw_cos {};     ///< cosine transforms of type II, backward III
struct fftw_sin {};     ///< sine transforms of type II, backward III
struct fftw_cos1 {};    ///< cosine transforms of type I
struct fftw_sin1 {};    ///< sine transforms of type I
struct stock {};        ///< Fourier transforms
struct stock_cos {};    ///< as fftw_cos, but backward gives eight times as much
struct stock_sin {};    ///< as fftw_sin, but backward gives eight times as much
struct stock_cos1 {};   ///< as fftw_cos1, but backward gives eight times as much
struct mkl {};          ///< Fourier transforms
struct mkl_cos {};      ///< not served
struct mkl_sin {};      ///< not served
struct cufft {};        ///< Fourier transforms on GPUs, with Heffte_ENABLE_CUDA
struct cufft_cos {};    ///< not served
struct cufft_sin {};    ///< not served
struct cufft_cos1 {};   ///< not served
struct rocfft {};       ///< Fourier transforms on GPUs, with Heffte_ENABLE_ROCM
struct rocfft_cos {};   ///< not served
struct rocfft_sin {};   ///< not served
struct rocfft_cos1 {};  ///< not served
struct onemkl {};       ///< not served
struct onemkl_cos {};   ///< not served
struct onemkl_sin {};   ///< not served

/// What weft makes of a tag; no specialization where it does not serve it.
template <typename backend_tag>
struct transform_of : std::false_type {};
template <weft::detail::HeffteKind kind_, int backward_factor_ = 1>
struct served : std::true_type {
  static constexpr weft::detail::HeffteKind kind = kind_;  ///< what is done along each axis
  /// What backward gives, as a multiple of what FFTW's transforms do.
  static constexpr int backward_factor = backward_factor_;
};
template <>
struct transform_of<fftw> : served<weft::detail::HeffteKind::c2c> {};
template <>
struct transform_of<stock> : served<weft::detail::HeffteKind::c2c> {};
template <>
struct transform_of<mkl> : served<weft::detail::HeffteKind::c2c> {};
template <>
struct transform_of<fftw_cos> : served<weft::detail::HeffteKind::dct2> {};
template <>
struct transform_of<fftw_sin> : served<weft::detail::HeffteKind::dst2> {};
template <>
struct transform_of<fftw_cos1> : served<weft::detail::HeffteKind::dct1> {};
template <>
struct transform_of<fftw_sin1> : served<weft::detail::HeffteKind::dst1> {};
template <>
struct transform_of<stock_cos> : served<weft::detail::HeffteKind::dct2, 8> {};
template <>
struct transform_of<stock_sin> : served<weft::detail::HeffteKind::dst2, 8> {};
template <>
struct transform_of<stock_cos1> : served<weft::detail::HeffteKind::dct1, 8> {};

/// Whether weft serves a tag.
template <typename backend_tag>
struct is_enabled : transform_of<backend_tag>::type {};
/// Whether transforms are those of Fourier, rather than of real numbers to real numbers.
template <typename backend_tag>
struct uses_fft_types : std::true_type {};
template <>
struct uses_fft_types<fftw_cos> : std::false_type {};
template <>
struct uses_fft_types<fftw_sin> : std::false_type {};
template <>
struct uses_fft_types<fftw_cos1> : std::false_type {};
template <>
struct uses_fft_types<fftw_sin1> : std::false_type {};
template <>
struct uses_fft_types<stock_cos> : std::false_type {};
template <>
struct uses_fft_types<stock_sin> : std::false_type {};
template <>
struct uses_fft_types<stock_cos1> : std::false_type {};
/// Whether arrays are a GPU's.
template <typename backend_tag>
struct uses_gpu : std::false_type {};

/// Where arrays are, and what holds them.
template <typename backend_tag>
struct buffer_traits {
  using location = tag::cpu;  ///< of arrays
  template <typename T>
  using container = std::vector<T>;  ///< for arrays of T
};
/// The tag for arrays of a place.
template <typename location_tag>
struct default_backend {
  using type = fftw;  ///< that tag
};

/// Holds the stream of a device. The host has none.
template <typename location_tag>
struct device_instance {
  using stream_type = void*;                      ///< never looked at
  device_instance(stream_type = nullptr) {}       ///< ignores it
  stream_type stream() const { return nullptr; }  ///< null
  void synchronize_device() const {}              ///< does nothing
};

/// Whether forward transforms arrays of one type to arrays of another.
template <typename backend_tag, typename input, typename output, typename = void>
struct check_types : std::false_type {};
template <typename backend_tag, typename input, typename output>
struct check_types<
    backend_tag, input, output,
    typename std::enable_if<uses_fft_types<backend_tag>::value &&
                            ((is_ccomplex<output>::value &&
                              (std::is_same<input, float>::value || is_ccomplex<input>::value)) ||
                             (is_zcomplex<output>::value && (std::is_same<input, double>::value ||
                                                             is_zcomplex<input>::value)))>::type>
    : std::true_type {};
template <typename backend_tag, typename real>
struct check_types<backend_tag, real, real,
                   typename std::enable_if<!uses_fft_types<backend_tag>::value &&
                                           std::is_floating_point<real>::value>::type>
    : std::integral_constant<bool, sizeof(real) <= sizeof(double)> {};

/// The name of a tag: for FFTW's, MKL's and heFFTe's own.
template <typename backend_tag>
inline std::string name() {
  return "unknown";
}
template <>
inline std::string name<fftw>() {
  return "fftw";
}
template <>
inline std::string name<fftw_cos>() {
  return "fftw-cos-type-II";
}
template <>
inline std::string name<fftw_sin>() {
  return "fftw-sin-type-II";
}
template <>
inline std::string name<fftw_cos1>() {
  return "fftw-cos-type-I";
}
template <>
inline std::string name<fftw_sin1>() {
  return "fftw-sin-type-I";
}
template <>
inline std::string name<stock>() {
  return "stock";
}
template <>
inline std::string name<stock_cos>() {
  return "stock-cos-type-II";
}
template <>
inline std::string name<stock_sin>() {
  return "stock-sin-type-II";
}
template <>
inline std::string name<stock_cos1>() {
  return "stock-cos-type-I";
}
template <>
inline std::string name<mkl>() {
  return "mkl";
}

}  // namespace backend

/// The type of coefficients of a Fourier transform of T.
template <typename T>
struct fft_output {
  using type = T;  ///< that type
};
template <>
struct fft_output<float> {
  using type = std::complex<float>;  ///< that type
};
template <>
struct fft_output<double> {
  using type = std::complex<double>;  ///< that type
};
/// The type of coefficients of a transform of T.
template <typename T, typename backend_tag, typename = void>
struct transform_output {
  using type = T;  ///< that type
};
template <typename T, typename backend_tag>
struct transform_output<
    T, backend_tag, typename std::enable_if<backend::uses_fft_types<backend_tag>::value>::type> {
  using type = typename fft_output<T>::type;  ///< that type
};
/// The type of real numbers whose coefficients are of type T.
template <typename T, typename backend_tag, typename = void>
struct transform_real_type {
  using type = T;  ///< that type
};
template <typename T, typename backend_tag>
struct transform_real_type<
    T, backend_tag, typename std::enable_if<backend::uses_fft_types<backend_tag>::value>::type> {
  using type = typename define_standard_type<T>::type::value_type;  ///< that type
};

/// What is multiplied after a transform: none: nothing; full: 1/N; symmetric: 1/sqrt(N). N is what
/// one direction after the other makes of 1: the number of points, or of cosine and sine transforms
/// with 2n, 2(n-1) (cos1) or 2(n+1) (sin1) of them for n along each axis, eight times as many with
/// stock_cos, stock_sin and stock_cos1.
using scale = weft::detail::HeffteScale;

/// An array of so many numbers.
template <typename T>
std::vector<T> make_buffer_container(void* /*stream*/, std::size_t size) {
  return std::vector<T>(size);
}

}  // namespace heffte
