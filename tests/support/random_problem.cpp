#include "support/random_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "exchange/exchange.hpp"
#include "geometry/layout.hpp"
#include "kind/kind.hpp"
#include "local/local_transform.hpp"
#include "support/exchange_names.hpp"
#include "support/random_distribution.hpp"

namespace weft::test {

namespace {

using Generator = std::mt19937_64;

Index draw(Generator& random, Index below) {
  return static_cast<Index>(random() % static_cast<std::uint64_t>(below));
}
bool chance(Generator& random, int percent) {
  return draw(random, 100) < percent;
}

Extents random_shape(Generator& random) {
  const int axes = 1 + static_cast<int>(draw(random, max_axes));
  const Index largest[] = {200, 48, 17, 9, 6, 5};  // by number of axes; primes and 1 included
  Extents shape;
  for (int axis = 0; axis < axes; ++axis) shape.push_back(1 + draw(random, largest[axes - 1]));
  return shape;
}

AxisList random_order(Generator& random, int axes) {
  AxisList order = natural_order(axes);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

Extents random_factors(Generator& random, int axes, Index ranks) {
  auto parts = Extents::filled(axes, 1);
  for (Index prime = 2; ranks > 1; ++prime) {
    while (ranks % prime == 0) {
      parts[static_cast<int>(draw(random, axes))] *= prime;
      ranks /= prime;
    }
  }
  return parts;
}

template <class T>
T pick(Generator& random, std::initializer_list<T> values) {
  return *(values.begin() + draw(random, static_cast<Index>(values.size())));
}

/// Cosine and sine transforms along some axes, or along all that are transformed.
void add_cosines(Generator& random, const Extents& shape, Axes<Kind>& kinds) {
  const int percent = chance(random, 50) ? 100 : 50;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    if (kinds[axis] == none || !chance(random, percent)) continue;
    kinds[axis] = pick(random, {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1,
                                Kind::dst2, Kind::dst3, Kind::dst4});
    if (shape[axis] < traits(kinds[axis]).least_length) kinds[axis] = Kind::dct2;
  }
}

/// Fewer points or modes along some transformed axes.
Extents random_part(Generator& random, const Extents& shape, const Axes<Kind>& kinds) {
  Extents part = shape;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (traits(kinds[axis]).transforms && chance(random, 60)) {
      part[axis] = 1 + draw(random, shape[axis]);
    }
  }
  return part;
}

std::string random_codec(Generator& random) {
  const auto bits = [&](Index least, Index most) {
    return std::to_string(least + draw(random, most - least + 1));
  };
  switch (draw(random, 6)) {
    case 0:
      return "trim:" + bits(1, 22);
    case 1:
      return pick<std::string>(random, {"cast:fp32", "cast:fp16", "cast:bf16"});
    case 2:
      return "lossless";
    case 3:
      return "none";
    default:
      return "bfp:" + bits(4, 30);
  }
}

Options random_options(Generator& random, int ranks) {
  Options options;
  options.algorithm = pick(random, {Algorithm::automatic, Algorithm::slab, Algorithm::pencil});
  if (chance(random, 20)) options.grid = random_factors(random, 2, ranks);
  const auto exchanges = plan_exchanges();
  options.exchange =
      exchanges[static_cast<std::size_t>(draw(random, static_cast<Index>(exchanges.size())))];
  if (chance(random, 40)) options.chunks = 1 + draw(random, 5);
  if (chance(random, 20)) options.receive_chunks = 1 + draw(random, 5);
  const bool direct =
      find_exchange(options.exchange).method->traits.family == ExchangeTraits::arrays;
  if (!direct && chance(random, 40)) options.codec = random_codec(random);
  if (options.codec == "lossless" && !sends_any_length(find_exchange(options.exchange))) {
    options.codec = "none";
  }
  if (chance(random, 15))
    options.tolerance = std::pow(10.0, -1.0 - static_cast<double>(draw(random, 13)));
  std::vector<const char*> backends;
  for (const LocalBackend& backend : local_backends()) {
    if (backend.device == std::string("host")) backends.push_back(backend.name);
  }
  options.local =
      chance(random, 20)
          ? "reference"
          : backends[static_cast<std::size_t>(draw(random, static_cast<Index>(backends.size())))];
  options.reorder = chance(random, 60);
  options.overwrite_input = chance(random, 30);
  options.threads = 1 + static_cast<int>(draw(random, 3));
  options.tile_bytes = pick<Index>(random, {0, 1, 200, 2000, 20000});
  options.stream_bytes = pick<Index>(random, {-1, 0});
  if (chance(random, 30)) options.mpi_count_limit = 2 + draw(random, 100);
  if (chance(random, 10)) options.rigor = Rigor::measure;
  return options;
}

/// The kind of device that all problems are for, or nothing: then some are for an emulated one.
const char* tested_device() {
  return std::getenv("WEFT_TEST_DEVICE");
}

/// What devices do not offer is not asked for.
void move_to_device(Generator& random, RandomProblem& result) {
  Options& options = result.options;
  options.device = tested_device() != nullptr ? tested_device() : "emulated";
  const auto exchanges = device_exchanges(options.device);
  options.exchange =
      exchanges[static_cast<std::size_t>(draw(random, static_cast<Index>(exchanges.size())))];
  // All ranks share the first one, at times.
  if (options.device == "emulated" && chance(random, 30)) options.device_number = 0;
  options.local = "auto";
  if (options.codec == "lossless") options.codec = "none";
  result.own_workspace = false;
  result.arrays_on_device = chance(random, 50);
  result.fused = chance(random, 60);
}

std::string describe(const RandomProblem& random) {
  const Problem& p = random.problem;
  std::ostringstream text;
  text << "shape " << to_string(p.shape) << " kinds " << to_string(p.kinds.resolve(p.shape.size()))
       << " points " << to_string(p.input_points) << " modes " << to_string(p.modes) << " "
       << to_string(p.precision) << " " << to_string(p.numbers) << " batch " << p.batch
       << (p.interleaved ? " interleaved" : "") << " norm " << to_string(p.norm);
  for (const auto& [name, spec] : {std::pair{"in", &p.input}, std::pair{"out", &p.output}}) {
    text << "; " << name << " form " << static_cast<int>(spec->form) << " axis " << spec->axis
         << " parts " << to_string(spec->parts) << " order " << to_string(spec->order) << " halo "
         << to_string(spec->halo_lower) << "/" << to_string(spec->halo_upper) << " strides "
         << to_string(spec->strides) << (spec->r2c_padding ? " padded" : "")
         << (spec->split == Split::block ? " block" : "");
  }
  text << "; " << to_string(random.options) << "; manner " << static_cast<int>(random.manner)
       << (random.in_place ? " in place" : "") << (random.on_input ? " on input" : "")
       << (random.on_output ? " on output" : "") << (random.fused ? " fused" : "");
  return text.str();
}

}  // namespace

