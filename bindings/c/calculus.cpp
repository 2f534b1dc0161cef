#include "weft/calculus.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <variant>

#include "c/convert.hpp"
#include "c/line_function.hpp"
#include "c/plan_of.hpp"

struct weft_wavenumbers_object {
  weft::Wavenumbers waves;
  weft::ElementType type;                                       // of the coefficients
  std::deque<std::function<void(const weft_line&)>> operators;  // which stay where they are
};

struct weft_calculus_object {
  weft::Plan& plan;
  std::variant<weft::Calculus<float>, weft::Calculus<double>, weft::Calculus<std::complex<float>>,
               weft::Calculus<std::complex<double>>>
      any;
};

namespace {

using weft::c::array_of;
using weft::c::given;
using weft::c::guarded;

/// One length for each axis of the plan.
std::span<const double> lengths_of(const weft::Plan& plan, const double* lengths) {
  return {&given(lengths, "the list of lengths"),
          static_cast<std::size_t>(plan.info().shape.size())};
}

weft_wavenumbers_object& waves_of(weft_wavenumbers handle) {
  return weft::c::object_of(handle, "waves");
}

/// Fills a list of the caller, who needs none where there are no numbers.
void fill(double* list, std::span<const double> numbers, const char* name) {
  if (!numbers.empty()) std::copy(numbers.begin(), numbers.end(), &given(list, name));
}

/// Applies f(value, point) to every number of a line.
template <class T, class F>
void for_each_number(const weft_line& line, int axes, const F& f) {
  weft::Point point{weft::c::extents_of(line.index, axes), line.field, line.offset};
  T* value = static_cast<T*>(line.values);
  for (weft::Index i = 0; i < line.count; ++i, value += line.stride) {
    f(*value, static_cast<const weft::Point&>(point));
    ++point.index[line.axis];
    point.offset += line.offset_stride;
  }
}

int apply_operator(const weft_line* line, void* user_data) {
  (*static_cast<const std::function<void(const weft_line&)>*>(user_data))(*line);
  return 0;
}

/// Hands out what make(waves) returns, an f(value, point), as a function for lines.
template <class Make>
weft_status hand_out(weft_wavenumbers handle, weft_line_function* function, void** user_data,
                     Make&& make) {
  return guarded([&] {
    weft_wavenumbers_object& object = waves_of(handle);
    if (object.waves.on_device()) {
      throw weft::Error("functions of waves are for plans on the host, this one is on a device");
    }
    given(function, "function");
    given(user_data, "user_data");
    const auto f = make(static_cast<const weft::Wavenumbers&>(object.waves));
    const int axes = object.waves.axes();
    weft::c::with_type(object.type, [&](auto type) {
      using T = typename decltype(type)::type;
      object.operators.emplace_back(
          [f, axes](const weft_line& line) { for_each_number<T>(line, axes, f); });
    });
    *function = apply_operator;
    *user_data = &object.operators.back();
  });
}

/// i k times a number. Numbers of axes with Fourier transforms are complex, so that nothing is done
/// to others.
auto derivative_along(const weft::Wavenumbers& waves, int axis) {
  return [derivative = waves.derivative(axis)](auto& value, const weft::Point& point) {
    if constexpr (!std::is_floating_point_v<std::remove_reference_t<decltype(value)>>) {
      derivative(value, point);
    }
  };
}

/// A null function is an error where it is called, of which all ranks learn.
auto response_of(weft_response response, void* response_data) {
  return [response, response_data](double k) {
    return given(response, "the response")(k, response_data);
  };
}

int refuse(const weft_line*, void*) {
  throw weft::Error("the function is null");
}

/// The arrays of a vector. A list that is null has null pointers, which the plan tells of on all
/// ranks.
struct Components {
  const void* const* list;
  weft::ElementType type;

  weft::detail::AnyArray operator[](std::size_t i) const {
    return array_of(list == nullptr ? nullptr : list[i], type);
  }
};

template <class S>
S number_of(const weft::Calculus<S>&);  // only for its type

/// Runs operation(calculus, type of numbers in physical space).
template <class Operation>
weft_status operate(weft_calculus handle, Operation&& operation) {
  return guarded([&] {
    weft_calculus_object& object = weft::c::object_of(handle, "calculus");
    std::visit([&](auto& calculus) { operation(calculus, object.plan.input().type); }, object.any);
  });
}

/// The same for operators that need Fourier transforms.
template <class Operation>
weft_status differentiate(weft_calculus handle, Operation&& operation) {
  return operate(handle, [&](auto& calculus, weft::ElementType type) {
    if constexpr (std::is_floating_point_v<decltype(number_of(calculus))>) {
      for (int axis = 0; axis < calculus.waves().axes(); ++axis) calculus.waves().derivative(axis);
    } else {
      operation(calculus, type);
    }
  });
}

}  // namespace

weft_status weft_wavenumbers_create(weft_plan plan, const double* lengths,
                                    weft_wavenumbers* waves) {
  if (waves != nullptr) *waves = nullptr;
  return guarded([&] {
    const weft::Plan& of = weft::c::plan_of(plan);
    given(waves, "the pointer to the new handle");
    *waves = new weft_wavenumbers_object{
        weft::Wavenumbers(of, lengths_of(of, lengths)), of.output().type, {}};
  });
}
weft_status weft_wavenumbers_destroy(weft_wavenumbers* waves) {
  return weft::c::destroy(waves);
}

