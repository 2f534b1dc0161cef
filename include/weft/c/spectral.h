#ifndef WEFT_C_SPECTRAL_H
#define WEFT_C_SPECTRAL_H

/// @file
/// Convolution and correlation, and distributed 1-D FFTs.

#include "weft/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The smallest length of at least n that is a product of 2, 3, 5 and 7, for fast transforms.
int64_t weft_good_length(int64_t n);

/// The convolution to compute; the same on every rank. Initialize it with
/// weft_convolution_problem_init.
typedef struct weft_convolution_problem {
  size_t struct_size;            ///< set by the initializer
  int axes;                      ///< 1 to 6
  int64_t first[WEFT_MAX_AXES];  ///< shape of the first array
  /// Shape of the second one, in each axis at most as long if periodic; all zero: like the first.
  int64_t second[WEFT_MAX_AXES];
  /// 1, the default: circular, with the periods of the first array; 0: linear.
  int periodic;
  const weft_layout* input;   ///< layout of both inputs; null: split along axis 0
  const weft_layout* output;  ///< layout of the result; null: like `input`
  int precision;              ///< a weft_precision; default: WEFT_PRECISION_F64
  int is_complex;             ///< elements are complex; default: real
} weft_convolution_problem;

/// Initializes a problem: the periodic convolution of two arrays of doubles of this shape.
static inline void weft_convolution_problem_init(weft_convolution_problem* problem, int axes,
                                                 const int64_t* shape) {
  int axis;
  memset(problem, 0, sizeof *problem);
  problem->struct_size = sizeof *problem;
  problem->axes = axes;
  for (axis = 0; axis < axes && axis < WEFT_MAX_AXES; ++axis) problem->first[axis] = shape[axis];
  problem->periodic = 1;
  problem->precision = WEFT_PRECISION_F64;
}

/// Convolution and correlation of arrays that are spread over all ranks:
///
///     convolve:  c[k] = sum over j of a[j] b[k - j]
///     correlate: c[k] = sum over j of conj(a[j]) b[j + k]
///
/// Periodic: indices are modulo the shape of a, and the result has this shape. Linear: b is zero
/// outside its shape, and the result has every k for which the sum is not empty, m + n - 1 points
/// along an axis for m and n points; correlate starts at lag -(m - 1). This is the mode "full" of
/// scipy.signal.fftconvolve and correlate. Collective like a plan, with the same guarantees; holds
/// two spectra.
typedef struct weft_convolution_object* weft_convolution;

/// Makes a convolution. Collective. `options` are those of weft_plan_create. After an error
/// `*convolution` is null.
weft_status weft_convolution_create(MPI_Comm comm, const weft_convolution_problem* problem,
                                    const char* options, weft_convolution* convolution);
/// Destroys the object and makes the handle null; does nothing if it is null. Collective.
weft_status weft_convolution_destroy(weft_convolution* convolution);

/// Convolves a with b. Each points to the first allocated element of this
/// rank's array. Collective.
weft_status weft_convolution_convolve(weft_convolution convolution, const void* a, const void* b,
                                      void* c);
/// Correlates a with b; otherwise like weft_convolution_convolve.
weft_status weft_convolution_correlate(weft_convolution convolution, const void* a, const void* b,
                                       void* c);

/// This rank's part of the first input.
weft_status weft_convolution_first(weft_convolution convolution, weft_local_array* array);
/// This rank's part of the second input.
weft_status weft_convolution_second(weft_convolution convolution, weft_local_array* array);
/// This rank's part of the result.
weft_status weft_convolution_result(weft_convolution convolution, weft_local_array* array);

/// Order of the coefficients of a distributed 1-D transform.
typedef enum weft_long_order {
  WEFT_LONG_ORDER_NATURAL,    ///< contiguous blocks as of the input, but not of the same sizes
  WEFT_LONG_ORDER_TRANSPOSED  ///< in the order they come: one redistribution less, for a product
                              ///< with another spectrum
} weft_long_order;

/// The transform to compute; the same on every rank. Initialize it with weft_long_problem_init.
typedef struct weft_long_problem {
  size_t struct_size;  ///< set by the initializer
  int64_t length;      ///< any; memory and work are shared as far as its factors permit
  int order;           ///< a weft_long_order
  int precision;       ///< a weft_precision; default: WEFT_PRECISION_F64
  int norm;            ///< a weft_norm; default: WEFT_NORM_BACKWARD
} weft_long_problem;

/// Initializes a problem: a transform in double precision, with coefficients in natural order.
static inline void weft_long_problem_init(weft_long_problem* problem, int64_t length) {
  memset(problem, 0, sizeof *problem);
  problem->struct_size = sizeof *problem;
  problem->length = length;
  problem->precision = WEFT_PRECISION_F64;
}

/// A distributed 1-D FFT, a complex Fourier transform of one vector that is spread over all ranks:
/// X[k] = sum over j of x[j] exp(-2 pi i j k / n). Collective like a plan, with the same
/// guarantees.
typedef struct weft_long_transform_object* weft_long_transform;

/// Makes a transform. Collective. `options` are those of weft_plan_create. After an error
/// `*transform` is null.
weft_status weft_long_transform_create(MPI_Comm comm, const weft_long_problem* problem,
                                       const char* options, weft_long_transform* transform);
/// Destroys the object and makes the handle null; does nothing if it is null. Collective.
weft_status weft_long_transform_destroy(weft_long_transform* transform);

/// Transforms the vector to its coefficients: complex numbers in the problem's precision.
/// Collective.
weft_status weft_long_transform_forward(weft_long_transform transform, const void* in, void* out);
/// Transforms the coefficients to the vector. Collective.
weft_status weft_long_transform_backward(weft_long_transform transform, const void* in, void* out);

/// Index of the first element of the vector on this rank.
weft_status weft_long_transform_begin(weft_long_transform transform, int64_t* begin);
/// Number of elements on this rank.
weft_status weft_long_transform_size(weft_long_transform transform, int64_t* size);
/// Number of coefficients on this rank.
weft_status weft_long_transform_spectrum_size(weft_long_transform transform, int64_t* size);
/// The number of the coefficient at a position of this rank's array.
weft_status weft_long_transform_frequency(weft_long_transform transform, int64_t position,
                                          int64_t* frequency);

#ifdef __cplusplus
}
#endif

#endif
