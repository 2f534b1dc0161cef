#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include "geometry/named_values.hpp"
#include "geometry/unknown_name.hpp"
#include "schedule/option_forms.hpp"

namespace weft {

template <>
inline constexpr Enumerator<Algorithm> enumerators<Algorithm>[] = {
    {Algorithm::automatic, "auto"}, {Algorithm::slab, "slab"}, {Algorithm::pencil, "pencil"}};
template <>
inline constexpr Enumerator<Rigor> enumerators<Rigor>[] = {{Rigor::automatic, "auto"},
                                                           {Rigor::estimate, "estimate"},
                                                           {Rigor::measure, "measure"},
                                                           {Rigor::patient, "patient"}};
template <>
inline constexpr Enumerator<ProgressBy> enumerators<ProgressBy>[] = {
    {ProgressBy::automatic, "auto"},
    {ProgressBy::polling, "polling"},
    {ProgressBy::thread, "thread"}};
template <>
inline constexpr Enumerator<Tune> enumerators<Tune>[] = {{Tune::wisdom, "wisdom"},
                                                         {Tune::off, "off"},
                                                         {Tune::measure, "measure"},
                                                         {Tune::again, "again"},
                                                         {Tune::frozen, "frozen"}};

namespace {

template <auto member>
constexpr OptionRow row(OptionRow result) {
  using T = std::remove_cvref_t<decltype(Options{}.*member)>;
  result.type = Form<T>::type;
  result.read = [](const OptionRow& row, const Options& of) {
    return Form<T>::read(row, of.*member);
  };
  result.write = [](const OptionRow& row, Options& of, const std::string& text) {
    of.*member = Form<T>::write(row, text);
  };
  result.check = [](const OptionRow& row, const Options& of) { Form<T>::check(row, of.*member); };
  result.values = Form<T>::values;
  return result;
}

using O = Options;

/// Each chunk and each field in flight has exchanges and passes of its own.
constexpr Index most_chunks = 1024;
constexpr Index most_fields = 64;
constexpr Index most_count = 2147483647;

const OptionRow table[] = {
    row<&O::algorithm>({"algorithm", "Which intermediate layouts the planner may use"}),
    row<&O::grid>({"grid", "Process grid of pencils; auto: near-square"}),
    row<&O::device>({.name = "device",
                     .sentence = "Device that plans use: host, or an accelerator",
                     .in_environment = false}),
    row<&O::device_number>(
        {.name = "device_number",
         .sentence = "Number of the device; auto: from the number of the rank on its node",
         .by_rank = true,
         .in_environment = false,
         .most = most_count,
         .automatic = -1}),
    row<&O::stream>({.name = "stream",
                     .sentence = "Stream of the caller on the device; 0: the default one",
                     .by_rank = true,
                     .in_environment = false}),
    row<&O::exchange>({"exchange", "How ranks exchange data"}),
    row<&O::local>({"local", "Backend for 1-D FFTs"}),
    row<&O::reorder>({"reorder", "Transpose tiles so that transformed lines are contiguous"}),
    row<&O::overwrite_input>({.name = "overwrite_input",
                              .sentence = "Transforms may overwrite their input",
                              .in_environment = false}),
    row<&O::rigor>({"rigor", "How much time the backend may spend on planning"}),
    row<&O::threads>(
        {.name = "threads",
         .sentence = "Threads of each rank; auto: OMP_NUM_THREADS, else the cores of the rank",
         .by_rank = true,
         .most = most_threads,
         .automatic = 0}),
    row<&O::tile_bytes>(
        {.name = "tile_bytes", .sentence = "Size of cache tiles, in bytes", .automatic = 0}),
    row<&O::stream_bytes>({.name = "stream_bytes",
                           .sentence = "Arrays of more bytes are written with streaming stores",
                           .by_rank = true,
                           .automatic = -1}),
    row<&O::codec>({"codec", "How messages are compressed; auto: by the tolerance"}),
    row<&O::tolerance>({"tolerance", "Relative L2 error that a transform may have; auto: none"}),
    row<&O::chunks>({.name = "chunks",
                     .sentence = "Number of chunks; one travels while others are transformed",
                     .most = most_chunks,
                     .automatic = 0}),
    row<&O::receive_chunks>({.name = "receive_chunks",
                             .sentence = "Number of chunks on the receiving side; auto: as chunks",
                             .most = most_chunks,
                             .automatic = 0}),
    row<&O::fields_in_flight>({.name = "fields_in_flight",
                               .sentence = "Number of fields in flight, if many are transformed",
                               .least = 1,
                               .most = most_fields}),
    row<&O::progress>({"progress", "What keeps messages moving while a rank computes"}),
    row<&O::breakdown>(
        {"breakdown", "Time the parts of each step: copies, codecs, transforms, waiting"}),
    row<&O::allocate_workspace>(
        {.name = "allocate_workspace",
         .sentence = "Whether the plan allocates its workspace; otherwise the program sets it",
         .in_environment = false}),
    row<&O::tune>({"tune", "Whether settings that are not given come from measurements"}),
    row<&O::tune_seconds>({.name = "tune_seconds",
                           .sentence = "Seconds that trying settings may take",
                           .least = 1,
                           .most = most_count}),
    row<&O::tune_trials>({.name = "tune_trials",
                          .sentence = "Largest number of settings to try",
                          .least = 1,
                          .most = most_count}),
    row<&O::mpi_count_limit>({.name = "mpi_count_limit",
                              .sentence = "Largest count passed to MPI in one argument",
                              .least = 2,
                              .most = most_count}),
};

template <class Include>
std::string text_of(const Options& options, const Include& include) {
  std::vector<std::string> pairs;
  for (const OptionRow& row : table) {
    if (include(row)) pairs.push_back(std::string(row.name) + "=" + row.read(row, options));
  }
  return comma_list(pairs);
}

/// "WEFT_TILE_BYTES"
std::string variable_of(const OptionRow& row) {
  std::string variable = "WEFT_";
  for (const char* at = row.name; *at != 0; ++at) {
    variable += *at == '_' ? '_' : static_cast<char>(*at - 'a' + 'A');
  }
  return variable;
}

bool is_default(const OptionRow& row, const Options& options) {
  static const Options defaults;
  return row.read(row, options) == row.read(row, defaults);
}

}  // namespace

std::span<const OptionRow> option_table() {
  return table;
}

void set_option(Options& options, const std::string& name, const std::string& value) {
  std::vector<std::string_view> known;
  for (const OptionRow& row : table) {
    known.push_back(row.name);
    if (name != row.name) continue;
    Options changed = options;
    row.write(row, changed, value);
    row.check(row, changed);
    options = std::move(changed);
    return;
  }
  throw unknown_name("option", name, known);
}

Options parse_options(const std::string& text, Options options) {
  for (const auto& [name, value] : named_values("options", text)) set_option(options, name, value);
  return options;
}

std::string to_string(const Options& options) {
  return text_of(options, [&](const OptionRow& row) { return !is_default(row, options); });
}

std::string common_options(const Options& options) {
  return text_of(options, [](const OptionRow& row) { return !row.by_rank; });
}

bool is_left_open(const Options& given, const std::string& name) {
  return std::any_of(std::begin(table), std::end(table), [&](const OptionRow& row) {
    return row.name == name && is_default(row, given);
  });
}

std::string left_open(const std::string& settings, const Options& given) {
  static const Options defaults;
  Options result = parse_options(settings);
  for (const OptionRow& row : table) {
    if (!is_default(row, given)) row.write(row, result, row.read(row, defaults));
  }
  return to_string(result);
}

std::string tuned_options(const Options& given) {
  return text_of(given, [&](const OptionRow& row) {
    return !row.by_rank && !is_default(row, given) && !std::string(row.name).starts_with("tune") &&
           row.name != std::string("allocate_workspace");
  });
}

std::string options_of_environment() {
  std::vector<std::string> pairs;
  for (const OptionRow& row : table) {
    const std::string variable = variable_of(row);
    const char* const value = row.in_environment ? std::getenv(variable.c_str()) : nullptr;
    if (value != nullptr) pairs.push_back(std::string(row.name) + "=" + value);
  }
  return comma_list(pairs);
}

Options with_defaults(const Options& options, const std::string& text) {
  Options result = parse_options(text, options);
  for (const OptionRow& row : table) {
    if (!is_default(row, options)) row.write(row, result, row.read(row, options));
  }
  return result;
}

std::vector<PlanChoice> choices(const Options& given, const Options& with_environment,
                                const Options& used, const std::string& why) {
  std::vector<PlanChoice> result;
  for (const OptionRow& row : table) {
    result.push_back({row.name, row.read(row, used),
                      !is_default(row, given)              ? "given"
                      : !is_default(row, with_environment) ? variable_of(row)
                      : !is_default(row, used)             ? why
                                                           : "default"});
  }
  return result;
}

void check_ranges(const Options& options) {
  for (const OptionRow& row : table) row.check(row, options);
}

}  // namespace weft
