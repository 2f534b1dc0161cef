#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Something that can be chosen by its name.
struct CatalogRow {
  std::string name;
  std::string description;
  std::string parameter{};  ///< what X is in "name:X"; empty: there is none
  std::string why_not{};    ///< why it cannot be used here; empty: it can
  bool built_in = true;
  std::string default_value{};  ///< of an option
  std::string values{};         ///< of an option: what it may be
};

struct CatalogSection {
  enum Contents {
    always,      ///< all rows can be used everywhere
    by_machine,  ///< some need a library or a GPU
    options,     ///< rows are options, with values
  };
  const char* name;   ///< "exchanges"
  const char* title;  ///< "how messages travel ..."
  Contents contents;
  std::vector<CatalogRow> (*rows)();
};

/// All that the tables of the library offer, and what a build may lack.
const std::vector<CatalogSection>& catalog();

/// Throws Error for a section that there is not.
const CatalogSection& find_section(const std::string& name);

}  // namespace weft
