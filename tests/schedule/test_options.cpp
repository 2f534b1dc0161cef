// Options as text: what is read is what was written, for every row of the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "schedule/option_table.hpp"
#include "support/error_text.hpp"

namespace weft {
namespace {

using test::error_text;

/// As text, one that is not the default.
std::string another_value(const OptionRow& row) {
  const std::string value = row.read(row, {}), values = row.values(row);
  if (row.type == "yes or no") return value == "yes" ? "no" : "yes";
  if (row.type == "integer")
    return std::to_string(row.least + (value == std::to_string(row.least)));
  return row.type == "text" ? values.substr(values.rfind(' ') + 1) : "0.5";
}

/// One with every member changed.
Options unusual() {
  Options options;
  options.algorithm = Algorithm::pencil;
  options.grid = {3, 5};
  options.device = "cuda";
  options.device_number = 2;
  options.stream = &options;
  options.exchange = "node_aware:2";
  options.local = "fftw";
  options.reorder = false;
  options.overwrite_input = true;
  options.rigor = Rigor::patient;
  options.threads = 7;
  options.tile_bytes = 12345;
  options.stream_bytes = 0;
  options.codec = "bfp:16";
  options.tolerance = 1.0 / 3e7;
  options.chunks = 4;
  options.receive_chunks = 3;
  options.fields_in_flight = 2;
  options.allocate_workspace = false;
  options.progress = ProgressBy::thread;
  options.tune = Tune::again;
  options.tune_seconds = 3;
  options.tune_trials = 5;
  options.mpi_count_limit = 1000;
  for (const OptionRow& row : option_table()) {
    if (is_left_open(options, row.name)) set_option(options, row.name, another_value(row));
  }
  return options;
}

TEST(Options, AreReadAsTheyAreWritten) {
  const Options given = unusual(), defaults;
  const Options read = parse_options(to_string(given));
  for (const OptionRow& row : option_table()) {
    EXPECT_EQ(row.read(row, read), row.read(row, given)) << row.name;
    EXPECT_NE(row.read(row, given), row.read(row, defaults)) << row.name;
  }
  EXPECT_EQ(*read.tolerance, *given.tolerance);
  EXPECT_EQ(read.stream, given.stream);
  EXPECT_EQ(to_string(defaults), "");
  EXPECT_EQ(to_string(parse_options("")), "");
  EXPECT_EQ(to_string(parse_options(" chunks = 4 ,threads=2 ")), "threads=2, chunks=4");
  EXPECT_EQ(to_string(parse_options("threads=2", given)).find("threads=7"), std::string::npos);
}

TEST(Options, EachIsAMemberOfItsOwn) {
  for (const OptionRow& row : option_table()) {
    Options options;
    set_option(options, row.name, row.read(row, unusual()));
    for (const OptionRow& other : option_table()) {
      EXPECT_EQ(is_left_open(options, other.name), row.name != other.name) << row.name;
    }
  }
}

TEST(Options, DefaultsCanBeNamed) {
  for (const OptionRow& row : option_table()) {
    Options options;
    set_option(options, row.name, row.read(row, options));
    EXPECT_EQ(to_string(options), "") << row.name;
  }
  const Options options =
      parse_options("threads=auto, grid=auto, tolerance=auto, reorder=auto", unusual());
  EXPECT_EQ(options.threads, 0);
  EXPECT_TRUE(options.grid.empty());
  EXPECT_FALSE(options.tolerance || options.reorder);
}

TEST(Options, WhatIsWrongIsNamed) {
  const auto complaint = [](const std::string& text) {
    return error_text([&] { parse_options(text); });
  };
  EXPECT_NE(
      complaint("tile_byte=5")
          .find("option 'tile_byte' is unknown (did you mean 'tile_bytes'?); known: algorithm"),
      std::string::npos);
  EXPECT_EQ(complaint("chunks=4, threads"),
            "options 'chunks=4, threads': 'threads' is not of the form name=value");
  EXPECT_EQ(complaint("algorithm=brick"),
            "algorithm 'brick' is unknown; known: auto, slab, pencil");
  EXPECT_EQ(
      complaint("rigor=measured"),
      "rigor 'measured' is unknown (did you mean 'measure'?); known: auto, estimate, measure, "
      "patient");
  EXPECT_EQ(complaint("progress=magic"),
            "progress 'magic' is unknown; known: auto, polling, thread");
  EXPECT_EQ(complaint("threads=-1"), "threads -1: must be between 0 and 4096");
  EXPECT_EQ(complaint("threads=99999999999"), "threads 99999999999: must be between 0 and 4096");
  EXPECT_EQ(complaint("threads=two"), "threads 'two': must be a whole number");
  EXPECT_EQ(complaint("chunks="), "chunks '': must be a whole number");
  EXPECT_EQ(complaint("chunks=3x2"), "chunks '3x2': must be a whole number");
  EXPECT_EQ(complaint("receive_chunks=1025"), "receive_chunks 1025: must be between 0 and 1024");
  EXPECT_EQ(complaint("fields_in_flight=0"), "fields_in_flight 0: must be between 1 and 64");
  EXPECT_EQ(complaint("device_number=-2"), "device_number -2: must be between 0 and 2147483647");
  EXPECT_EQ(complaint("tile_bytes=-5"), "tile_bytes -5: must be at least 0");
  EXPECT_EQ(complaint("grid=2by4"), "grid '2by4': must be numbers such as 2x4");
  EXPECT_EQ(complaint("grid=2x"), "grid '2x': must be numbers such as 2x4");
  EXPECT_EQ(complaint("grid=1x1x1x1x1x1x1x1x1"),
            "grid '1x1x1x1x1x1x1x1x1': must be numbers such as 2x4");
  EXPECT_EQ(complaint("reorder=maybe"), "reorder 'maybe': must be yes or no");
  EXPECT_EQ(complaint("stream=here"),
            "stream 'here': must be an address, as %p of printf writes it");
  for (const char* error : {"0", "-0.1", "1", "2", "nan", "inf"}) {
    EXPECT_EQ(
        complaint("tolerance=" + std::string(error)),
        "tolerance " + std::string(error) + ": must be positive and less than 1, a relative error");
  }
  Options options = parse_options("chunks=4");
  EXPECT_THROW(set_option(options, "chunks", "-3"), Error);
  EXPECT_EQ(options.chunks, 4) << "what is refused changes nothing";
}

TEST(Options, MembersOutOfRangeAreRefused) {
  Options options;
  EXPECT_NO_THROW(check_ranges(options));
  options.rigor = static_cast<Rigor>(9);
  EXPECT_EQ(error_text([&] { check_ranges(options); }), "rigor 9 is unknown");
}

TEST(Options, TheEnvironmentCountsForDefaultsOnly) {
  ASSERT_EQ(options_of_environment(), "");
  setenv("WEFT_CHUNKS", "4", 1);
  setenv("WEFT_TILE_BYTES", "9", 1);
  setenv("WEFT_STREAM", "0x1234", 1);  // an address means nothing to another process
  const std::string text = options_of_environment();
  for (const char* variable : {"WEFT_CHUNKS", "WEFT_TILE_BYTES", "WEFT_STREAM"}) unsetenv(variable);
  EXPECT_EQ(text, "tile_bytes=9, chunks=4");
  EXPECT_EQ(to_string(with_defaults({}, text)), "tile_bytes=9, chunks=4");
  EXPECT_EQ(to_string(with_defaults(parse_options("chunks=2, threads=3"), text)),
            "threads=3, tile_bytes=9, chunks=2");
}

TEST(Options, EachHasAVariableUnlessItIsTheProgramsOwn) {
  for (const OptionRow& row : option_table()) {
    const std::string name = row.name, value = row.read(row, unusual());
    std::string variable = "WEFT_" + name;
    std::transform(variable.begin(), variable.end(), variable.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    setenv(variable.c_str(), value.c_str(), 1);
    EXPECT_EQ(options_of_environment(), row.in_environment ? name + "=" + value : "");
    unsetenv(variable.c_str());
  }
}

TEST(Options, RanksMayDifferInWhatIsTheirOwn) {
  const std::string common = common_options(unusual());
  for (const OptionRow& row : option_table()) {
    EXPECT_EQ(common.find(std::string(row.name) + "=") == std::string::npos, row.by_rank)
        << row.name << " in " << common;
  }
}

}  // namespace
}  // namespace weft
