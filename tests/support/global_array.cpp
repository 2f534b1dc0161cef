#include "support/global_array.hpp"

#include <cstring>
#include <functional>

#include "kind/kind.hpp"
#include "local/local_transform.hpp"
#include "verify/random.hpp"

namespace weft::test {

namespace {

constexpr std::byte poison{0xff};  // a NaN in both precisions

/// Calls visit(point, field, position) for every element that this rank owns.
void for_each_owned(const LocalArray& array, Index batch,
                    const std::function<void(const Extents&, Index, Index)>& visit) {
  if (array.box.empty()) return;
  const Index count = array.box.count();
  for (Index field = 0; field < batch; ++field) {
    for (Index number = 0; number < count; ++number) {
      Extents point = array.box.lower;
      Index position = array.offset;
      if (batch > 1) position += field * array.strides[array.box.axes()];
      Index rest = number;
      for (int axis = array.box.axes() - 1; axis >= 0; --axis) {
        const Index i = rest % array.box.extent(axis);
        rest /= array.box.extent(axis);
        point[axis] += i;
        position += i * array.strides[axis];
      }
      visit(point, field, position);
    }
  }
}

}  // namespace

Complex load(const LocalArray& array, const std::byte* memory, Index position) {
  const bool single = array.type.precision == Precision::f32;
  const auto real = [&](Index i) -> double {
    return single ? reinterpret_cast<const float*>(memory)[i]
                  : reinterpret_cast<const double*>(memory)[i];
  };
  return array.type.complex ? Complex(real(2 * position), real(2 * position + 1))
                            : Complex(real(position));
}

std::size_t element_size(const ElementType& type) {
  return (type.precision == Precision::f32 ? 4u : 8u) * (type.complex ? 2u : 1u);
}

Complex& GlobalArray::at(const Extents& point, Index field) {
  Index position = field;
  for (int axis = 0; axis < shape.size(); ++axis) position = position * shape[axis] + point[axis];
  return values[static_cast<std::size_t>(position)];
}

GlobalArray random_array(const Extents& shape, Index batch, bool complex, std::uint64_t seed) {
  GlobalArray array{shape, batch, {}};
  const Index count = product(shape) * batch;
  for (Index i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(2 * i);
    array.values.emplace_back(static_cast<float>(random_value(number, seed)),
                              complex ? static_cast<float>(random_value(number + 1, seed)) : 0.0f);
  }
  return array;
}

GlobalArray exact_transform(const GlobalArray& in, const Extents& physical, const Axes<Kind>& kinds,
                            Direction direction, Norm norm, bool orthogonal, const Extents& points,
                            const Extents& keep) {
  GlobalArray current = in;
  const LocalBackend& reference = find_local_backend("reference");
  const int halved = halved_axis(kinds);
  const Extents stored = points.empty() ? physical : points;
  const Extents spectral = spectral_shape(physical, kinds, keep);
  // The real axis first on the way forward and last on the way back.
  std::vector<int> sequence;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    if (axis != halved && traits(kinds[axis]).transforms) sequence.push_back(axis);
  }
  if (halved >= 0) {
    sequence.insert(direction == Direction::forward ? sequence.begin() : sequence.end(), halved);
  }
  for (int axis : sequence) {
    GlobalArray next{current.shape, current.batch, {}};
    next.shape[axis] = direction == Direction::forward ? spectral[axis] : stored[axis];
    Index inner = 1, outer = current.batch;
    for (int a = 0; a < current.shape.size(); ++a) {
      if (a < axis) outer *= current.shape[a];
      if (a > axis) inner *= current.shape[a];
    }
    next.values.resize(static_cast<std::size_t>(product(next.shape) * next.batch));
    LocalProblem problem;
    problem.transform.push_back(
        {physical[axis], inner, inner, current.shape[axis], next.shape[axis]});
    problem.kinds.push_back(kinds[axis]);
    problem.batch.push_back({outer, current.shape[axis] * inner, next.shape[axis] * inner});
    problem.batch.push_back({inner, 1, 1});
    problem.direction = direction;
    problem.orthogonal = orthogonal;
    std::vector<double> reals;
    const std::byte* source = reinterpret_cast<const std::byte*>(current.values.data());
    if (problem.real_input()) {
      for (const Complex& value : current.values) reals.push_back(value.real());
      source = reinterpret_cast<const std::byte*>(reals.data());
    }
    if (problem.real_output()) {
      std::vector<double> result(next.values.size());
      reference.make(problem)->execute(source, reinterpret_cast<std::byte*>(result.data()),
                                       nullptr);
      for (std::size_t i = 0; i < result.size(); ++i) next.values[i] = result[i];
    } else {
      reference.make(problem)->execute(source, reinterpret_cast<std::byte*>(next.values.data()),
                                       nullptr);
    }
    current = std::move(next);
  }
  const double scale = scale_factor(norm, direction, logical_points(physical, kinds));
  for (Complex& value : current.values) value *= scale;
  return current;
}

std::vector<std::byte> poisoned(const LocalArray& array, std::size_t at_least_bytes) {
  const std::size_t bytes =
      static_cast<std::size_t>(array.allocation_size) * element_size(array.type);
  return std::vector<std::byte>(std::max(bytes, at_least_bytes), poison);
}

void put(const LocalArray& array, std::byte* memory, Index position, Complex value) {
  const Index parts = array.type.complex ? 2 : 1;
  for (Index part = 0; part < parts; ++part) {
    const double real = part == 0 ? value.real() : value.imag();
    if (array.type.precision == Precision::f32) {
      reinterpret_cast<float*>(memory)[position * parts + part] = static_cast<float>(real);
    } else {
      reinterpret_cast<double*>(memory)[position * parts + part] = real;
    }
  }
}

void store(const GlobalArray& global, const LocalArray& array, std::byte* memory) {
  auto& source = const_cast<GlobalArray&>(global);
  for_each_owned(array, global.batch, [&](const Extents& point, Index field, Index position) {
    put(array, memory, position, source.at(point, field));
  });
}

Difference compare(GlobalArray& global, const LocalArray& array, const std::byte* memory) {
  Difference difference;
  for_each_owned(array, global.batch, [&](const Extents& point, Index field, Index position) {
    const Complex expected = global.at(point, field);
    difference.squared += std::norm(load(array, memory, position) - expected);
    difference.norm += std::norm(expected);
  });
  return difference;
}

bool gaps_untouched(const LocalArray& array, Index batch, const std::vector<std::byte>& memory) {
  std::vector<bool> owned(memory.size());
  const std::size_t size = element_size(array.type);
  for_each_owned(array, batch, [&](const Extents&, Index, Index position) {
    for (std::size_t i = 0; i < size; ++i)
      owned[static_cast<std::size_t>(position) * size + i] = true;
  });
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (!owned[i] && memory[i] != poison) return false;
  }
  return true;
}

}  // namespace weft::test
