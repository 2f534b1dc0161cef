#include "program/message_packer.hpp"

#include <algorithm>

#include "pass/encoded_message.hpp"

namespace weft {

namespace {

/// Long enough for the cost of a message not to matter, short enough for several to be packed while
/// the first one travels.
constexpr Index fragment_bytes = Index{1} << 18;

/// The slowest axis of a message, or -1 where it is a single line.
int slowest_axis(const Box& region, const AxisList& order) {
  for (int i = 0; i + 1 < order.size(); ++i) {
    if (region.extent(order[i]) > 1) return order[i];
  }
  return -1;
}

}  // namespace

MessagePacker::MessagePacker(const Context& context, Stream& stream, const PassSpec& whole,
                             const AxisList& order, Redistribution& redistribution,
                             const RunMemory& memory)
    : context_(context),
      stream_(stream),
      whole_(whole),
      order_(order),
      redistribution_(redistribution),
      memory_(memory) {
  const auto side = [&](const Message& message, BufferId buffer, MessageCodec& encoding) {
    return PassSide{{message_view(message, order, buffer, encoding)}, order, whole.source.element};
  };
  const Redistribution::Buffers& buffers = redistribution.buffers();
  const auto& sends = redistribution.messages().sends();
  for (std::size_t i = 0; i < sends.size(); ++i) {
    const Box& region = sends[i].region;
    std::vector<Fragment>& fragments = pack_.emplace_back();
    if (!sends[i].place.is_moved()) {
      // What stays goes straight to the other array, and counts for the relative error.
      PassSide sink = whole.sink;
      sink.views[0].encoding = &redistribution.sends();
      own_ = copy(whole.source, sink, region);
    } else {
      const PassSide sink = side(sends[i], buffers.sends[i], redistribution.sends());
      const int axis = slowest_axis(region, order);
      const Index extent = axis < 0 ? 1 : region.extent(axis);
      const Index count = std::clamp<Index>(sends[i].bytes / fragment_bytes, 1, extent);
      for (Index part = 0; part < count; ++part) {
        Box box = region;
        if (axis >= 0) {
          box.lower[axis] = region.lower[axis] + extent * part / count;
          box.upper[axis] = region.lower[axis] + extent * (part + 1) / count;
        }
        fragments.push_back({copy(whole.source, sink, box), axis < 0 ? 0 : box.upper[axis]});
      }
    }
  }
  const auto& receives = redistribution.messages().receives();
  for (std::size_t i = 0; i < receives.size(); ++i) {
    std::unique_ptr<Pass>& unpack = unpack_.emplace_back();
    if (!receives[i].place.is_moved()) continue;
    const PassSide source = side(receives[i], buffers.receives[i], redistribution.receives());
    unpack = copy(source, whole.sink, receives[i].region);
  }
}

std::unique_ptr<Pass> MessagePacker::copy(const PassSide& source, const PassSide& sink,
                                          const Box& box) {
  PassSpec spec = whole_;
  spec.source = source;
  spec.sink = sink;
  spec.before = spec.after = box;
  auto pass = make_pass(context_, stream_, spec);
  scratch_bytes_ = std::max(scratch_bytes_, pass->scratch_bytes());
  return pass;
}

Index MessagePacker::pack_fragment(std::size_t send, int fragment) {
  const Fragment& part = pack_[send][static_cast<std::size_t>(fragment)];
  run(*part.pass);
  const Box& region = redistribution_.messages().sends()[send].region;
  const Codec* codec = redistribution_.sends().codec;
  const Index bytes = codec != nullptr ? EncodedMessage(*codec, region, order_).bytes()
                                       : region.count() * bytes_of(whole_.source.element);
  const int axis = slowest_axis(region, order_);
  if (axis < 0) return bytes;
  return bytes / region.extent(axis) * (part.ends_before - region.lower[axis]);
}

}  // namespace weft
