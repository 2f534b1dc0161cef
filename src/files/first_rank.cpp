#include "files/first_rank.hpp"

#include <exception>

#include "exchange/agreement.hpp"

namespace weft {

namespace {
constexpr int succeeded = -1;
}

std::string on_first_rank(const Communicator& comm, const std::function<std::string()>& work) {
  std::string text;
  int head[2] = {succeeded, 0};  // the code of its error, length of the text
  if (comm.rank() == 0) {
    try {
      text = work();
    } catch (const std::exception&) {
      const Error error = caught_error();
      text = error.what();
      head[0] = static_cast<int>(error.code());
    }
    head[1] = static_cast<int>(text.size());
  }
  check_mpi(MPI_Bcast(head, 2, MPI_INT, 0, comm.get()), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(head[1]));
  check_mpi(MPI_Bcast(text.data(), head[1], MPI_CHAR, 0, comm.get()), "MPI_Bcast");
  if (head[0] != succeeded) throw Error(text, static_cast<ErrorCode>(head[0]));
  return text;
}

}  // namespace weft
