#pragma once

#include <complex>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/heffte/box.hpp"
#include "weft/heffte/mpi.hpp"
#include "weft/heffte/transform.hpp"
#include "weft/heffte/types.hpp"

// What programs give to transforms, as weft's interface takes it.
namespace heffte {

namespace detail {

/// The number type of weft's interface for a type of the standard.
template <typename T>
struct number_of;
template <>
struct number_of<float> {
  static constexpr weft::detail::HeffteNumber value = weft::detail::HeffteNumber::f32;
};
template <>
struct number_of<double> {
  static constexpr weft::detail::HeffteNumber value = weft::detail::HeffteNumber::f64;
};
template <>
struct number_of<std::complex<float>> {
  static constexpr weft::detail::HeffteNumber value = weft::detail::HeffteNumber::complex_f32;
};
template <>
struct number_of<std::complex<double>> {
  static constexpr weft::detail::HeffteNumber value = weft::detail::HeffteNumber::complex_f64;
};
/// An array for weft; of input, nothing is written.
template <typename T>
weft::detail::HeffteArray array_of(T const array[]) {
  using standard = typename define_standard_type<T>::type;
  return {const_cast<void*>(static_cast<void const*>(array)), number_of<standard>::value};
}

template <typename index>
weft::detail::HeffteBox box_of(box3d<index> const& box) {
  return {
      {{box.low[0], box.low[1], box.low[2]}}, {{box.high[0], box.high[1], box.high[2]}}, box.order};
}
/// The order that all boxes with any index have; throws std::invalid_argument if they differ.
template <typename index>
std::array<int, 3> common_order(std::vector<box3d<index>> const& boxes) {
  box3d<index> const* first = nullptr;
  for (box3d<index> const& box : boxes) {
    if (box.empty()) continue;
    if (first == nullptr) first = &box;
    if (!box.ordered_same_as(*first)) {
      throw std::invalid_argument("boxes of different ranks have different orders");
    }
  }
  return first == nullptr ? std::array<int, 3>{{0, 1, 2}} : first->order;
}
/// Throws std::invalid_argument unless boxes have as many points as the world around them, which
/// begins at 0. Whether any two overlap takes longer to find out: plans do that.
template <typename index>
void check_world(std::vector<box3d<index>> const& boxes, box3d<index> const& world) {
  long long points = 0;
  for (box3d<index> const& box : boxes) points += box.count();
  if (points != world.count()) {
    throw std::invalid_argument("boxes of all ranks overlap or leave gaps: they have " +
                                std::to_string(points) + " points, the world around them has " +
                                std::to_string(world.count()));
  }
  if (world.low != std::array<index, 3>{{0, 0, 0}}) {
    throw std::invalid_argument("indices of the world of all boxes must begin at 0");
  }
}
/// What weft is to do on the host, from the boxes of all ranks. Collective; throws
/// std::invalid_argument on all of them where boxes do not fit together.
template <typename index>
weft::detail::HeffteProblem problem_of(box3d<index> const& inbox, box3d<index> const& outbox,
                                       MPI_Comm comm, weft::detail::HeffteKind kind, int halved,
                                       double backward_factor) {
  ioboxes<index> const boxes = mpi::gather_boxes(inbox, outbox, comm);
  box3d<index> const world = find_world(boxes.in), spectrum = find_world(boxes.out);
  check_world(boxes.in, world);
  check_world(boxes.out, spectrum);
  bool const half = kind == weft::detail::HeffteKind::r2c;
  if (half && (halved < 0 || halved > 2)) {
    throw std::invalid_argument("the direction of a real transform must be 0, 1 or 2");
  }
  if (spectrum != (half ? world.r2c(halved) : world)) {
    throw std::invalid_argument(
        "the world of the outboxes is not that of the coefficients of the inboxes");
  }
  weft::detail::HeffteProblem problem;
  problem.comm = comm;
  problem.kind = kind;
  problem.halved = halved;
  problem.backward_factor = backward_factor;
  problem.points = {{world.size[0], world.size[1], world.size[2]}};
  problem.inbox = box_of(inbox);
  problem.inbox.order = common_order(boxes.in);
  problem.outbox = box_of(outbox);
  problem.outbox.order = common_order(boxes.out);
  problem.on_gpu = false;
  problem.stream = nullptr;
  problem.equal_sizes = true;
  for (std::size_t rank = 0; rank < boxes.in.size(); ++rank) {
    if (boxes.in[rank].count() != boxes.out[rank].count()) problem.equal_sizes = false;
  }
  return problem;
}

}  // namespace detail

}  // namespace heffte
