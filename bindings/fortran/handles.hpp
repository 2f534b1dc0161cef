#pragma once

#include <memory>

#include "fortran/library.hpp"

namespace weft::fortran {

/// An object of the library, with a communicator on which its ranks agree about complaints.
template <class Handle>
struct Owned {
  Handle handle = nullptr;
  Communicator comm;
  std::optional<std::string> complaint = {};  ///< of the operation under way
};

/// The handle of an object; null, which the library refuses, where it does not exist.
template <class Handle>
Handle handle_of(const Owned<Handle>* made) {
  return made == nullptr ? nullptr : made->handle;
}

/// Collective. Makes an object by create(comm, problem, &handle).
template <class Handle, class Problem, class Create>
weft_status make(MPI_Fint comm, const Problem* problem, const char* complaint, Owned<Handle>** made,
                 Create&& create) {
  *made = nullptr;
  return create_with_complaint(comm, complaint, [&](MPI_Comm of_c, bool good) {
    weft_status status = WEFT_SUCCESS;
    const weft_status kept = c::guarded([&] {
      auto owned = std::make_unique<Owned<Handle>>();
      status = create(of_c, good ? problem : nullptr, &owned->handle);
      if (status != WEFT_SUCCESS) return;
      owned->comm = Communicator::duplicate(of_c);
      *made = owned.release();
    });
    return status != WEFT_SUCCESS ? status : kept;
  });
}

/// Collective. Destroys what make() has made, and makes the pointer null.
template <class Handle>
weft_status unmake(Owned<Handle>** made, weft_status (*destroy)(Handle*)) {
  const std::unique_ptr<Owned<Handle>> owned(std::exchange(*made, nullptr));
  return owned ? destroy(&owned->handle) : WEFT_SUCCESS;
}

/// with_complaint for an operation of such an object.
template <class Handle, class Call>
weft_status with_complaint(Owned<Handle>& owned, const std::optional<std::string>& complaint,
                           Call&& call) {
  return with_complaint(complaint, call, [&] { return owned.comm.get(); });
}

}  // namespace weft::fortran
