#include "device/gpu/compiled_kernel.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "device/code_cache.hpp"
#include "device/gpu/api.hpp"
#include "device/gpu/code_compiler.hpp"
#include "device/gpu/shared_library.hpp"

namespace weft {

namespace {

/// What loads and launches kernels: the driver of GPUs of NVIDIA, also where HIP stands upon it,
/// and the runtime library of HIP. The functions of both have the same arguments, and return 0
/// where they succeed. Programs are not linked with the driver, as it is not there without a GPU.
struct Driver {
  int (*load)(void** module, const void* code) = nullptr;
  int (*find)(void** function, void* module, const char* name) = nullptr;
  int (*launch)(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned,
                unsigned, unsigned shared_bytes, void* stream, void** arguments,
                void** extra) = nullptr;
  int (*count_blocks)(int* blocks, void* function, int threads, std::size_t shared_bytes) = nullptr;
  /// Of NVIDIA: lets blocks share more than 48 KiB.
  int (*set)(void* function, int attribute, int value) = nullptr;
};

const Driver& driver() {
  static const Driver found = [] {
#if defined(__HIP_PLATFORM_AMD__)
    const SharedLibrary library(library_of(hipModuleLoadData));
#else
    const SharedLibrary library("libcuda.so.1");
#endif
    Driver all;
    library.find(is_amd ? "hipModuleLoadData" : "cuModuleLoadData", all.load);
    library.find(is_amd ? "hipModuleGetFunction" : "cuModuleGetFunction", all.find);
    library.find(is_amd ? "hipModuleLaunchKernel" : "cuLaunchKernel", all.launch);
    library.find(is_amd ? "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor"
                        : "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                 all.count_blocks);
    library.find("cuFuncSetAttribute", all.set);
    if (!all.load || !all.find || !all.launch || !all.count_blocks || (!is_amd && !all.set)) {
      throw Error("the driver of the GPU cannot load kernels", ErrorCode::device);
    }
    return all;
  }();
  return found;
}

/// Runtime libraries have texts for the driver's numbers, too.
void check_driver(int status, const char* what) {
  check_gpu(static_cast<gpuError_t>(status), what);
}

CompiledKernel load(const std::string& code) {
  // Makes sure that the current GPU is in use.
  check_gpu(gpuFree(nullptr), "beginning to use a GPU");
  void *module = nullptr, *kernel = nullptr;
  check_driver(driver().load(&module, code.data()), "loading a kernel");
  check_driver(driver().find(&kernel, module, "weft_kernel"), "loading a kernel");
  if (!is_amd) {
    constexpr int most_shared_bytes = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    const int most = gpu_attribute(gpuDevAttrMaxSharedMemoryPerBlock);
    check_driver(driver().set(kernel, most_shared_bytes, most), "preparing a kernel");
  }
  return kernel;
}

}  // namespace

CompiledKernel compiled_kernel(const CodeText& text, const std::string& end) {
  static std::mutex mutex;
  static std::map<std::pair<int, std::string>, CompiledKernel> loaded;
  const std::lock_guard lock(mutex);
  CompiledKernel& kernel = loaded[{current_gpu(), text.hash + end}];
  if (kernel != nullptr) return kernel;
  const std::string architecture = gpu_architecture();
  const std::string key = code_target(architecture) + "\n" + text.hash + "\n" + end;
  std::optional<std::string> code = find_code(key);
  if (!code) {
    code = compile_code(text.text + end, architecture);
    keep_code(key, *code);
  }
  kernel = load(*code);
  return kernel;
}

std::size_t blocks_at_a_time(CompiledKernel kernel, unsigned threads, std::size_t shared_bytes) {
  int blocks = 0;
  check_driver(driver().count_blocks(&blocks, kernel, static_cast<int>(threads), shared_bytes),
               "preparing a kernel");
  return static_cast<std::size_t>(blocks);
}

void launch_compiled(CompiledKernel kernel, unsigned blocks, unsigned threads, gpuStream_t stream,
                     const void* argument, std::size_t shared_bytes) {
  void* arguments[] = {const_cast<void*>(argument)};
  check_driver(driver().launch(kernel, blocks, 1, 1, threads, 1, 1,
                               static_cast<unsigned>(shared_bytes), stream, arguments, nullptr),
               "launch of a kernel");
}

}  // namespace weft
