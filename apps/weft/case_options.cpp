#include "case_options.hpp"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <charconv>

#include "exchange/exchange.hpp"
#include "local/local_transform.hpp"
#include "plan/arguments.hpp"
#include "whole_number.hpp"

namespace weft {

namespace {

void read_chunks(const std::string& text, Options& options) {
  const Extents numbers = parse_lengths(text, "chunks");
  if (numbers.size() > 2) {
    throw Error("chunks '" + text + "': one or two numbers are needed, such as 4x2");
  }
  options.chunks = numbers[0];
  if (numbers.size() == 2) options.receive_chunks = numbers[1];
}

}  // namespace

std::string CaseOptions::out_or_default() const {
  if (!out.empty()) return out;
  return shape.size() > 1 ? "slab:1" : "slab:0";
}

void add_case_options(CLI::App& app, CaseOptions& options) {
  app.add_option("N", options.shape, "Lengths of the array, 1 to 6 of them")
      ->check(check_whole_number)
      ->required();
  app.add_option("--kind", options.kind,
                 "c2c, r2c (of the last axis), dct2 and others of `weft list`, or one per axis: "
                 "none,r2c,dct1")
      ->capture_default_str();
  app.add_option("--precision", options.precision, "f32 or f64")->capture_default_str();
  app.add_option("--numbers", options.numbers,
                 "In physical space: real, complex, or automatic (by the kinds)")
      ->capture_default_str();
  app.add_option("--in", options.in,
                 "Layout in physical space: slab:AXIS, pencil:AXIS, brick or grid:PxQ..., "
                 "then if wanted ,order=210 and ,split=block")
      ->capture_default_str();
  app.add_option("--out", options.out,
                 "Layout in spectral space [slab:1; slab:0 for a single axis]");
  app.add_option("--points", options.points,
                 "Points that exist along each axis, the others are zero: 128x128x128");
  app.add_option("--keep", options.keep, "Low modes that are kept along each axis: 171x171x171");
  app.add_option("--grid", options.grid, "Process grid of pencils: 2x4 [near-square]");
  app.add_option("--batch", options.batch, "Number of fields")
      ->check(check_whole_number)
      ->capture_default_str();
  app.add_flag("--interleaved", options.interleaved,
               "Fields are interleaved per point, not one after another");
  app.add_option("--norm", options.norm, "backward, ortho or forward")->capture_default_str();
  app.add_option("--algorithm", options.algorithm, "auto, slab or pencil")->capture_default_str();
  app.add_option("--exchange", options.exchange, "A name of `weft list`")->capture_default_str();
  app.add_option("--codec", options.codec,
                 "A name of `weft list` with its parameter, as bfp:16; auto: by the tolerance")
      ->capture_default_str();
  app.add_option("--tolerance", options.tolerance, "Relative error that is accepted, less than 1");
  app.add_option(
         "--chunks", options.chunks,
         "Parts in which data is exchanged, one while others are transformed: 4, or 4x2 for "
         "four of what leaves and two of what arrives; 0: one on the host, on devices by size")
      ->capture_default_str();
  app.add_option("--fields", options.fields, "Separate fields that are transformed together")
      ->check(check_whole_number)
      ->capture_default_str();
  app.add_option("--fields-in-flight", options.fields_in_flight,
                 "So many of them are under way at a time")
      ->check(check_whole_number)
      ->capture_default_str();
  app.add_option("--progress", options.progress,
                 "What keeps messages moving meanwhile: polling or thread")
      ->capture_default_str();
  app.add_option("--local", options.local, "A name of `weft list`")->capture_default_str();
  app.add_option("--device", options.device, "A name of `weft list`")->capture_default_str();
  app.add_option("--rigor", options.rigor, "Planning of FFTW: estimate, measure or patient")
      ->capture_default_str();
  app.add_flag("--reorder,!--no-reorder", options.reorder,
               "Transpose tiles so that transformed lines are contiguous, or not (default)");
  app.add_option("--threads", options.threads,
                 "Threads of each rank, at most 4096; 0: OMP_NUM_THREADS, else cores divided by "
                 "ranks")
      ->check(check_whole_number)
      ->capture_default_str();
  app.add_option("--tile-bytes", options.tile_bytes,
                 "Size of the tiles that are worked on in cache; 0: by this machine")
      ->check(check_whole_number)
      ->capture_default_str();
  app.add_option("--stream-bytes", options.stream_bytes,
                 "Arrays larger than this are written past the cache; -1: by this machine")
      ->capture_default_str();
  app.add_flag("--in-place", options.in_place,
               "Input and output are the same memory (real data is padded)");
}

Extents parse_lengths(const std::string& text, const std::string& name) {
  Extents lengths;
  const char* at = text.data();
  const char* end = at + text.size();
  while (lengths.size() < max_axes) {
    Index length = 0;
    const auto [next, status] = std::from_chars(at, end, length);
    if (status != std::errc{}) break;
    lengths.push_back(length);
    at = next;
    if (at == end) return lengths;
    if (*at++ != 'x') break;
  }
  throw Error(name + " '" + text + "': numbers are needed, such as 2x4");
}

Options plan_options(const CaseOptions& given) {
  if (given.fields < 1)
    throw Error("fields " + std::to_string(given.fields) + ": must be positive");
  Options options;
  options.algorithm = parse_algorithm(given.algorithm);
  if (!given.grid.empty()) options.grid = parse_lengths(given.grid, "grid");
  options.exchange = given.exchange;
  options.local = given.local;
  options.device = given.device;
  options.reorder = given.reorder;
  options.rigor = parse_rigor(given.rigor);
  options.threads = given.threads;
  options.tile_bytes = given.tile_bytes;
  options.stream_bytes = given.stream_bytes;
  options.tolerance = given.tolerance;
  options.codec = given.codec;
  read_chunks(given.chunks, options);
  options.fields_in_flight = given.fields_in_flight;
  options.progress = parse_progress(given.progress);
  check_options(options, parse_precision(given.precision));
  return options;
}

}  // namespace weft
