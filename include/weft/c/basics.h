#ifndef WEFT_C_BASICS_H
#define WEFT_C_BASICS_H

/// @file
/// Statuses, kinds, numbers, norms, wavenumbers, wisdom.

#include <stdint.h>

#include "weft/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Limits of the library.
enum {
  WEFT_MAX_AXES = 6  ///< largest number of axes of an array
};

/// The status that functions return. Nothing is thrown, and nothing ends the program. Collective
/// functions return the same error on every rank, with the same message. No output was written
/// then, unless a callback failed: in that case the transform is complete.
typedef enum weft_status {
  WEFT_SUCCESS = 0,  ///< no error
  /// An argument is invalid, or the call is not allowed at this time.
  WEFT_ERROR_ARGUMENT = 1,
  WEFT_ERROR_UNSUPPORTED = 2,  ///< this build of the library, or this machine, cannot do it
  WEFT_ERROR_MEMORY = 3,       ///< there is not enough memory
  WEFT_ERROR_MPI = 4,          ///< an MPI call failed
  WEFT_ERROR_DEVICE = 5,       ///< a call to a device library failed
  WEFT_ERROR_FILE = 6,         ///< a file cannot be read or written
  WEFT_ERROR_CALLBACK = 7,     ///< a callback failed
  /// The handle is null, so the communicator is unknown: the only error of a collective function
  /// that other ranks do not get.
  WEFT_ERROR_NULL_HANDLE = 8
} weft_status;

/// The message of the last error in the calling thread; "" if there was none. Valid until the next
/// error.
const char* weft_error_message(void);

/// Version of the library: "major.minor.patch".
const char* weft_version(void);

// Structs and functions take these enumerators as int.

/// What is done along one axis. Cosine and sine transforms have the weights of scipy.fft.dct and
/// dst; with complex data they transform the real and the imaginary part separately.
typedef enum weft_kind {
  WEFT_KIND_NONE,  ///< the axis is not transformed
  WEFT_KIND_C2C,   ///< complex discrete Fourier transform, exp(-2 pi i j k / n) forward
  WEFT_KIND_R2C,  ///< Fourier transform of real data; the n/2+1 coefficients k = 0 ... n/2 are kept
  WEFT_KIND_DCT1,  ///< cosine transform of type I, of at least 2 points
  WEFT_KIND_DCT2,  ///< cosine transform of type II; its inverse is type III
  WEFT_KIND_DCT3,  ///< cosine transform of type III; its inverse is type II
  WEFT_KIND_DCT4,  ///< cosine transform of type IV
  WEFT_KIND_DST1,  ///< sine transform of type I
  WEFT_KIND_DST2,  ///< sine transform of type II; its inverse is type III
  WEFT_KIND_DST3,  ///< sine transform of type III; its inverse is type II
  WEFT_KIND_DST4   ///< sine transform of type IV
} weft_kind;

/// The precision of the numbers in arrays.
typedef enum weft_precision {
  WEFT_PRECISION_F32,  ///< float
  WEFT_PRECISION_F64   ///< double
} weft_precision;

/// The numbers of the array in physical space. Automatic: real if a kind is r2c, or where there are
/// cosine and sine transforms and no c2c; otherwise complex. In spectral space numbers are real
/// only where they are so in physical space and no kind is r2c.
typedef enum weft_numbers {
  WEFT_NUMBERS_AUTOMATIC,  ///< follows from the kinds
  WEFT_NUMBERS_REAL,       ///< float or double
  WEFT_NUMBERS_COMPLEX     ///< complex numbers of these
} weft_numbers;

/// The direction of a transform.
typedef enum weft_direction {
  WEFT_DIRECTION_FORWARD,  ///< from physical to spectral space, exp(-2 pi i j k / n)
  WEFT_DIRECTION_BACKWARD  ///< from spectral to physical space, exp(+2 pi i j k / n)
} weft_direction;

