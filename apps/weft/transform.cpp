// `weft transform`: files in, files out.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "command.hpp"
#include "device/host_memory.hpp"
#include "exchange/agreement.hpp"
#include "execute.hpp"
#include "kind/kind.hpp"
#include "npy.hpp"
#include "npy_file.hpp"
#include "parallel_file.hpp"
#include "plan/arguments.hpp"
#include "progress.hpp"
#include "replacement_file.hpp"
#include "weft/verify.hpp"
#include "whole_number.hpp"

namespace weft {

namespace {

struct TransformCommand {
  std::string in;
  std::string out;
  std::string kind;
  bool inverse = false;
  std::string norm = "backward";
  std::optional<Index> length;
  bool check = false;
  std::string exchange = "auto";
  std::string local = "auto";
  std::string device = "host";
  int threads = 0;

  Direction direction() const { return inverse ? Direction::backward : Direction::forward; }
};

/// What is to be done with the array of a file.
struct Work {
  NpyHeader source;
  NpyHeader sink;
  Index source_offset = 0;
  Index sink_offset = 0;
  bool promoted = false;  ///< the file is real, the transform complex
  MpiProblem problem;
};

/// The length in physical space of the halved axis, of which `kept` coefficients are given.
Index physical_length(const TransformCommand& command, Index kept) {
  const Index length = command.length.value_or(2 * (kept - 1));
  if (length < 1 || length / 2 + 1 != kept) {
    throw Error("length " + std::to_string(length) + " does not fit the " + std::to_string(kept) +
                " coefficients of the halved axis in '" + command.in + "'; --length may be " +
                (kept > 1 ? std::to_string(2 * kept - 2) + " or " : "") +
                std::to_string(2 * kept - 1));
  }
  return length;
}

Work plan_work(const TransformCommand& command, const std::string& header_text,
               const Communicator& comm) {
  Work work;
  work.source = parse_npy_header(header_text);
  work.source_offset = static_cast<Index>(header_text.size());
  const int axes = work.source.shape.size();
  const bool real_file = !work.source.complex;
  const std::string kind = !command.kind.empty()           ? command.kind
                           : real_file && !command.inverse ? "r2c"
                                                           : "c2c";
  const Axes<Kind> kinds = parse_kinds(kind).resolve(axes);
  const int halved = halved_axis(kinds);
  const bool forward = !command.inverse;
  if (halved >= 0 && forward && !real_file) {
    throw Error("kind " + kind + " needs real data, '" + command.in + "' holds " +
                work.source.dtype());
  }
  if (command.length && !(halved >= 0 && command.inverse)) {
    throw Error("length " + std::to_string(*command.length) +
                ": only --inverse of a kind with r2c takes a length");
  }
  const bool needs_complex =
      halved < 0 && std::find(kinds.begin(), kinds.end(), Kind::c2c) != kinds.end();
  const bool real = halved >= 0 || (real_file && !needs_complex);  // in physical space
  const bool real_spectrum = real && halved < 0;
  work.promoted = real_file && !(forward ? real : real_spectrum);

  work.sink = work.source;
  work.sink.complex = !(forward ? real_spectrum : real);
  Extents physical = work.source.shape;
  if (command.inverse) {
    if (halved >= 0) physical[halved] = physical_length(command, physical[halved]);
    work.sink.shape = physical;
  } else {
    work.sink.shape = spectral_shape(physical, kinds);
  }
  work.sink_offset = static_cast<Index>(npy_header_text(work.sink).size());

  // Along the slowest axis a rank's part is contiguous in the file, and lies in memory as there.
  const AxisList order = work.source.order();
  const LayoutSpec layout = slab(order[0]).with_order(order);
  work.problem = {.shape = physical,
                  .comm = comm.get(),
                  .kinds = kinds,
                  .in = layout,
                  .out = layout,
                  .precision = work.source.precision,
                  .numbers = real ? Numbers::real : Numbers::complex,
                  .norm = parse_norm(command.norm)};
  return work;
}

/// Where the part of a rank begins in the file.
Index part_offset(const NpyHeader& header, Index data_offset, const LocalArray& array) {
  if (array.box.empty()) return data_offset;
  const int slowest = header.order()[0];
  const Index elements = product(header.shape) / header.shape[slowest] * array.box.lower[slowest];
  return data_offset + elements * header.element_bytes();
}

/// Real numbers in the second half of the memory become complex ones in all of it.
template <class Real>
void promote(std::span<std::byte> memory) {
  auto* numbers = reinterpret_cast<Real*>(memory.data());
  const std::size_t count = memory.size() / (2 * sizeof(Real));
  for (std::size_t i = 0; i < count; ++i) {
    numbers[2 * i] = numbers[count + i];
    numbers[2 * i + 1] = 0;
  }
}

void read_source(const Communicator& comm, const TransformCommand& command, const Work& work,
                 const LocalArray& array, std::span<std::byte> memory, Progress& progress) {
  const auto part = work.promoted ? memory.subspan(memory.size() / 2) : memory;
  progress.begin("reading " + command.in);
  read_parallel(comm, command.in, part_offset(work.source, work.source_offset, array), part,
                [&](double fraction) { progress.update(fraction); });
  if (!work.promoted) return;
  if (work.source.precision == Precision::f32) {
    promote<float>(memory);
  } else {
    promote<double>(memory);
  }
}

void write_sink(const Communicator& comm, const TransformCommand& command, const Work& work,
                const LocalArray& array, std::span<const std::byte> memory,
                const ReplacementFile& file, Progress& progress) {
  progress.begin("writing " + command.out);
  const std::string header = npy_header_text(work.sink);
  const auto bytes = std::as_bytes(std::span(header));
  write_parallel(comm, file.path(), 0, comm.rank() == 0 ? bytes : std::span<const std::byte>());
  write_parallel(comm, file.path(), part_offset(work.sink, work.sink_offset, array), memory,
                 [&](double fraction) { progress.update(fraction); });
}

/// Root mean square of all numbers of a distributed array without gaps.
template <class Real>
double root_mean_square(const Communicator& comm, std::span<const std::byte> memory,
                        Index all_elements) {
  const auto* numbers = reinterpret_cast<const Real*>(memory.data());
  double sum = 0;
  for (std::size_t i = 0; i < memory.size() / sizeof(Real); ++i) {
    sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get()), "MPI_Allreduce");
  return std::sqrt(sum / static_cast<double>(all_elements));
}

/// Error at random points of the result, relative to the exact values there or, where those happen
/// to be small, to the root mean square of the result: rounding errors are as large at points
/// where a smooth field has next to nothing. NaN when anything is not finite.
double checked_error(const Communicator& comm, const Plan& plan, const TransformCommand& command,
                     const Work& work, const std::byte* in, std::span<const std::byte> out) {
  const SampledError error = sampled_error(plan, command.direction(), in, out.data());
  const Index elements = product(work.sink.shape);
  const double scale = work.sink.precision == Precision::f32
                           ? root_mean_square<float>(comm, out, elements)
                           : root_mean_square<double>(comm, out, elements);
  if (!std::isfinite(error.relative_l2) || !std::isfinite(scale)) return std::nan("");
  return scale > 0 ? std::min(error.relative_l2, error.largest / scale) : error.relative_l2;
}

std::string check_text(double error, double bound) {
  char text[80];
  std::snprintf(text, sizeof text, "error %.3g, bound %.3g", error, bound);
  return text;
}

void report(const TransformCommand& command, const Work& work, int ranks, const std::string& check,
            double seconds) {
  char time[40];
  std::snprintf(time, sizeof time, "%.3g s", seconds);
  std::cout << command.in << " " << to_string(work.source.shape) << " " << work.source.dtype()
            << " -> " << command.out << " " << to_string(work.sink.shape) << " "
            << work.sink.dtype() << ", " << (command.inverse ? "inverse " : "")
            << to_string(work.problem.kinds.resolve(work.source.shape.size())) << ", " << ranks
            << (ranks == 1 ? " rank, " : " ranks, ") << time << (check.empty() ? "" : ", " + check)
            << "\n"
            << std::flush;
}

int run(const TransformCommand& command, const Communicator& comm) {
  const double start = MPI_Wtime();
  Options options;
  options.exchange = command.exchange;
  options.local = command.local;
  options.device = command.device;
  options.threads = command.threads;
  options.overwrite_input = !command.check;  // which needs the input
  const Work work = plan_work(command, read_npy_header(comm, command.in), comm);
  check_options(options, work.source.precision);

  Progress progress(comm.rank() == 0);
  progress.begin("planning");
  Plan plan(work.problem, options);
  const LocalArray& source = command.inverse ? plan.output() : plan.input();
  const LocalArray& sink = command.inverse ? plan.input() : plan.output();
  // Before the work, so that a file that cannot be written is noticed at once.
  ReplacementFile file(comm, command.out, work.sink_offset + work.sink.data_bytes());
  HostBuffer in, out;
  collectively(comm, [&] {
    in = HostBuffer(array_bytes(source));
    out = HostBuffer(array_bytes(sink));
  });
  const std::span<std::byte> in_span(in.data(), in.size()), out_span(out.data(), out.size());

  read_source(comm, command, work, source, in_span, progress);
  progress.begin("transforming");
  execute(plan, command.direction(), in_span, out_span);
  std::string check;
  if (command.check) {
    progress.begin("checking");
    const double error = checked_error(comm, plan, command, work, in.data(), out_span);
    const double bound =
        rounding_error_bound(work.source.precision, transformed_points(plan.shape(), plan.kinds()));
    check = check_text(error, bound);
    if (!(error <= bound)) {  // true for NaN
      throw Error("the transform of '" + command.in + "' is not exact: " + check);
    }
  }
  write_sink(comm, command, work, sink, out_span, file, progress);
  file.commit();
  progress.end();
  if (comm.rank() == 0) report(command, work, comm.size(), check, MPI_Wtime() - start);
  return 0;
}

}  // namespace

