#ifndef WEFT_C_CALCULUS_H
#define WEFT_C_CALCULUS_H

/// @file
/// Wavenumbers of a plan, operators of vector calculus, energy spectra.

#include "weft/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Angular wavenumbers of the coefficients of a plan, for a box of given lengths, and the functions
/// that operators of calculus apply to these coefficients:
///
///     weft_functions derivative = {NULL, NULL, NULL, NULL};
///     weft_wavenumbers_derivative(waves, 0, &derivative.input, &derivative.input_data);
///     weft_plan_backward_with(plan, uh, ux, &derivative);
///
/// No function of wavenumbers is collective.
typedef struct weft_wavenumbers_object* weft_wavenumbers;

/// `lengths` are those of the box, one for each axis. The plan may be destroyed afterwards. After
/// an error `*waves` is null.
weft_status weft_wavenumbers_create(weft_plan plan, const double* lengths, weft_wavenumbers* waves);
/// Destroys the object and makes the handle null; does nothing if it is null.
weft_status weft_wavenumbers_destroy(weft_wavenumbers* waves);

/// Wavenumbers of all coefficients of the global array along an axis; the lists belong to the
/// handle. `derivative_k` has the factors of first derivatives, weft_derivative_wavenumber, which
/// are zero for the Nyquist mode. `k` has weft_angular_wavenumber, without that exception, for
/// second derivatives.
weft_status weft_wavenumbers_numbers(weft_wavenumbers waves, int axis, int64_t* count,
                                     const double** derivative_k, const double** k);
/// Fills an array of the caller with the wavenumbers of this rank's coefficients along an axis.
/// `box` is that of weft_plan_output: there are box.upper[axis] - box.lower[axis] numbers, the
/// first of which belongs to coefficient box.lower[axis].
weft_status weft_wavenumbers_local_k(weft_wavenumbers waves, int axis, double* local_k);
/// The same with the factors of first derivatives.
weft_status weft_wavenumbers_local_derivative_k(weft_wavenumbers waves, int axis,
                                                double* local_derivative_k);

/// A callback for d/dx along an axis, which must have a Fourier transform. This one and the
/// following ones are for weft_functions of the plan, or of one like it: for the output of a
/// forward transform, or for the input of a backward one. They refer to the handle, which must
/// outlive them. An error for plans on devices.
weft_status weft_wavenumbers_derivative(weft_wavenumbers waves, int axis,
                                        weft_line_function* function, void** user_data);
/// Sum of the second derivatives.
weft_status weft_wavenumbers_laplacian(weft_wavenumbers waves, weft_line_function* function,
                                       void** user_data);
/// A callback that solves the Poisson equation laplacian u = f. The constant part of f must be
/// zero; that of u is zero.
weft_status weft_wavenumbers_inverse_laplacian(weft_wavenumbers waves, weft_line_function* function,
                                               void** user_data);
/// The factor of a mode whose wave vector has the length k. Called from all threads of the plan at
/// a time.
typedef double (*weft_response)(double k, void* response_data);
/// A callback that multiplies by response(k). Each call takes some memory until the handle is
/// destroyed.
weft_status weft_wavenumbers_filter(weft_wavenumbers waves, weft_response response,
                                    void* response_data, weft_line_function* function,
                                    void** user_data);

/// Operators of vector calculus on fields in physical space, in the layout `input` of a plan whose
/// kinds are Fourier transforms (for laplacian, inverse_laplacian, filter and apply: any). Each one
/// transforms forward, applies the operator in a callback, and transforms backward, so there are no
/// additional memory passes. Collective like the plan, which must be destroyed later. Outputs may
/// be inputs, because everything is read before anything is written.
typedef struct weft_calculus_object* weft_calculus;

/// Makes the operators of a plan. Collective. After an error `*calculus` is null. Memory for
/// coefficients is allocated when it is first needed.
weft_status weft_calculus_create(weft_plan plan, const double* lengths, weft_calculus* calculus);
/// Destroys the object and makes the handle null; does nothing if it is null.
weft_status weft_calculus_destroy(weft_calculus* calculus);

/// result[a] = d/dx_a of u, one array for each axis.
weft_status weft_calculus_gradient(weft_calculus calculus, const void* u, void* const* result);
/// Sum of d/dx_a of v[a].
weft_status weft_calculus_divergence(weft_calculus calculus, const void* const* v, void* result);
/// The curl of a vector field with three components, along the first three axes.
weft_status weft_calculus_curl(weft_calculus calculus, const void* const* v, void* const* result);
/// Sum of the second derivatives of u.
weft_status weft_calculus_laplacian(weft_calculus calculus, const void* u, void* result);
/// Solves the Poisson equation laplacian result = f. The mean of f must be zero; that of the result
/// is zero.
weft_status weft_calculus_inverse_laplacian(weft_calculus calculus, const void* f, void* result);
/// Multiplies every mode by response(k). For plans on the host.
weft_status weft_calculus_filter(weft_calculus calculus, const void* u, void* result,
                                 weft_response response, void* response_data);
/// Applies a callback to the coefficients. For plans on the host.
weft_status weft_calculus_apply(weft_calculus calculus, const void* u, void* result,
                                weft_line_function function, void* user_data);

/// The energy spectrum of fields: energy by the length of wave vectors.
typedef struct weft_shell_spectrum {
  double width;  ///< width of a shell, as an angular wavenumber
  size_t count;  ///< number of shells
  /// Energy of shell s: half of the squares of all modes with (s - 1/2) width <= |k| < (s + 1/2)
  /// width.
  const double* energy;
} weft_shell_spectrum;

/// The energy spectrum of the fields, such as the components of a velocity, whose coefficients are
/// in spectral space of a plan: E(s) = 1/2 sum over fields (those of a batch too) and over the
/// modes of shell s of |u_k|^2, in double precision. Collective; every rank gets the same numbers.
/// The lists in `spectrum` belong to the plan, until this is called again or the plan is destroyed.
///
/// u_k is the amplitude of the wave exp(i k x) in the field, whatever the norm of the plan. A
/// coefficient of r2c counts twice unless that of -k is stored too. So, by Parseval's theorem, the
/// energies of all shells add up to half of the mean of u^2 over the points in physical space: over
/// all of the shape, zeros of a padded input included; if modes are truncated, of the field without
/// them. The same holds for waves of cosine and sine transforms, with points at the borders of the
/// domain counted half, as in the trapezoidal rule. Along an axis of kind WEFT_KIND_NONE it is the
/// mean over its points. Energy divided by the width is a density E(k).
///
/// `coefficients` has a pointer for each field. `lengths` are those of the box, one for each axis.
/// `width` is that of the shells; 0: the smallest wavenumber of the box, which is the smallest 2 pi
/// / length (cosines and sines: pi / length) of the transformed axes with more than one
/// coefficient. With a plan on a device, arrays are copied to the host and summed there.
///
/// Kinds dct1, dct3 and dst3 with orthogonal matrices are an error, because they transform a field
/// with other values at the borders.
weft_status weft_plan_shell_spectrum(weft_plan plan, size_t fields, const void* const* coefficients,
                                     const double* lengths, double width,
                                     weft_shell_spectrum* spectrum);

#ifdef __cplusplus
}
#endif

#endif
