#include "schedule/stage.hpp"

#include <algorithm>
#include <utility>

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

Group common_group(const Distribution& before, const Distribution& after, Index ranks) {
  Group group;
  if (!before.is_grid() || !after.is_grid()) return group;
  if (before.grid_size() != ranks || after.grid_size() != ranks) return group;
  for (int axis = 0; axis < before.grid().size(); ++axis) {
    const GridAxis& split = before.grid()[axis];
    if (split.parts > 1 && split == after.grid()[axis]) {
      group.fixed.push_back({split.parts, split.rank_stride});
    }
  }
  std::sort(group.fixed.begin(), group.fixed.end(),
            [](const GridFactor& a, const GridFactor& b) { return a.rank_stride < b.rank_stride; });
  return group;
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
      chunking = chunking.reversed();
    }
    result.stages.push_back(copy);
  }
  return result;
}

MessageLists messages(const RedistributeStage& stage, Index rank) {
  MessageLists result;
  const auto collect = [&](const ArrayState& mine, const ArrayState& theirs,
                           std::vector<MessageRegion>& list) {
    theirs.layout.distribution.for_each_overlap(mine.shape, mine.box(rank),
                                                [&](Index peer, const Box& common) {
                                                  list.push_back({peer, common});
                                                });
    std::sort(list.begin(), list.end(),
              [](const MessageRegion& a, const MessageRegion& b) { return a.peer < b.peer; });
  };
  collect(stage.before, stage.after, result.sends);
  collect(stage.after, stage.before, result.receives);
  return result;
}

MessageLists messages(const RedistributeStage& stage, Index rank, const Chunk& chunk) {
  MessageLists all = messages(stage, rank);
  const Chunking& chunking = stage.chunking;
  if (!chunking.is_cut()) return all;
  const auto keep_chunk = [&](std::vector<MessageRegion>& list, bool sending) {
    std::vector<MessageRegion> kept;
    for (const MessageRegion& message : list) {
      const Box from = stage.before.box(sending ? rank : message.peer);
      const Box to = stage.after.box(sending ? message.peer : rank);
      Box region = intersection(message.region, chunking.sender.part(from, chunk.sent));
      region = intersection(region, chunking.receiver.part(to, chunk.received));
      if (!region.empty()) kept.push_back({message.peer, region});
    }
    list = std::move(kept);
  };
  keep_chunk(all.sends, true);
  keep_chunk(all.receives, false);
  return all;
}

}  // namespace weft
