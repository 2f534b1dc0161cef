#include "weft/files.hpp"

#include "c/element.hpp"
#include "c/plan_of.hpp"

namespace {

using weft::c::guarded;
using weft::c::plan_of;
using weft::detail::AnyArray;

/// Null on any rank is an error that all ranks are told of.
AnyArray array_of(const weft::LocalArray& local, const void* data, const char* path) {
  AnyArray array = weft::c::array_of(data, local.type);
  if (path == nullptr) array.refusal = "the path is null";
  return array;
}

const char* text_of(const char* path) {
  return path == nullptr ? "" : path;
}

weft_status write(weft_plan handle, bool input, const char* path, const void* data) {
  return guarded([&] {
    const weft::Plan& plan = plan_of(handle);
    const weft::LocalArray& local = input ? plan.input() : plan.output();
    weft::detail::write_file(plan, input, text_of(path), array_of(local, data, path));
  });
}

weft_status read(weft_plan handle, bool input, const char* path, void* data) {
  return guarded([&] {
    const weft::Plan& plan = plan_of(handle);
    const weft::LocalArray& local = input ? plan.input() : plan.output();
    weft::detail::read_file(plan, input, text_of(path), array_of(local, data, path));
  });
}

}  // namespace

weft_status weft_plan_write_input(weft_plan plan, const char* path, const void* array) {
  return write(plan, true, path, array);
}
weft_status weft_plan_write_output(weft_plan plan, const char* path, const void* array) {
  return write(plan, false, path, array);
}
weft_status weft_plan_read_input(weft_plan plan, const char* path, void* array) {
  return read(plan, true, path, array);
}
weft_status weft_plan_read_output(weft_plan plan, const char* path, void* array) {
  return read(plan, false, path, array);
}
