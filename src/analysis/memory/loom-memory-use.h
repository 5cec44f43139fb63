/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory of each device is allocated over time, and which code allocated it. The data come from the `[memory]`
 * events of PyTorch's profiler (args Bytes, Addr, Total Allocated, Total Reserved) and from memory snapshots. All
 * amounts are bytes. Immutable when made, freed by its owner; any thread.
 *
 *   level     Total Allocated after an event. If the file does not state it, the sum of Bytes since the start of the
 *             recording; memory that was allocated before is then not included.
 *   peak      the highest level in the range, including the level at the start of the range
 *   held      blocks of an owner that are allocated at the peak. Memory at the peak that belongs to no recorded
 *             allocation counts as allocated before the recording, but at most as much as the level at the start of the
 *             recording.
 *   left      blocks of an owner that were allocated in the range and not freed before the end of the range
 *   break     a level that differs from the previous level plus Bytes: events between the two levels are missing
 */
#pragma once

#include "loom-memory-events.h"
#include "loom-steps.h"

/* The memory that one owner (a place in the code) allocated on one device, in bytes. */
typedef struct {
  guint32 owner; /* index in LoomMemoryEvents.owners */
  guint64 n;     /* number of the owner's allocations in the range */
  gint64 allocated;
  gint64 largest; /* the owner's largest allocation in the range */
  gint64 held;    /* bytes of the owner's blocks that are allocated at the peak */
  gint64 left;
  /* the instant that records the owner's largest allocation in the range. If there is none: the instant that records
   * the allocation of one of the owner's blocks that are in use at the peak */
  LoomSpanId span;
} LoomMemoryHolder;

typedef struct {
  gint64 end_ns; /* on the timeline */
  gint64 level;
  LoomSpanId span; /* span of the step */
} LoomMemoryStep;

typedef struct {
  const char *node;    /* borrowed from the run; NULL: unknown */
  gint rank;           /* −1: unknown */
  gboolean is_process; /* TRUE if `rank` is a process id, see loom-track-rank.h */
  guint source;        /* index, in the run, of the source that contains the first event on this device */
  gboolean is_host;    /* TRUE: this is the memory of the host; FALSE: of a device */
  gint64 number;       /* number of the device */
  /* TRUE if the files do not state how many bytes are allocated; then levels are relative to the start of the
   * recording */
  gboolean is_relative;
  /* the events on this device in the range: elements [first, first + n) of LoomMemoryEvents.events */
  guint first, n;
  gint64 initial;       /* level of allocated bytes at the start of the recording */
  gint64 begin, end;    /* level of allocated bytes at the start and at the end of the range */
  gint64 peak, peak_ns; /* `peak` in bytes; `peak_ns`: its time on the timeline */
  LoomSpanId peak_span; /* instant of the peak; LOOM_SPAN_ID_NONE: the peak is the level at the start of the range */
  /* reserved bytes: maximum, and value at the peak of allocated bytes; LOOM_MEMORY_UNKNOWN: not stated */
  gint64 reserved_peak, reserved_at_peak;
  /* Bytes at the peak that do not belong to a recorded allocation. At most `initial` of these bytes were allocated
   * before the recording. If there are more than `initial`, events are missing. */
  gint64 before;
  guint64 n_allocations, n_frees, n_breaks;
  /* number of frees up to the end of the range: n_matched: the freed block is recorded; n_unmatched: it is not
   * recorded */
  guint64 n_matched, n_unmatched;
  gint64 allocated; /* total bytes of all allocations in the range */
  /* the holders of the device: elements [first_holder, first_holder + n_holders) of LoomMemoryUse.holders, sorted by
   * `held`, then by `allocated`, largest first */
  guint first_holder, n_holders;
  /* the steps of the device, sorted by time: elements [first_step, first_step + n_steps) of LoomMemoryUse.steps */
  guint first_step, n_steps;
} LoomMemoryDevice;

typedef struct {
  LoomTimeline *timeline; /* owned */
  /* a reference to the events, which may be shared with other LoomMemoryUse of the timeline */
  LoomMemoryEvents *events;
  LoomRange range;
  GArray *devices; /* LoomMemoryDevice, in the order of the files */
  GArray *holders; /* LoomMemoryHolder: the holders of all devices */
  GArray *steps;   /* LoomMemoryStep: steps that end in the range */
} LoomMemoryUse;

/* Computes the use of memory in a range. O(events · log events + steps · log events). NULL only when cancelled. */
LoomMemoryUse *loom_memory_use_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range,
                                    GCancellable *cancellable);
void loom_memory_use_free (LoomMemoryUse *self);

/* Returns NULL if there are allocations, else a translated sentence that states that there are none. Static. */
const char *loom_memory_use_get_missing (const LoomMemoryUse *self);
/* Returns a translated text that states how to record allocations; NULL: there are allocations, or recording would not
 * help. Static. */
const char *loom_memory_use_get_advice (const LoomMemoryUse *self);

/* Returns FALSE if `left` of the holders is unknown: the file states addresses, but no free has the address of an
 * allocation, so that frees cannot be assigned to blocks. Otherwise returns TRUE. */
gboolean loom_memory_use_knows_left (const LoomMemoryDevice *device);

/* Returns the unused share of the reserved memory at the peak, from 0 to 1; NaN if it is unknown. */
double loom_memory_use_get_fragmentation (const LoomMemoryDevice *device);

/* Sets `least` to the smallest growth of the allocated bytes between the ends of two successive steps. Sets `slope` to
 * the mean growth in bytes per step: the slope of a line fitted to all steps. Returns FALSE if there are fewer than
 * `least_steps` steps. */
gboolean loom_memory_use_get_growth (const LoomMemoryUse *self, const LoomMemoryDevice *device, guint least_steps,
                                     gint64 *least, double *slope);

static inline const LoomMemoryHolder *
loom_memory_use_get_holder (const LoomMemoryUse *self, const LoomMemoryDevice *device, guint i)
{
  return &g_array_index (self->holders, LoomMemoryHolder, device->first_holder + i);
}

static inline const LoomMemoryOwner *
loom_memory_use_get_owner (const LoomMemoryUse *self, const LoomMemoryHolder *holder)
{
  return &g_array_index (self->events->owners, LoomMemoryOwner, holder->owner);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryUse, loom_memory_use_free)