/// Scaling of SciPy's `norm`, with N the number of points transformed together (for cosine and sine
/// transforms that of the Fourier transforms they are parts of: 2n, dct1 2(n-1), dst1 2(n+1)).
typedef enum weft_norm {
  WEFT_NORM_BACKWARD,  ///< forward 1, backward 1/N
  WEFT_NORM_ORTHO,     ///< both 1/sqrt(N)
  WEFT_NORM_FORWARD,   ///< forward 1/N, backward 1
  WEFT_NORM_NONE       ///< both 1, as in FFTW: backward after forward gives N times the input
} weft_norm;

/// Reads kinds: "c2c" (every axis), "r2c" (the last axis, the others c2c), "none", or one name for
/// each axis: "none,r2c,dct2". Writes one kind for each of `axes` axes.
weft_status weft_parse_kinds(const char* text, int axes, int* kinds);
/// Reads a precision: "f32" or "f64".
weft_status weft_parse_precision(const char* text, int* precision);
/// Reads which numbers: "automatic", "real" or "complex".
weft_status weft_parse_numbers(const char* text, int* numbers);
/// Reads a scaling: "backward", "ortho", "forward" or "none".
weft_status weft_parse_norm(const char* text, int* norm);

/// Where the points and coefficients of an axis of unit length are: a Fourier coefficient belongs
/// to exp(2 pi i w x), that of a cosine or sine transform to cos(pi w x) or sin(pi w x), for
/// wavenumber w and the points x. NaN for an unknown kind.
///
/// Wavenumber of coefficient k of an axis with n points; of an axis that keeps n modes, of kept
/// mode k. c2c: 0, 1, ..., -1; r2c, dct1, dct2: k; dst1, dst2: k + 1; types III and IV: k + 1/2;
/// none: 0.
double weft_wavenumber(int kind, int64_t k, int64_t n);
/// The coordinate of point j of n. Fourier, none and dct3: j / n; dct1: j / (n-1); dst1: (j+1) /
/// (n+1); dst3: (j+1) / n; types II and IV: (j + 1/2) / n.
double weft_grid_point(int kind, int64_t j, int64_t n);
/// The angular wavenumber, 2 pi w / length or pi w / length, for an axis of this length. A second
/// derivative multiplies by minus its square. For odd derivatives see weft_derivative_wavenumber.
double weft_angular_wavenumber(int kind, int64_t k, int64_t n, double length);
/// The factor of a first derivative along an axis of this length. A Fourier coefficient is
/// multiplied by i times this; for cosines and sines, cos(a x) becomes -a sin(a x), and sin(a x)
/// becomes a cos(a x).
///
/// It equals weft_angular_wavenumber, but is zero for the Nyquist mode, whose sign changes from
/// point to point: the highest mode of c2c and r2c with an even number of points, the last one of
/// dct1 and dst2. The grid has only its cosine (dst2: its sine), so that the odd derivatives of the
/// smoothest function through the points vanish at every point. Even derivatives do not.
///
/// `n` is the number of points of the axis, also if it keeps fewer modes; for c2c it is the number
/// of modes kept. If that is even, the mode -n/2 has no opposite, and counts as the Nyquist mode of
/// a grid of n points.
double weft_derivative_wavenumber(int kind, int64_t k, int64_t n, double length);

/// The path of the file of wisdom: the environment variable WEFT_WISDOM, or else a file of this
/// user. Empty: there is none. Valid until the next call in this thread.
const char* weft_wisdom_path(void);
/// Adds the records of tuning and `weft limits` in one file of wisdom to another. `into` may be
/// NULL: the file that weft_wisdom_path returns. Not collective.
weft_status weft_merge_wisdom(const char* from, const char* into);
/// Removes records with this text in their problem, machine or settings from a file. `path` may be
/// NULL: the file that weft_wisdom_path returns. `removed`, if not NULL, is set to their number.
/// Not collective.
weft_status weft_forget_wisdom(const char* text, const char* path, int64_t* removed);

/// Imports FFTW's wisdom from a file, for all plans made afterwards with a rigor above estimate.
/// Local to the calling process.
weft_status weft_import_fftw_wisdom(const char* path, int precision);
/// Exports FFTW's wisdom to a file.
weft_status weft_export_fftw_wisdom(const char* path, int precision);

#ifdef __cplusplus
}
#endif

#endif
