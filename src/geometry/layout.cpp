#include "geometry/layout.hpp"

#include <algorithm>
#include <vector>

namespace weft {

namespace {

/// More elements cannot be addressed in bytes.
constexpr Index largest_array = (Index{1} << 62) / 16;

/// a + b * c; false where it does not fit.
bool accumulate(Index& a, Index b, Index c) {
  Index step = 0;
  return !__builtin_mul_overflow(b, c, &step) && !__builtin_add_overflow(a, step, &a);
}

void check_axis(int axis, int axes, const std::string& what) {
  if (axis < 0 || axis >= axes) {
    throw Error(what + ": axis " + std::to_string(axis) + " is not one of the " +
                std::to_string(axes) + " axes of the array");
  }
}

Axes<GridAxis> assign(const std::vector<GridFactor>& factors, const std::vector<int>& to_axes,
                      int axes, Split split) {
  auto grid = Axes<GridAxis>::filled(axes, GridAxis{});
  for (std::size_t i = 0; i < factors.size(); ++i) {
    grid[to_axes[i]] = {factors[i].parts, factors[i].rank_stride, split};
  }
  return grid;
}

Distribution resolve_distribution(const LayoutSpec& spec, const LayoutContext& context,
                                  const std::string& name) {
  const int axes = context.shape.size();
  std::vector<int> split_axes;
  switch (spec.form) {
    case LayoutSpec::Form::slab:
      check_axis(spec.axis, axes, name + " layout slab");
      split_axes = {spec.axis};
      break;
    case LayoutSpec::Form::pencil:
      check_axis(spec.axis, axes, name + " layout pencil");
      for (int axis = 0; axis < axes && split_axes.size() < 2; ++axis) {
        if (axis != spec.axis) split_axes.push_back(axis);
      }
      break;
    case LayoutSpec::Form::brick:
      for (int axis = 0; axis < std::min(axes, 3); ++axis) split_axes.push_back(axis);
      break;
    case LayoutSpec::Form::grid: {
      if (spec.parts.size() != axes) {
        throw Error(name + " layout grid " + to_string(spec.parts) + " has " +
                    std::to_string(spec.parts.size()) + " axes, the array " +
                    to_string(context.shape) + " has " + std::to_string(axes));
      }
      if (std::any_of(spec.parts.begin(), spec.parts.end(), [](Index p) { return p < 1; })) {
        throw Error(name + " layout grid " + to_string(spec.parts) + ": parts must be positive");
      }
      if (product(spec.parts) != context.ranks) {
        throw Error(name + " layout grid " + to_string(spec.parts) + " needs " +
                    std::to_string(product(spec.parts)) + " ranks, the communicator has " +
                    std::to_string(context.ranks));
      }
      std::vector<int> every;
      for (int axis = 0; axis < axes; ++axis) every.push_back(axis);
      const std::vector<Index> parts(spec.parts.begin(), spec.parts.end());
      return Distribution::by_grid(assign(row_major_factors(parts), every, axes, spec.split),
                                   context.ranks);
    }
    case LayoutSpec::Form::boxes:
      if (static_cast<Index>(spec.all.size()) != context.ranks) {
        throw Error(name + " layout lists " + std::to_string(spec.all.size()) +
                    " boxes, the communicator has " + std::to_string(context.ranks) + " ranks");
      }
      try {
        check_tiling(spec.all, context.shape);
      } catch (const Error& error) {
        throw Error(name + " layout: " + error.what());
      }
      return Distribution::by_boxes(spec.all);
    case LayoutSpec::Form::as_input:
    case LayoutSpec::Form::own_box:
      throw Error(name + " layout is not resolved");
  }
  const auto factors = split_axes.empty()
                           ? std::vector<GridFactor>{}
                           : near_equal_factors(context.ranks, static_cast<int>(split_axes.size()));
  return Distribution::by_grid(assign(factors, split_axes, axes, spec.split), context.ranks);
}

void check_order(const AxisList& order, int axes, const std::string& name) {
  auto seen = Axes<bool>::filled(axes, false);
  bool good = order.size() == axes;
  for (int axis : order) {
    if (!good || axis < 0 || axis >= axes || seen[axis]) {
      good = false;
      break;
    }
    seen[axis] = true;
  }
  if (!good) {
    throw Error(name + " layout: memory order " + to_string(order) +
                " is not a permutation of the axes 0 to " + std::to_string(axes - 1));
  }
}

void check_halo(const Extents& halo, int axes, const std::string& name) {
  if (!halo.empty() && halo.size() != axes) {
    throw Error(name + " layout: halo " + to_string(halo) + " has not " + std::to_string(axes) +
                " axes");
  }
  for (Index width : halo) {
    if (width < 0) throw Error(name + " layout: halo " + to_string(halo) + " is negative");
  }
}

Memory resolve_memory(const LayoutSpec& spec, const LayoutContext& context, const Box& own,
                      const std::string& name) {
  const int axes = context.shape.size();
  const bool batched = context.batch > 1;
  Memory memory;
  memory.order = spec.order.empty() ? natural_order(axes) : spec.order;
  check_order(memory.order, axes, name);
  check_halo(spec.halo_lower, axes, name);
  check_halo(spec.halo_upper, axes, name);
  memory.halo_lower = spec.halo_lower.empty() ? Extents::filled(axes, 0) : spec.halo_lower;
  memory.halo_upper = spec.halo_upper.empty() ? Extents::filled(axes, 0) : spec.halo_upper;
  if (spec.r2c_padding) {
    const int halved = context.halved_axis;
    if (halved < 0) throw Error(name + " layout: padding for r2c, but no axis has kind r2c");
    if (memory.order.back() != halved || own.axes() == 0) {
      throw Error(name + " layout: padding for r2c needs the halved axis " +
                  std::to_string(halved) + " last in memory order " + to_string(memory.order));
    }
    if (!own.empty() && own.extent(halved) != context.shape[halved]) {
      throw Error(name + " layout: padding for r2c needs the halved axis " +
                  std::to_string(halved) + " whole on each rank");
    }
    memory.halo_upper[halved] += 2 * (context.shape[halved] / 2 + 1) - context.shape[halved];
  }
  if (batched) {
    memory.halo_lower.push_back(0);
    memory.halo_upper.push_back(0);
    AxisList order;
    if (!context.interleaved) order.push_back(axes);
    for (int axis : memory.order) order.push_back(axis);
    if (context.interleaved) order.push_back(axes);
    memory.order = order;
  }
  if (spec.strides.empty()) return memory;
  if (!spec.order.empty() || !spec.halo_lower.empty() || !spec.halo_upper.empty() ||
      spec.r2c_padding) {
    throw Error(name + " layout: explicit strides exclude order, halo and padding");
  }
  if (spec.strides.size() != axes + (batched ? 1 : 0)) {
    throw Error(name + " layout: strides " + to_string(spec.strides) + " need " +
                std::to_string(axes) + " entries" + (batched ? " and one for the batch" : ""));
  }
  check_strides(own, spec.strides, name);
  memory.strides = spec.strides;
  std::stable_sort(memory.order.begin(), memory.order.end(),
                   [&](int a, int b) { return spec.strides[a] > spec.strides[b]; });
  return memory;
}

}  // namespace

AxisList natural_order(int axes) {
  AxisList order;
  for (int axis = 0; axis < axes; ++axis) order.push_back(axis);
  return order;
}

/// Sufficient and, for strides that come from nested arrays, necessary: sorted by stride, each axis
/// steps over all inner ones.
void check_strides(const Box& box, const Strides& strides, const std::string& name) {
  if (box.empty()) return;
  std::vector<std::pair<Index, Index>> by_stride;  // stride, extent
  for (int axis = 0; axis < box.axes(); ++axis) {
    if (strides[axis] < 1) {
      throw Error(name + " layout: strides " + to_string(strides) + " must be positive");
    }
    if (box.extent(axis) > 1) by_stride.emplace_back(strides[axis], box.extent(axis));
  }
  std::sort(by_stride.begin(), by_stride.end());
  Index reach = 1;
  for (const auto& [stride, extent] : by_stride) {
    if (stride < reach) {
      throw Error(name + " layout: strides " + to_string(strides) + " make elements of box " +
                  to_string(box) + " share memory");
    }
    if (!accumulate(reach, stride, extent - 1)) return;  // Memory::view refuses it
  }
}

View Memory::view(const Box& box) const {
  View view{box, Strides::filled(box.axes(), 0), 0, 0};
  bool fits = true;
  if (!strides.empty()) {
    view.stride = strides;
    if (box.empty()) return view;
    view.size = 1;
    for (int axis = 0; axis < box.axes(); ++axis) {
      fits = fits && accumulate(view.size, box.extent(axis) - 1, strides[axis]);
    }
  } else {
    Index distance = 1;
    for (int i = order.size() - 1; i >= 0; --i) {
      const int axis = order[i];
      view.stride[axis] = distance;
      Index allocated = box.extent(axis);
      fits = fits && accumulate(view.offset, halo_lower[axis], distance) &&
             accumulate(allocated, halo_lower[axis], 1) &&
             accumulate(allocated, halo_upper[axis], 1) &&
             !__builtin_mul_overflow(distance, allocated, &distance);
    }
    if (box.empty()) return {box, view.stride, 0, 0};
    view.size = distance;
  }
  if (!fits || view.size > largest_array) {
    throw Error("an array around box " + to_string(box) + " with " +
                (strides.empty() ? "halo " + to_string(halo_lower) + " and " + to_string(halo_upper)
                                 : "strides " + to_string(strides)) +
                " is too large");
  }
  return view;
}

Memory Memory::dense() const {
  Memory result;
  result.order = order;
  result.halo_lower = result.halo_upper = Extents::filled(order.size(), 0);
  return result;
}

Memory Memory::common() const {
  Memory result = dense();
  if (!strides.empty()) result.order = natural_order(order.size());
  return result;
}

Layout resolve(const LayoutSpec& spec, const LayoutContext& context, const std::string& name) {
  Layout layout;
  layout.distribution = resolve_distribution(spec, context, name);
  Extents shape = context.shape;
  if (context.batch > 1) {
    layout.distribution = layout.distribution.with_whole_axis(context.batch);
    shape.push_back(context.batch);
  }
  const Box own = layout.distribution.box(shape, context.rank);
  layout.memory = resolve_memory(spec, context, own, name);
  try {
    layout.memory.view(own);
  } catch (const Error& error) {
    throw Error(name + " layout: " + error.what());
  }
  return layout;
}

}  // namespace weft
