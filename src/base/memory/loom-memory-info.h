/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernel says about memory. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes this machine could still hand out without swapping, and no more than the memory cgroups (v2) around this process
 * leave. G_MAXUINT64 when nothing says. */
guint64 loom_memory_info_get_available (void);

/* The same from copies of /proc and /sys/fs/cgroup. */
guint64 loom_memory_info_get_available_in (const char *proc, const char *cgroups);

/* Anonymous memory of this process in bytes, as far as it is not swapped out; 0 unknown. About a microsecond. */
guint64 loom_memory_info_get_anonymous (void);

G_END_DECLS
