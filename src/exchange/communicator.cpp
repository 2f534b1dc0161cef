#include "exchange/communicator.hpp"

#include <utility>

#include "weft/error.hpp"

namespace weft {

bool mpi_is_finalized() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized != 0;
}

void check_mpi_runs() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) throw Error("MPI is not initialized: call MPI_Init before using weft");
  if (mpi_is_finalized()) {
    throw Error("MPI is finalized: use and destroy what needs it before MPI_Finalize");
  }
}

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(std::string(call) + " failed: " + text, ErrorCode::mpi);
}

Communicator::Communicator(MPI_Comm owned) : comm_(owned) {
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator Communicator::duplicate(MPI_Comm comm) {
  check_mpi_runs();
  // To some MPI libraries MPI_Comm{} is no handle at all.
  if (comm == MPI_COMM_NULL || comm == MPI_Comm{}) {
    throw Error("the communicator is MPI_COMM_NULL");
  }
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  if (inter != 0) throw Error("the communicator is an intercommunicator");
  MPI_Comm result = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(comm, &result), "MPI_Comm_dup");
  return Communicator(result);
}

Communicator Communicator::split(MPI_Comm comm, int color, int key) {
  MPI_Comm result = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm, color, key, &result), "MPI_Comm_split");
  return Communicator(result);
}

Communicator Communicator::split_by_node(const Communicator& comm) {
  MPI_Comm result = MPI_COMM_NULL;
  check_mpi(
      MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &result),
      "MPI_Comm_split_type");
  return Communicator(result);
}

int Communicator::rank_in(const Communicator& other, int rank) const {
  MPI_Group ours = MPI_GROUP_NULL, theirs = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(comm_, &ours), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(other.comm_, &theirs), "MPI_Comm_group");
  int result = MPI_UNDEFINED;
  const int code = MPI_Group_translate_ranks(ours, 1, &rank, theirs, &result);
  MPI_Group_free(&ours);
  MPI_Group_free(&theirs);
  check_mpi(code, "MPI_Group_translate_ranks");
  return result == MPI_UNDEFINED ? -1 : result;
}

Communicator::~Communicator() {
  if (comm_ != MPI_COMM_NULL && !mpi_is_finalized()) MPI_Comm_free(&comm_);
}

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)), rank_(other.rank_), size_(other.size_) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(comm_, other.comm_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  return *this;
}

Datatype::Datatype(MPI_Datatype owned) : type_(owned) {
  check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
}

Datatype::~Datatype() {
  if (type_ != MPI_DATATYPE_NULL && !mpi_is_finalized()) MPI_Type_free(&type_);
}

Datatype::Datatype(Datatype&& other) noexcept
    : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

Datatype& Datatype::operator=(Datatype&& other) noexcept {
  std::swap(type_, other.type_);
  return *this;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, static_cast<std::size_t>(length));
  return version.substr(0, version.find_first_of("\n,"));
}

}  // namespace weft
