#include "abandoned_files.hpp"

#include <filesystem>
#include <iostream>

#include "geometry/human_units.hpp"
#include "trace/temporary_name.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

namespace fs = std::filesystem;

/// Where temporary files of a target lie: it may be a link.
fs::path folder_of(const std::string& target) {
  std::error_code unknown;
  const fs::path path = fs::canonical(target, unknown);
  const fs::path folder = (unknown ? fs::path(target) : path).parent_path();
  return folder.empty() ? "." : folder;
}

std::string warning(const fs::path& path, double bytes, const FileWriter& writer,
                    WriterState state) {
  const std::string file =
      "'" + path.lexically_normal().string() + "' (" + human_bytes(bytes) + ")";
  const std::string process = "process " + std::to_string(writer.process) + " on " + writer.host;
  if (state == WriterState::ended) {
    return file + " was left behind by " + process + ", which has ended: remove it";
  }
  return file + " is of " + process + ", which cannot be seen from here: remove it if that has " +
         "ended";
}

}  // namespace

void warn_of_abandoned_files(const std::string& program, const std::string& target) {
  std::error_code error;  // a folder that cannot be read is told of where it matters
  for (fs::directory_iterator entry(folder_of(target), error), end; !error && entry != end;
       entry.increment(error)) {
    const auto writer = writer_of(entry->path().filename().string());
    if (!writer) continue;
    const WriterState state = state_of(*writer);
    std::error_code gone;  // it may have been renamed meanwhile
    const auto bytes = fs::file_size(entry->path(), gone);
    if (state == WriterState::running || gone) continue;
    std::cerr << program + ": warning: " +
                     printable(warning(entry->path(), static_cast<double>(bytes), *writer, state)) +
                     "\n"
              << std::flush;
  }
}

}  // namespace weft
