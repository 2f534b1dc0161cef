#include "replacement_file.hpp"

#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>

#include "files/first_rank.hpp"

namespace weft {

namespace {

constexpr int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};

/// What a signal handler has to remove; empty for nothing.
char pending_path[PATH_MAX] = "";

void remove_pending(int signal) {
  if (pending_path[0] != '\0') unlink(pending_path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void ReplacementFile::RemovedBySignals::set(const std::string& path) {
  if (path.size() >= sizeof pending_path) return;
  std::strcpy(pending_path, path.c_str());
  for (int signal : ending_signals) std::signal(signal, remove_pending);
}

ReplacementFile::RemovedBySignals::~RemovedBySignals() {
  if (pending_path[0] == '\0') return;
  for (int signal : ending_signals) std::signal(signal, SIG_DFL);
  pending_path[0] = '\0';
}

ReplacementFile::ReplacementFile(const Communicator& comm, const std::string& target, Index bytes)
    : comm_(comm) {
  path_ = on_first_rank(comm, [&] {
    file_.emplace(target);
    signals_.set(file_->path());
    file_->reserve(bytes);
    return file_->path();
  });
}

void ReplacementFile::commit() {
  on_first_rank(comm_, [&] {
    file_->take_place();
    return std::string();
  });
}

}  // namespace weft
