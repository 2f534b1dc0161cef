#include "first_rank.hpp"

#include <exception>

#include "weft/error.hpp"

namespace weft {

std::string on_first_rank(const Communicator& comm, const std::function<std::string()>& work) {
  std::string text;
  int head[2] = {0, 0};  // whether it failed, length of the text
  if (comm.rank() == 0) {
    try {
      text = work();
    } catch (const std::exception& error) {
      text = error.what();
      head[0] = 1;
    }
    head[1] = static_cast<int>(text.size());
  }
  check_mpi(MPI_Bcast(head, 2, MPI_INT, 0, comm.get()), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(head[1]));
  check_mpi(MPI_Bcast(text.data(), head[1], MPI_CHAR, 0, comm.get()), "MPI_Bcast");
  if (head[0] != 0) throw Error(text);
  return text;
}

}  // namespace weft
