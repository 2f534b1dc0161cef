#include "local/gpu/piece_kernels.hpp"

namespace weft {

Kernel<PieceLines> piece_kernel_f64(const PieceLines& pass) {
  return piece_kernel_for<double>(pass);
}

}  // namespace weft
