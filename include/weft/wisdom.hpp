#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/kinds.hpp"

namespace weft {

/// The file of wisdom: that of the variable WEFT_WISDOM, otherwise `weft/wisdom.jsonl` in
/// $XDG_CACHE_HOME or ~/.cache. Empty where the variable is set to nothing: there is no wisdom.
std::string wisdom_path();

/// What was found out once, on one kind of machine: the best settings for a problem (Tune::measure
/// and `weft tune`), or what the machine can do (`weft limits`).
struct WisdomRecord {
  std::string problem{};  ///< the transform and the options that were given; empty for limits
  std::string machine{};  ///< processor or device, ranks, ranks per node, threads and MPI library
  /// Options as parse_options reads them; of limits, figures such as "flops=4e9,
  /// node.latency=2e-6".
  std::string settings{};
  double seconds = 0;          ///< of forward and backward with the settings; 0 for limits
  double default_seconds = 0;  ///< of both with the defaults, measured beside them
  std::string date{};          ///< of the measurement, "2026-11-25"
};

/// What a file of wisdom holds.
struct Wisdom {
  std::vector<WisdomRecord>
      records;                    ///< in the order of their lines; of several alike the last counts
  std::size_t skipped_lines = 0;  ///< that were torn, changed, or none of weft's
};

// Each line of the file is a JSON object that ends with a checksum of what stands before. Several
// programs may add lines at a time. None of these functions is collective; they throw Error where a
// file cannot be read or written.

/// An empty Wisdom where there is no such file.
Wisdom read_wisdom(const std::string& path = wisdom_path());
/// Appends records with one write. Makes the folder if there is none; does nothing without a path.
void add_wisdom(const std::vector<WisdomRecord>& records, const std::string& path = wisdom_path());
/// Adds the records of one file to another. Returns how many there were. Throws Error where there
/// are none.
std::size_t merge_wisdom(const std::string& from, const std::string& into = wisdom_path());
/// Removes records that have the text in their problem, machine or settings, and all but the last
/// of those that are alike, and lines that are none. Returns how many records there were less.
std::size_t forget_wisdom(const std::string& text, const std::string& path = wisdom_path());
/// Removes all but the last of records alike, and lines that are none.
std::size_t tidy_wisdom(const std::string& path = wisdom_path());

/// Adds what FFTW learnt in earlier runs to its planner, for all plans made afterwards with a rigor
/// above estimate. Local to the calling process. Throws Error when the file cannot be read.
void import_fftw_wisdom(const std::string& path, Precision precision);
/// Writes what FFTW has learnt so far. Throws Error when the file cannot be written.
void export_fftw_wisdom(const std::string& path, Precision precision);

}  // namespace weft
