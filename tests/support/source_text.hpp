#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace weft::test {

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Names in #include lines; those in angle brackets keep the brackets.
inline std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex line("(?:^|\n)[ \t]*#[ \t]*include[ \t]*([<\"][^>\"]+[>\"])");
  std::vector<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
    const std::string name = (*match)[1];
    names.push_back(name[0] == '<' ? name : name.substr(1, name.size() - 2));
  }
  return names;
}

}  // namespace weft::test
