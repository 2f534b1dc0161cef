#pragma once

#include <complex>
#include <vector>

#include "weft/plan.hpp"

namespace weft::test {

using Complex = std::complex<double>;

/// A whole array on every rank, in C order with the batch as the slowest axis: what distributed
/// results are compared with.
struct GlobalArray {
  Extents shape;  ///< without the batch
  Index batch = 1;
  std::vector<Complex> values;

  Complex& at(const Extents& point, Index field);
};

/// Random values that are exact in both precisions; real when asked for.
GlobalArray random_array(const Extents& shape, Index batch, bool complex, std::uint64_t seed);

/// The exact transform, by the dense reference in long double. Of both arrays there are so many
/// points and modes along each axis; no numbers: all of them.
GlobalArray exact_transform(const GlobalArray& in, const Extents& physical, const Axes<Kind>& kinds,
                            Direction direction, Norm norm, bool orthogonal = false,
                            const Extents& points = {}, const Extents& keep = {});

/// Memory of one rank's array, every byte poisoned.
std::vector<std::byte> poisoned(const LocalArray& array, std::size_t at_least_bytes = 0);
/// Copies this rank's part into its memory.
void store(const GlobalArray& global, const LocalArray& array, std::byte* memory);
/// Squared difference and squared norm over this rank's part. NaN where poison is left.
struct Difference {
  double squared = 0;
  double norm = 0;
};
Difference compare(GlobalArray& global, const LocalArray& array, const std::byte* memory);
/// Whether every byte that belongs to no owned element is still poison.
bool gaps_untouched(const LocalArray& array, Index batch, const std::vector<std::byte>& memory);

/// The element at a position of an array, in elements.
Complex load(const LocalArray& array, const std::byte* memory, Index position);
void put(const LocalArray& array, std::byte* memory, Index position, Complex value);
std::size_t element_size(const ElementType& type);

}  // namespace weft::test
