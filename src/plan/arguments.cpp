#include "plan/arguments.hpp"

#include <sstream>

#include "device/device.hpp"
#include "exchange/agreement.hpp"
#include "exchange/decorator.hpp"
#include "local/local_transform.hpp"
#include "plan/choose.hpp"
#include "redistribution/make_redistributions.hpp"

namespace weft {

namespace {

std::string text_of(const LayoutSpec& spec) {
  std::ostringstream text;
  switch (spec.form) {
    case LayoutSpec::Form::as_input:
      text << "as input";
      break;
    case LayoutSpec::Form::slab:
      text << "slab:" << spec.axis;
      break;
    case LayoutSpec::Form::pencil:
      text << "pencil:" << spec.axis;
      break;
    case LayoutSpec::Form::brick:
      text << "brick";
      break;
    case LayoutSpec::Form::grid:
      text << "grid:" << to_string(spec.parts);
      break;
    case LayoutSpec::Form::own_box:
      text << "own box";
      break;
    case LayoutSpec::Form::boxes:
      text << "boxes";
      for (const Box& box : spec.all) text << " " << to_string(box);
      break;
  }
  if (spec.split == Split::block) text << ",split=block";
  if (!spec.order.empty()) text << ",order=" << to_string(spec.order);
  if (!spec.halo_lower.empty()) text << ",halo lower " << to_string(spec.halo_lower);
  if (!spec.halo_upper.empty()) text << ",halo upper " << to_string(spec.halo_upper);
  if (!spec.strides.empty()) text << ",strided";
  if (spec.r2c_padding) text << ",padded for r2c";
  return text.str();
}

std::string text_of(const Options& options) {
  std::ostringstream text;
  text << std::hexfloat << "device " << options.device << ", algorithm "
       << to_string(options.algorithm) << ", grid " << to_string(options.grid) << ", exchange "
       << options.exchange << ", local " << options.local << ", reorder " << options.reorder
       << ", overwrite_input " << options.overwrite_input << ", rigor " << to_string(options.rigor)
       << ", tile_bytes " << options.tile_bytes << ", mpi_count_limit " << options.mpi_count_limit
       << ", codec " << options.codec << ", chunks " << options.chunks << ", receive_chunks "
       << options.receive_chunks << ", fields_in_flight " << options.fields_in_flight
       << ", progress " << to_string(options.progress);
  if (options.tolerance) text << ", tolerance " << *options.tolerance;
  return text.str();
}

/// Replaces this rank's own box by the boxes of all ranks.
LayoutSpec gather_boxes(const LayoutSpec& spec, int axes, const std::string& name,
                        const Communicator& comm) {
  if (spec.form != LayoutSpec::Form::own_box) return spec;
  collectively(comm, [&] {
    if (spec.own.lower.size() != axes || spec.own.upper.size() != axes) {
      throw Error(name + " layout: own box " + to_string(spec.own) + " has not " +
                  std::to_string(axes) + " axes");
    }
  });
  std::vector<Index> mine;
  for (int axis = 0; axis < axes; ++axis) {
    mine.push_back(spec.own.lower[axis]);
    mine.push_back(spec.own.upper[axis]);
  }
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<Index> all(mine.size() * ranks);
  check_mpi(MPI_Allgather(mine.data(), 2 * axes, MPI_INT64_T, all.data(), 2 * axes, MPI_INT64_T,
                          comm.get()),
            "MPI_Allgather");
  LayoutSpec result = spec;
  result.form = LayoutSpec::Form::boxes;
  result.all.clear();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Box box;
    for (int axis = 0; axis < axes; ++axis) {
      const std::size_t at = rank * mine.size() + 2 * static_cast<std::size_t>(axis);
      box.lower.push_back(all[at]);
      box.upper.push_back(all[at + 1]);
    }
    result.all.push_back(box);
  }
  return result;
}

/// Each chunk and each field in flight has exchanges and passes of its own.
constexpr Index most_chunks = 1024;
constexpr int most_fields = 64;

/// OpenMP ends a process that asks for more threads than the system gives.
void check_threads(const std::string& name, int threads) {
  if (threads <= most_threads) return;
  throw Error(name + " " + std::to_string(threads) + ": at most " + std::to_string(most_threads) +
              " are possible");
}

std::string text_of(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

/// Other languages may pass any number for an enumerator.
template <class T>
void check_known(const std::string& name, T value, std::initializer_list<T> known) {
  for (T good : known) {
    if (value == good) return;
  }
  throw Error(name + " " + std::to_string(static_cast<int>(value)) + " is unknown");
}

/// Codecs that devices have, and names that are no codec's, for others to refuse.
void check_device_codec(const std::string& name) {
  const std::string family = name.substr(0, name.find(':'));
  std::string offered;
  bool refused = is_lossless(name);
  for (const CodecMethod& method : codec_methods()) {
    if (method.on_devices) offered += (offered.empty() ? "" : ", ") + std::string(method.name);
    refused = refused || (family == method.name && !method.on_devices);
  }
  if (refused) {
    throw Error("codec '" + name + "' is not available on devices; those are " + offered);
  }
}

/// Messages that are compressed as a whole have lengths that only the data tell.
void check_lossless_exchange(const Options& options, const ExchangeChoice& exchange) {
  if (!is_lossless(options.codec) || sends_any_length(exchange)) return;
  std::string offered;
  for (const ExchangeMethod& method : exchange_methods()) {
    if (method.traits.memory == ExchangeTraits::device || !sends_any_length({&method, ""}))
      continue;
    offered += (offered.empty() ? "" : ", ") + std::string(method.name);
  }
  throw Error("codec '" + options.codec + "' shortens messages, but those of exchange '" +
              options.exchange + "' have a fixed length: use one of " + offered);
}

/// What works on the host only, or on devices only.
void check_device_options(const Options& options, const ExchangeMethod& exchange) {
  if (options.device == "host") {
    if (exchange.traits.memory == ExchangeTraits::device) {
      throw Error("exchange '" + options.exchange + "' works on devices only");
    }
    return;
  }
  find_device_method(options.device);
  if (options.device_number < -1) {
    throw Error("device_number " + std::to_string(options.device_number) + ": must be at least -1");
  }
  if (options.exchange != "auto" && exchange.traits.memory == ExchangeTraits::host) {
    throw Error("exchange '" + options.exchange + "' moves memory of the host" +
                (is_wire(exchange.traits)
                     ? ": on device '" + options.device + "' it is staged:" + options.exchange
                     : " and cannot carry messages of device '" + options.device +
                           "': use 'auto' or 'staged'"));
  }
  check_device_codec(options.codec);
}

/// What has to be there to run, but not to look at a schedule.
void check_device_is_there(const Options& options) {
  if (options.device == "host") return;
  const DeviceMethod& device = find_device_that_is_here(options.device);
  const ExchangeMethod& exchange = *find_exchange(options.exchange).method;
  const std::string why_not =
      exchange.why_not({.kind = device.name, .mpi_reaches = !device.is_gpu});
  if (!why_not.empty()) throw Error("exchange '" + options.exchange + "': " + why_not);
  find_local_backend(options.local, options.device);
}

}  // namespace

void check_options(const Options& options, Precision precision) {
  check_known("algorithm", options.algorithm,
              {Algorithm::automatic, Algorithm::slab, Algorithm::pencil});
  check_known("rigor", options.rigor, {Rigor::estimate, Rigor::measure, Rigor::patient});
  check_known("progress", options.progress, {ProgressBy::polling, ProgressBy::thread});
  const ExchangeChoice exchange = find_exchange(options.exchange);
  check_device_options(options, *exchange.method);
  if (options.device == "host") find_local_backend(options.local, options.device);
  if (options.threads < 0) {
    throw Error("threads " + std::to_string(options.threads) + ": must not be negative");
  }
  check_threads("threads", options.threads);
  if (options.tile_bytes < 0) {
    throw Error("tile_bytes " + std::to_string(options.tile_bytes) + ": must not be negative");
  }
  for (const auto& [name, count] : {std::pair{"chunks ", options.chunks},
                                    std::pair{"receive_chunks ", options.receive_chunks}}) {
    if (count >= 0 && count <= most_chunks) continue;
    throw Error(name + std::to_string(count) + ": must be between 0 and " +
                std::to_string(most_chunks));
  }
  if (options.fields_in_flight < 1 || options.fields_in_flight > most_fields) {
    throw Error("fields_in_flight " + std::to_string(options.fields_in_flight) +
                ": must be between 1 and " + std::to_string(most_fields));
  }
  if (options.mpi_count_limit < 2 || options.mpi_count_limit > 2147483647) {
    throw Error("mpi_count_limit " + std::to_string(options.mpi_count_limit) +
                ": must be between 2 and 2147483647");
  }
  // With an error of 1 nothing is left of a result; NaN is refused too.
  if (options.tolerance && !(*options.tolerance > 0 && *options.tolerance < 1)) {
    throw Error("tolerance " + text_of(*options.tolerance) +
                ": must be positive and less than 1, a relative error");
  }
  if (options.codec != "auto" && options.codec != "none") {
    check_codec(options.codec, precision, options.tolerance.has_value());
    const ExchangeMethod& method = *exchange.method;
    if (options.exchange != "auto" && method.traits.family == ExchangeTraits::arrays &&
        method.packed_twin == nullptr) {
      throw Error("codec '" + options.codec + "' needs packed messages; exchange '" +
                  options.exchange + "' has none");
    }
    check_lossless_exchange(options, exchange);
  }
}

Problem resolve_collectively(const MpiProblem& given, const Options& options,
                             const Communicator& comm) {
  agree_same(comm, to_string(given.shape), "shape");
  collectively(comm, [&] {
    check_known("precision", given.precision, {Precision::f32, Precision::f64});
    check_options(options, given.precision);
    check_device_is_there(options);
    if (options.threads == 0) check_threads("OMP_NUM_THREADS", threads_of_environment());
    check_known("numbers", given.numbers, {Numbers::automatic, Numbers::real, Numbers::complex});
    check_known("norm", given.norm, {Norm::backward, Norm::ortho, Norm::forward});
    for (const LayoutSpec* layout : {&given.in, &given.out}) {
      check_known("split", layout->split, {Split::balanced, Split::block});
    }
  });
  // Only then can kinds be written out.
  std::string kinds;
  collectively(comm, [&] { kinds = to_string(given.kinds.resolve(given.shape.size())); });
  agree_same(comm, kinds, "kinds");
  agree_same(comm, text_of(given.in), "in layout");
  agree_same(comm, text_of(given.out), "out layout");
  agree_same(comm, to_string(given.precision), "precision");
  agree_same(comm, to_string(given.numbers), "numbers");
  agree_same(comm, to_string(given.norm), "norm");
  agree_same(comm, given.orthogonalize ? std::to_string(*given.orthogonalize) : "default",
             "orthogonalize");
  agree_same(comm,
             std::to_string(given.batch) + (given.interleaved ? " interleaved" : " contiguous"),
             "batch");
  agree_same(comm, to_string(given.points), "points");
  agree_same(comm, to_string(given.keep), "keep");
  agree_same(comm, text_of(options), "options");

  const int axes = given.shape.size();
  BasicProblem<Index> global{.shape = given.shape,
                             .comm = comm.size(),
                             .kinds = given.kinds,
                             .in = gather_boxes(given.in, axes, "in", comm),
                             .out = gather_boxes(given.out, axes, "out", comm),
                             .precision = given.precision,
                             .numbers = given.numbers,
                             .batch = given.batch,
                             .interleaved = given.interleaved,
                             .norm = given.norm,
                             .orthogonalize = given.orthogonalize,
                             .points = given.points,
                             .keep = given.keep};
  Problem problem;
  collectively(comm, [&] { problem = resolve(global, comm.rank()); });
  return problem;
}

}  // namespace weft
