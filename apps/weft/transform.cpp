// `weft transform`: files in, files out.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "abandoned_files.hpp"
#include "command.hpp"
#include "device/buffer.hpp"
#include "exchange/agreement.hpp"
#include "execute.hpp"
#include "files/npy.hpp"
#include "files/npy_file.hpp"
#include "files/parallel_file.hpp"
#include "kind/kind.hpp"
#include "memory_needs.hpp"
#include "not_finite.hpp"
#include "plan/arguments.hpp"
#include "plan_options.hpp"
#include "progress.hpp"
#include "replacement_file.hpp"
#include "result_check.hpp"
#include "weft/printable.hpp"
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
  Verbosity verbosity = Verbosity::normal;
  OptionTexts plan;

  Direction direction() const { return inverse ? Direction::backward : Direction::forward; }
};

/// What is to be done with the array of a file.
struct Work {
  NpyHeader source;
  NpyHeader sink;
  Index source_offset = 0;
  Index sink_offset = 0;
  bool promoted = false;  ///< the file is real, the transform complex
  Problem problem;
};

/// A spectrum does not tell which kind it is of, nor a half of one whether the whole had an even
/// length.
void check_kind_is_named(const TransformCommand& command) {
  if (!command.inverse || !command.kind.empty()) return;
  throw Error(
      "--inverse needs --kinds, those of the forward transform, which '" + command.in +
      "' does not record: --kinds r2c if its input was real (and --length N if the last of its "
      "axes had an odd number N of points), --kinds c2c if it was complex, or others of `weft "
      "list`");
}

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

Work plan_work(const TransformCommand& command, const std::string& header_text) {
  Work work;
  work.source = parse_npy_header(header_text);
  work.source_offset = static_cast<Index>(header_text.size());
  const int axes = work.source.shape.size();
  const bool real_file = !work.source.complex;
  const std::string kind = !command.kind.empty() ? command.kind : real_file ? "r2c" : "c2c";
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
  const LayoutSpec layout = slab_split(order[0]).with_order(order);
  work.problem = {.shape = physical,
                  .kinds = kinds,
                  .input = layout,
                  .output = layout,
                  .precision = work.source.precision,
                  .numbers = real ? Numbers::real : Numbers::complex,
                  .norm = parse_norm(command.norm)};
  return work;
}

/// Of the part of a rank, in the order of the file.
Index first_element(const NpyHeader& header, const LocalArray& array) {
  if (array.box.empty()) return 0;
  const int slowest = header.order()[0];
  return product(header.shape) / header.shape[slowest] * array.box.lower[slowest];
}

/// Where the part of a rank begins in the file.
Index part_offset(const NpyHeader& header, Index data_offset, const LocalArray& array) {
  return data_offset + first_element(header, array) * header.element_bytes();
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
  progress.begin("reading " + printable(command.in));
  read_parallel(comm, command.in, part_offset(work.source, work.source_offset, array), part,
                [&](double fraction) { progress.update(fraction); });
  if (command.check) {
    const std::string found =
        not_finite(comm, work.source, first_element(work.source, array), part);
    if (!found.empty()) {
      throw Error("'" + command.in + "' holds numbers that are not finite: " + found);
    }
  }
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
  progress.begin("writing " + printable(command.out));
  const std::string header = npy_header_text(work.sink);
  const auto bytes = std::as_bytes(std::span(header));
  write_parallel(comm, file.path(), 0, comm.rank() == 0 ? bytes : std::span<const std::byte>());
  write_parallel(comm, file.path(), part_offset(work.sink, work.sink_offset, array), memory,
                 [&](double fraction) { progress.update(fraction); });
}

std::string check_text(double error, double bound) {
  char text[80];
  std::snprintf(text, sizeof text, "error %.3g, bound %.3g", error, bound);
  return text;
}

/// What was taken for granted of the inverse of r2c.
std::string length_note(const TransformCommand& command, const Work& work) {
  const int halved = halved_axis(work.problem.kinds.resolve(work.problem.shape.size()));
  if (!command.inverse || halved < 0 || command.length) return {};
  const Index length = work.problem.shape[halved];
  return " of even length " + std::to_string(length) + " (odd: --length " +
         std::to_string(length + 1) + ")";
}

void report(const TransformCommand& command, const Work& work, int ranks, const std::string& check,
            double seconds) {
  char time[40];
  std::snprintf(time, sizeof time, "%.3g s", seconds);
  std::cout << printable(command.in) << " " << to_string(work.source.shape) << " "
            << work.source.dtype() << " -> " << printable(command.out) << " "
            << to_string(work.sink.shape) << " " << work.sink.dtype() << ", "
            << (command.inverse ? "inverse " : "")
            << to_string(work.problem.kinds.resolve(work.source.shape.size()))
            << length_note(command, work) << ", " << ranks << (ranks == 1 ? " rank, " : " ranks, ")
            << time << (check.empty() ? "" : ", " + check) << "\n"
            << std::flush;
}

