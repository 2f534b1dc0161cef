#include "device/gpu/code_compiler.hpp"

#include <algorithm>
#include <vector>

#include "device/gpu/api.hpp"
#include "device/gpu/shared_library.hpp"

namespace weft {

namespace {

/// The functions of both have the same arguments. All but the last ones return 0 where they
/// succeed.
struct Compiler {
  int (*create)(void** program, const char* source, const char* name, int headers,
                const char* const* texts, const char* const* names) = nullptr;
  int (*compile)(void* program, int options, const char* const* texts) = nullptr;
  int (*log_size)(void* program, std::size_t* size) = nullptr;
  int (*log)(void* program, char* text) = nullptr;
  int (*code_size)(void* program, std::size_t* size) = nullptr;
  int (*code)(void* program, char* code) = nullptr;
  int (*destroy)(void** program) = nullptr;
  int (*version)(int* major, int* minor) = nullptr;
  const char* (*error_text)(int status) = nullptr;
  // Of NVRTC: numbers of the architectures that it knows.
  int (*known_count)(int* count) = nullptr;
  int (*known)(int* numbers) = nullptr;

  bool is_there() const {
    return create && compile && log_size && log && code_size && code && destroy && version &&
           error_text && (is_amd || (known_count && known));
  }
};

SharedLibrary load_library() {
#if defined(__HIP_PLATFORM_AMD__)
  return SharedLibrary("libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6",
                       library_of(hipModuleLoadData));
#elif defined(WEFT_HIP)
  return SharedLibrary("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so");
#else
  return SharedLibrary("libnvrtc.so." + std::to_string(CUDART_VERSION / 1000), WEFT_NVRTC_FILE);
#endif
}

const Compiler& compiler() {
  static const Compiler found = [] {
    const SharedLibrary library = load_library();
    const std::string prefix = is_amd ? "hiprtc" : "nvrtc";
    const auto find = [&](const char* name, auto*& function) {
      library.find((prefix + name).c_str(), function);
    };
    Compiler all;
    find("CreateProgram", all.create);
    find("CompileProgram", all.compile);
    find("GetProgramLogSize", all.log_size);
    find("GetProgramLog", all.log);
    find(is_amd ? "GetCodeSize" : "GetCUBINSize", all.code_size);
    find(is_amd ? "GetCode" : "GetCUBIN", all.code);
    find("DestroyProgram", all.destroy);
    find("Version", all.version);
    find("GetErrorString", all.error_text);
    find("GetNumSupportedArchs", all.known_count);
    find("GetSupportedArchs", all.known);
    return all;
  }();
  return found;
}

/// As NVRTC counts them.
int architecture_number() {
  return 10 * gpu_attribute(gpuDevAttrComputeCapabilityMajor) +
         gpu_attribute(gpuDevAttrComputeCapabilityMinor);
}

/// Kernels must compute as the host does, which fuses no product with a sum.
std::vector<std::string> options_for(const std::string& architecture) {
  if (is_amd) {
    return {"-std=c++20",
            "-O3",
            "-ffp-contract=off",
            "-w",
            "-D__HIPCC__=1",
            "-DWEFT_HIP",
            "--offload-arch=" + architecture};
  }
  std::vector<std::string> all{"--std=c++20", "--fmad=false", "--device-as-default-execution-space",
                               "--disable-warnings", "--gpu-architecture=" + architecture};
#if defined(WEFT_HIP)
  all.emplace_back("--define-macro=WEFT_HIP");
#endif
  return all;
}

void check_compiler(int status, const std::string& details = "") {
  if (status == 0) return;
  throw Error("compiling a kernel for a GPU: " + std::string(compiler().error_text(status)) +
                  (details.empty() ? "" : "\n" + details),
              ErrorCode::device);
}

/// Strings of a program that come with their size.
template <class Size, class Text>
std::string text_of(void* program, Size get_size, Text get_text) {
  std::size_t size = 0;
  check_compiler(get_size(program, &size));
  std::string text(size, '\0');
  check_compiler(get_text(program, text.data()));
  return text;
}

/// A program of a compiler.
class Program {
 public:
  explicit Program(const std::string& source) {
    check_compiler(compiler().create(&program_, source.c_str(), "weft.cu", 0, nullptr, nullptr));
  }
  ~Program() { compiler().destroy(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string compile(const std::vector<std::string>& options) const {
    std::vector<const char*> texts;
    for (const std::string& option : options) texts.push_back(option.c_str());
    const int status = compiler().compile(program_, static_cast<int>(texts.size()), texts.data());
    if (status != 0) check_compiler(status, text_of(program_, compiler().log_size, compiler().log));
    return text_of(program_, compiler().code_size, compiler().code);
  }

 private:
  void* program_ = nullptr;
};

}  // namespace

bool has_code_compiler() {
  if (!compiler().is_there()) return false;
  if (is_amd) return true;
  int count = 0;
  check_compiler(compiler().known_count(&count));
  std::vector<int> numbers(static_cast<std::size_t>(count));
  check_compiler(compiler().known(numbers.data()));
  return std::find(numbers.begin(), numbers.end(), architecture_number()) != numbers.end();
}

std::string gpu_architecture() {
#if defined(__HIP_PLATFORM_AMD__)
  gpuDeviceProp properties;
  check_gpu(gpuGetDeviceProperties(&properties, current_gpu()), "looking up a GPU");
  return properties.gcnArchName;
#else
  return "sm_" + std::to_string(architecture_number());
#endif
}

std::string code_target(const std::string& architecture) {
  int major = 0, minor = 0;
  check_compiler(compiler().version(&major, &minor));
  std::string target =
      (is_amd ? "hiprtc " : "nvrtc ") + std::to_string(major) + "." + std::to_string(minor);
  for (const std::string& option : options_for(architecture)) target += " " + option;
  return target;
}

std::string compile_code(const std::string& source, const std::string& architecture) {
  return Program(source).compile(options_for(architecture));
}

}  // namespace weft
