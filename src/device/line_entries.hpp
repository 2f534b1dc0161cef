#pragma once

#include <cstdint>

namespace weft {

// Entries of tables. Places in lines are numbers of elements.

/// result[to] = factor * number[from]. Steps take two neighboring entries at a time, so tables
/// have an even number; what lies next to each other in the array should be next to each other
/// here. Without `from` the number is zero, without `to` there is no result.
template <class Real>
struct PlainEntry {
  std::int32_t from, to;
  Real factor;
};

/// Entry k makes number k of a complex line: (re + i im) (number[first] - i number[second]). Joined
/// lines are Hermitian: the entries of their first halves make all of them.
template <class Real>
struct PairEntry {
  std::int32_t first, second;
  Real re, im;
};

/// The real parts of (re + i im) number[from] are up to two results. Of joined lines the number is
/// the sum of that at `from` and the conjugate of that at its mirror place, twice what it is.
template <class Real>
struct PartsEntry {
  std::int32_t from;
  std::int32_t to[2];
  Real re[2], im[2];
};

}  // namespace weft
