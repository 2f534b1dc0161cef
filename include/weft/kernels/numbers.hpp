#pragma once

#if defined(__FMA__)
#include <immintrin.h>
#endif

#include <concepts>
#include <type_traits>

#include "weft/kernels/inline.hpp"

/// Numbers that butterflies work on: vectors of one number of several lines, or, on GPUs and as
/// these do, single ones. Everything here has internal linkage: each instruction set has its own
/// copy, and none is called by code for another.
namespace weft::stockham {

namespace {

template <int value>
struct Constant {
  static constexpr int number = value;
};

template <int... numbers>
struct Sequence {};

template <int count, int... numbers>
struct MakeSequence : MakeSequence<count - 1, count - 1, numbers...> {};
template <int... numbers>
struct MakeSequence<0, numbers...> {
  using Type = Sequence<numbers...>;
};

template <class Body, int... numbers>
WEFT_INLINE void unroll(const Body& body, Sequence<numbers...>) {
  (body(Constant<numbers>{}), ...);
}

/// body(Constant<0>), body(Constant<1>), ...: arrays of vectors stay in registers.
template <int count, class Body>
WEFT_INLINE void unrolled(const Body& body) {
  unroll(body, typename MakeSequence<count>::Type{});
}

/// body(0), body(1), ...: where no constant expression needs the number. Compilers for GPUs take a
/// fifth less time with a loop, and what it works on stays in registers, too.
template <int count, class Body>
WEFT_INLINE void each(const Body& body) {
#if WEFT_ON_DEVICE
#pragma unroll
#endif
  for (int i = 0; i < count; ++i) body(i);
}

/// work(Constant<begin>, Constant<size>) for groups of numbers. Compilers read nothing for a group
/// before they have done the one before: registers do not hold what all numbers need.
template <int count, int group, class Work>
WEFT_INLINE void in_groups(const Work& work) {
  unrolled<(count + group - 1) / group>([&](auto number) {
    constexpr int begin = decltype(number)::number * group;
    work(Constant<begin>{}, Constant<(count - begin < group ? count - begin : group)>{});
#if WEFT_ON_DEVICE
    if constexpr (count > group) asm volatile("" ::: "memory");
#endif
  });
}

template <class Real, int lanes>
struct VectorOf {
  typedef Real Type __attribute__((vector_size(lanes * sizeof(Real))));
};
template <class Real, int lanes>
using Vector = typename VectorOf<Real, lanes>::Type;

template <class V, class Real>
WEFT_INLINE V load(const Real* from) {
  V result;
  __builtin_memcpy(&result, from, sizeof(V));
  return result;
}

template <class V, class Real>
WEFT_INLINE void store(Real* to, V value) {
  __builtin_memcpy(to, &value, sizeof(V));
}

template <class V, class Real, int... lane>
WEFT_INLINE V broadcast_to(Real value, Sequence<lane...>) {
  return V{(static_cast<void>(lane), value)...};
}

template <class V, class Real>
WEFT_INLINE V broadcast(Real value) {
  if constexpr (std::is_same_v<V, Real>) {
    return value;
  } else {
    return broadcast_to<V>(value, typename MakeSequence<sizeof(V) / sizeof(Real)>::Type{});
  }
}

/// a b + c, rounded once where the processor can. Never left to the compiler, which might decide
/// differently in two places and so make the result depend on how lines lie in memory.
template <class V>
WEFT_INLINE V multiply_add(V a, V b, V c) {
  [[maybe_unused]] constexpr bool single = sizeof(a[0]) == 4;
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    if constexpr (single) return (V)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
    if constexpr (!single) return (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
  }
#endif
#if defined(__FMA__)
  if constexpr (sizeof(V) == 32) {
    if constexpr (single) return (V)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
    if constexpr (!single) return (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
  }
  if constexpr (sizeof(V) == 16) {
    if constexpr (single) return (V)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
    if constexpr (!single) return (V)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
  }
#endif
  return a * b + c;
}

template <std::floating_point Real>
WEFT_INLINE Real multiply_add(Real a, Real b, Real c) {
#if WEFT_ON_DEVICE
  return fma(a, b, c);
#else
  return c + a * b;
#endif
}

template <class V>
struct alignas(std::is_arithmetic_v<V> ? 2 * sizeof(V) : alignof(V)) Complex {
  V re, im;
};

template <class V>
WEFT_INLINE Complex<V> operator+(Complex<V> a, Complex<V> b) {
  return {a.re + b.re, a.im + b.im};
}

template <class V>
WEFT_INLINE Complex<V> operator-(Complex<V> a, Complex<V> b) {
  return {a.re - b.re, a.im - b.im};
}

template <class V>
WEFT_INLINE Complex<V> conjugate(Complex<V> a) {
  return {a.re, -a.im};
}

template <class V>
WEFT_INLINE Complex<V> swapped(Complex<V> a) {
  return {a.im, a.re};
}

/// a (c + i s)
template <class V>
WEFT_INLINE Complex<V> turned(Complex<V> a, V c, V s) {
  return {multiply_add(a.re, c, -(a.im * s)), multiply_add(a.im, c, a.re * s)};
}

}  // namespace

}  // namespace weft::stockham
