#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "weft/axes.hpp"

namespace weft {

/// What is done along one axis. Cosine and sine transforms have the weights of scipy.fft.dct and
/// dst; with complex data they transform the real and the imaginary part separately.
enum class Kind {
  none,  ///< the axis is not transformed
  c2c,   ///< complex discrete Fourier transform, exp(-2 pi i j k / n) forward
  r2c,   ///< Fourier transform of real data; the n/2+1 coefficients k = 0 ... n/2 are kept
  dct1,  ///< cosine transform of type I, of at least 2 points
  dct2,  ///< cosine transform of type II; its inverse is type III
  dct3,  ///< cosine transform of type III; its inverse is type II
  dct4,  ///< cosine transform of type IV
  dst1,  ///< sine transform of type I
  dst2,  ///< sine transform of type II; its inverse is type III
  dst3,  ///< sine transform of type III; its inverse is type II
  dst4,  ///< sine transform of type IV
};

/// Of a cosine or sine transform: the kind whose forward transform is its backward one, but for the
/// scale. Types II and III are each other's. Other kinds come back as they are.
Kind inverse(Kind kind);

/// Scaling of SciPy's `norm`, with N the number of points transformed together (for cosine and sine
/// transforms that of the Fourier transforms they are parts of: 2n, dct1 2(n-1), dst1 2(n+1)).
enum class Norm {
  backward,  ///< forward 1, backward 1/N
  ortho,     ///< both 1/sqrt(N)
  forward,   ///< forward 1/N, backward 1
  none,      ///< both 1, as in FFTW: backward after forward gives N times the input
};

inline constexpr Kind none = Kind::none;  ///< short for Kind::none
inline constexpr Kind c2c = Kind::c2c;    ///< short for Kind::c2c
inline constexpr Kind r2c = Kind::r2c;    ///< short for Kind::r2c

/// The kinds of all axes. A single kind means: c2c on every axis; r2c on the last axis and c2c on
/// the others; none on every axis.
class Kinds {
 public:
  /// One kind for all axes.
  Kinds(Kind every = Kind::c2c) : single_(every) {}
  /// One kind for each axis.
  Kinds(std::initializer_list<Kind> per_axis) : given_(per_axis), has_list_(true) {}
  /// One kind for each axis.
  Kinds(Axes<Kind> per_axis) : given_(per_axis), has_list_(true) {}

  /// The kind of each of `axes` axes. Throws Error when a list of another length was given.
  Axes<Kind> resolve(int axes) const;

 private:
  Kind single_ = Kind::c2c;
  Axes<Kind> given_;
  bool has_list_ = false;
};

/// Reads kinds: "c2c", "r2c", or one name per axis: "none,r2c,c2c".
Kinds parse_kinds(const std::string& text);
/// The name of a kind: "c2c".
std::string to_string(Kind kind);
/// The names of kinds: "none,r2c,c2c".
std::string to_string(const Axes<Kind>& kinds);

/// The precision of the numbers in arrays.
enum class Precision {
  f32,  ///< float
  f64,  ///< double
};
/// The numbers of the array in physical space. automatic: real if a kind is r2c, or where there are
/// cosine and sine transforms and no c2c; otherwise complex. In spectral space numbers are real
/// only where they are so in physical space and no kind is r2c.
enum class Numbers {
  automatic,  ///< follows from the kinds
  real,       ///< float or double
  complex,    ///< std::complex of these
};
/// The direction of a transform.
enum class Direction {
  forward,   ///< from physical to spectral space, exp(-2 pi i j k / n)
  backward,  ///< from spectral to physical space, exp(+2 pi i j k / n)
};

/// Reads a precision: "f32" or "f64". Throws Error for any other.
Precision parse_precision(const std::string& text);
/// Reads which numbers: "automatic", "real" or "complex". Throws Error for any other.
Numbers parse_numbers(const std::string& text);
/// Reads a scaling: "backward", "ortho", "forward" or "none". Throws Error for any other.
Norm parse_norm(const std::string& text);
/// The name of a precision: "f32" or "f64".
std::string to_string(Precision precision);
/// The name of numbers: "automatic", "real" or "complex".
std::string to_string(Numbers numbers);
/// The name of a scaling: "backward", "ortho", "forward" or "none".
std::string to_string(Norm norm);

/// Where the points and coefficients of an axis of unit length are: a Fourier coefficient belongs
/// to exp(2 pi i w x), that of a cosine or sine transform to cos(pi w x) or sin(pi w x), for
/// wavenumber w and the points x.
///
/// Wavenumber of coefficient k of an axis with n points; of an axis that keeps n modes, of kept
/// mode k. c2c: 0, 1, ..., -1; r2c, dct1, dct2: k; dst1, dst2: k + 1; types III and IV: k + 1/2;
/// none: 0.
double wavenumber(Kind kind, Index k, Index n);
/// The coordinate of point j of n. Fourier, none and dct3: j / n; dct1: j / (n-1); dst1: (j+1) /
/// (n+1); dst3: (j+1) / n; types II and IV: (j + 1/2) / n.
double grid_point(Kind kind, Index j, Index n);
/// The angular wavenumber, 2 pi w / length or pi w / length, for an axis of this length. A second
/// derivative multiplies by minus its square. For odd derivatives see derivative_wavenumber.
double angular_wavenumber(Kind kind, Index k, Index n, double length);
/// The factor of a first derivative along an axis of this length. A Fourier coefficient is
/// multiplied by i times this; for cosines and sines, cos(a x) becomes -a sin(a x), and sin(a x)
/// becomes a cos(a x).
///
/// It equals angular_wavenumber, but is zero for the Nyquist mode, whose sign changes from point to
/// point: the highest mode of c2c and r2c with an even number of points, the last one of dct1 and
/// dst2. The grid has only its cosine (dst2: its sine). The function through the points that
/// oscillates least has no part of the other one, so its odd derivatives vanish at every point (L.
/// N. Trefethen, Spectral Methods in MATLAB, SIAM 2000, chapter 3; S. G. Johnson, Notes on
/// FFT-based differentiation, MIT 2011). Even derivatives do not.
///
/// `n` is the number of points of the axis, also if it keeps fewer modes; for c2c it is the number
/// of modes kept. If that is even, the mode -n/2 has no opposite, and counts as the Nyquist mode of
/// a grid of n points.
double derivative_wavenumber(Kind kind, Index k, Index n, double length);

}  // namespace weft
