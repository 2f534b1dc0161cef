#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/options.hpp"
#include "weft/plan_info.hpp"

namespace weft {

/// Of a rank. OpenMP ends a process that asks for more threads than the system gives it; other
/// programs leave room for some ten thousand.
inline constexpr int most_threads = 4096;

/// One member of Options: how it is written as text, and what it may be. All interfaces follow from
/// these rows: text, checks, flags of the command, variables of the environment, `weft list`.
struct OptionRow {
  const char* name;
  const char* sentence;  ///< for people
  /// Whether ranks may differ in it.
  bool by_rank = false;
  /// Not where the program itself has to know of it.
  bool in_environment = true;
  /// Of numbers.
  Index least = 0;
  Index most = std::numeric_limits<Index>::max();
  /// A number that means "choose", if any does.
  Index automatic = std::numeric_limits<Index>::min();
  bool has_automatic() const { return automatic != std::numeric_limits<Index>::min(); }

  /// "text", "yes or no", "integer", "integers" or "number"
  std::string_view type{};
  std::string (*read)(const OptionRow&, const Options&) = nullptr;
  /// Throws Error for a text that is none.
  void (*write)(const OptionRow&, Options&, const std::string&) = nullptr;
  /// Throws Error for a value that is none.
  void (*check)(const OptionRow&, const Options&) = nullptr;
  /// "auto, slab, pencil"
  std::string (*values)(const OptionRow&) = nullptr;
};

std::span<const OptionRow> option_table();

/// As text, those that all ranks must have in common.
std::string common_options(const Options& options);

/// Whether an option is at its default.
bool is_left_open(const Options& given, const std::string& name);
/// Settings as text without those that were given.
std::string left_open(const std::string& settings, const Options& given);

/// As text, those of them that differ from the defaults and that tuning has to respect.
std::string tuned_options(const Options& given);

/// What variables of the environment say, as parse_options reads it: WEFT_CHUNKS=4 is "chunks=4".
std::string options_of_environment();

/// The text counts for what is left at its default.
Options with_defaults(const Options& options, const std::string& text);

/// What options are used, and whether the caller gave them, the environment did or, then, whoever
/// `why` says. Each takes over what the one before has left open.
std::vector<PlanChoice> choices(const Options& given, const Options& with_environment,
                                const Options& used, const std::string& why);

/// Throws Error for the first that is out of range.
void check_ranges(const Options& options);

}  // namespace weft
