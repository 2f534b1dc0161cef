#pragma once

// What kernels use of the standard library, for compilers that run without its headers. Some have a
// part of it themselves, so it goes by another name.
#define std weft_standard

namespace std {

using size_t = decltype(sizeof(0));
using ptrdiff_t = long long;
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
using uintptr_t = unsigned long long;
enum class byte : unsigned char {};

template <bool condition, class Yes, class No>
struct conditional {
  using type = Yes;
};
template <class Yes, class No>
struct conditional<false, Yes, No> {
  using type = No;
};
template <bool condition, class Yes, class No>
using conditional_t = typename conditional<condition, Yes, No>::type;

template <class T>
struct remove_cvref {
  using type = T;
};
template <class T>
struct remove_cvref<const T> : remove_cvref<T> {};
template <class T>
struct remove_cvref<T&> : remove_cvref<T> {};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;

template <class T, class U>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;
template <class T>
inline constexpr bool is_array_v = false;
template <class T, size_t size>
inline constexpr bool is_array_v<T[size]> = true;
template <class T>
inline constexpr bool is_arithmetic_v = is_same_v<T, float> || is_same_v<T, double>;
template <class T>
concept floating_point = is_arithmetic_v<T>;

template <class T>
using make_signed_t = conditional_t<sizeof(T) == 8, int64_t, int32_t>;

template <class T>
struct numeric_limits;
template <>
struct numeric_limits<float> {
  static constexpr int digits = 24, max_exponent = 128;
};
template <>
struct numeric_limits<double> {
  static constexpr int digits = 53, max_exponent = 1024;
};

template <class T>
__host__ __device__ constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
__host__ __device__ constexpr T clamp(T value, T least, T most) {
  return min(max(value, least), most);
}

template <class To, class From>
__host__ __device__ constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

template <class T>
constexpr int bit_width(T value) {
  return value == 0 ? 0 : 1 + bit_width(value / 2);
}

}  // namespace std
