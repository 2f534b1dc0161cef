#include "pass/encoded_message.hpp"

#include <algorithm>

#include "codec/number_bits.hpp"
#include "geometry/cursor.hpp"
#include "pass/array_view.hpp"
#include "schedule/stage.hpp"

namespace weft {

namespace {

Index rounded_down(Index value, Index multiple) {
  return value / multiple * multiple;
}

template <class Real>
double squares(const Extents& extents, const ConstBlock& block, Index parts, double factor) {
  const auto* values = reinterpret_cast<const Real*>(block.data);
  // The axis of unit stride innermost, where there is one.
  int inner = 0;
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (extents[inner] == 1 || (extents[axis] > 1 && block.stride[axis] < block.stride[inner])) {
      inner = axis;
    }
  }
  Axes<Cursor<1>::Loop> loops;
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (axis != inner) loops.push_back({extents[axis], {block.stride[axis]}});
  }
  double total = 0;
  for (Cursor<1> lines(loops); !lines.is_end(); lines.advance()) {
    double line = 0;
    for (Index i = 0; i < extents[inner]; ++i) {
      for (Index part = 0; part < parts; ++part) {
        const double value = factor * values[(lines[0] + i * block.stride[inner]) * parts + part];
        line += value * value;
      }
    }
    total += line;
  }
  return total;
}

}  // namespace

double squared_norm(const Extents& extents, const ConstBlock& block, CopyElement element,
                    double factor) {
  if (std::any_of(extents.begin(), extents.end(), [](Index n) { return n <= 0; })) return 0;
  const Index parts = element.complex ? 2 : 1;
  return element.precision == Precision::f32 ? squares<float>(extents, block, parts, factor)
                                             : squares<double>(extents, block, parts, factor);
}

bool is_faint(double squares, const Extents& extents, const ConstBlock& block,
              CopyElement element) {
  constexpr double factor = 0x1p900;
  return squares < least_squared_norm && squared_norm(extents, block, element, factor) > 0;
}

EncodedMessage::EncodedMessage(const Codec& codec, const Box& region, const AxisList& order)
    : codec_(codec),
      region_(region),
      order_(order),
      fastest_(order.back()),
      block_(codec.block_elements()) {
  line_bytes_ = run_offset(region.upper[fastest_]);
  for (int axis = 0; axis < region.axes(); ++axis) {
    if (axis != fastest_) lines_ *= region.extent(axis);
  }
}

/// Bytes of a line before the element at `position`, which begins a block or ends the line.
Index EncodedMessage::run_offset(Index position) const {
  const Index lower = region_.lower[fastest_];
  if (position == lower) return 0;
  const Index head = std::min(rounded_down(lower, block_) + block_, position) - lower;
  return codec_.bytes(head) + codec_.bytes(position - lower - head);
}

/// Groups of whole lines, or parts of lines, that fit in the buffer.
template <class Work>
void EncodedMessage::for_each_group(const Box& part, Index bytes, Work&& work) const {
  const Index most = buffer_bytes / bytes;
  const Index blocks = std::max<Index>(most / block_, 1) * block_;
  const int axes = part.axes();
  const int next = axes > 1 ? order_[axes - 2] : -1;
  const auto width_of = [&](int axis, Index lines) { return axis == next ? lines : 1; };
  for (Index begin = part.lower[fastest_]; begin < part.upper[fastest_];) {
    const Index end = std::min(rounded_down(begin, block_) + blocks, part.upper[fastest_]);
    const Index lines = next < 0 ? 1 : std::max<Index>(most / (end - begin), 1);
    Box group = part;
    group.lower[fastest_] = begin;
    group.upper[fastest_] = end;
    Axes<Cursor<0>::Loop> loops;
    for (int i = 0; i + 1 < axes; ++i) {
      const Index width = width_of(order_[i], lines);
      loops.push_back({(part.extent(order_[i]) + width - 1) / width, {}});
    }
    for (Cursor<0> groups(loops); !groups.is_end(); groups.advance()) {
      for (int i = 0; i + 1 < axes; ++i) {
        const int axis = order_[i];
        const Index width = width_of(axis, lines);
        group.lower[axis] = part.lower[axis] + groups.at()[i] * width;
        group.upper[axis] = std::min(group.lower[axis] + width, part.upper[axis]);
      }
      work(group);
    }
    begin = end;
  }
}

/// Calls work(element in the buffer, byte in the message, elements) for every run of a group.
template <class Work>
void EncodedMessage::for_each_line(const Box& group, Work&& work) const {
  Extents line_shape = region_.extents();
  line_shape[fastest_] = 1;
  Index line = 0;  // number of the first line of the group within the message
  for (int i = 0; i + 1 < order_.size(); ++i) {
    line = line * line_shape[order_[i]] + group.lower[order_[i]] - region_.lower[order_[i]];
  }
  const Index begin = group.lower[fastest_], end = group.upper[fastest_];
  const Index lines = group.count() / (end - begin);  // neighbors along the next axis
  // A line that begins within a block has a shorter first one.
  const Index head = std::min(rounded_down(begin, block_) + block_, end) - begin;
  for (Index i = 0; i < lines; ++i) {
    const Index at = i * (end - begin);
    const Index byte = (line + i) * line_bytes_;
    work(at, byte + run_offset(begin), head);
    if (head < end - begin) work(at + head, byte + run_offset(begin + head), end - begin - head);
  }
}

void EncodedMessage::write(const Box& part, const ConstBlock& from, std::byte* message,
                           CopyElement element, double scale, std::byte* buffer,
                           EncodingMeasure& measure) const {
  const Index bytes = element_bytes(element.complex, element.precision);
  for_each_group(part, bytes, [&](const Box& group) {
    const std::byte* source = from.data + position_in(part, from.stride, group.lower) * bytes;
    copy_block(group.extents(), {buffer, message_strides(group, order_)}, {source, from.stride},
               element, Store::cached, scale);
    for_each_line(group, [&](Index at, Index byte, Index elements) {
      codec_.encode(buffer + at * bytes, elements, message + byte, measure);
    });
  });
}

void EncodedMessage::read(const Box& part, const MutableBlock& to, const std::byte* message,
                          CopyElement element, std::byte* buffer) const {
  const Index bytes = element_bytes(element.complex, element.precision);
  // Blocks that the part has a share of are decoded whole.
  Box blocks = part;
  blocks.lower[fastest_] =
      std::max(rounded_down(part.lower[fastest_], block_), region_.lower[fastest_]);
  blocks.upper[fastest_] =
      std::min(rounded_down(part.upper[fastest_] + block_ - 1, block_), region_.upper[fastest_]);
  for_each_group(blocks, bytes, [&](const Box& group) {
    for_each_line(group, [&](Index at, Index byte, Index elements) {
      codec_.decode(message + byte, elements, buffer + at * bytes);
    });
    const Box wanted = intersection(group, part);
    if (wanted.empty()) return;
    const Strides dense = message_strides(group, order_);
    copy_block(
        wanted.extents(), {to.data + position_in(part, to.stride, wanted.lower) * bytes, to.stride},
        {buffer + position_in(group, dense, wanted.lower) * bytes, dense}, element, Store::cached);
  });
}

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
