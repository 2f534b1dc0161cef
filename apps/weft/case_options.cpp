#include "case_options.hpp"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

#include "plan/arguments.hpp"
#include "whole_number.hpp"

namespace weft {

namespace {

/// The words of "64x64x64" or "64,64,64".
std::vector<std::string> split_lengths(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == 'x' || c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// For CLI::Option::check.
std::string check_lengths(const std::string& text) {
  for (const std::string& word : split_lengths(text)) {
    if (!check_whole_number(word).empty()) {
      return check_whole_number(text) + ", nor several of them such as 64x64x64";
    }
  }
  return {};
}

}  // namespace

std::string CaseOptions::title() const {
  std::string lengths;
  for (const Index length : shape) lengths += (lengths.empty() ? "" : "x") + std::to_string(length);
  return kinds + " " + precision + " of " + lengths;
}

std::string CaseOptions::output_or_default() const {
  if (!output.empty()) return output;
  return shape.size() > 1 ? "slab:1" : "slab:0";
}

std::string CaseOptions::output_note() const {
  if (!output.empty()) return {};
  return "output " + output_or_default() +
         " is the command's default; that of a Plan is its input layout: --output " + input + "\n";
}

void add_case_options(CLI::App& app, CaseOptions& options) {
  const auto set_shape = [&options](const std::vector<std::string>& texts) {
    options.shape.clear();
    for (const std::string& text : texts) {
      for (const std::string& word : split_lengths(text)) options.shape.push_back(std::stoll(word));
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "N", set_shape, "Lengths of the array, 1 to 6 of them: 64 64 64 or 64x64x64")
      ->type_name("INT")
      ->check(check_lengths)
      ->required();
  app.add_option("--kinds", options.kinds,
                 "Kinds of transform: c2c, r2c (of the last axis), dct2 and others of `weft list`, "
                 "or one per axis: none,r2c,dct1")
      ->capture_default_str();
  app.add_option("--precision", options.precision, "Precision of all numbers: f32 or f64")
      ->capture_default_str();
  app.add_option("--numbers", options.numbers,
                 "Numbers in physical space: real, complex, or automatic (by the kinds)")
      ->capture_default_str();
  app.add_option("--input", options.input,
                 "Layout in physical space: slab:AXIS, pencil:AXIS, brick or grid:PxQ..., "
                 "optionally followed by ,order=210 and ,split=block")
      ->capture_default_str();
  app.add_option("--output", options.output,
                 "Layout in spectral space [slab:1, or slab:0 for a single axis: a transposed "
                 "output saves an exchange. A Plan's own default is the layout of its input]");
  app.add_option("--input-points", options.input_points,
                 "Points that are stored along each axis; the rest is zero padding: 128x128x128");
  app.add_option("--modes", options.modes,
                 "Modes that are kept along each axis, the low ones: 171x171x171");
  app.add_option("--batch", options.batch, "Number of fields")
      ->check(check_whole_number)
      ->capture_default_str();
  app.add_flag("--interleaved", options.interleaved,
               "Fields are interleaved per point, not one after another");
  app.add_option("--norm", options.norm,
                 "Normalization, as in scipy.fft: backward, ortho or forward; or none")
      ->capture_default_str();
  app.add_option("--fields", options.fields, "Separate fields that are transformed together")
      ->check(check_whole_number)
      ->capture_default_str();
  app.add_flag("--in-place", options.in_place,
               "Input and output are the same memory (real data is padded)");
  add_plan_options(app, options.plan);
}

Options plan_options(const CaseOptions& given) {
  if (given.fields < 1)
    throw Error("fields " + std::to_string(given.fields) + ": must be positive");
  Options options = plan_options(given.plan);
  check_options(options, parse_precision(given.precision));
  return options;
}

}  // namespace weft
