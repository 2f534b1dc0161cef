#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/wisdom.hpp"

namespace weft {

/// A line of JSON without its end: members in a fixed order, the last of which is a checksum of
/// what stands before, so that no changed line is taken for a record.
std::string line_of(const WisdomRecord& record);
/// None unless the line is one that line_of writes.
std::optional<WisdomRecord> parse_record(std::string_view line);

/// "2026-11-25"
std::string date_of_today();

/// Whether the problem, the machine or the settings have it.
bool has_text(const WisdomRecord& record, const std::string& text);

/// Whether one takes the place of the other.
bool are_alike(const WisdomRecord& a, const WisdomRecord& b);

}  // namespace weft
