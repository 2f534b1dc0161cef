#include "layouts.hpp"

#include <algorithm>

#include "geometry/layout.hpp"
#include "kind/kind.hpp"

namespace weft::bench {

namespace {

LayoutSpec asked(const std::string& wanted, const std::string& favorite, const char* slab_text,
                 const char* pencil_text) {
  if (wanted == "any") return parse_layout(favorite);
  if (wanted == "slab") return parse_layout(slab_text);
  if (wanted == "pencil") return parse_layout(pencil_text);
  return parse_layout(wanted);
}

LocalArray local_array(const Case& problem, const Extents& shape, const LayoutSpec& spec,
                       bool complex, const std::string& name) {
  LayoutContext context;
  context.shape = shape;
  context.batch = problem.batch;
  context.ranks = ranks_of(problem);
  context.rank = rank_of(problem);
  context.halved_axis = halved_axis(problem.kinds);
  const Layout layout = resolve(spec, context, name);
  Extents whole_shape = shape;
  if (problem.batch > 1) whole_shape.push_back(problem.batch);
  const View view = layout.memory.view(layout.distribution.box(whole_shape, context.rank));
  LocalArray array{view.box, view.stride, view.offset, view.size, {problem.precision, complex}};
  if (problem.batch > 1) {
    const auto drop_last = [](const Extents& extents) {
      Extents result;
      for (int axis = 0; axis + 1 < extents.size(); ++axis) result.push_back(extents[axis]);
      return result;
    };
    array.box = {drop_last(array.box.lower), drop_last(array.box.upper)};
  }
  return array;
}

bool accepts(const std::string& asked, const std::string& offered) {
  return asked == "any" || asked == offered || offered.starts_with(asked + ":");
}

}  // namespace

int rank_of(const Case& problem) {
  int rank = 0;
  MPI_Comm_rank(problem.comm, &rank);
  return rank;
}

int ranks_of(const Case& problem) {
  int ranks = 1;
  MPI_Comm_size(problem.comm, &ranks);
  return ranks;
}

bool has_kind(const Case& problem, Kind kind) {
  return problem.kinds.contains(kind);
}

bool is_real_to_real(const Case& problem) {
  return logical_points(problem.shape, problem.kinds) > 1 && !has_kind(problem, Kind::c2c) &&
         !has_kind(problem, Kind::r2c);
}

bool is_real(const Case& problem) {
  return has_kind(problem, Kind::r2c) || is_real_to_real(problem);
}

Extents spectral_shape(const Case& problem) {
  return weft::spectral_shape(problem.shape, problem.kinds);
}

std::string setting(const Case& problem, const std::string& name, const std::string& fallback) {
  const auto found = problem.settings.find(name);
  return found == problem.settings.end() ? fallback : found->second;
}

LayoutSpec asked_input(const Case& problem, const std::string& favorite) {
  return asked(problem.in, favorite, "slab:0", "pencil:2");
}

LayoutSpec asked_output(const Case& problem, const std::string& favorite) {
  return asked(problem.out, favorite, "slab:1", "pencil:0");
}

LocalArray input_array(const Case& problem, const LayoutSpec& layout) {
  return local_array(problem, problem.shape, layout, !is_real(problem), "in");
}

LocalArray output_array(const Case& problem, const LayoutSpec& layout) {
  return local_array(problem, spectral_shape(problem), layout, !is_real_to_real(problem), "out");
}

LocalArray array_of(const Box& box, const AxisList& order, ElementType type, Index batch) {
  LocalArray array{box, Strides::filled(box.axes(), 0), 0, box.count() * batch, type};
  Index stride = 1;
  for (int i = order.size() - 1; i >= 0; --i) {
    array.strides[order[i]] = stride;
    stride *= std::max<Index>(1, box.extent(order[i]));
  }
  if (batch > 1) array.strides.push_back(stride);
  return array;
}

void require_layouts(const Case& problem, const std::string& in, const std::string& out) {
  require(accepts(problem.in, in) && accepts(problem.out, out),
          "layouts " + problem.in + " to " + problem.out + "; only " + in + " to " + out);
}

void require(bool offered, const std::string& what) {
  if (!offered) throw Unsupported("not offered: " + what);
}

void require_3d(const Case& problem) {
  require(problem.shape.size() == 3, std::to_string(problem.shape.size()) + " axes; only 3");
  for (int axis = 0; axis < 3; ++axis) {
    const Kind kind = problem.kinds[axis];
    require(kind == Kind::c2c || (kind == Kind::r2c && axis == 2),
            "kinds " + to_string(problem.kinds));
  }
}

void require_3d_or_real(const Case& problem) {
  if (!is_real_to_real(problem)) return require_3d(problem);
  require(problem.shape.size() == 3, std::to_string(problem.shape.size()) + " axes; only 3");
}

void require_single(const Case& problem) {
  require(problem.batch == 1, "batches");
}

void require_single_3d(const Case& problem) {
  require_3d(problem);
  require_single(problem);
}

TransformDescription transform_of(const Case& problem, const LocalArray& in,
                                  const LocalArray& out) {
  return {problem.shape, problem.kinds, Norm::backward, problem.batch, in,
          out,           problem.comm,  problem.threads};
}

std::size_t bytes_of(const LocalArray& array) {
  const std::size_t real = array.type.precision == Precision::f32 ? 4 : 8;
  return static_cast<std::size_t>(array.allocation_size) * real * (array.type.complex ? 2 : 1);
}

bool conforms(const std::string& asked, const Extents& parts) {
  const auto split = std::count_if(parts.begin(), parts.end(), [](Index p) { return p > 1; });
  const std::string form = asked.substr(0, asked.find(':'));
  const std::size_t colon = asked.find(':');
  if (form == "slab") {
    if (split > 1) return false;
    if (colon == asked.npos) return true;
    const int axis = asked[colon + 1] - '0';
    return split == 0 || parts[axis] > 1;
  }
  if (form == "pencil") {
    return split <= 2 && (colon == asked.npos || parts[asked[colon + 1] - '0'] == 1);
  }
  return true;
}

}  // namespace weft::bench
