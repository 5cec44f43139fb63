/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads from the kernel how much memory is available and how much this process uses. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the number of bytes that can still be allocated without swapping, within the limits of the memory cgroups
 * (v2) of this process; G_MAXUINT64 if unknown. */
guint64 loom_memory_info_get_available (void);

/* For tests: like loom_memory_info_get_available(), but reads the folders `proc` and `cgroups`, which are copies of
 * /proc and /sys/fs/cgroup. */
guint64 loom_memory_info_get_available_in (const char *proc, const char *cgroups);

/* Returns the resident anonymous memory of this process in bytes, without swapped pages; 0 if unknown. Takes about a
 * microsecond. */
guint64 loom_memory_info_get_anonymous (void);
