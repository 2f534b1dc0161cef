// Loaded before MPICH programs in tests: ranks that wait give their core to others. MPICH on UCX
// never does, so that more ranks than cores take minutes for what takes seconds.
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (!progress) {
    // Not the next one in the search order: in Python UCX was loaded for MPI alone.
    void* const library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    progress = (unsigned (*)(void*))dlsym(library, "ucp_worker_progress");
  }
  const unsigned events = progress(worker);
  if (events == 0) sched_yield();
  return events;
}
