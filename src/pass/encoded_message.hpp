#pragma once

#include "codec/codec.hpp"
#include "device/coded_part.hpp"
#include "device/host_copy.hpp"
#include "geometry/layout.hpp"

namespace weft {

/// An encoded message: the numbers of a region, line by line along the fastest axis of the order.
/// Each line is a run of its own, cut at multiples of the codec's blocks in global coordinates: so
/// any part whose bounds along that axis are such multiples, or those of the region, stands for
/// itself, whatever the tiles of sender and receiver.
class EncodedMessage {
 public:
  EncodedMessage(const Codec& codec, const Box& region, const AxisList& order);

  Index bytes() const { return line_bytes_ * lines_; }
  /// Encodes a part, from a block of numbers that begins at its lower corner.
  void write(const Box& part, const ConstBlock& from, std::byte* message, CopyElement element,
             double scale, std::byte* buffer, EncodingMeasure& measure) const;
  /// Decodes a part.
  void read(const Box& part, const MutableBlock& to, const std::byte* message, CopyElement element,
            std::byte* buffer) const;

  /// Size of the buffer that write and read need.
  static constexpr Index buffer_bytes = 16384;

 private:
  template <class Work>
  void for_each_group(const Box& part, Index bytes, Work&& work) const;
  Index run_offset(Index position) const;
  template <class Work>
  void for_each_line(const Box& group, Work&& work) const;

  const Codec& codec_;
  const Box& region_;
  const AxisList& order_;
  int fastest_;
  Index block_;
  Index line_bytes_ = 0;
  Index lines_ = 1;
};

/// A part of an encoded message of `region` as devices take it. The numbers begin at the lower
/// corner of the part.
CodedPart coded_part(const BlockFormat& format, bool complex, const Box& region,
                     const AxisList& order, const Box& part, const MutableBlock& numbers,
                     std::byte* message);

/// A sum of squares below this says nothing unless all numbers are zero.
inline constexpr double least_squared_norm = 1e-200;

/// Sum of the squares of a block of numbers, each multiplied by a factor.
double squared_norm(const Extents& extents, const ConstBlock& block, CopyElement element,
                    double factor = 1);
/// Whether a block with this sum of squares has numbers all the same.
bool is_faint(double squared_norm, const Extents& extents, const ConstBlock& block,
              CopyElement element);

}  // namespace weft
