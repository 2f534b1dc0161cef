#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace weft {

Progress::Progress(bool shown) : shown_(shown && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  end();
}

void Progress::begin(const std::string& step) {
  step_ = step;
  percent_ = -1;
  if (!shown_) return;
  end();
  std::fprintf(stderr, "%s", step_.c_str());
  std::fflush(stderr);
}

void Progress::update(double fraction) {
  const int percent = static_cast<int>(fraction * 100);
  if (!shown_ || percent == percent_) return;
  percent_ = percent;
  end();
  std::fprintf(stderr, "%s %d %%", step_.c_str(), percent);
  std::fflush(stderr);
}

void Progress::end() {
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace weft