int run(const TransformCommand& command, const Communicator& comm) {
  const double start = MPI_Wtime();
  check_kind_is_named(command);
  Options options = plan_options(command.plan);
  options.overwrite_input = !command.check;  // which needs the input
  const Work work = plan_work(command, read_npy_header(comm, command.in));
  check_options(options, work.source.precision);

  Progress progress(comm.rank() == 0, command.verbosity);
  progress.begin("planning");
  const ArrayBytes bytes(work.problem, comm);
  const MemoryNeeds needs{"the input and the output", bytes.input + bytes.output};
  std::optional<Plan> made;
  with_memory(comm, needs, [&] { made.emplace(comm.get(), work.problem, options); });
  Plan& plan = *made;
  const LocalArray& source = command.inverse ? plan.output() : plan.input();
  const LocalArray& sink = command.inverse ? plan.input() : plan.output();
  if (comm.rank() == 0) warn_of_abandoned_files("weft", command.out);
  // Before the work, so that a file that cannot be written is noticed at once.
  ReplacementFile file(comm, command.out, work.sink_offset + work.sink.data_bytes());
  Buffer in, out;
  with_memory(comm, needs, [&] {
    collectively(comm, [&] {
      in = Buffer(array_bytes(source));
      out = Buffer(array_bytes(sink));
    });
  });
  const std::span<std::byte> in_span(in.data(), in.size()), out_span(out.data(), out.size());

  read_source(comm, command, work, source, in_span, progress);
  progress.begin("transforming");
  execute(plan, command.direction(), in_span, out_span);
  std::string check;
  if (command.check) {
    progress.begin("checking");
    const double error = checked_error(comm, plan, command.direction(), in.data(), out_span);
    const double bound = error_bound(plan, plan.report());
    check = check_text(error, bound);
    if (!(error <= bound)) {  // true for NaN
      const std::string found =
          not_finite(comm, work.sink, first_element(work.sink, sink), out_span);
      if (!found.empty()) check += "; not all of it is finite: " + found;
      throw Error("the transform of '" + command.in + "' is not exact: " + check);
    }
  }
  write_sink(comm, command, work, sink, out_span, file, progress);
  file.commit();
  progress.end();
  if (comm.rank() == 0 && command.verbosity != Verbosity::quiet) {
    report(command, work, comm.size(), check, MPI_Wtime() - start);
  }
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
      ->type_name("FILE")
      ->required();
  parser
      ->add_option("OUT.npy", command->out,
                   "File for the result, in the same precision and order; may be IN.npy")
      ->type_name("FILE")
      ->required();
  parser->add_option(
      "--kinds", command->kind,
      "Kinds of transform: c2c, r2c (of the last axis), dct2 and others of `weft list`, "
      "or one per axis: none,r2c,dct1 [r2c for a real array, c2c for a complex one; "
      "--inverse needs them]");
  parser->add_flag("--inverse", command->inverse,
                   "Transform from spectral to physical space; needs the --kinds of the forward "
                   "transform");
  parser
      ->add_option("--norm", command->norm,
                   "Normalization, as in scipy.fft: backward, ortho or forward; or none")
      ->capture_default_str();
  parser
      ->add_option("--length", command->length,
                   "Number of real points along the halved axis, for the inverse of r2c; with m "
                   "coefficients it was 2(m-1) or 2(m-1)+1 [2(m-1)]")
      ->check(check_whole_number);
  parser->add_flag("--check", command->check,
                   "Compare with an exact transform at 32 points; write nothing if it differs, "
                   "or where the input is not finite");
  add_verbosity(*parser, command->verbosity);
  add_plan_options(*parser, command->plan);
  parser->footer(
      "Examples:\n"
      "  mpirun -n 4 weft transform velocity.npy spectrum.npy --check\n"
      "  mpirun -n 4 weft transform spectrum.npy velocity.npy --inverse --kinds r2c\n"
      "  mpirun -n 4 weft transform spectrum.npy velocity.npy --inverse --kinds r2c --length 127\n"
      "  weft transform planes.npy planes.npy --kinds none,c2c,c2c --norm ortho");
  parser->callback([command, &task] {
    task = {true, [command](const Communicator& comm) { return run(*command, comm); }};
  });
}

}  // namespace weft
