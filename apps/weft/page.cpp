#include "page.hpp"

namespace weft {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --blue: #0072b2; --shade: #eef1f4; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0f1318; --ink: #e6e9ed; --soft: #a3adb8; --line: #3a434d; --blue: #56b4e9;
    --shade: #1d242c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 3rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .8rem; overflow-wrap: anywhere; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 .6rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; max-width: 60rem; overflow-wrap: anywhere; }
.soft, small { color: var(--soft); }
.verdict { margin: 1rem 0; padding: .8rem 1rem; border: 2px solid var(--blue);
  border-left-width: .6rem; border-radius: .3rem; }
.verdict p:first-child { font-size: 1.15rem; font-weight: 600; margin-top: 0; }
/* A shadow at the right shows that there are more columns. */
.scroll { margin: .5rem 0 1rem; overflow-x: auto; background:
  linear-gradient(to left, var(--paper) 40%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--soft), transparent) right / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--ink); vertical-align: bottom; white-space: normal; }
.left { text-align: left; white-space: normal; min-width: 6rem; overflow-wrap: anywhere; }
.left:first-child { min-width: 13rem; }
.marked td { background: var(--shade); font-weight: 600; }
small { display: block; font-size: .8rem; line-height: 1.3; }
svg { display: block; width: 100%; max-width: 44rem; height: auto; }
svg text { font-size: 12px; fill: var(--ink); }
svg line { stroke: var(--line); }
svg polygon { fill: var(--blue); opacity: .2; }
svg polyline { fill: none; stroke: var(--blue); stroke-width: 2; }
svg circle { fill: var(--blue); }
.map th, .map td { text-align: center; vertical-align: middle; border: 2px solid var(--paper); }
.map tbody th { position: sticky; left: 0; text-align: left; font-weight: 400;
  background: var(--paper); }
.map .axis { color: var(--soft); font-weight: 600; }
.measured { background: var(--cell); color: var(--on-cell); }
.measured small { color: inherit; }
.predicted { padding-left: 1rem; padding-right: 1rem; background: repeating-linear-gradient(135deg, var(--cell) 0 4px,
  var(--paper) 4px 8px); }
.predicted span { display: inline-block; padding: 0 .3rem; border-radius: .25rem;
  background: var(--paper); color: var(--ink); }
.best { box-shadow: inset 0 0 0 3px var(--on-cell); font-weight: 700; }
.legend { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; margin: .8rem 0; font-size: .9rem; }
.legend i { display: inline-block; width: 2rem; height: 1rem; vertical-align: -.15rem; }
.legend i.ramp { width: 9rem; }
@media (max-width: 36rem) {
  body { padding: 1rem .7rem 2rem; } h1 { font-size: 1.4rem; }
  th, td { font-size: .85rem; padding: .3rem .4rem; } small { font-size: .72rem; }
  svg text { font-size: 20px; }
}
@page { size: A4; margin: 14mm 12mm; }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
    --blue: #0072b2; --shade: #eef1f4; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  h2, h3 { break-after: avoid; } svg, .verdict, .map, tr { break-inside: avoid; }
  .scroll { overflow: visible; background: none; } .map tbody th { position: static; }
  th, td { font-size: 7.5pt; padding: 1.5pt 3pt; } small { font-size: 6.5pt; }
  thead { display: table-header-group; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";

}  // namespace

std::string as_html(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string table_of_page(const std::vector<std::string>& headings,
                          const std::vector<PageRow>& rows, std::size_t left) {
  const auto side = [&](std::size_t column) {
    return column < left || column + 1 == headings.size() ? " class=\"left\"" : "";
  };
  std::string html = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < headings.size(); ++i) {
    html += std::string("<th scope=\"col\"") + side(i) + ">" + as_html(headings[i]) + "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const PageRow& row : rows) {
    html += row.is_marked ? "<tr class=\"marked\">" : "<tr>";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const PageCell& cell = row.cells[i];
      html += std::string("<td") + side(i);
      if (!cell.value.empty()) html += " data-value=\"" + as_html(cell.value) + "\"";
      html += ">" + as_html(cell.text) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string page(const std::string& title, const std::string& body) {
  const std::string name = as_html(title);
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         name + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<main>\n<h1>" + name +
         "</h1>\n" + body + "</main>\n</body>\n</html>\n";
}

}  // namespace weft
