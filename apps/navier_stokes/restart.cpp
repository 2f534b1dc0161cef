#include "restart.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/first_rank.hpp"
#include "files/npy.hpp"
#include "files/npy_file.hpp"
#include "files/parallel_file.hpp"
#include "replacement_file.hpp"
#include "weft/printable.hpp"

namespace weft::navier_stokes {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "weft navier_stokes restart 1";

/// Coefficients of one component, from the layout of the plan to slabs, which are contiguous in the
/// file, and back.
class SlabCopy {
 public:
  explicit SlabCopy(const Plan& plan) : plan_(plan.communicator(), problem_of(plan)) {}

  Plan& plan() { return plan_; }
  const Extents& shape() const { return plan_.info().shape; }

  /// Where the slab of this rank begins among the elements of the file.
  Index first_element(Index component) const {
    const Box& box = plan_.output().box;
    const Index slowest = box.empty() ? 0 : box.lower[0];
    return (component * shape()[0] + slowest) * shape()[1] * shape()[2];
  }

 private:
  static Problem problem_of(const Plan& plan) {
    Extents shape = plan.info().modes;
    shape[2] = shape[2] / 2 + 1;
    const LocalArray& array = plan.output();
    const Strides strides{array.strides[0], array.strides[1], array.strides[2]};  // of a component
    return {.shape = shape,
            .kinds = none,
            .input = box(array.box).with_strides(strides),
            .output = slab_split(0),
            .precision = array.type.precision,
            .numbers = Numbers::complex};
  }

  Plan plan_;
};

/// One of three.
template <class Vector>
auto component(Vector& velocity, std::size_t number) {
  const std::size_t size = velocity.size() / 3;
  return std::span(velocity).subspan(number * size, size);
}

NpyHeader header_of(const Extents& shape, Precision precision) {
  NpyHeader header;
  header.precision = precision;
  header.complex = true;
  header.shape = {3, shape[0], shape[1], shape[2]};
  return header;
}

void write_text(const Communicator& comm, const std::string& path, const std::string& text) {
  ReplacementFile file(comm, path, 0);
  const auto bytes = std::as_bytes(std::span(text));
  write_parallel(comm, file.path(), 0, comm.rank() == 0 ? bytes : std::span<const std::byte>());
  file.commit();
}

std::string read_text(const Communicator& comm, const std::string& path) {
  return on_first_rank(comm, [&] {
    std::ostringstream text;
    std::ifstream file;
    if (std::filesystem::is_regular_file(path)) file.open(path);
    if (file.is_open()) text << file.rdbuf();
    if (!file.is_open() || !file) {
      throw Error("cannot read restart file '" + path + "'");
    }
    return text.str();
  });
}

/// What the .json file says.
struct Saved {
  Progress progress;
  std::string velocity;  ///< name of the other file, in the same folder
};

Saved parse(const std::string& path, const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != format_name) {
      throw Error("its format is not '" + std::string(format_name) + "'");
    }
    Saved saved;
    saved.velocity = json.at("velocity").get<std::string>();
    saved.progress.step = json.at("step").get<Index>();
    saved.progress.time = json.at("time").get<double>();
    saved.progress.held_energies = json.at("held_energies").get<std::vector<double>>();
    if (saved.progress.step < 0 || !(saved.progress.time >= 0)) {
      throw Error("step and time must not be negative");
    }
    return saved;
  } catch (const std::exception& error) {
    throw Error("'" + path +
                "' is not a restart file: " + printable(error.what(), printable_excerpt));
  }
}

}  // namespace

template <class Real>
void save(const Communicator& comm, const std::string& prefix, const Solver<Real>& solver,
          const Progress& progress) {
  char step[32];
  std::snprintf(step, sizeof step, "-%06lld", static_cast<long long>(progress.step));
  const std::string name = prefix + step;
  SlabCopy copy(solver.plan());
  const NpyHeader header = header_of(copy.shape(), solver.plan().output().type.precision);
  const std::string head = npy_header_text(header);
  const auto head_bytes = static_cast<Index>(head.size());
  ReplacementFile file(comm, name + ".npy", head_bytes + header.data_bytes());
  write_parallel(comm, file.path(), 0,
                 comm.rank() == 0 ? std::as_bytes(std::span(head)) : std::span<const std::byte>());
  std::vector<std::complex<Real>> slab_of(
      static_cast<std::size_t>(copy.plan().output().allocation_size));
  const std::vector<std::complex<Real>> velocity = solver.velocity_on_host();
  for (std::size_t c = 0; c < 3; ++c) {
    copy.plan().forward(component(velocity, c), slab_of);
    write_parallel(comm, file.path(),
                   head_bytes + copy.first_element(static_cast<Index>(c)) * header.element_bytes(),
                   std::as_bytes(std::span(slab_of)));
  }
  file.commit();
  const Json json{{"format", format_name},
                  {"velocity", std::filesystem::path(name + ".npy").filename().string()},
                  {"step", progress.step},
                  {"time", progress.time},
                  {"held_energies", progress.held_energies}};
  write_text(comm, name + ".json", json.dump() + "\n");
}

template <class Real>
Progress load(const Communicator& comm, const std::string& path, Solver<Real>& solver) {
  const Saved saved = parse(path, read_text(comm, path));
  const std::string velocity =
      (std::filesystem::path(path).parent_path() / saved.velocity).string();
  const std::string head = read_npy_header(comm, velocity);
  const NpyHeader found = parse_npy_header(head);
  SlabCopy copy(solver.plan());
  const NpyHeader expected = header_of(copy.shape(), solver.plan().output().type.precision);
  if (found.shape != expected.shape || found.dtype() != expected.dtype() || found.fortran_order) {
    throw Error("'" + velocity + "' holds " + to_string(found.shape) + " " + found.dtype() +
                (found.fortran_order ? " in Fortran order" : "") + ", this run needs " +
                to_string(expected.shape) + " " + expected.dtype());
  }
  std::vector<std::complex<Real>> slab_of(
      static_cast<std::size_t>(copy.plan().output().allocation_size));
  std::vector<std::complex<Real>> velocity_of = solver.velocity_on_host();
  for (std::size_t c = 0; c < 3; ++c) {
    read_parallel(comm, velocity,
                  static_cast<Index>(head.size()) +
                      copy.first_element(static_cast<Index>(c)) * found.element_bytes(),
                  std::as_writable_bytes(std::span(slab_of)));
    copy.plan().backward(slab_of, component(velocity_of, c));
  }
  solver.set_velocity(velocity_of);
  return saved.progress;
}

template void save(const Communicator&, const std::string&, const Solver<float>&, const Progress&);
template void save(const Communicator&, const std::string&, const Solver<double>&, const Progress&);
template Progress load(const Communicator&, const std::string&, Solver<float>&);
template Progress load(const Communicator&, const std::string&, Solver<double>&);

}  // namespace weft::navier_stokes
