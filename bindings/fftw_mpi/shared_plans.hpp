#pragma once

#include <functional>
#include <memory>
#include <string>

#include "abi.hpp"
#include "weft/plan.hpp"

namespace weft::fftw_mpi {

/// The plan with this key that lives on this communicator, or a new one: FFTW's plans of both
/// directions then have one workspace. Collective. Null if `make` is not called for (null itself)
/// and there is none.
std::shared_ptr<Plan> shared_plan(MPI_Comm comm, const std::string& key,
                                  const std::function<std::shared_ptr<Plan>()>& make);

}  // namespace weft::fftw_mpi
