#include "predict_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

constexpr Index most_nodes = std::numeric_limits<int>::max();  // of MPI, a rank on each

std::string shown(const std::string& text) {
  return "'" + printable(text, printable_excerpt) + "'";
}

/// All of the text as a positive number; 0 for others.
Index positive(const std::string& text) {
  Index value = 0;
  const char* end = text.data() + text.size();
  const auto [next, status] = std::from_chars(text.data(), end, value);
  return status == std::errc{} && next == end && value > 0 ? value : 0;
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
    const Index number = positive(word);
    if (number == 0 || number > most_nodes) {
      throw wrong(shown(word) + " is not a whole number from 1 to " + std::to_string(most_nodes));
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

}  // namespace weft
