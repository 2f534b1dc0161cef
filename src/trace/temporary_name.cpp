#include "trace/temporary_name.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace weft {

namespace {

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = "";
  gethostname(name, HOST_NAME_MAX);
  return name[0] == '\0' ? "unknown" : name;
}

unsigned long long space_of_processes() {
  struct stat status {};
  return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

/// What /proc tells of a process.
struct ProcessStatus {
  char state = '\0';
  unsigned long long started = 0;
};

ProcessStatus status_of(long process) {
  ProcessStatus status;
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  // Its name, in parentheses, may hold anything; 18 fields lie between what is asked for.
  const std::size_t name_end = text.rfind(')');
  if (name_end == text.npos) return status;
  std::istringstream fields(text.substr(name_end + 1));
  fields >> status.state;
  std::string skipped;
  for (int i = 0; i < 18; ++i) fields >> skipped;
  fields >> status.started;
  return status;
}

}  // namespace

std::string temporary_name() {
  return ".weft-" + host_name() + "-" + std::to_string(getpid()) + "-" +
         std::to_string(space_of_processes()) + "." + std::to_string(status_of(getpid()).started) +
         "-";
}

std::optional<FileWriter> writer_of(std::string_view name) {
  static const std::regex pattern(
      R"(\.weft-([^/]+)-(\d{1,9})-(\d{1,19})\.(\d{1,19})-[A-Za-z0-9]{6})");
  const std::string text(name);
  std::smatch parts;
  if (!std::regex_match(text, parts, pattern)) return {};
  return FileWriter{parts[1], std::stol(parts[2]), std::stoull(parts[3]), std::stoull(parts[4])};
}

WriterState state_of(const FileWriter& writer) {
  if (writer.host != host_name() || writer.space != space_of_processes()) {
    return WriterState::elsewhere;
  }
  if (kill(static_cast<pid_t>(writer.process), 0) != 0 && errno == ESRCH) {
    return WriterState::ended;
  }
  // Zombies have ended; processes of other users may be hidden.
  const ProcessStatus now = status_of(writer.process);
  const bool another = now.started != 0 && writer.started != 0 && now.started != writer.started;
  return another || now.state == 'Z' || now.state == 'X' ? WriterState::ended
                                                         : WriterState::running;
}

}  // namespace weft
