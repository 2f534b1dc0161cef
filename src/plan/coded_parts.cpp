#include "plan/coded_parts.hpp"

#include <algorithm>

#include "codec/number_bits.hpp"
#include "geometry/layout.hpp"

namespace weft {

CodedPart coded_part(const BlockFormat& format, bool complex, const Box& region,
                     const AxisList& order, const Box& part, const MutableBlock& numbers,
                     std::byte* message) {
  const int reals = complex ? 2 : 1;
  const Index whole = block_reals / reals;
  CodedPart result;
  result.extents = part.extents();
  result.numbers = numbers.data;
  result.stride = numbers.stride;
  result.axis = order.back();
  const Index origin = region.lower[result.axis] / whole * whole;
  result.first = part.lower[result.axis] - origin;
  result.line_begin = region.lower[result.axis] - origin;
  result.line_end = region.upper[result.axis] - origin;
  Index bytes = 0;
  for (Index begin = result.line_begin, blocks; begin < result.line_end;) {
    // The first block to its end, then all whole ones, then the rest.
    Index end = std::min(begin / whole * whole + whole, result.line_end);
    blocks = begin % whole == 0 ? std::max<Index>((result.line_end - begin) / whole, 1) : 1;
    bytes += blocks * format.bytes(static_cast<int>((end - begin) * reals));
    begin = end + (blocks - 1) * whole;
  }
  result.line_bytes = Strides::filled(region.axes(), 0);
  for (int i = order.size() - 2; i >= 0; --i) {
    result.line_bytes[order[i]] = bytes;
    bytes *= region.extent(order[i]);
  }
  result.message = message + position_in(region, result.line_bytes, part.lower);
  return result;
}

}  // namespace weft
