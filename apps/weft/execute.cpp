#include "execute.hpp"

namespace weft {

namespace {

template <class T>
std::span<T> elements(std::span<std::byte> memory) {
  return {reinterpret_cast<T*>(memory.data()), memory.size() / sizeof(T)};
}

template <class In, class Out>
void execute_as(Plan& plan, Direction direction, std::span<std::byte> in,
                std::span<std::byte> out) {
  if (direction == Direction::forward) {
    plan.forward(elements<In>(in), elements<Out>(out));
  } else {
    plan.backward(elements<In>(in), elements<Out>(out));
  }
}

template <class Real>
void execute_in(Plan& plan, Direction direction, std::span<std::byte> in,
                std::span<std::byte> out) {
  using Complex = std::complex<Real>;
  if (plan.input().type.complex) {
    execute_as<Complex, Complex>(plan, direction, in, out);
  } else if (direction == Direction::forward) {
    execute_as<Real, Complex>(plan, direction, in, out);
  } else {
    execute_as<Complex, Real>(plan, direction, in, out);
  }
}

}  // namespace

void execute(Plan& plan, Direction direction, std::span<std::byte> in, std::span<std::byte> out) {
  if (plan.input().type.precision == Precision::f32) {
    execute_in<float>(plan, direction, in, out);
  } else {
    execute_in<double>(plan, direction, in, out);
  }
}

std::size_t array_bytes(const LocalArray& array) {
  const std::size_t real = array.type.precision == Precision::f32 ? 4 : 8;
  return static_cast<std::size_t>(array.size) * real * (array.type.complex ? 2 : 1);
}

}  // namespace weft
