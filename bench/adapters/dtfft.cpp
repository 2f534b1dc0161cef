// dtFFT: pencils, transposed on the way, or slabs. It counts its first dimension as the fastest in
// memory, and chooses the process grid itself unless it is given one. Its one-sided backends
// ("mpi_rma...") are offered as they are.
#include <dtfft.hpp>

#include <utility>

#include "adapters/pencils.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

using dtfft::Backend;
using dtfft::Effort;

const std::vector<std::pair<std::string, Backend>> backends = {
    {"mpi_datatype", Backend::MPI_DATATYPE},
    {"mpi_a2a", Backend::MPI_A2A},
    {"mpi_p2p", Backend::MPI_P2P},
    {"mpi_p2p_pipelined", Backend::MPI_P2P_PIPELINED},
    {"mpi_p2p_scheduled", Backend::MPI_P2P_SCHEDULED},
    {"mpi_p2p_fused", Backend::MPI_P2P_FUSED},
    {"mpi_rma", Backend::MPI_RMA},
    {"mpi_rma_pipelined", Backend::MPI_RMA_PIPELINED},
    {"mpi_rma_fused", Backend::MPI_RMA_FUSED},
    {"adaptive", Backend::ADAPTIVE}};

const std::vector<std::pair<std::string, Effort>> efforts = {{"estimate", Effort::ESTIMATE},
                                                             {"measure", Effort::MEASURE},
                                                             {"patient", Effort::PATIENT},
                                                             {"exhaustive", Effort::EXHAUSTIVE}};

template <class Value>
Value named(const Case& problem, const std::string& name,
            const std::vector<std::pair<std::string, Value>>& values) {
  const std::string wanted = setting(problem, name, values.front().first);
  for (const auto& [value_name, value] : values) {
    if (value_name == wanted) return value;
  }
  throw Unsupported("not offered: " + name + " " + wanted);
}

