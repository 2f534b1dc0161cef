#pragma once

#include "adapter.hpp"

namespace weft::bench {

std::vector<AdapterEntry> weft_entries();
std::vector<AdapterEntry> fftw_mpi_entries();
std::vector<AdapterEntry> heffte_entries();

}  // namespace weft::bench
