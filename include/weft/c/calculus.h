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
/// No function of waves is collective.
typedef struct weft_wavenumbers_object* weft_wavenumbers;

/// `lengths` of the box, one for each axis. The plan may be gone afterwards. After an error
/// `*waves` is null.
weft_status weft_wavenumbers_create(weft_plan plan, const double* lengths, weft_wavenumbers* waves);
/// Makes the handle null; a null handle is left as it is.
weft_status weft_wavenumbers_destroy(weft_wavenumbers* waves);

/// Wavenumbers of the coefficients along an axis, all of the global array; the lists belong to the
/// handle. `derivative_k` is what a first derivative multiplies with, weft_derivative_wavenumber,
/// which is zero for the Nyquist mode. `k` is without that exception, weft_angular_wavenumber: what
/// second derivatives are made of.
weft_status weft_wavenumbers_numbers(weft_wavenumbers waves, int axis, int64_t* count,
                                     const double** derivative_k, const double** k);
/// Of the coefficients that this rank owns along an axis, weft_plan_output's box: fills a list of
/// the caller with box.upper[axis] - box.lower[axis] numbers, of which the first is that of
/// coefficient box.lower[axis].
weft_status weft_wavenumbers_local_k(weft_wavenumbers waves, int axis, double* local_k);
/// The same of what first derivatives multiply with.
weft_status weft_wavenumbers_local_derivative_k(weft_wavenumbers waves, int axis,
                                                double* local_derivative_k);

/// d/dx along an axis, which must have a Fourier transform. This function and the following ones
/// are for weft_functions of the plan or of one like it: of the output of a forward transform, or
/// of the input of a backward one. They refer to the handle, which must outlive them. Plans on
/// devices have none: fails there.
weft_status weft_wavenumbers_derivative(weft_wavenumbers waves, int axis,
                                        weft_line_function* function, void** user_data);
/// Sum of the second derivatives.
weft_status weft_wavenumbers_laplacian(weft_wavenumbers waves, weft_line_function* function,
                                       void** user_data);
/// Solves the Poisson equation laplacian u = f. The constant part, which f must not have, becomes
/// zero.
weft_status weft_wavenumbers_inverse_laplacian(weft_wavenumbers waves, weft_line_function* function,
                                               void** user_data);
/// What a mode is multiplied with, k the length of its wave vector. Called from all threads of the
/// plan at a time.
typedef double (*weft_response)(double k, void* response_data);
/// Multiplies with response(k). Each call takes some memory until the handle is destroyed.
weft_status weft_wavenumbers_filter(weft_wavenumbers waves, weft_response response,
                                    void* response_data, weft_line_function* function,
                                    void** user_data);

/// Operators of vector calculus on fields in physical space, in the layout `input` of a plan whose
/// kinds are Fourier transforms (for laplacian, inverse_laplacian, filter and apply: any). Each
/// transforms forward, applies the operator while coefficients are written or read, and transforms
/// backward, so nothing is done in passes of its own. Collective like the plan, which is referred
/// to and must be destroyed later; outputs may be inputs, as everything is read before anything is
/// written.
typedef struct weft_calculus_object* weft_calculus;

/// Collective. After an error `*calculus` is null. Memory for coefficients is taken when it is
/// first needed.
weft_status weft_calculus_create(weft_plan plan, const double* lengths, weft_calculus* calculus);
/// Makes the handle null; a null handle is left as it is.
weft_status weft_calculus_destroy(weft_calculus* calculus);

/// result[a] = d/dx_a of u, one array for each axis.
weft_status weft_calculus_gradient(weft_calculus calculus, const void* u, void* const* result);
/// Sum of d/dx_a of v[a].
weft_status weft_calculus_divergence(weft_calculus calculus, const void* const* v, void* result);
/// The curl of three components along the first three axes.
weft_status weft_calculus_curl(weft_calculus calculus, const void* const* v, void* const* result);
/// Sum of the second derivatives of u.
weft_status weft_calculus_laplacian(weft_calculus calculus, const void* u, void* result);
/// Solves the Poisson equation laplacian result = f. The mean, which f must not have, becomes zero.
weft_status weft_calculus_inverse_laplacian(weft_calculus calculus, const void* f, void* result);
/// Multiplies every mode with response(k). For plans on the host.
weft_status weft_calculus_filter(weft_calculus calculus, const void* u, void* result,
                                 weft_response response, void* response_data);
/// Any function of the coefficients. For plans on the host.
weft_status weft_calculus_apply(weft_calculus calculus, const void* u, void* result,
                                weft_line_function function, void* user_data);

/// Energy of fields by the length of their wave vectors.
typedef struct weft_shell_spectrum {
  double width;  ///< of a shell, in units of angular wavenumbers
  size_t count;  ///< number of shells
  /// Of shell s: half of the squares of all modes with (s - 1/2) width <= |k| < (s + 1/2) width.
  const double* energy;
} weft_shell_spectrum;

/// The energy spectrum of the fields, such as the components of a velocity, whose coefficients are
/// in spectral space of a plan: E(s) = 1/2 sum over fields (those of a batch too) and over the
/// modes of shell s of |u_k|^2, in double precision. Collective; every rank gets the same. What
/// `spectrum` refers to belongs to the plan, until this is called again or the plan is destroyed.
///
/// u_k are the amplitudes of the waves exp(i k x) in the field whose forward transform the
/// coefficients are, whatever the norm of the plan. A coefficient of r2c counts twice unless that
/// of -k is stored too. So, by Parseval's theorem, the energies of all shells add up to half of the
/// mean of u^2 over the points in physical space: over all of the shape, zeros of a padded input
/// included; where modes are dropped, of the field without them. The same holds for waves of cosine
/// and sine transforms, with points at the borders of the domain counted half, as in the
/// trapezoidal rule. Along an axis of kind WEFT_KIND_NONE it is the mean over its points. Energy
/// divided by the width is a density E(k).
///
/// `coefficients` has a pointer for each field. `lengths` of the box, one for each axis. `width` of
/// the shells; 0: the smallest wavenumber of the box, that is the smallest 2 pi / length (cosines
/// and sines: pi / length) of the transformed axes with more than one coefficient. Of a plan on a
/// device, arrays are copied to the host and summed there.
///
/// Kinds dct1, dct3 and dst3 with orthogonal matrices are an error: what they transform is the
/// field with other values at the borders.
weft_status weft_plan_shell_spectrum(weft_plan plan, size_t fields, const void* const* coefficients,
                                     const double* lengths, double width,
                                     weft_shell_spectrum* spectrum);

#ifdef __cplusplus
}
#endif

#endif
