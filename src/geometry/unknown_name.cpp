#include "geometry/unknown_name.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace weft {

namespace {

/// Letters to insert, delete or replace: Levenshtein's distance.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// What users of other libraries write, in lower case, and what it is called here.
struct ForeignName {
  std::string_view what;
  std::string_view name;
  const char* hint;
};

constexpr const char* backward_of_r2c =
    "it is the backward transform of 'r2c': on the command line --kinds r2c --inverse";

constexpr ForeignName foreign_names[] = {
    {"kind", "c2r", backward_of_r2c},
    {"kind", "irfft", backward_of_r2c},
    {"kind", "fft", "did you mean 'c2c'?"},
    {"kind", "dft", "did you mean 'c2c'?"},
    {"kind", "rfft", "did you mean 'r2c'?"},
    {"kind", "dct", "did you mean 'dct2'?"},
    {"kind", "dst", "did you mean 'dst2'?"},
    {"kind", "idct", "it is the backward transform of 'dct2'"},
    {"kind", "idst", "it is the backward transform of 'dst2'"},
    {"kind", "redft00", "did you mean 'dct1'?"},
    {"kind", "redft10", "did you mean 'dct2'?"},
    {"kind", "redft01", "did you mean 'dct3'?"},
    {"kind", "redft11", "did you mean 'dct4'?"},
    {"kind", "rodft00", "did you mean 'dst1'?"},
    {"kind", "rodft10", "did you mean 'dst2'?"},
    {"kind", "rodft01", "did you mean 'dst3'?"},
    {"kind", "rodft11", "did you mean 'dst4'?"},
    {"precision", "double", "did you mean 'f64'?"},
    {"precision", "float64", "did you mean 'f64'?"},
    {"precision", "fp64", "did you mean 'f64'?"},
    {"precision", "single", "did you mean 'f32'?"},
    {"precision", "float", "did you mean 'f32'?"},
    {"precision", "float32", "did you mean 'f32'?"},
    {"precision", "fp32", "did you mean 'f32'?"},
    {"norm", "symmetric", "did you mean 'ortho'?"},
    {"norm", "unnormalized", "did you mean 'none'?"},
    {"norm", "unnormalised", "did you mean 'none'?"},
    {"rigor", "exhaustive", "did you mean 'patient'?"},
    {"rigor", "fftw_estimate", "did you mean 'estimate'?"},
    {"rigor", "fftw_measure", "did you mean 'measure'?"},
    {"rigor", "fftw_patient", "did you mean 'patient'?"},
    {"rigor", "fftw_exhaustive", "did you mean 'patient'?"},
    {"local backend", "builtin", "weft's own is 'stockham'"},
    {"local backend", "native", "weft's own is 'stockham'"},
    {"local backend", "generic", "weft's own is 'stockham'"},
    {"local backend", "stock", "weft's own is 'stockham'"},
    {"local backend", "onemkl", "did you mean 'mkl'?"},
    {"local backend", "rocfft", "did you mean 'hipfft'?"},
    {"device", "cpu", "did you mean 'host'?"},
    {"device", "gpu", "'cuda' for GPUs of NVIDIA, 'hip' for those of AMD"},
    {"device", "nvidia", "did you mean 'cuda'?"},
    {"device", "amd", "did you mean 'hip'?"},
    {"device", "rocm", "did you mean 'hip'?"},
    {"exchange", "a2a", "did you mean 'alltoallv'? 'alltoall' pads messages to equal length"},
    {"exchange", "mpi_a2a", "did you mean 'alltoallv'? 'alltoall' pads messages to equal length"},
    {"exchange", "a2av", "did you mean 'alltoallv'?"},
    {"exchange", "a2aw", "did you mean 'alltoallw'?"},
    {"exchange", "p2p_pl", "did you mean 'p2p_pipelined'?"},
    {"exchange", "p2p_plined", "did you mean 'p2p_pipelined'?"},
    {"exchange", "mpi_p2p", "did you mean 'p2p'?"},
    {"exchange", "mpi_p2p_pl", "did you mean 'p2p_pipelined'?"},
    {"exchange", "isend", "did you mean 'p2p'?"},
    {"exchange", "sendrecv", "did you mean 'p2p'?"},
    {"exchange", "rma", "did you mean 'one_sided'?"},
    {"exchange", "rccl", "did you mean 'nccl'?"},
    {"layout", "x-pencil", "did you mean 'pencil:0'?"},
    {"layout", "y-pencil", "did you mean 'pencil:1'?"},
    {"layout", "z-pencil", "did you mean 'pencil:2'?"},
    {"layout", "x-slab", "did you mean 'slab:0', which is split along axis 0?"},
    {"layout", "y-slab", "did you mean 'slab:1', which is split along axis 1?"},
    {"layout", "z-slab", "did you mean 'slab:2', which is split along axis 2?"},
    {"option", "backend", "did you mean 'local'?"},
    {"option", "nthreads", "did you mean 'threads'?"},
    {"option", "--in", "did you mean '--input'?"},
    {"option", "--out", "did you mean '--output'?"},
    {"option", "--points", "did you mean '--input-points'?"},
    {"option", "--keep", "did you mean '--modes'?"},
    {"option", "--backend", "did you mean '--local'?"},
    {"option", "--backward", "did you mean '--inverse'?"},
};

std::string lower_case(std::string_view text) {
  std::string lower;
  for (const char c : text) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

std::string hint_of(const std::string& what, const std::string& text,
                    const std::vector<std::string_view>& known) {
  const std::string lower = lower_case(text);
  if (std::find(known.begin(), known.end(), lower) != known.end()) {
    return "names are lower case: '" + lower + "'";
  }
  for (const ForeignName& foreign : foreign_names) {
    if (what == foreign.what && lower == foreign.name) return foreign.hint;
  }
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string_view name : known) {
    const std::size_t needed = edits(text, name);
    if (needed >= fewest) continue;
    fewest = needed;
    nearest = name;
  }
  return nearest.empty() ? "" : "did you mean '" + nearest + "'?";
}

}  // namespace

Error unknown_name(const std::string& what, const std::string& text,
                   const std::vector<std::string_view>& known) {
  const std::string hint = hint_of(what, text, known);
  return Error(what + " '" + text + "' is unknown" + (hint.empty() ? "" : " (" + hint + ")") +
               "; known: " + comma_list(known));
}

}  // namespace weft
