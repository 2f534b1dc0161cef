#include "genuine.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "mode.hpp"

namespace weft::fftw_mpi {

namespace {

std::string mpi_name(Precision precision, const char* name) {
  return (precision == Precision::f32 ? "fftwf_mpi_" : "fftw_mpi_") + std::string(name);
}

std::string serial_name(Precision precision, const char* name) {
  return (precision == Precision::f32 ? "fftwf_" : "fftw_") + std::string(name);
}

template <class Function>
void find(void* library, const std::string& name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name.c_str()));
}

/// The file that an address belongs to, by where it is loaded.
const void* loaded_at(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

bool is_this_library(const void* address) {
  static const char here = 0;
  return loaded_at(address) == loaded_at(&here);
}

/// Whether a library calls the MPI library that this one calls: communicators of another one have
/// other types. PMPI is not what tools for profiling replace.
bool has_our_mpi(void* library) {
  return dlsym(library, "PMPI_Comm_rank") == reinterpret_cast<void*>(&PMPI_Comm_rank);
}

/// The file in which there is FFTW-MPI: null if there is none, or if it is this one, which may
/// stand in FFTW's place.
void* open(const char* file, Precision precision) {
  void* const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const void* const function = dlsym(library, mpi_name(precision, "init").c_str());
  if (function != nullptr && !is_this_library(function) && has_our_mpi(library)) return library;
  dlclose(library);
  return nullptr;
}

void* look_for(Precision precision) {
  const bool single = precision == Precision::f32;
  if (const char* const file = std::getenv(single ? "WEFT_FFTW3F_MPI" : "WEFT_FFTW3_MPI")) {
    return *file != '\0' ? open(file, precision) : nullptr;
  }
  if (dlsym(RTLD_NEXT, mpi_name(precision, "init").c_str()) != nullptr) return RTLD_NEXT;
  void* const library = open(single ? "libfftw3f_mpi.so.3" : "libfftw3_mpi.so.3", precision);
  return library != nullptr
             ? library
             : open(single ? WEFT_FOUND_FFTW3F_MPI : WEFT_FOUND_FFTW3_MPI, precision);
}

std::optional<GenuineMpi> load_mpi(Precision precision) {
  void* const library = look_for(precision);
  if (library == nullptr) return {};
  GenuineMpi all{};
  bool complete = true;
  const auto load = [&](const char* name, auto*& function) {
    find(library, mpi_name(precision, name), function);
    complete = complete && function != nullptr;
  };
  load("init", all.init);
  load("cleanup", all.cleanup);
  load("local_size_many_transposed", all.local_size_many_transposed);
  load("local_size_many_1d", all.local_size_many_1d);
  load("plan_many_transpose", all.plan_many_transpose);
  load("plan_many_dft", all.plan_many_dft);
  load("plan_many_dft_r2c", all.plan_many_dft_r2c);
  load("plan_many_dft_c2r", all.plan_many_dft_c2r);
  load("plan_many_r2r", all.plan_many_r2r);
  load("execute_dft", all.execute_dft);
  load("execute_dft_r2c", all.execute_dft_r2c);
  load("execute_dft_c2r", all.execute_dft_c2r);
  load("execute_r2r", all.execute_r2r);
  load("gather_wisdom", all.gather_wisdom);
  load("broadcast_wisdom", all.broadcast_wisdom);
  if (!complete) return {};
  return all;
}

template <class Function>
void find_serial(void* library, Precision precision, const char* name, Function*& function) {
  if (library != nullptr) find(library, serial_name(precision, name), function);
  if (function != nullptr) return;
  std::fprintf(stderr, "weft: the library of %s is not there\n",
               serial_name(precision, name).c_str());
  std::abort();
}

GenuineSerial load_serial(Precision precision) {
  void* library = RTLD_NEXT;
  if (dlsym(library, serial_name(precision, "execute").c_str()) == nullptr) {
    // A program that opened its libraries itself may have it where we do not look.
    library = dlopen(precision == Precision::f32 ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_LAZY);
  }
  GenuineSerial all{};
  const auto load = [&](const char* name, auto*& function) {
    find_serial(library, precision, name, function);
  };
  load("execute", all.execute);
  load("execute_dft", all.execute_dft);
  load("execute_dft_r2c", all.execute_dft_r2c);
  load("execute_dft_c2r", all.execute_dft_c2r);
  load("execute_r2r", all.execute_r2r);
  load("destroy_plan", all.destroy_plan);
  load("cost", all.cost);
  load("estimate_cost", all.estimate_cost);
  load("flops", all.flops);
  load("print_plan", all.print_plan);
  load("fprint_plan", all.fprint_plan);
  load("sprint_plan", all.sprint_plan);
  load("cleanup", all.cleanup);
  return all;
}

GenuineThreads load_threads(Precision precision) {
  GenuineThreads all{};
  find_serial(RTLD_NEXT, precision, "init_threads", all.init_threads);
  find_serial(RTLD_NEXT, precision, "plan_with_nthreads", all.plan_with_nthreads);
  find_serial(RTLD_NEXT, precision, "cleanup_threads", all.cleanup_threads);
  return all;
}

}  // namespace

const GenuineMpi* genuine_mpi(Precision precision) {
  const auto found = [](const std::optional<GenuineMpi>& library) {
    return library ? &*library : nullptr;
  };
  if (precision == Precision::f32) {
    static const std::optional<GenuineMpi> f32 = load_mpi(Precision::f32);
    return found(f32);
  }
  static const std::optional<GenuineMpi> f64 = load_mpi(Precision::f64);
  return found(f64);
}

bool is_genuine(Precision precision, const void* address) {
  const GenuineMpi* const library = genuine_mpi(precision);
  return library != nullptr &&
         loaded_at(address) == loaded_at(reinterpret_cast<const void*>(library->init));
}

const GenuineSerial& genuine_serial(Precision precision) {
  if (precision == Precision::f32) {
    static const GenuineSerial f32 = load_serial(Precision::f32);
    return f32;
  }
  static const GenuineSerial f64 = load_serial(Precision::f64);
  return f64;
}

const GenuineThreads& genuine_threads(Precision precision) {
  if (precision == Precision::f32) {
    static const GenuineThreads f32 = load_threads(Precision::f32);
    return f32;
  }
  static const GenuineThreads f64 = load_threads(Precision::f64);
  return f64;
}

ClientPlan make_plan(const GenuineMpi& library, const Request& request) {
  const Size* const n = request.shape.data();
  const int axes = static_cast<int>(request.shape.size());
  switch (request.family) {
    case Family::c2c:
      return library.plan_many_dft(axes, n, request.howmany, request.in_block, request.out_block,
                                   request.in, request.out, request.comm, request.sign,
                                   request.flags);
    case Family::r2c:
      return library.plan_many_dft_r2c(axes, n, request.howmany, request.in_block,
                                       request.out_block, request.in, request.out, request.comm,
                                       request.flags);
    case Family::c2r:
      return library.plan_many_dft_c2r(axes, n, request.howmany, request.in_block,
                                       request.out_block, request.in, request.out, request.comm,
                                       request.flags);
    case Family::r2r:
      return library.plan_many_r2r(axes, n, request.howmany, request.in_block, request.out_block,
                                   request.in, request.out, request.comm, request.kinds.data(),
                                   request.flags);
    case Family::transpose:
      break;
  }
  return library.plan_many_transpose(n[0], n[1], request.howmany, request.in_block,
                                     request.out_block, request.in, request.out, request.comm,
                                     request.flags);
}

}  // namespace weft::fftw_mpi
