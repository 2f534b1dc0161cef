#pragma once

#include <string>
#include <vector>

namespace weft {

/// Text as it may stand in a page, between tags and within quotes.
std::string as_html(const std::string& text);

struct PageCell {
  std::string text{};
  std::string value{};  ///< of a number that the text shows rounded; empty: of none
};

struct PageRow {
  std::vector<PageCell> cells;
  bool is_marked = false;
};

/// A table that scrolls within the page where it is too wide. Columns are set to the right, but for
/// the first `left` and the last.
std::string table_of_page(const std::vector<std::string>& headings,
                          const std::vector<PageRow>& rows, std::size_t left);

/// A page that refers to no other, in the look of the reports of weft-bench, also in the dark, on a
/// phone and on paper. `title` is text, `body` is HTML.
std::string page(const std::string& title, const std::string& body);

}  // namespace weft
