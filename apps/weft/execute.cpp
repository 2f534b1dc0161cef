#include "execute.hpp"

namespace weft {

namespace {

template <class T>
std::span<T> elements(std::span<std::byte> memory) {
  return {reinterpret_cast<T*>(memory.data()), memory.size() / sizeof(T)};
}

/// Calls work(in, out) with zeros of the types of the elements.
template <class Work>
void with_types(const Plan& plan, Direction direction, Work&& work) {
  const auto in_precision = [&](auto real) {
    using Real = decltype(real);
    const std::complex<Real> complex;
    if (plan.input().type.complex) return work(complex, complex);
    if (!plan.output().type.complex) return work(real, real);
    if (direction == Direction::forward) return work(real, complex);
    return work(complex, real);
  };
  if (plan.input().type.precision == Precision::f32) {
    in_precision(0.0f);
  } else {
    in_precision(0.0);
  }
}

}  // namespace

void execute(Plan& plan, Direction direction, std::span<std::byte> in, std::span<std::byte> out) {
  with_types(plan, direction, [&](auto source, auto sink) {
    if (direction == Direction::forward) {
      plan.forward(elements<decltype(source)>(in), elements<decltype(sink)>(out));
    } else {
      plan.backward(elements<decltype(source)>(in), elements<decltype(sink)>(out));
    }
  });
}

void execute_many(Plan& plan, Direction direction, const std::vector<std::span<std::byte>>& in,
                  const std::vector<std::span<std::byte>>& out) {
  with_types(plan, direction, [&](auto source, auto sink) {
    std::vector<std::span<decltype(source)>> sources;
    std::vector<std::span<decltype(sink)>> sinks;
    for (const auto& field : in) sources.push_back(elements<decltype(source)>(field));
    for (const auto& field : out) sinks.push_back(elements<decltype(sink)>(field));
    if (direction == Direction::forward) {
      plan.forward_many(sources, sinks);
    } else {
      plan.backward_many(sources, sinks);
    }
  });
}

std::size_t array_bytes(const LocalArray& array) {
  const std::size_t real = array.type.precision == Precision::f32 ? 4 : 8;
  return static_cast<std::size_t>(array.allocation_size) * real * (array.type.complex ? 2 : 1);
}

}  // namespace weft
