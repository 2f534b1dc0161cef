// A stand-in for NVML, for tests: devices of known power, whose counters advance at coarse ticks.
//   FAKE_DEVICES       "0000:01:00.0=300,GPU-5a=500": by the name under which they are asked for
//   FAKE_WATTS_OF_WORK watts more for every core that this process keeps busy
//   FAKE_TICK          seconds between two values of a counter
//   FAKE_LOST_AFTER    readings after which the device is lost; FAKE_FAILS_EVERY: every so many
//   fail
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { success = 0, not_found = 6, unknown = 999 };

struct device {
  double watts;
  double next_tick;
  unsigned long long millijoules, readings;
};

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double number(const char* name, double otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : atof(text);
}

int nvmlInit_v2(void) {
  return success;
}

static int find(const char* name, void** device) {
  const char* list = getenv("FAKE_DEVICES");
  const size_t length = strlen(name);
  for (const char* at = list; at != NULL; at = strchr(at, ',')) {
    if (*at == ',') ++at;
    if (strncmp(at, name, length) != 0 || at[length] != '=') continue;
    struct device* found = calloc(1, sizeof *found);
    found->watts = atof(at + length + 1);
    *device = found;
    return success;
  }
  return not_found;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* name, void** device) {
  return strncmp(name, "GPU-", 4) == 0 ? not_found : find(name, device);
}

int nvmlDeviceGetHandleByUUID(const char* name, void** device) {
  return strncmp(name, "GPU-", 4) == 0 ? find(name, device) : not_found;
}

int nvmlDeviceGetTotalEnergyConsumption(void* handle, unsigned long long* millijoules) {
  struct device* device = handle;
  const double tick = number("FAKE_TICK", 0.1), now = seconds_of(CLOCK_MONOTONIC);
  const double lost = number("FAKE_LOST_AFTER", 1e18), every = number("FAKE_FAILS_EVERY", 1e18);
  ++device->readings;
  if ((double)device->readings > lost) return unknown;
  if (device->readings % (unsigned long long)every == 0) return unknown;
  if (now >= device->next_tick) {
    const double ticks = (double)(long long)(now / tick);
    const double work = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    device->millijoules = (unsigned long long)(1e3 * (device->watts * ticks * tick +
                                                      number("FAKE_WATTS_OF_WORK", 0) * work));
    device->next_tick = (ticks + 1) * tick;
  }
  *millijoules = device->millijoules;
  return success;
}
