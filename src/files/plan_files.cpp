#include "weft/files.hpp"

#include <algorithm>
#include <optional>

#include "exchange/agreement.hpp"
#include "files/first_rank.hpp"
#include "files/npy.hpp"
#include "files/npy_file.hpp"
#include "files/parallel_file.hpp"
#include "geometry/partition.hpp"
#include "kind/kind.hpp"
#include "schedule/stage.hpp"
#include "spectral/host_array.hpp"
#include "trace/whole_file.hpp"

namespace weft {

namespace {

/// One of the arrays of a plan.
struct Side {
  Side(const Plan& plan, bool input)
      : local(input ? plan.input() : plan.output()), name(input ? "input" : "output") {
    const PlanInfo& info = plan.info();
    shape = input ? info.input_points : spectral_shape(info.shape, info.kinds, info.modes);
    batch = info.batch;
  }

  /// What the header of a file of it says.
  NpyHeader header() const {
    NpyHeader result;
    result.precision = local.type.precision;
    result.complex = local.type.complex;
    if (batch > 1) result.shape.push_back(batch);
    for (const Index length : shape) result.shape.push_back(length);
    if (result.shape.size() > max_axes) {
      throw Error("a batch of arrays of " + std::to_string(shape.size()) +
                      " axes: files have at most " + std::to_string(max_axes) + " axes",
                  ErrorCode::unsupported);
    }
    return result;
  }

  const LocalArray& local;
  const char* name;
  Extents shape;
  Index batch;
};

/// The part of a file that this rank reads or writes: of each field, points that follow one another
/// there. They lie in memory as in the file.
class FilePart {
 public:
  FilePart(const Side& side, const NpyHeader& header, const Communicator& comm)
      : batch_(side.batch), fields_first_(side.batch > 1 && !header.fortran_order) {
    const int axes = side.shape.size();
    slowest_ = header.fortran_order ? axes - 1 : 0;
    const Interval rows =
        part_interval(side.shape[slowest_], comm.size(), Split::balanced, comm.rank());
    box_ = whole(side.shape);
    box_.lower[slowest_] = rows.lower;
    box_.upper[slowest_] = rows.upper;
    points_ = product(side.shape);
    row_points_ = points_ / side.shape[slowest_];
    Strides strides = Strides::filled(axes, 1);
    Index stride = fields_first_ ? 1 : batch_;
    for (int i = 0; i < axes; ++i) {
      const int axis = header.fortran_order ? i : axes - 1 - i;
      strides[axis] = stride;
      stride *= std::max<Index>(box_.extent(axis), 1);
    }
    if (batch_ > 1) strides.push_back(fields_first_ ? stride : 1);
    const Problem problem{.shape = side.shape,
                          .kinds = Kind::none,
                          .input = box(side.local.box).with_strides(side.local.strides),
                          .output = box(box_).with_strides(strides),
                          .precision = side.local.type.precision,
                          .numbers = side.local.type.complex ? Numbers::complex : Numbers::real,
                          .batch = batch_};
    plan_.emplace(comm.get(), problem);
    collectively(comm, [&] {
      numbers_ = Buffer(static_cast<std::size_t>(batch_ * box_.count() * header.element_bytes()));
    });
  }

  /// From a plan's array to the order of the file, or back.
  void run(Direction direction, std::byte* numbers, const LocalArray& local) {
    const ElementType type = local.type;
    const detail::AnyArray array{
        numbers + local.offset * element_bytes(type.complex, type.precision),
        detail::AnyArray::unknown_size, type};
    const detail::AnyArray in_file_order{numbers_.data(), detail::AnyArray::unknown_size, type};
    if (direction == Direction::forward) {
      plan_->run(direction, array, in_file_order);
    } else {
      plan_->run(direction, in_file_order, array);
    }
  }

  /// Calls work(place in the file, bytes) for what lies there without a gap.
  template <class Work>
  void for_each_run(Index data_offset, Index element_bytes, const Work& work) {
    const Index runs = fields_first_ ? batch_ : 1, width = fields_first_ ? 1 : batch_;
    const Index bytes = box_.count() * width * element_bytes;
    for (Index run = 0; run < runs; ++run) {
      const Index first = run * points_ + box_.lower[slowest_] * row_points_ * width;
      work(data_offset + first * element_bytes,
           std::span(numbers_.data() + run * bytes, static_cast<std::size_t>(bytes)));
    }
  }

 private:
  Index batch_;
  bool fields_first_;  // in the file; otherwise the numbers of all fields at a point follow one
                       // another
  int slowest_ = 0;
  Box box_;
  Index points_ = 1, row_points_ = 1;
  std::optional<Plan> plan_;
  Buffer numbers_;
};

}  // namespace

void detail::write_file(const Plan& plan, bool input, const std::string& path,
                        const AnyArray& array) {
  const Communicator comm = Communicator::duplicate(plan.communicator());
  agree_same(comm, path, "path");
  const Side side(plan, input);
  const NpyHeader header = side.header();
  std::optional<HostArray> numbers;
  collectively(comm, [&] { numbers.emplace(plan, side.local, array, side.name); });
  const std::string text = npy_header_text(header);
  const auto data_offset = static_cast<Index>(text.size());
  std::optional<TemporaryFile> file;  // of the first rank
  const std::string place = on_first_rank(comm, [&] {
    file.emplace(path);
    file->reserve(data_offset + header.data_bytes());
    return file->path();
  });
  FilePart part(side, header, comm);
  part.run(Direction::forward, numbers->writable(), side.local);
  const auto beginning = std::as_bytes(std::span(text));
  write_parallel(comm, place, 0, comm.rank() == 0 ? beginning : std::span<const std::byte>());
  part.for_each_run(data_offset, header.element_bytes(),
                    [&](Index offset, std::span<std::byte> bytes) {
                      write_parallel(comm, place, offset, bytes);
                    });
  on_first_rank(comm, [&] {
    file->take_place();
    return std::string();
  });
}

void detail::read_file(const Plan& plan, bool input, const std::string& path,
                       const AnyArray& array) {
  const Communicator comm = Communicator::duplicate(plan.communicator());
  agree_same(comm, path, "path");
  const Side side(plan, input);
  const NpyHeader wanted = side.header();
  std::optional<HostArray> numbers;
  collectively(comm, [&] { numbers.emplace(plan, side.local, array, side.name); });
  const std::string text = read_npy_header(comm, path);
  const NpyHeader header = parse_npy_header(text);
  if (!(header.shape == wanted.shape) || header.dtype() != wanted.dtype()) {
    throw Error("'" + path + "' holds " + to_string(header.shape) + " of " + header.dtype() +
                ", the " + side.name + " of the plan is " + to_string(wanted.shape) + " of " +
                wanted.dtype());
  }
  FilePart part(side, header, comm);
  part.for_each_run(
      static_cast<Index>(text.size()), header.element_bytes(),
      [&](Index offset, std::span<std::byte> bytes) { read_parallel(comm, path, offset, bytes); });
  part.run(Direction::backward, numbers->writable(), side.local);
  collectively(comm, [&] { numbers->copy_back(const_cast<void*>(array.data)); });
}

}  // namespace weft