Strides random_strides(std::mt19937_64& random, const Box& box, Index batch) {
  const int axes = box.axes() + (batch > 1 ? 1 : 0);
  auto strides = Strides::filled(axes, 1);
  Index distance = 1 + draw(random, 2);
  for (int axis : random_order(random, axes)) {
    strides[axis] = distance;
    const Index extent = axis < box.axes() ? std::max<Index>(box.extent(axis), 1) : batch;
    distance = distance * extent + draw(random, 3);
  }
  return strides;
}

LayoutSpec random_layout(std::mt19937_64& random, const Extents& shape, Index batch, int ranks,
                         int rank) {
  const int axes = shape.size();
  LayoutSpec spec;
  std::vector<Box> tiles;
  switch (draw(random, 6)) {
    case 0:
      spec = slab_split(static_cast<int>(draw(random, axes)));
      break;
    case 1:
      spec = pencil_along(static_cast<int>(draw(random, axes)));
      break;
    case 2:
      spec = brick();
      break;
    case 3:
      spec = grid(random_factors(random, axes, ranks));
      break;
    case 4:
      spec = boxes(random_boxes(shape, ranks, random));
      break;
    default: {
      tiles = random_boxes(shape, ranks, random);
      spec = box(tiles[static_cast<std::size_t>(rank)]);
    }
  }
  if (chance(random, 30)) spec = spec.with_split(Split::block);
  const auto strides_seed = random();
  if (chance(random, 20)) {
    LayoutSpec listed = spec;
    if (!tiles.empty()) listed = boxes(tiles);
    const LayoutContext context{shape, 1, false, ranks, rank, -1};
    const Layout layout = resolve(listed, context, "in");
    Generator own(strides_seed + static_cast<std::uint64_t>(rank));
    return spec.with_strides(random_strides(own, layout.distribution.box(shape, rank), batch));
  }
  if (chance(random, 60)) spec = spec.with_order(random_order(random, axes));
  if (chance(random, 30)) {
    Extents lower, upper;
    for (int axis = 0; axis < axes; ++axis) {
      lower.push_back(draw(random, 3));
      upper.push_back(draw(random, 3));
    }
    spec = spec.with_halo(lower, upper);
  }
  return spec;
}