weft_status weft_wavenumbers_numbers(weft_wavenumbers waves, int axis, int64_t* count,
                                     const double** derivative_k, const double** k) {
  return guarded([&] {
    const weft_wavenumbers_object& object = waves_of(waves);
    if (axis < 0 || axis >= object.waves.axes()) {
      throw weft::Error("wavenumbers along axis " + std::to_string(axis) + " of " +
                        std::to_string(object.waves.axes()));
    }
    given(count, "count");
    given(derivative_k, "derivative_k") = object.waves.derivative_k(axis).data();
    given(k, "k") = object.waves.k(axis).data();
    *count = static_cast<std::int64_t>(object.waves.k(axis).size());
  });
}
weft_status weft_wavenumbers_local_k(weft_wavenumbers waves, int axis, double* local_k) {
  return guarded([&] { fill(local_k, waves_of(waves).waves.local_k(axis), "local_k"); });
}
weft_status weft_wavenumbers_local_derivative_k(weft_wavenumbers waves, int axis,
                                                double* local_derivative_k) {
  return guarded([&] {
    fill(local_derivative_k, waves_of(waves).waves.local_derivative_k(axis), "local_derivative_k");
  });
}

weft_status weft_wavenumbers_derivative(weft_wavenumbers waves, int axis,
                                        weft_line_function* function, void** user_data) {
  return hand_out(waves, function, user_data,
                  [&](const weft::Wavenumbers& of) { return derivative_along(of, axis); });
}
weft_status weft_wavenumbers_laplacian(weft_wavenumbers waves, weft_line_function* function,
                                       void** user_data) {
  return hand_out(waves, function, user_data,
                  [](const weft::Wavenumbers& of) { return of.laplacian(); });
}
weft_status weft_wavenumbers_inverse_laplacian(weft_wavenumbers waves, weft_line_function* function,
                                               void** user_data) {
  return hand_out(waves, function, user_data,
                  [](const weft::Wavenumbers& of) { return of.inverse_laplacian(); });
}
weft_status weft_wavenumbers_filter(weft_wavenumbers waves, weft_response response,
                                    void* response_data, weft_line_function* function,
                                    void** user_data) {
  return hand_out(waves, function, user_data, [&](const weft::Wavenumbers& of) {
    given(response, "the response");
    return of.filter(response_of(response, response_data));
  });
}

weft_status weft_calculus_create(weft_plan plan, const double* lengths, weft_calculus* calculus) {
  if (calculus != nullptr) *calculus = nullptr;
  return guarded([&] {
    weft::Plan& of = weft::c::plan_of(plan);
    std::unique_ptr<weft_calculus_object> object;
    weft::collectively(weft::Communicator::duplicate(of.communicator()), [&] {
      given(calculus, "the pointer to the new handle");
      weft::c::with_type(of.output().type, [&](auto type) {
        using S = typename decltype(type)::type;
        object.reset(new weft_calculus_object{of, weft::Calculus<S>(of, lengths_of(of, lengths))});
      });
    });
    *calculus = object.release();
  });
}
weft_status weft_calculus_destroy(weft_calculus* calculus) {
  return weft::c::destroy(calculus);
}

weft_status weft_calculus_gradient(weft_calculus calculus, const void* u, void* const* result) {
  return differentiate(calculus, [&](auto& of, weft::ElementType type) {
    of.gradient(array_of(u, type), Components{result, type});
  });
}
weft_status weft_calculus_divergence(weft_calculus calculus, const void* const* v, void* result) {
  return differentiate(calculus, [&](auto& of, weft::ElementType type) {
    of.divergence(Components{v, type}, array_of(result, type));
  });
}
weft_status weft_calculus_curl(weft_calculus calculus, const void* const* v, void* const* result) {
  return differentiate(calculus, [&](auto& of, weft::ElementType type) {
    of.curl(Components{v, type}, Components{result, type});
  });
}

weft_status weft_calculus_laplacian(weft_calculus calculus, const void* u, void* result) {
  return operate(calculus, [&](auto& of, weft::ElementType type) {
    of.laplacian(array_of(u, type), array_of(result, type));
  });
}
weft_status weft_calculus_inverse_laplacian(weft_calculus calculus, const void* f, void* result) {
  return operate(calculus, [&](auto& of, weft::ElementType type) {
    of.inverse_laplacian(array_of(f, type), array_of(result, type));
  });
}
weft_status weft_calculus_filter(weft_calculus calculus, const void* u, void* result,
                                 weft_response response, void* response_data) {
  return operate(calculus, [&](auto& of, weft::ElementType type) {
    of.filter(array_of(u, type), array_of(result, type), response_of(response, response_data));
  });
}
weft_status weft_calculus_apply(weft_calculus calculus, const void* u, void* result,
                                weft_line_function function, void* user_data) {
  return operate(calculus, [&](auto& of, weft::ElementType type) {
    const weft_line_function called = function != nullptr ? function : refuse;
    const weft::ElementType of_coefficients = calculus->plan.output().type;
    of.apply(array_of(u, type), array_of(result, type),
             weft::c::LineFunction{called, user_data, of_coefficients});
  });
}