template <class Value>
std::vector<std::string> names_of(const std::vector<std::pair<std::string, Value>>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

bool is_on(const Case& problem, const char* name) {
  return problem.settings.at(name) == "yes";
}

void configure(const Case& problem) {
  const std::string tried = setting(problem, "tried", "mpi_datatype");
  dtfft::Config config;
  config.set_backend(named(problem, "backend", backends))
      .set_enable_z_slab(is_on(problem, "z_slab"))
      .set_enable_y_slab(is_on(problem, "y_slab"))
      .set_enable_kernel_autotune(is_on(problem, "kernel_autotune"))
      .set_enable_mpi_backends(tried != "mpi_datatype")
      .set_enable_rma_backends(tried == "all")
      .set_transpose_mode(setting(problem, "transpose", "pack") == "pack"
                              ? dtfft::TransposeMode::PACK
                              : dtfft::TransposeMode::UNPACK)
      .set_access_mode(setting(problem, "access", "write") == "write" ? dtfft::AccessMode::WRITE
                                                                      : dtfft::AccessMode::READ);
  DTFFT_CXX_CALL(dtfft::set_config(config))
}

/// A communicator with the process grid that the case asks for; without one where the library may
/// choose.
class Processes {
 public:
  explicit Processes(const Case& problem) : comm_(problem.comm) {
    const Extents grid = chosen_grid(problem);
    require_fitting(problem, grid);
    if (problem.grid.empty() && problem.in == "any" && problem.out == "any") return;
    const int parts[3] = {1, static_cast<int>(grid[1]), static_cast<int>(grid[0])};
    const int periods[3] = {0, 0, 0};
    MPI_Cart_create(problem.comm, 3, parts, periods, 0, &comm_);
    created_ = true;
  }
  ~Processes() {
    if (created_) MPI_Comm_free(&comm_);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_;
  bool created_ = false;
};

/// `axes` are those of the library's dimensions, the fastest in memory first.
LocalArray array_at(const int (&starts)[3], const int (&counts)[3], const int (&axes)[3],
                    ElementType type) {
  Box box = {{0, 0, 0}, {0, 0, 0}};
  for (int d = 0; d < 3; ++d) {
    box.lower[axes[d]] = starts[d];
    box.upper[axes[d]] = starts[d] + counts[d];
  }
  return array_of(box, {axes[2], axes[1], axes[0]}, type);
}

class DtfftTransform : public Transform {
 public:
  explicit DtfftTransform(const Case& problem) : problem_(problem), processes_(problem) {
    configure(problem);
    const auto precision =
        problem.precision == Precision::f32 ? dtfft::Precision::SINGLE : dtfft::Precision::DOUBLE;
    const Effort effort = named(problem, "effort", efforts);
    const std::vector<int32_t> lengths = {static_cast<int32_t>(problem.shape[2]),
                                          static_cast<int32_t>(problem.shape[1]),
                                          static_cast<int32_t>(problem.shape[0])};
    const auto executor = dtfft::Executor::FFTW3;
    const MPI_Comm comm = processes_.comm();
    const bool real = is_real(problem);
    if (real) {
      plan_ = std::make_unique<dtfft::PlanR2C>(lengths, comm, precision, effort, executor);
    } else {
      plan_ = std::make_unique<dtfft::PlanC2C>(lengths, comm, precision, effort, executor);
    }
    int in_starts[3], in_counts[3], out_starts[3], out_counts[3];
    DTFFT_CXX_CALL(plan_->get_local_sizes(in_starts, in_counts, out_starts, out_counts, nullptr))
    in_ = array_at(in_starts, in_counts, {2, 1, 0}, {problem.precision, !real});
    const ElementType complex = {problem.precision, true};
    // Y slabs are left as they are after the second axis.
    out_ = plan_->get_y_slab_enabled() ? array_at(out_starts, out_counts, {1, 0, 2}, complex)
                                       : array_at(out_starts, out_counts, {0, 2, 1}, complex);
    const std::size_t bytes = plan_->get_alloc_bytes();
    physical_ = plan_->mem_alloc(bytes);
    spectral_ = problem.in_place ? physical_ : plan_->mem_alloc(bytes);
    if (plan_->get_aux_bytes() > 0) auxiliary_ = plan_->mem_alloc(plan_->get_aux_bytes());
  }
  ~DtfftTransform() override {
    if (auxiliary_ != nullptr) static_cast<void>(plan_->mem_free(auxiliary_));
    if (spectral_ != physical_) static_cast<void>(plan_->mem_free(spectral_));
    static_cast<void>(plan_->mem_free(physical_));
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_; }
  void* spectral() override { return spectral_; }
  void forward() override {
    DTFFT_CXX_CALL(plan_->execute(physical_, spectral_, dtfft::Execute::FORWARD, auxiliary_))
  }
  void backward() override {
    DTFFT_CXX_CALL(plan_->execute(spectral_, physical_, dtfft::Execute::BACKWARD, auxiliary_))
  }

 private:
  Case problem_;
  Processes processes_;
  std::unique_ptr<dtfft::Plan> plan_;
  LocalArray in_;
  LocalArray out_;
  void* physical_ = nullptr;
  void* spectral_ = nullptr;
  void* auxiliary_ = nullptr;
};

}  // namespace

Library describe() {
  using dtfft::Version;
  return {"dtfft",
          std::to_string(Version::MAJOR) + "." + std::to_string(Version::MINOR) + "." +
              std::to_string(Version::PATCH),
          {{"backend", names_of(backends)},
           {"effort", names_of(efforts)},
           // Backends among which patient and exhaustive efforts choose.
           {"tried", {"mpi_datatype", "two_sided", "all"}},
           {"z_slab", {"yes", "no"}},
           {"y_slab", {"no", "yes"}},
           {"transpose", {"pack", "unpack"}},
           {"access", {"write", "read"}},
           {"kernel_autotune", {"no", "yes"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  const Effort effort = named(problem, "effort", efforts);
  require(named(problem, "backend", backends) != Backend::ADAPTIVE || effort == Effort::PATIENT ||
              effort == Effort::EXHAUSTIVE,
          "the adaptive backend with less than patient effort");
  return std::make_unique<DtfftTransform>(problem);
}

}  // namespace weft::bench
