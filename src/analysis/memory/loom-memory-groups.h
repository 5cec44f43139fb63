/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the memory of groups of owners. A group consists of the owners that are the same operator in modules of the
 * same class, such as the layers of a network. Also joins devices on which a group has nearly equal amounts of memory.
 * All amounts are bytes of one device. Any thread.
 */
#pragma once

#include "loom-memory-use.h"

/* Two amounts on two devices count as equal if they differ by less than this share of the higher peak of the two
 * devices. */
#define LOOM_MEMORY_GROUPS_ALIKE 0.02

typedef struct {
  /* TRUE: the group is the memory in use at the peak that belongs to no recorded allocation. Such a group has no owner,
   * and only `held` is set. */
  gboolean is_before;
  /* FALSE: it is unknown which code allocated the memory in use at the device's peak; then `held` and `left` are 0.
   * This happens with old versions of PyTorch: they recorded no addresses, so frees cannot be assigned to blocks. */
  gboolean is_known;
  gboolean is_left_known; /* FALSE: `left` is unknown and must not be shown (loom_memory_use_knows_left()) */
  guint32 owner;          /* index in LoomMemoryEvents.owners of the largest owner in the group */
  guint n_owners;         /* number of owners in the group; their modules differ only in their numbers */
  guint device;           /* index in LoomMemoryUse.devices of the first device */
  guint n_devices;        /* number of devices whose groups were joined because their amounts are nearly equal */
  /* Values for the first device. `n`, `allocated`, `held` and `left`: sums of these members of LoomMemoryHolder over
   * the owners of the group. `largest`: the largest allocation of all these owners. */
  guint64 n;
  gint64 allocated, largest, held, left;
  LoomSpanId span; /* LoomMemoryHolder.span of the owner with the largest allocation */
} LoomMemoryGroup;

/* Returns the groups of one device (LoomMemoryGroup; n_devices is 1), sorted by `held`, then by `allocated`, largest
 * first. Owned by the caller. O(holders of the device). */
GArray *loom_memory_groups_new_for_device (const LoomMemoryUse *use, guint device);
/* Returns the groups of all devices, sorted by `held`, then by `allocated`, largest first. Groups of GPUs are never
 * joined with groups of hosts. Owned by the caller. O(holders). */
GArray *loom_memory_groups_new (const LoomMemoryUse *use);
