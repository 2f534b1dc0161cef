#include "plan/arguments.hpp"

#include <sstream>

#include "device/cpu.hpp"
#include "device/device.hpp"
#include "exchange/agreement.hpp"
#include "exchange/decorator.hpp"
#include "geometry/unknown_name.hpp"
#include "kind/enumerators.hpp"
#include "local/local_transform.hpp"
#include "plan/choose.hpp"
#include "redistribution/make_redistributions.hpp"
#include "schedule/option_table.hpp"

namespace weft {

namespace {

std::string text_of_form(const LayoutSpec& spec) {
  std::string boxes = "boxes";
  switch (spec.form) {
    case LayoutSpec::Form::as_input:
      return "as input";
    case LayoutSpec::Form::slab:
      return "slab:" + std::to_string(spec.axis);
    case LayoutSpec::Form::pencil:
      return "pencil:" + std::to_string(spec.axis);
    case LayoutSpec::Form::brick:
      return "brick";
    case LayoutSpec::Form::grid:
      return "grid:" + to_string(spec.parts);
    case LayoutSpec::Form::own_box:
      return "own box";
    case LayoutSpec::Form::boxes:
      for (const Box& box : spec.all) boxes += " " + to_string(box);
  }
  return boxes;
}

std::string text_of(const LayoutSpec& spec) {
  std::ostringstream text;
  text << text_of_form(spec);
  if (spec.split == Split::block) text << ",split=block";
  if (!spec.order.empty()) text << ",order=" << to_string(spec.order);
  if (!spec.halo_lower.empty()) text << ",halo lower " << to_string(spec.halo_lower);
  if (!spec.halo_upper.empty()) text << ",halo upper " << to_string(spec.halo_upper);
  if (!spec.strides.empty()) text << ",strided";
  if (spec.r2c_padding) text << ",padded for r2c";
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

/// Codecs that devices have, and names that are no codec's, for others to refuse.
void check_device_codec(const std::string& name) {
  const std::string family = name.substr(0, name.find(':'));
  std::vector<std::string_view> offered;
  bool refused = is_lossless(name);
  for (const CodecMethod& method : codec_methods()) {
    if (method.on_devices) offered.push_back(method.name);
    refused = refused || (family == method.name && !method.on_devices);
  }
  if (refused) {
    throw Error("codec '" + name + "' is not available on devices; those are " +
                comma_list(offered));
  }
}

/// Messages that are compressed as a whole have lengths that only the data tell.
void check_lossless_exchange(const Options& options, const ExchangeChoice& exchange) {
  if (!is_lossless(options.codec) || sends_any_length(exchange)) return;
  std::vector<std::string_view> offered;
  for (const ExchangeMethod& method : exchange_methods()) {
    const bool on_host = method.traits.memory != ExchangeTraits::device;
    if (on_host && sends_any_length({&method, ""})) offered.push_back(method.name);
  }
  throw Error("codec '" + options.codec + "' shortens messages, but those of exchange '" +
              options.exchange + "' have a fixed length: use one of " + comma_list(offered));
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
  if (!why_not.empty())
    throw Error("exchange '" + options.exchange + "': " + why_not, ErrorCode::unsupported);
  find_local_backend(options.local, options.device);
}

}  // namespace

void check_options(const Options& options, Precision precision) {
  check_ranges(options);
  const ExchangeChoice exchange = find_exchange(options.exchange);
  check_device_options(options, *exchange.method);
  if (options.device == "host") find_local_backend(options.local, options.device);
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

ResolvedProblem resolve_collectively(const Problem& given, const Options& options,
                                     const Communicator& comm) {
  agree_same(comm, to_string(given.shape), "shape");
  collectively(comm, [&] {
    check_enumerator("precision", given.precision);
    check_options(options, given.precision);
    check_device_is_there(options);
    if (const int threads = threads_of_environment();
        options.threads == 0 && threads > most_threads) {
      throw Error("OMP_NUM_THREADS " + std::to_string(threads) + ": at most " +
                  std::to_string(most_threads) + " are possible");
    }
    check_enumerator("numbers", given.numbers);
    check_enumerator("norm", given.norm);
    for (const LayoutSpec* layout : {&given.input, &given.output}) {
      check_enumerator("split", layout->split);
    }
  });
  // Only then can kinds be written out.
  std::string kinds;
  collectively(comm, [&] { kinds = to_string(given.kinds.resolve(given.shape.size())); });
  agree_same(comm, kinds, "kinds");
  agree_same(comm, text_of(given.input), "input layout");
  agree_same(comm, text_of(given.output), "output layout");
  agree_same(comm, to_string(given.precision), "precision");
  agree_same(comm, to_string(given.numbers), "numbers");
  agree_same(comm, to_string(given.norm), "norm");
  agree_same(comm, given.orthogonalize ? std::to_string(*given.orthogonalize) : "default",
             "orthogonalize");
  agree_same(comm,
             std::to_string(given.batch) + (given.interleaved ? " interleaved" : " contiguous"),
             "batch");
  agree_same(comm, to_string(given.input_points), "input_points");
  agree_same(comm, to_string(given.modes), "modes");
  agree_same(comm, common_options(options), "options");

  const int axes = given.shape.size();
  Problem global = given;
  global.input = gather_boxes(given.input, axes, "input", comm);
  global.output = gather_boxes(given.output, axes, "output", comm);
  ResolvedProblem problem;
  collectively(comm, [&] { problem = resolve(global, comm.size(), comm.rank()); });
  return problem;
}

}  // namespace weft
