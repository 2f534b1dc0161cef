#include "plan/pass.hpp"

#include <algorithm>

#include "kind/kind.hpp"
#include "plan/device_pass.hpp"
#include "plan/host_pass.hpp"
#include "schedule/stage.hpp"

namespace weft {

std::unique_ptr<Pass> make_pass(const PassRequest& request) {
  if (!on_host(*request.stream)) return std::make_unique<DevicePass>(request);
  return std::make_unique<HostPass>(request);
}

Index Pass::element_bytes(bool complex) const {
  return weft::element_bytes(complex, request_.precision);
}

Index Pass::bytes() const {
  return request_.before.count() * element_bytes(request_.source.complex) +
         request_.after.count() * element_bytes(request_.sink.complex);
}

bool Pass::changes_lengths() const {
  return std::any_of(request_.axes.begin(), request_.axes.end(), [&](int axis) {
    const KindTraits& kind = traits(request_.kinds[axis]);
    const Index length = request_.lengths[axis];
    const bool forward = request_.direction == Direction::forward;
    const Index points = (forward ? request_.before : request_.after).extent(axis);
    const Index modes = (forward ? request_.after : request_.before).extent(axis);
    return points != length || modes != kind.output_length(length);
  });
}

Box Pass::before_of(const Box& tile) const {
  Box box = tile;
  for (int axis : request_.axes) {
    box.lower[axis] = request_.before.lower[axis];
    box.upper[axis] = request_.before.upper[axis];
  }
  return box;
}

Box Pass::after_of(const Box& tile) const {
  Box box = tile;
  for (int axis : request_.axes) {
    box.lower[axis] = request_.after.lower[axis];
    box.upper[axis] = request_.after.upper[axis];
  }
  return box;
}

bool Pass::has_same_positions() const {
  if (!request_.source.is_array_with(request_.before) ||
      !request_.sink.is_array_with(request_.after)) {
    return false;
  }
  // Copies take no detour over scratch memory.
  if (request_.axes.empty() || changes_lengths()) return false;
  const Piece& from = request_.source.pieces[0];
  const Piece& to = request_.sink.pieces[0];
  const Index from_bytes = element_bytes(request_.source.complex);
  const Index to_bytes = element_bytes(request_.sink.complex);
  if (from.offset * from_bytes != to.offset * to_bytes) return false;
  for (int axis = 0; axis < request_.before.axes(); ++axis) {
    const bool halved = traits(request_.kinds[axis]).real_to_complex;
    if (halved && request_.axes.contains(axis)) {
      // A line of reals and its half spectrum start together and are contiguous.
      if (from.stride[axis] != 1 || to.stride[axis] != 1) return false;
    } else if (from.stride[axis] * from_bytes != to.stride[axis] * to_bytes) {
      return false;
    }
  }
  return true;
}

LocalProblem Pass::local_problem(const Extents& loops, const Strides& in,
                                 const Strides& out) const {
  LocalProblem problem;
  problem.direction = request_.direction;
  problem.precision = request_.precision;
  problem.orthogonal = request_.orthogonal;
  problem.real_data = !request_.source.complex && !request_.sink.complex;
  problem.rigor = request_.rigor;
  problem.stream = request_.stream;
  // Libraries halve the last axis; the others go from slowest to fastest.
  for (const bool halved : {false, true}) {
    for (int axis : request_.source.order) {
      if (!request_.axes.contains(axis)) continue;
      if (traits(request_.kinds[axis]).real_to_complex != halved) continue;
      problem.transform.push_back({request_.lengths[axis], in[axis], out[axis],
                                   request_.before.extent(axis), request_.after.extent(axis)});
      problem.kinds.push_back(request_.kinds[axis]);
    }
  }
  for (int axis : request_.source.order) {
    if (request_.axes.contains(axis) || loops[axis] == 1) continue;
    problem.batch.push_back({loops[axis], in[axis], out[axis]});
  }
  return problem;
}

}  // namespace weft
