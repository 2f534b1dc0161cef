#include "device/line_work.hpp"

#include <algorithm>
#include <string>

#include "weft/error.hpp"

namespace weft {

namespace {

std::uint64_t parts_of(std::uint64_t number, std::uint64_t part) {
  return (number + part - 1) / part;
}

std::uint32_t items_of(const LineStep& step) {
  const bool plain = step.operation == LineOperation::prepare_plain ||
                     step.operation == LineOperation::finish_plain;
  return plain ? step.entry_count / 2 : step.entry_count;
}

bool is_adjacent(const LineStep& step) {
  const LinePairs& pairs = step.pairs;
  const bool prepares = step.operation == LineOperation::prepare_plain ||
                        step.operation == LineOperation::prepare_pairs;
  const std::uintptr_t pair_bytes = step.precision == Precision::f32 ? 8 : 16;
  const std::byte* const reals = prepares ? step.from : step.to;
  if (pairs.second != 1 || pairs.odd_loop < pairs.loops || pairs.number_step % 2 != 0 ||
      reinterpret_cast<std::uintptr_t>(reals) % pair_bytes != 0) {
    return false;
  }
  return std::all_of(pairs.loop_step, pairs.loop_step + pairs.loops,
                     [](std::int64_t distance) { return distance % 2 == 0; });
}

}  // namespace

LineWork make_line_work(const LineStep& step) {
  LineWork work;
  work.step = step;
  LinePairs& pairs = work.step.pairs;
  pairs.inner = std::min(pairs.inner, pairs.count);
  const std::uint64_t outer = parts_of(pairs.count, pairs.inner);
  std::uint64_t inner_threads = pairs.inner, outer_threads = outer;
  if (outer >= pairs_at_once) {
    outer_threads = parts_of(outer, pairs_at_once);
    work.outer_step = static_cast<std::uint32_t>(outer_threads);
  } else {
    inner_threads = parts_of(pairs.inner, pairs_at_once);
    work.inner_step = static_cast<std::uint32_t>(inner_threads);
  }
  const std::uint32_t items = items_of(step);
  const std::uint64_t threads = inner_threads * outer_threads * items;
  if (threads >> 31 != 0) {
    throw Error("a step of " + std::to_string(threads) + " threads; at most 2^31 - 1 are possible");
  }
  work.threads = static_cast<std::uint32_t>(threads);
  if (threads == 0) return work;
  work.inner_threads = make_divisor(static_cast<std::uint32_t>(inner_threads));
  work.items = make_divisor(items);
  work.adjacent = is_adjacent(step);
  return work;
}

}  // namespace weft