void add_transform(CLI::App& app, Task& task) {
  auto command = std::make_shared<TransformCommand>();
  CLI::App* parser =
      app.add_subcommand("transform", "Transform the array in a NumPy file, in parallel");
  parser
      ->add_option("IN.npy", command->in,
                   "Array of 1 to 6 axes of float32, float64, complex64 "
                   "or complex128, in C or Fortran order")
      ->required();
  parser
      ->add_option("OUT.npy", command->out,
                   "Where the result goes, in the same precision and order; may be IN.npy")
      ->required();
  parser->add_option("--kind", command->kind,
                     "c2c, r2c (of the last axis), dct2 and others of `weft list`, or one per "
                     "axis: none,r2c,dct1 [r2c for a real array, c2c for a complex one and for "
                     "--inverse]");
  parser->add_flag("--inverse", command->inverse, "Transform from spectral to physical space");
  parser->add_option("--norm", command->norm, "As in scipy.fft: backward, ortho or forward")
      ->capture_default_str();
  parser
      ->add_option("--length", command->length,
                   "Of the halved axis in physical space, for the inverse of r2c "
                   "[2 (m - 1) for m coefficients]")
      ->check(check_whole_number);
  parser->add_flag("--check", command->check,
                   "Compare with an exact transform at 32 points; write nothing if it differs");
  parser->add_option("--exchange", command->exchange, "A name of `weft list`")
      ->capture_default_str();
  parser->add_option("--local", command->local, "A name of `weft list`")->capture_default_str();
  parser->add_option("--device", command->device, "A name of `weft list`")->capture_default_str();
  parser
      ->add_option("--threads", command->threads,
                   "Threads of each rank; 0: OMP_NUM_THREADS, else cores divided by ranks")
      ->check(check_whole_number)
      ->capture_default_str();
  parser->footer(
      "Examples:\n"
      "  mpirun -n 4 weft transform velocity.npy spectrum.npy --check\n"
      "  mpirun -n 4 weft transform spectrum.npy velocity.npy --kind r2c --inverse\n"
      "  weft transform planes.npy planes.npy --kind none,c2c,c2c --norm ortho");
  parser->callback([command, &task] {
    task = {true, [command](const Communicator& comm) { return run(*command, comm); }};
  });
}

}  // namespace weft
