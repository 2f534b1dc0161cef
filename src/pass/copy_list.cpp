#include "pass/copy_list.hpp"

#include <algorithm>

#include "pass/encoded_message.hpp"

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

void CopyList::reserve(std::size_t count) {
  moves_.reserve(count);
  parts_.reserve(count);
  codings_.reserve(count);
}

void CopyList::begin(CopyElement element, const AddressTable& addresses) {
  element_ = element;
  addresses_ = &addresses;
  moves_.clear();
  parts_.clear();
  codings_.clear();
}

void CopyList::move(Way way, const ArrayView& view, const Box& part, const GappedBlock& numbers,
                    const AxisList& order) {
  const bool reads = way == Way::from_view;
  if (!(reads ? view.is_encoded() : view.is_measured())) {
    for_each_block(part, numbers, element_, [&](const Box& box, const MutableBlock& block) {
      std::byte* const inside = view.address(box, *addresses_, element_);
      if (reads) {
        moves_.push_back({box.extents(), {inside, view.stride}, block});
      } else {
        moves_.push_back({box.extents(), {block.data, block.stride}, {inside, view.stride}});
      }
    });
    return;
  }
  const BlockFormat format =
      view.is_encoded() ? *view.encoding->codec->format() : plain_format(element_.precision);
  CodedPart coded = coded_part(format, element_.complex, view.box, order, part, numbers.block,
                               view.base(*addresses_));
  if (numbers.axis >= 0) {
    coded.gap_at = numbers.gap_at;
    coded.gap = numbers.gap;
  }
  parts_.push_back(coded);
  codings_.push_back({format, reads ? nullptr : view.encoding->sums});
}

void CopyList::copy(const ArrayView& from, const ArrayView& to, const Box& part,
                    const AxisList& from_order, const AxisList& to_order) {
  const auto block = [&](const ArrayView& view) {
    return GappedBlock{{view.address(part, *addresses_, element_), view.stride}};
  };
  if (from.is_encoded()) {
    move(Way::from_view, from, part, block(to), from_order);
  } else {
    move(Way::to_view, to, part, block(from), to_order);
  }
}

void CopyList::run(Stream& stream, double scale) const {
  // On the device itself kernels copy faster than engines.
  stream.move(moves_, element_, scale, Mover::kernel);
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
      stream.encode(some, coding.format, element_, scale, coding.sums);
    } else {
      stream.decode(some, coding.format, element_);
    }
  }
}

}  // namespace weft
