#include <variant>

#include "c/convert.hpp"
#include "c/element.hpp"
#include "weft/convolution.hpp"
#include "weft/long_transform.hpp"

struct weft_convolution_object {
  std::variant<weft::Convolution<float>, weft::Convolution<double>,
               weft::Convolution<std::complex<float>>, weft::Convolution<std::complex<double>>>
      any;
};

struct weft_long_transform_object {
  weft::LongTransform transform;
  weft::Precision precision;
};

namespace {

using weft::c::answer;
using weft::c::array_of;
using weft::c::given;
using weft::c::guarded;

weft::ConvolutionProblem problem_of(const weft_convolution_problem* pointer) {
  const auto& problem = weft::c::initialized(pointer, "weft_convolution_problem");
  const int axes = problem.axes;
  weft::c::check_axes(axes);
  return {.first = weft::c::extents_of(problem.first, axes),
          .second = weft::c::extents_or_none(problem.second, axes),
          .periodic = problem.periodic != 0,
          .input = weft::c::layout_of(problem.input, axes, 1, "input", weft::slab_split(0)),
          .output = weft::c::layout_of(problem.output, axes, 1, "output", {})};
}

weft::LongProblem problem_of(const weft_long_problem* pointer) {
  const auto& problem = weft::c::initialized(pointer, "weft_long_problem");
  return {.length = problem.length,
          .order = static_cast<weft::LongOrder>(problem.order),
          .precision = weft::c::precision_of(problem.precision),
          .norm = static_cast<weft::Norm>(problem.norm)};
}
static_assert(static_cast<int>(weft::LongOrder::natural) == WEFT_LONG_ORDER_NATURAL &&
              static_cast<int>(weft::LongOrder::transposed) == WEFT_LONG_ORDER_TRANSPOSED);

/// Runs work(convolution).
template <class Work>
weft_status with_convolution(weft_convolution handle, Work&& work) {
  return guarded([&] { std::visit(work, weft::c::object_of(handle, "convolution").any); });
}

weft_status run(weft_convolution handle, const void* a, const void* b, void* c, bool correlate) {
  return with_convolution(handle, [&](auto& of) {
    const weft::ElementType type = of.result().type;
    of.run(array_of(a, type), array_of(b, type), array_of(c, type), correlate);
  });
}

weft::LongTransform& transform_of(weft_long_transform handle) {
  return weft::c::object_of(handle, "long transform").transform;
}

weft_status run(weft_long_transform handle, weft::Direction direction, const void* in, void* out) {
  return guarded([&] {
    weft::LongTransform& transform = transform_of(handle);
    const weft::ElementType type{handle->precision, true};
    transform.run(direction, array_of(in, type), array_of(out, type));
  });
}

}  // namespace

int64_t weft_good_length(int64_t n) {
  return weft::good_length(n);
}

weft_status weft_convolution_create(MPI_Comm comm, const weft_convolution_problem* problem,
                                    const char* options, weft_convolution* convolution) {
  weft::ConvolutionProblem read;
  weft::Options chosen;
  weft::ElementType type{};
  return weft::c::create(
      comm, convolution,
      [&] {
        read = problem_of(problem);
        type = {weft::c::precision_of(problem->precision), problem->is_complex != 0};
        chosen = weft::c::options_of(options);
      },
      [&] {
        std::unique_ptr<weft_convolution_object> object;
        weft::c::with_type(type, [&](auto number) {
          using T = typename decltype(number)::type;
          object.reset(new weft_convolution_object{weft::Convolution<T>(comm, read, chosen)});
        });
        return object;
      });
}
weft_status weft_convolution_destroy(weft_convolution* convolution) {
  return weft::c::destroy(convolution);
}

weft_status weft_convolution_convolve(weft_convolution convolution, const void* a, const void* b,
                                      void* c) {
  return run(convolution, a, b, c, false);
}
weft_status weft_convolution_correlate(weft_convolution convolution, const void* a, const void* b,
                                       void* c) {
  return run(convolution, a, b, c, true);
}

weft_status weft_convolution_first(weft_convolution convolution, weft_local_array* array) {
  return with_convolution(convolution, [&](const auto& of) {
    given(array, "array") = weft::c::local_array_of(of.first());
  });
}
weft_status weft_convolution_second(weft_convolution convolution, weft_local_array* array) {
  return with_convolution(convolution, [&](const auto& of) {
    given(array, "array") = weft::c::local_array_of(of.second());
  });
}
weft_status weft_convolution_result(weft_convolution convolution, weft_local_array* array) {
  return with_convolution(convolution, [&](const auto& of) {
    given(array, "array") = weft::c::local_array_of(of.result());
  });
}

weft_status weft_long_transform_create(MPI_Comm comm, const weft_long_problem* problem,
                                       const char* options, weft_long_transform* transform) {
  weft::LongProblem read;
  weft::Options chosen;
  return weft::c::create(
      comm, transform,
      [&] {
        read = problem_of(problem);
        chosen = weft::c::options_of(options);
      },
      [&] {
        return std::unique_ptr<weft_long_transform_object>(new weft_long_transform_object{
            weft::LongTransform(comm, read, chosen), read.precision});
      });
}
weft_status weft_long_transform_destroy(weft_long_transform* transform) {
  return weft::c::destroy(transform);
}

weft_status weft_long_transform_forward(weft_long_transform transform, const void* in, void* out) {
  return run(transform, weft::Direction::forward, in, out);
}
weft_status weft_long_transform_backward(weft_long_transform transform, const void* in, void* out) {
  return run(transform, weft::Direction::backward, in, out);
}

weft_status weft_long_transform_begin(weft_long_transform transform, int64_t* begin) {
  return answer(begin, "begin", [&] { return transform_of(transform).begin(); });
}
weft_status weft_long_transform_size(weft_long_transform transform, int64_t* size) {
  return answer(size, "size", [&] { return transform_of(transform).size(); });
}
weft_status weft_long_transform_spectrum_size(weft_long_transform transform, int64_t* size) {
  return answer(size, "size", [&] { return transform_of(transform).spectrum_size(); });
}
weft_status weft_long_transform_frequency(weft_long_transform transform, int64_t position,
                                          int64_t* frequency) {
  return answer(frequency, "frequency",
                [&] { return transform_of(transform).frequency(position); });
}
