#include "plan/device_moves.hpp"

#include <algorithm>

#include "plan/coded_parts.hpp"

namespace weft {

namespace {

/// Of messages that are not encoded but count for the error.
BlockFormat plain_format(Precision precision) {
  return {BlockScheme::plain, precision == Precision::f32 ? 32 : 64, 0};
}

bool same(const BlockFormat& a, const BlockFormat& b) {
  return a.scheme == b.scheme && a.width == b.width;
}

}  // namespace

void DeviceMoves::reserve(std::size_t count) {
  moves_.reserve(count);
  parts_.reserve(count);
  codings_.reserve(count);
}

void DeviceMoves::clear() {
  moves_.clear();
  parts_.clear();
  codings_.clear();
}

void DeviceMoves::add_plain(const Piece& piece, const Box& part, const GappedBlock& inside,
                            bool reads, CopyElement element, const SlotBases& bases) {
  for_each_block(part, inside, element, [&](const Box& box, const MutableBlock& numbers) {
    std::byte* const message = piece.address(box, bases, bytes_of(element));
    if (reads) {
      moves_.push_back({box.extents(), {message, piece.stride}, numbers});
    } else {
      moves_.push_back({box.extents(), {numbers.data, numbers.stride}, {message, piece.stride}});
    }
  });
}

void DeviceMoves::add_coded(const Coding& coding, const Piece& piece, const Box& part,
                            const GappedBlock& numbers, const AxisList& order, CopyElement element,
                            const SlotBases& bases) {
  CodedPart coded = coded_part(coding.format, element.complex, piece.box, order, part,
                               numbers.block, piece.base(bases));
  if (numbers.axis >= 0) {
    coded.gap_at = numbers.gap_at;
    coded.gap = numbers.gap;
  }
  parts_.push_back(coded);
  codings_.push_back(coding);
}

void DeviceMoves::read(const Piece& piece, const Box& part, const GappedBlock& to,
                       const AxisList& order, CopyElement element, const SlotBases& bases) {
  if (!piece.is_encoded()) return add_plain(piece, part, to, true, element, bases);
  add_coded({*piece.encoding->codec->format(), nullptr}, piece, part, to, order, element, bases);
}

void DeviceMoves::write(const Piece& piece, const Box& part, const GappedBlock& from,
                        const AxisList& order, CopyElement element, const SlotBases& bases) {
  if (!piece.may_be_encoded() || piece.encoding->codec == nullptr) {
    return add_plain(piece, part, from, false, element, bases);
  }
  // What is not encoded counts for the relative error all the same.
  const BlockFormat format =
      piece.is_encoded() ? *piece.encoding->codec->format() : plain_format(element.precision);
  add_coded({format, piece.encoding->sums}, piece, part, from, order, element, bases);
}

void DeviceMoves::copy(const Piece& from, const Piece& to, const Box& part,
                       const AxisList& from_order, const AxisList& to_order, CopyElement element,
                       const SlotBases& bases) {
  const auto block = [&](const Piece& piece) {
    return GappedBlock{{piece.address(part, bases, bytes_of(element)), piece.stride}};
  };
  if (from.is_encoded()) {
    read(from, part, block(to), from_order, element, bases);
  } else {
    write(to, part, block(from), to_order, element, bases);
  }
}

void DeviceMoves::run(Stream& stream, CopyElement element, double scale) const {
  // On the device itself kernels copy faster than engines.
  stream.move(moves_, element, scale, Mover::kernel);
  const std::span<const CodedPart> parts(parts_);
  for (std::size_t first = 0, last; first < parts_.size(); first = last) {
    const Coding& coding = codings_[first];
    last = first + 1;
    while (last < parts_.size() && codings_[last].sums == coding.sums &&
           same(codings_[last].format, coding.format)) {
      ++last;
    }
    const auto some = parts.subspan(first, last - first);
    if (coding.sums != nullptr) {
      stream.encode(some, coding.format, element, scale, coding.sums);
    } else {
      stream.decode(some, coding.format, element);
    }
  }
}

}  // namespace weft
