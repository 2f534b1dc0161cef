// Convolutions, long vectors, operators of calculus and energy spectra with arrays that are
// descriptors of Fortran.
#include "c/plan_of.hpp"
#include "fortran/arrays.hpp"
#include "fortran/handles.hpp"

using OwnedConvolution = weft::fortran::Owned<weft_convolution>;
using OwnedLongTransform = weft::fortran::Owned<weft_long_transform>;

namespace {

using weft::c::guarded;
using weft::fortran::examine;
using weft::fortran::examine_fields;
using weft::fortran::Passed;
using weft::fortran::PassedFields;

void check(weft_status status) {
  if (status != WEFT_SUCCESS) throw weft::Error(weft_error_message());
}

/// What is needed of a vector of complex numbers.
weft_local_array vector_of(std::int64_t size, int precision) {
  weft_local_array vector{};
  vector.axes = 1;
  vector.box.upper[0] = size;
  vector.strides[0] = 1;
  vector.allocation_size = size;
  vector.precision = precision;
  vector.is_complex = 1;
  return vector;
}

/// What an operator reads or writes: as many fields as there are components, or one array (0).
/// There is an entry for each even after a complaint.
PassedFields components(const CFI_cdesc_t& array, const weft_local_array& needed, int count,
                        const weft_dimensions& dimensions, const char* name) {
  if (count == 0) {
    const Passed passed = examine(array, needed, dimensions, name, "the plan");
    return {{passed.data}, passed.complaint};
  }
  PassedFields passed = examine_fields(array, needed, dimensions, name, "the plan");
  if (!passed.complaint && passed.data.size() != static_cast<std::size_t>(count)) {
    passed.complaint = std::string(name) + " array has " + std::to_string(passed.data.size()) +
                       " fields, " + std::to_string(count) + " are needed";
  }
  if (passed.complaint) passed.data.assign(static_cast<std::size_t>(count), nullptr);
  return passed;
}

/// As many components as the plan has axes.
constexpr int each_axis = -1;

/// Runs call(inputs, outputs), an operator of calculus, with the fields of both arrays.
template <class Call>
weft_status operate(weft_calculus calculus, weft_plan plan, const CFI_cdesc_t* in, int inputs,
                    const CFI_cdesc_t* out, int outputs, const weft_dimensions* dimensions,
                    Call&& call) {
  if (calculus == nullptr) return weft_calculus_laplacian(nullptr, nullptr, nullptr);
  weft_local_array needed;
  const weft_status known = weft_plan_input(plan, &needed);
  if (known != WEFT_SUCCESS) return known;
  PassedFields from, to;
  const weft_status examined = guarded([&] {
    const auto count = [&](int components) {
      return components == each_axis ? needed.axes : components;
    };
    from = components(*in, needed, count(inputs), *dimensions, "input");
    to = components(*out, needed, count(outputs), *dimensions, "output");
  });
  if (examined != WEFT_SUCCESS) return examined;
  return weft::fortran::with_complaint(
      from.complaint ? from.complaint : to.complaint,
      [&] { return call(from.data.data(), to.data.data()); },
      [&] { return weft::c::plan_of(plan).communicator(); });
}

}  // namespace

