#pragma once

// How passes over lines load and store numbers with a callback.
#include <cstdint>

#include "weft/kernels/fold_forms.hpp"
#include "weft/kernels/line_forms.hpp"
#include "weft/kernels/point_places.hpp"
#include "weft/pointwise.hpp"

namespace weft::detail {

namespace {

/// The argument of a pass that applies F.
template <class F>
struct FusedLines : LinePass {
  PointPlaces places;
  F function;
};

/// The numbers of an array as threads have them: complex, or two neighboring reals. Lines are along
/// `axis`, or PointPlaces::any_axis. For `room` complex numbers, as many as registers have room
/// for, a callback reads what it needs together; along any axis it needs more for each.
template <class Number, class F, int axis, class Memory, int room>
struct FusedAccess : stockham::ArrayAccess<Memory> {
  using Real = typename PartOfNumber<Number>::type;
  using Complex = stockham::Complex<Real>;
  static constexpr std::uint32_t numbers_of_complex = sizeof(Complex) / sizeof(Number);
  static constexpr int group = axis == PointPlaces::any_axis ? 4 : room;

  /// Applies the function to numbers of a line, of which the first one is at `from` in the array at
  /// `data`, and calls done(i) for each of a group after that.
  template <int count, class Done>
  WEFT_INLINE static void apply(const LinePass& pass, const std::byte* data, const Complex* from,
                                const stockham::NumberSteps& steps, Complex (&z)[count],
                                const Done& done) {
    const auto& fused = static_cast<const FusedLines<F>&>(pass);
    const auto place = static_cast<std::uint32_t>(from - reinterpret_cast<const Complex*>(data));
    const Point first = fused.places.at(place * numbers_of_complex);
    stockham::in_groups<count, group>([&](auto from, auto of) {
      constexpr int begin = decltype(from)::number, size = decltype(of)::number;
      stockham::each<size>([&](int i) {
        i += begin;
        Number numbers[numbers_of_complex];
        __builtin_memcpy(numbers, &z[i], sizeof(numbers));
        stockham::each<numbers_of_complex>([&](int j) {
          Point point = first;
          fused.places.template advance<axis>(point, i * steps.numbers * numbers_of_complex + j,
                                              i * steps.elements * numbers_of_complex + j);
          fused.function(numbers[j], point);
        });
        __builtin_memcpy(&z[i], numbers, sizeof(numbers));
      });
      stockham::each<size>([&](int i) { done(begin + i); });
    });
  }
};

template <class Number, class F, int axis, class Memory, int room>
struct LoadAccess : FusedAccess<Number, F, axis, Memory, room> {
  template <class Complex, int count>
  WEFT_INLINE static void receive(const LinePass& pass, const stockham::LinePlace& line,
                                  const Complex* from, const stockham::NumberSteps& steps,
                                  Complex (&z)[count]) {
    if (line.exists) LoadAccess::apply(pass, pass.in.data, from, steps, z, [](int) {});
  }
};

template <class Number, class F, int axis, class Memory, int room>
struct StoreAccess : FusedAccess<Number, F, axis, Memory, room> {
  template <class Complex, int count>
  WEFT_INLINE static void write(const LinePass& pass, Complex* to,
                                const stockham::NumberSteps& steps, Complex (&z)[count]) {
    StoreAccess::apply(pass, pass.out.data, to, steps, z,
                       [&](int i) { Memory::write(to + i * steps.elements, z[i]); });
  }
};

template <class Number>
constexpr bool is_complex_number = sizeof(Number) ==
                                   2 * sizeof(typename PartOfNumber<Number>::type);

/// Of passes over lines of these numbers.
template <class Number, bool on_input>
constexpr LineForm form_with_callback = is_complex_number<Number>
                                            ? LineForm::whole
                                            : (on_input ? LineForm::from_packed
                                                        : LineForm::to_packed);

/// How a callback on one side, and what is on the other one, reach numbers of lines along an axis.
template <class Number, class F, bool on_input, int axis, class Memory, int room>
struct FusedForms {
  using Real = typename PartOfNumber<Number>::type;
  static constexpr bool is_complex = is_complex_number<Number>;
  using In = std::conditional_t<on_input, LoadAccess<Number, F, axis, Memory, room>,
                                stockham::PlainAccess>;
  using Out = std::conditional_t<on_input, stockham::PlainAccess,
                                 StoreAccess<Number, F, axis, Memory, room>>;
  // Points are found along lines that are not reversed.
  using WholeLoad = stockham::WholeLoad<Real, In, !on_input>;
  using WholeStore = stockham::WholeStore<Real, Out, on_input>;
  /// Of lines whose numbers are all stored: complex lines, or real ones, of which the other side is
  /// a spectrum.
  using Load = std::conditional_t<is_complex || on_input, WholeLoad, stockham::FoldLoad<Real>>;
  using Store = std::conditional_t<is_complex || !on_input, WholeStore, stockham::FoldStore<Real>>;
  /// Of complex lines on the host.
  using AnyLoad = stockham::NumberLoad<stockham::ComplexNumber<Real, In>>;
  using AnyStore = stockham::NumberStore<stockham::ComplexNumber<Real, Out>>;
};

}  // namespace

}  // namespace weft::detail
