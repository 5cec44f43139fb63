/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the memory of owners that are the same operator in modules of the same class, such as the layers of a
 * network, and joins devices on which they have about the same memory. All amounts are bytes of one device. Any thread.
 */
#pragma once

#include "loom-memory-use.h"

/* Two amounts count as equal if their difference is less than this share of the larger device's peak. */
#define LOOM_MEMORY_GROUPS_ALIKE 0.02

typedef struct {
  /* TRUE: memory at the peak that belongs to no recorded allocation; it has no owner, and only `held` is set */
  gboolean is_before;
  /* FALSE: it is unknown who holds memory at the device's peak. Old versions of PyTorch recorded no addresses, so that
   * frees cannot be assigned to blocks; `held` and `left` are then 0. */
  gboolean is_known;
  gboolean is_left_known; /* FALSE: `left` is unknown, and not to be shown (loom_memory_use_knows_left()) */
  guint32 owner;          /* index in LoomMemoryEvents.owners of the largest owner in the group */
  guint n_owners;         /* number of owners, which differ only in the number of their module */
  guint device;           /* index in LoomMemoryUse.devices of the first device */
  guint n_devices;        /* number of devices with about these amounts */
  /* values for the first device. `n`, `allocated`, `held` and `left`: sums over the owners of the group, as defined in
   * LoomMemoryHolder; `largest`: the largest allocation of any of them */
  guint64 n;
  gint64 allocated, largest, held, left;
  LoomSpanId span; /* LoomMemoryHolder.span of the owner with the largest allocation */
} LoomMemoryGroup;

/* Returns the groups of one device (LoomMemoryGroup, each with n_devices 1), sorted by held, then by allocated, largest
 * first. Owned by the caller. O(holders of the device). */
GArray *loom_memory_groups_new_for_device (const LoomMemoryUse *use, guint device);
/* Returns the groups of all devices, sorted by held, then by allocated, largest first. Groups of GPUs and of hosts are
 * never joined. Owned by the caller. O(holders). */
GArray *loom_memory_groups_new (const LoomMemoryUse *use);
