#pragma once

#include <mpi.h>

#include <string>

namespace weft {

/// Throws Error with MPI's own text when an MPI call failed.
void check_mpi(int code, const char* call);

/// Objects that outlive MPI have nothing left to free.
bool mpi_is_finalized();

/// Throws Error unless MPI can be called.
void check_mpi_runs();

/// Owns an MPI communicator that returns errors instead of aborting.
class Communicator {
 public:
  Communicator() = default;
  /// Collective. Throws Error unless `comm` is an intracommunicator.
  static Communicator duplicate(MPI_Comm comm);
  /// Collective over `comm`.
  static Communicator split(MPI_Comm comm, int color, int key);
  /// Collective over `comm`: the ranks that share memory, in the same order.
  static Communicator split_by_node(const Communicator& comm);
  /// Takes over what a function of MPI has made.
  static Communicator adopt(MPI_Comm made) { return Communicator(made); }
  ~Communicator();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;

  MPI_Comm get() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Rank in `other` of a rank of this one; -1 where it is not there.
  int rank_in(const Communicator& other, int rank) const;

 private:
  explicit Communicator(MPI_Comm owned);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

/// Name and version of the MPI library, "Open MPI v4.1.4".
std::string mpi_library();

/// Owns a committed MPI datatype.
class Datatype {
 public:
  Datatype() = default;
  explicit Datatype(MPI_Datatype owned);
  ~Datatype();
  Datatype(Datatype&& other) noexcept;
  Datatype& operator=(Datatype&& other) noexcept;

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace weft
