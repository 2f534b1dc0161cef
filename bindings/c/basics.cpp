#include <cmath>

#include "c/convert.hpp"
#include "weft/wisdom.hpp"

namespace {

/// What `of_kind` says of a kind; NaN for one that is none.
template <class Function>
double or_nan(Function&& of_kind) noexcept {
  try {
    return of_kind();
  } catch (const std::exception&) {
    return std::nan("");
  }
}

/// Writes the enumerator that a text stands for.
template <class Enumerator>
weft_status parse(const char* text, int* result, Enumerator (*from_text)(const std::string&)) {
  return weft::c::guarded([&] {
    const std::string known = &weft::c::given(text, "the text");
    weft::c::given(result, "the result") = static_cast<int>(from_text(known));
  });
}

}  // namespace

const char* weft_version(void) {
  return WEFT_VERSION_STRING;
}

weft_status weft_parse_kinds(const char* text, int axes, int* kinds) {
  return weft::c::guarded([&] {
    weft::c::check_axes(axes);
    const std::string kinds_text = &weft::c::given(text, "the text");
    weft::c::given(kinds, "the list of kinds");
    int* next = kinds;
    for (const weft::Kind kind : weft::parse_kinds(kinds_text).resolve(axes)) {
      *next++ = static_cast<int>(kind);
    }
  });
}

weft_status weft_parse_precision(const char* text, int* precision) {
  return parse(text, precision, weft::parse_precision);
}
weft_status weft_parse_numbers(const char* text, int* numbers) {
  return parse(text, numbers, weft::parse_numbers);
}
weft_status weft_parse_norm(const char* text, int* norm) {
  return parse(text, norm, weft::parse_norm);
}

weft_status weft_parse_layout(const char* text, weft_layout* layout) {
  return weft::c::guarded([&] {
    const std::string layout_text = &weft::c::given(text, "the text");
    weft::c::initialized(layout, "weft_layout");
    weft::c::write_layout(weft::parse_layout(layout_text), *layout);
  });
}

double weft_wavenumber(int kind, int64_t k, int64_t n) {
  return or_nan([&] { return weft::wavenumber(static_cast<weft::Kind>(kind), k, n); });
}
double weft_grid_point(int kind, int64_t j, int64_t n) {
  return or_nan([&] { return weft::grid_point(static_cast<weft::Kind>(kind), j, n); });
}
double weft_angular_wavenumber(int kind, int64_t k, int64_t n, double length) {
  return or_nan(
      [&] { return weft::angular_wavenumber(static_cast<weft::Kind>(kind), k, n, length); });
}
double weft_derivative_wavenumber(int kind, int64_t k, int64_t n, double length) {
  return or_nan(
      [&] { return weft::derivative_wavenumber(static_cast<weft::Kind>(kind), k, n, length); });
}

const char* weft_wisdom_path(void) {
  thread_local std::string path;
  path = weft::wisdom_path();
  return path.c_str();
}
weft_status weft_merge_wisdom(const char* from, const char* into) {
  return weft::c::guarded([&] {
    weft::merge_wisdom(&weft::c::given(from, "the file to read"),
                       into != nullptr ? into : weft::wisdom_path());
  });
}
weft_status weft_forget_wisdom(const char* text, const char* path, int64_t* removed) {
  return weft::c::guarded([&] {
    const std::size_t count = weft::forget_wisdom(&weft::c::given(text, "the text"),
                                                  path != nullptr ? path : weft::wisdom_path());
    if (removed != nullptr) *removed = static_cast<int64_t>(count);
  });
}

weft_status weft_import_fftw_wisdom(const char* path, int precision) {
  return weft::c::guarded([&] {
    weft::import_fftw_wisdom(&weft::c::given(path, "the path"), weft::c::precision_of(precision));
  });
}
weft_status weft_export_fftw_wisdom(const char* path, int precision) {
  return weft::c::guarded([&] {
    weft::export_fftw_wisdom(&weft::c::given(path, "the path"), weft::c::precision_of(precision));
  });
}
