#include "support/same_error.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

namespace weft::test {

namespace {

std::string text_of_first_rank(std::string text) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

}  // namespace

void expect_same_error(const std::function<void()>& work, const std::vector<std::string>& parts,
                       ErrorCode code) {
  std::string text;
  try {
    work();
  } catch (const Error& error) {
    text = error.what();
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << text;
  }
  const std::string of_first = text_of_first_rank(text);
  if (text.empty()) {
    ADD_FAILURE() << "no error was thrown; rank 0: " << of_first;
    return;
  }
  EXPECT_EQ(text, of_first) << "rank 0 says something else";
  for (const std::string& part : parts) {
    if (text.find(part) == std::string::npos) {
      ADD_FAILURE() << "'" << part << "' is missing in: " << text;
    }
  }
}

Watchdog::Watchdog(unsigned seconds) {
  alarm(seconds);
}
Watchdog::~Watchdog() {
  alarm(0);
}

}  // namespace weft::test
