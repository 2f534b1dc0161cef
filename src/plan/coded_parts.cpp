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
  // Of a line: the first block, which may be cut at both ends, whole ones, and the rest.
  const Index head = std::min(whole, result.line_end) - result.line_begin;
  const Index behind = result.line_end - result.line_begin - head;
  const auto bytes_of_block = [&](Index elements) {
    return Index{format.bytes(static_cast<int>(elements * reals))};
  };
  Index bytes = bytes_of_block(head) + behind / whole * bytes_of_block(whole) +
                bytes_of_block(behind % whole);
  result.line_bytes = Strides::filled(region.axes(), 0);
  for (int i = order.size() - 2; i >= 0; --i) {
    result.line_bytes[order[i]] = bytes;
    bytes *= region.extent(order[i]);
  }
  result.message = message + position_in(region, result.line_bytes, part.lower);
  return result;
}

}  // namespace weft
