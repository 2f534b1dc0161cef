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

void CopyList::add_plain(const ArrayView& view, const Box& part, const GappedBlock& inside,
                         bool reads) {
  for_each_block(part, inside, element_, [&](const Box& box, const MutableBlock& numbers) {
    std::byte* const message = view.address(box, *addresses_, bytes_of(element_));
    if (reads) {
      moves_.push_back({box.extents(), {message, view.stride}, numbers});
    } else {
      moves_.push_back({box.extents(), {numbers.data, numbers.stride}, {message, view.stride}});
    }
  });
}

void CopyList::add_coded(const Coding& coding, const ArrayView& view, const Box& part,
                         const GappedBlock& numbers, const AxisList& order) {
  CodedPart coded = coded_part(coding.format, element_.complex, view.box, order, part,
                               numbers.block, view.base(*addresses_));
  if (numbers.axis >= 0) {
    coded.gap_at = numbers.gap_at;
    coded.gap = numbers.gap;
  }
  parts_.push_back(coded);
  codings_.push_back(coding);
}

void CopyList::read(const ArrayView& view, const Box& part, const GappedBlock& to,
                    const AxisList& order) {
  if (!view.is_encoded()) return add_plain(view, part, to, true);
  add_coded({*view.encoding->codec->format(), nullptr}, view, part, to, order);
}

void CopyList::write(const ArrayView& view, const Box& part, const GappedBlock& from,
                     const AxisList& order) {
  if (!view.is_message() || view.encoding->codec == nullptr) {
    return add_plain(view, part, from, false);
  }
  // What is not encoded counts for the relative error all the same.
  const BlockFormat format =
      view.is_encoded() ? *view.encoding->codec->format() : plain_format(element_.precision);
  add_coded({format, view.encoding->sums}, view, part, from, order);
}

void CopyList::copy(const ArrayView& from, const ArrayView& to, const Box& part,
                    const AxisList& from_order, const AxisList& to_order) {
  const auto block = [&](const ArrayView& view) {
    return GappedBlock{{view.address(part, *addresses_, bytes_of(element_)), view.stride}};
  };
  if (from.is_encoded()) {
    read(from, part, block(to), from_order);
  } else {
    write(to, part, block(from), to_order);
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
