#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "geometry/human_units.hpp"
#include "kind/enumerators.hpp"
#include "schedule/option_table.hpp"
#include "weft/options.hpp"

namespace weft {

inline constexpr const char* automatic_text = "auto";

inline Error refusal(const OptionRow& row, const std::string& text, const std::string& must) {
  return Error(std::string(row.name) + " '" + text + "': must be " + must);
}

/// `part` of a text that is refused as a whole.
template <class T>
T number_of(const OptionRow& row, const std::string& text, const std::string& part,
            const char* must) {
  T value{};
  const char* const end = part.data() + part.size();
  const auto [next, status] = std::from_chars(part.data(), end, value);
  if (part.empty() || status != std::errc{} || next != end) throw refusal(row, text, must);
  return value;
}

/// How options of a type are written, read and checked.
template <class T>
struct Form {  // enumerations
  static constexpr std::string_view type = "text";
  static std::string read(const OptionRow&, T value) { return name_of(value); }
  static T write(const OptionRow& row, const std::string& text) {
    return parse_enumerator<T>(row.name, text);
  }
  static void check(const OptionRow& row, T value) { check_enumerator(row.name, value); }
  static std::string values(const OptionRow&) { return comma_list(names_of_all<T>()); }
};

template <std::integral T>
struct Form<T> {
  static constexpr std::string_view type = "integer";
  static std::string read(const OptionRow& row, T value) {
    return value == row.automatic ? automatic_text : std::to_string(value);
  }
  static T write(const OptionRow& row, const std::string& text) {
    if (text == automatic_text && row.has_automatic()) return static_cast<T>(row.automatic);
    const auto value = number_of<Index>(row, text, text, "a whole number");
    if (!std::in_range<T>(value)) throw out_of_range(row, value);
    return static_cast<T>(value);
  }
  static void check(const OptionRow& row, T value) {
    if (value == row.automatic || (value >= row.least && value <= row.most)) return;
    throw out_of_range(row, value);
  }
  static Error out_of_range(const OptionRow& row, Index value) {
    return Error(std::string(row.name) + " " + std::to_string(value) + ": must be " + range(row));
  }
  static std::string values(const OptionRow& row) {
    return row.has_automatic() ? std::string("auto, or ") + range(row) : range(row);
  }
  static std::string range(const OptionRow& row) {
    const std::string least = std::to_string(row.least);
    return row.most == std::numeric_limits<Index>::max()
               ? "at least " + least
               : "between " + least + " and " + std::to_string(row.most);
  }
};

template <>
struct Form<bool> {
  static constexpr std::string_view type = "yes or no";
  static std::string read(const OptionRow&, bool value) { return value ? "yes" : "no"; }
  static bool write(const OptionRow& row, const std::string& text) {
    for (const char* yes : {"yes", "true", "1"}) {
      if (text == yes) return true;
    }
    for (const char* no : {"no", "false", "0"}) {
      if (text == no) return false;
    }
    throw refusal(row, text, "yes or no");
  }
  static void check(const OptionRow&, bool) {}
  static std::string values(const OptionRow&) { return "yes, no"; }
};

template <>
struct Form<double> {
  static constexpr std::string_view type = "number";
  static std::string read(const OptionRow&, double value) { return exact_text(value); }
  static double write(const OptionRow& row, const std::string& text) {
    return number_of<double>(row, text, text, "a number");
  }
  static void check(const OptionRow& row, double value) {
    // With an error of 1 nothing is left of a result; NaN is refused too.
    if (value > 0 && value < 1) return;
    throw Error(std::string(row.name) + " " + read(row, value) +
                ": must be positive and less than 1, a relative error");
  }
  static std::string values(const OptionRow&) { return "a relative error, less than 1"; }
};

/// What may be left to weft.
template <class T>
struct Form<std::optional<T>> {
  static constexpr std::string_view type = Form<T>::type;
  static std::string read(const OptionRow& row, const std::optional<T>& value) {
    return value ? Form<T>::read(row, *value) : automatic_text;
  }
  static std::optional<T> write(const OptionRow& row, const std::string& text) {
    return text == automatic_text ? std::nullopt : std::optional(Form<T>::write(row, text));
  }
  static void check(const OptionRow& row, const std::optional<T>& value) {
    if (value) Form<T>::check(row, *value);
  }
  static std::string values(const OptionRow& row) {
    return std::string("auto, ") + Form<T>::values(row);
  }
};

template <>
struct Form<std::string> {
  static constexpr std::string_view type = "text";
  static std::string read(const OptionRow&, const std::string& value) { return value; }
  static std::string write(const OptionRow&, const std::string& text) { return text; }
  static void check(const OptionRow&, const std::string&) {}
  static std::string values(const OptionRow&) { return "a name of `weft list`"; }
};

template <>
struct Form<Extents> {
  static constexpr std::string_view type = "integers";
  static std::string read(const OptionRow&, const Extents& value) {
    return value.empty() ? automatic_text : to_string(value);
  }
  static Extents write(const OptionRow& row, const std::string& text) {
    Extents numbers;
    for (std::size_t begin = 0; text != automatic_text && begin <= text.size();) {
      const std::size_t end = std::min(text.find('x', begin), text.size());
      if (numbers.size() == max_axes) throw refusal(row, text, "numbers such as 2x4");
      numbers.push_back(
          number_of<Index>(row, text, text.substr(begin, end - begin), "numbers such as 2x4"));
      begin = end + 1;
    }
    return numbers;
  }
  static void check(const OptionRow&, const Extents&) {}
  static std::string values(const OptionRow&) { return "auto, or numbers such as 2x4"; }
};

template <>
struct Form<void*> {
  static constexpr std::string_view type = "integer";
  static std::string read(const OptionRow&, void* value) {
    return std::to_string(reinterpret_cast<std::uintptr_t>(value));
  }
  static void* write(const OptionRow& row, const std::string& text) {
    if (text == "(nil)") return nullptr;  // as printf writes it
    char* end = nullptr;
    const bool is_number = !text.empty() && text[0] >= '0' && text[0] <= '9';
    const std::uintptr_t address = std::strtoull(text.c_str(), &end, 0);
    if (!is_number || *end != 0) throw refusal(row, text, "an address, as %p of printf writes it");
    return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
  }
  static void check(const OptionRow&, void*) {}
  static std::string values(const OptionRow&) { return "an address, as %p of printf writes it"; }
};

}  // namespace weft
