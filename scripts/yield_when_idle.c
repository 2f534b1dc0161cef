// Loaded before MPICH programs in tests: ranks that wait give their core to others. MPICH on UCX
// never does, so that more ranks than cores take minutes for what takes seconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (!progress) progress = (unsigned (*)(void*))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = progress(worker);
  if (events == 0) sched_yield();
  return events;
}