extern "C" {

weft_status weft_fortran_convolution_create(MPI_Fint comm, const weft_convolution_problem* problem,
                                            const char* options, const char* complaint,
                                            OwnedConvolution** made) {
  return weft::fortran::make(
      comm, problem, complaint, made,
      [&](MPI_Comm of_c, const weft_convolution_problem* given, weft_convolution* convolution) {
        return weft_convolution_create(of_c, given, options, convolution);
      });
}
weft_status weft_fortran_convolution_destroy(OwnedConvolution** made) {
  return weft::fortran::unmake(made, weft_convolution_destroy);
}
weft_convolution weft_fortran_convolution_handle(OwnedConvolution* made) {
  return weft::fortran::handle_of(made);
}

weft_status weft_fortran_convolve(OwnedConvolution* made, int correlate, const CFI_cdesc_t* a,
                                  const CFI_cdesc_t* b, const CFI_cdesc_t* c,
                                  const weft_dimensions* dimensions) {
  if (made == nullptr) return weft_convolution_convolve(nullptr, nullptr, nullptr, nullptr);
  Passed first, second, result;
  const weft_status examined = guarded([&] {
    const std::string user = "the convolution";
    weft_local_array needed;
    check(weft_convolution_first(made->handle, &needed));
    first = examine(*a, needed, dimensions[0], "first", user);
    check(weft_convolution_second(made->handle, &needed));
    second = examine(*b, needed, dimensions[0], "second", user);
    check(weft_convolution_result(made->handle, &needed));
    result = examine(*c, needed, dimensions[1], "result", user);
  });
  if (examined != WEFT_SUCCESS) return examined;
  const auto& complaint = first.complaint    ? first.complaint
                          : second.complaint ? second.complaint
                                             : result.complaint;
  return with_complaint(*made, complaint, [&] {
    const auto run = correlate != 0 ? weft_convolution_correlate : weft_convolution_convolve;
    return run(made->handle, first.data, second.data, result.data);
  });
}

weft_status weft_fortran_long_create(MPI_Fint comm, const weft_long_problem* problem,
                                     const char* options, OwnedLongTransform** made) {
  return weft::fortran::make(
      comm, problem, "", made,
      [&](MPI_Comm of_c, const weft_long_problem* given, weft_long_transform* transform) {
        return weft_long_transform_create(of_c, given, options, transform);
      });
}
weft_status weft_fortran_long_destroy(OwnedLongTransform** made) {
  return weft::fortran::unmake(made, weft_long_transform_destroy);
}
weft_long_transform weft_fortran_long_handle(OwnedLongTransform* made) {
  return weft::fortran::handle_of(made);
}

weft_status weft_fortran_long_run(OwnedLongTransform* made, int direction, int precision,
                                  const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  if (made == nullptr) return weft_long_transform_forward(nullptr, nullptr, nullptr);
  Passed input, output;
  const weft_status examined = guarded([&] {
    std::int64_t size = 0, spectrum_size = 0;
    check(weft_long_transform_size(made->handle, &size));
    check(weft_long_transform_spectrum_size(made->handle, &spectrum_size));
    const bool forward = direction == WEFT_DIRECTION_FORWARD;
    const std::string user = "the long transform";
    const weft_dimensions dimension{1, {0}};
    input = examine(*in, vector_of(forward ? size : spectrum_size, precision), dimension, "input",
                    user);
    output = examine(*out, vector_of(forward ? spectrum_size : size, precision), dimension,
                     "output", user);
  });
  if (examined != WEFT_SUCCESS) return examined;
  return with_complaint(*made, input.complaint ? input.complaint : output.complaint, [&] {
    const auto run = direction == WEFT_DIRECTION_FORWARD ? weft_long_transform_forward
                                                         : weft_long_transform_backward;
    return run(made->handle, input.data, output.data);
  });
}

weft_status weft_fortran_calculus_create(weft_plan plan, const double* lengths,
                                         const char* complaint, weft_calculus* calculus) {
  *calculus = nullptr;
  const auto text = weft::fortran::complaint_in(complaint);
  return weft::fortran::with_complaint(
      text, [&] { return weft_calculus_create(plan, text ? nullptr : lengths, calculus); },
      [&] { return weft::c::plan_of(plan).communicator(); });
}

weft_status weft_fortran_laplacian(weft_calculus calculus, weft_plan plan, const CFI_cdesc_t* u,
                                   const CFI_cdesc_t* result, const weft_dimensions* of_array) {
  return operate(calculus, plan, u, 0, result, 0, of_array, [&](void** from, void** to) {
    return weft_calculus_laplacian(calculus, *from, *to);
  });
}

weft_status weft_fortran_inverse_laplacian(weft_calculus calculus, weft_plan plan,
                                           const CFI_cdesc_t* f, const CFI_cdesc_t* result,
                                           const weft_dimensions* of_array) {
  return operate(calculus, plan, f, 0, result, 0, of_array, [&](void** from, void** to) {
    return weft_calculus_inverse_laplacian(calculus, *from, *to);
  });
}

weft_status weft_fortran_filter(weft_calculus calculus, weft_plan plan, const CFI_cdesc_t* u,
                                const CFI_cdesc_t* result, weft_response response, void* data,
                                const weft_dimensions* of_array) {
  return operate(calculus, plan, u, 0, result, 0, of_array, [&](void** from, void** to) {
    return weft_calculus_filter(calculus, *from, *to, response, data);
  });
}

weft_status weft_fortran_apply(weft_calculus calculus, weft_plan plan, const CFI_cdesc_t* u,
                               const CFI_cdesc_t* result, weft_line_function function, void* data,
                               const weft_dimensions* of_array) {
  return operate(calculus, plan, u, 0, result, 0, of_array, [&](void** from, void** to) {
    return weft_calculus_apply(calculus, *from, *to, function, data);
  });
}

weft_status weft_fortran_gradient(weft_calculus calculus, weft_plan plan, const CFI_cdesc_t* u,
                                  const CFI_cdesc_t* result, const weft_dimensions* of_array) {
  return operate(calculus, plan, u, 0, result, each_axis, of_array, [&](void** from, void** to) {
    return weft_calculus_gradient(calculus, *from, to);
  });
}

weft_status weft_fortran_divergence(weft_calculus calculus, weft_plan plan, const CFI_cdesc_t* v,
                                    const CFI_cdesc_t* result, const weft_dimensions* of_array) {
  return operate(calculus, plan, v, each_axis, result, 0, of_array, [&](void** from, void** to) {
    return weft_calculus_divergence(calculus, from, *to);
  });
}

weft_status weft_fortran_curl(weft_calculus calculus, weft_plan plan, const CFI_cdesc_t* v,
                              const CFI_cdesc_t* result, const weft_dimensions* of_array) {
  return operate(calculus, plan, v, 3, result, 3, of_array,
                 [&](void** from, void** to) { return weft_calculus_curl(calculus, from, to); });
}

weft_status weft_fortran_shell_spectrum(weft_plan plan, const CFI_cdesc_t* coefficients,
                                        const double* lengths, const char* complaint, double width,
                                        const weft_dimensions* of_array,
                                        weft_shell_spectrum* spectrum) {
  weft_local_array needed;
  const weft_status known = weft_plan_output(plan, &needed);
  if (known != WEFT_SUCCESS) return known;
  PassedFields passed;
  const weft_status examined = guarded([&] {
    const bool many =
        coefficients->type == CFI_type_cptr || coefficients->rank == of_array->count + 1;
    passed = many ? examine_fields(*coefficients, needed, *of_array, "spectral", "the plan")
                  : components(*coefficients, needed, 0, *of_array, "spectral");
    if (const auto text = weft::fortran::complaint_in(complaint)) passed.complaint = text;
  });
  if (examined != WEFT_SUCCESS) return examined;
  return weft::fortran::with_complaint(
      passed.complaint,
      [&] {
        return weft_plan_shell_spectrum(plan, passed.data.size(), passed.data.data(),
                                        passed.complaint ? nullptr : lengths, width, spectrum);
      },
      [&] { return weft::c::plan_of(plan).communicator(); });
}

}  // extern "C"
