#include "predict_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "geometry/unknown_name.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

constexpr Index most_nodes = std::numeric_limits<int>::max();  // of MPI, a rank on each

std::string shown(const std::string& text) {
  return "'" + printable(text, printable_excerpt) + "'";
}

/// All of the text as a positive finite number; 0 for others.
template <class Number>
Number positive(const std::string& text) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [next, status] = std::from_chars(text.data(), end, value);
  const bool good = status == std::errc{} && next == end && value > 0 &&
                    std::isfinite(static_cast<double>(value));
  return good ? value : 0;
}

}  // namespace

std::vector<Index> parse_nodes(const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    return Error("nodes " + shown(text) + ": " + why +
                 "; give numbers that increase, such as 1,2,4,...,512");
  };
  std::vector<Index> nodes;
  std::istringstream words(text);
  std::string word;
  bool goes_on = false;
  while (std::getline(words, word, ',')) {
    if (word == "...") {
      if (nodes.size() < 2 || goes_on) throw wrong("... needs two numbers before it");
      goes_on = true;
      continue;
    }
    const Index number = positive<Index>(word);
    if (number == 0 || number > most_nodes) {
      throw wrong(shown(word) + " is no whole number from 1 to " + std::to_string(most_nodes));
    }
    if (!nodes.empty() && number <= nodes.back()) {
      throw wrong(std::to_string(number) + " follows " + std::to_string(nodes.back()));
    }
    if (goes_on) {
      const double ratio = static_cast<double>(nodes.back()) / static_cast<double>(nodes.end()[-2]);
      double next = std::round(static_cast<double>(nodes.back()) * ratio);
      while (next < static_cast<double>(number)) {
        nodes.push_back(static_cast<Index>(next));
        next = std::max(next + 1, std::round(next * ratio));
      }
      goes_on = false;
    }
    nodes.push_back(number);
  }
  if (goes_on) throw wrong("... needs a number behind it");
  if (nodes.empty()) throw wrong("it holds no number");
  return nodes;
}

void set_figure(Machine& machine, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto fields = figures(machine);
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto& one) { return one.first == name; });
  if (field == fields.end()) {
    std::vector<std::string_view> known;
    for (const auto& [one, value] : fields) known.push_back(one);
    throw unknown_name("figure", name, known);
  }
  std::string value = equals == std::string::npos ? std::string() : text.substr(equals + 1);
  const bool factor = value.ends_with('x');
  if (factor) value.pop_back();
  const double number = positive<double>(value);
  if (number == 0) {
    throw Error("figure " + shown(text) + ": give a positive number or a factor, such as " + name +
                "=2e9 or " + name + "=4x");
  }
  *field->second = factor ? *field->second * number : number;
}

}  // namespace weft