RandomProblem random_problem(std::uint64_t seed, MPI_Comm comm) {
  Generator random(seed);
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  RandomProblem result;
  result.comm = comm;
  Problem& problem = result.problem;
  problem.shape = random_shape(random);
  const int axes = problem.shape.size();
  auto kinds = Axes<Kind>::filled(axes, c2c);
  for (Kind& kind : kinds) {
    if (chance(random, 25)) kind = none;
  }
  if (chance(random, 50)) kinds[static_cast<int>(draw(random, axes))] = r2c;
  const bool on_device = chance(random, 25) || tested_device() != nullptr;
  if (chance(random, 50)) add_cosines(random, problem.shape, kinds);
  problem.kinds = kinds;
  const bool halved_or_complex =
      std::any_of(kinds.begin(), kinds.end(), [](Kind kind) { return !traits(kind).keeps_real; });
  if (!halved_or_complex) {
    problem.numbers = pick(random, {Numbers::automatic, Numbers::real, Numbers::complex});
  }
  problem.precision = pick(random, {Precision::f32, Precision::f64});
  problem.norm = pick(random, {Norm::backward, Norm::ortho, Norm::forward, Norm::none});
  if (chance(random, 30)) problem.orthogonalize = chance(random, 50);
  problem.batch = chance(random, 30) ? 2 + draw(random, 3) : 1;
  problem.interleaved = chance(random, 50);
  if (chance(random, 30)) problem.input_points = random_part(random, problem.shape, kinds);
  if (chance(random, 30)) problem.modes = random_part(random, problem.shape, kinds);
  const Extents points = problem.input_points.empty() ? problem.shape : problem.input_points;
  problem.input = random_layout(random, points, problem.batch, ranks, rank);
  problem.output = random_layout(random, spectral_shape(problem.shape, kinds, problem.modes),
                                 problem.batch, ranks, rank);
  result.options = random_options(random, ranks);
  result.manner =
      pick(random, {Manner::run, Manner::run, Manner::wait, Manner::test, Manner::many});
  if (result.manner == Manner::many) {
    result.options.fields_in_flight = 1 + static_cast<int>(draw(random, 4));
  }
  if (result.manner == Manner::run || result.manner == Manner::many) {
    result.on_input = chance(random, 30);
    result.on_output = chance(random, 30);
  }
  result.own_workspace = chance(random, 30);
  result.in_place = chance(random, 30);
  const int halved = halved_axis(kinds);
  if (result.in_place && halved >= 0 && chance(random, 60)) {
    // The classical case: real lines padded so that their half spectra fit.
    AxisList order;
    for (int axis : random_order(random, axes)) {
      if (axis != halved) order.push_back(axis);
    }
    order.push_back(halved);
    auto parts = random_factors(random, axes, ranks);
    parts[halved == 0 ? axes - 1 : 0] *= halved == 0 && axes == 1 ? 1 : parts[halved];
    parts[halved] = 1;
    if (product(parts) == ranks) {
      problem.input = grid(parts).with_order(order).padded_for_r2c();
      problem.output = grid(parts).with_order(order);
    }
  }
  if (on_device) move_to_device(random, result);
  result.text = describe(result);
  return result;
}

}  // namespace weft::test
