#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/kinds.hpp"

namespace weft {

/// The file of wisdom: the environment variable WEFT_WISDOM, or else `weft/wisdom.jsonl` in
/// $XDG_CACHE_HOME or ~/.cache. Empty if the variable is empty: then there is no wisdom.
std::string wisdom_path();

/// A remembered result for one kind of machine: the best settings for a problem (Tune::measure and
/// `weft tune`), or the limits of the machine (`weft limits`).
struct WisdomRecord {
  std::string problem{};  ///< the transform and the options that were given; empty for limits
  std::string machine{};  ///< processor or device, ranks, ranks per node, threads and MPI library
  /// Options, as parse_options reads them; for limits, values such as "flops=4e9,
  /// node.latency=2e-6".
  std::string settings{};
  double seconds = 0;          ///< time of forward and backward with the settings; 0 for limits
  double default_seconds = 0;  ///< time of both with the defaults, measured in turn
  std::string date{};          ///< date of the measurement, "2026-11-25"
};

/// The content of a file of wisdom.
struct Wisdom {
  std::vector<WisdomRecord>
      records;  ///< in the order of their lines; the last of several equal ones counts
  std::size_t skipped_lines = 0;  ///< lines that were incomplete, changed, or not written by weft
};

// Each line of the file is a JSON object that ends with a checksum of what stands before. Several
// programs may add lines at a time. None of these functions is collective; they throw Error where a
// file cannot be read or written.

/// Reads a file of wisdom. Returns an empty Wisdom if there is no such file.
Wisdom read_wisdom(const std::string& path = wisdom_path());
/// Appends records with one write. Creates the folder if needed; does nothing if the path is empty.
void add_wisdom(const std::vector<WisdomRecord>& records, const std::string& path = wisdom_path());
/// Adds the records of one file to another. Returns their number. Throws Error if there are none.
std::size_t merge_wisdom(const std::string& from, const std::string& into = wisdom_path());
/// Removes records with this text in their problem, machine or settings. Also removes all but the
/// last of equal records, and invalid lines. Returns the number of records removed.
std::size_t forget_wisdom(const std::string& text, const std::string& path = wisdom_path());
/// Removes all but the last of equal records, and invalid lines.
std::size_t tidy_wisdom(const std::string& path = wisdom_path());

/// Imports FFTW's wisdom from a file, for all plans made afterwards with a rigor above estimate.
/// Local to the calling process. Throws Error if the file cannot be read.
void import_fftw_wisdom(const std::string& path, Precision precision);
/// Exports FFTW's wisdom to a file. Throws Error if the file cannot be written.
void export_fftw_wisdom(const std::string& path, Precision precision);

}  // namespace weft
