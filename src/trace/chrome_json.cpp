#include <cstdio>
#include <iterator>
#include <set>
#include <tuple>

#include "trace/whole_file.hpp"
#include "weft/trace.hpp"

namespace weft {

namespace {

constexpr const char* lane_names[] = {"run", "compute", "send", "own", "wait", "messages", "host"};
constexpr int lanes = static_cast<int>(std::size(lane_names));
static_assert(lanes == static_cast<int>(TraceLane::host) + 1);

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) < ' ') {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      result += code;
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// Microseconds, to the nanosecond.
std::string microseconds(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", seconds * 1e6);
  return text;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

int thread_of(const TraceSpan& span) {
  return span.place * lanes + static_cast<int>(span.lane);
}

std::string place_of(const TraceSpan& span) {
  return "\"pid\":" + std::to_string(span.rank) + ",\"tid\":" + std::to_string(thread_of(span));
}

/// Names and order of processes and threads.
std::string names(const Trace& trace) {
  std::string text;
  const auto add = [&](const std::string& where, const char* what, const std::string& value) {
    text += "{\"ph\":\"M\"," + where + ",\"name\":\"" + what + "\",\"args\":{" + value + "}},\n";
  };
  for (int rank = 0; rank < trace.ranks; ++rank) {
    const std::string where = "\"pid\":" + std::to_string(rank);
    add(where, "process_name", "\"name\":\"rank " + std::to_string(rank) + "\"");
    add(where, "process_sort_index", "\"sort_index\":" + std::to_string(rank));
  }
  std::set<std::tuple<int, int>> named;
  for (const TraceSpan& span : trace.spans) {
    if (!named.insert({span.rank, thread_of(span)}).second) continue;
    const std::string place = span.place > 0 ? " " + std::to_string(span.place) : "";
    add(place_of(span), "thread_name", "\"name\":" + quoted(to_string(span.lane) + place));
    add(place_of(span), "thread_sort_index", "\"sort_index\":" + std::to_string(thread_of(span)));
  }
  return text;
}

/// Spans of a thread lie in each other or apart, but for messages: those are told by their ends.
std::string event(const TraceSpan& span, std::size_t id) {
  const std::string title = span.detail.empty() ? span.name : span.name + ": " + span.detail;
  const std::string head =
      place_of(span) + ",\"cat\":" + quoted(to_string(span.lane)) + ",\"name\":" + quoted(title);
  const std::string args =
      ",\"args\":{\"step\":" + quoted(span.name) + ",\"detail\":" + quoted(span.detail) +
      ",\"direction\":" + (span.direction == Direction::forward ? "\"forward\"" : "\"backward\"") +
      ",\"run\":" + std::to_string(span.run) + ",\"field\":" + std::to_string(span.field) +
      ",\"chunk\":" + std::to_string(span.chunk) + "}";
  const std::string begin = ",\"ts\":" + microseconds(span.begin);
  if (span.lane != TraceLane::messages) {
    return "{\"ph\":\"X\"," + head + begin + ",\"dur\":" + microseconds(span.end - span.begin) +
           args + "}";
  }
  const std::string numbered = head + ",\"id\":" + std::to_string(id);
  return "{\"ph\":\"b\"," + numbered + begin + args + "},\n{\"ph\":\"e\"," + numbered +
         ",\"ts\":" + microseconds(span.end) + "}";
}

}  // namespace

std::string to_string(TraceLane lane) {
  return lane_names[static_cast<std::size_t>(lane)];
}

std::string to_chrome_json(const Trace& trace) {
  const HiddenExchange hidden = hidden_exchange(trace);
  std::string text =
      "{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"ranks\":" + std::to_string(trace.ranks) +
      ",\"uncertainty_seconds\":" + number(trace.uncertainty) +
      ",\"exchange_seconds\":" + number(hidden.exchange_seconds) +
      ",\"hidden_seconds\":" + number(hidden.hidden_seconds) +
      ",\"hidden_share\":" + number(hidden.share()) + "},\n\"traceEvents\":[\n" + names(trace);
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    text += event(trace.spans[i], i) + ",\n";
  }
  // There is a name at least.
  if (text.ends_with(",\n")) text.resize(text.size() - 2);
  return text + "\n]}\n";
}

void write_chrome_json(const Trace& trace, const std::string& path) {
  write_whole_file(path, to_chrome_json(trace));
}

}  // namespace weft
