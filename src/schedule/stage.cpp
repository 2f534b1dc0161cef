#include "schedule/stage.hpp"

#include <algorithm>

namespace weft {

Index element_bytes(bool complex, Precision precision) {
  return (complex ? 2 : 1) * (precision == Precision::f32 ? 4 : 8);
}

bool operator==(const Group& a, const Group& b) {
  return std::equal(a.fixed.begin(), a.fixed.end(), b.fixed.begin(), b.fixed.end(),
                    [](const GridFactor& x, const GridFactor& y) {
                      return x.parts == y.parts && x.rank_stride == y.rank_stride;
                    });
}

Index Group::color(Index rank) const {
  Index result = 0;
  for (const GridFactor& factor : fixed) {
    result = result * factor.parts + (rank / factor.rank_stride) % factor.parts;
  }
  return result;
}

Index Group::rank_within(Index rank) const {
  // A rank is a number in mixed radix; take out the digits that are fixed.
  Index result = 0, weight = 1, below = 1;
  for (const GridFactor& factor : fixed) {
    result += rank % factor.rank_stride / below * weight;
    weight *= factor.rank_stride / below;
    below = factor.rank_stride * factor.parts;
  }
  return result + rank / below * weight;
}

Box Chunking::part(const Box& box, Index chunk) const {
  if (count == 1 || box.empty()) return box;
  const Index lower = box.lower[axis], extent = box.extent(axis);
  const auto cut = [&](Index number) {
    const Index at = lower + extent / count * number + std::min(number, extent % count);
    const Index rounded = (at + alignment / 2) / alignment * alignment;
    return number == 0       ? lower
           : number == count ? lower + extent
                             : std::clamp(rounded, lower, lower + extent);
  };
  Box part = box;
  part.lower[axis] = cut(chunk);
  part.upper[axis] = cut(chunk + 1);
  return part.empty() ? empty_box(box.axes()) : part;
}

const ArrayState& before(const Stage& stage) {
  return std::visit([](const auto& s) -> const ArrayState& { return s.before; }, stage);
}

const ArrayState& after(const Stage& stage) {
  return std::visit([](const auto& s) -> const ArrayState& { return s.after; }, stage);
}

Schedule reversed(const Schedule& schedule) {
  Schedule result;
  result.direction =
      schedule.direction == Direction::forward ? Direction::backward : Direction::forward;
  for (auto stage = schedule.stages.rbegin(); stage != schedule.stages.rend(); ++stage) {
    Stage copy = *stage;
    std::visit([](auto& s) { std::swap(s.before, s.after); }, copy);
    if (auto* local = std::get_if<LocalStage>(&copy)) {
      std::reverse(local->axes.begin(), local->axes.end());
    } else {
      Chunking& chunking = std::get<RedistributeStage>(copy).chunking;
      std::swap(chunking.of_sender, chunking.of_receiver);
    }
    result.stages.push_back(copy);
  }
  return result;
}

Redistribution messages(const RedistributeStage& stage, Index rank) {
  Redistribution result;
  const auto collect = [&](const ArrayState& mine, const ArrayState& theirs,
                           std::vector<Message>& list) {
    theirs.layout.distribution.for_each_overlap(mine.shape, mine.box(rank),
                                                [&](Index peer, const Box& common) {
                                                  list.push_back({peer, common});
                                                });
    std::sort(list.begin(), list.end(),
              [](const Message& a, const Message& b) { return a.peer < b.peer; });
  };
  collect(stage.before, stage.after, result.sends);
  collect(stage.after, stage.before, result.receives);
  return result;
}

Redistribution messages(const RedistributeStage& stage, Index rank, Index chunk) {
  Redistribution all = messages(stage, rank);
  const Chunking& chunking = stage.chunking;
  if (chunking.count == 1) return all;
  const auto cut = [&](std::vector<Message>& list, bool sending) {
    std::vector<Message> cut_list;
    for (const Message& message : list) {
      // The sender's box where that is cut, otherwise the receiver's.
      const bool mine = chunking.of_sender == sending;
      const ArrayState& state = chunking.of_sender ? stage.before : stage.after;
      const Box whole = state.box(mine ? rank : message.peer);
      const Box region = intersection(message.region, chunking.part(whole, chunk));
      if (!region.empty()) cut_list.push_back({message.peer, region});
    }
    list = cut_list;
  };
  cut(all.sends, true);
  cut(all.receives, false);
  return all;
}

}  // namespace weft
