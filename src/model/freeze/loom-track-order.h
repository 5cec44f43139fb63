/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Makes the labels of processes and threads, and determines the order in which they are
 * displayed.
 */
#pragma once

#include "loom-trace-builder-private.h"

/* The functions below return the name of a process or thread as it is shown to the user. Owned by the caller. */
char *loom_track_order_dup_process_label (const LoomProcessEntry *process);
char *loom_track_order_dup_thread_label (const LoomThreadEntry *thread);

/* The functions below return an array indexed by process or thread of the builder: the position of this process or
 * thread in order of display. Owned by the caller. */
guint32 *loom_track_order_sort_processes (const LoomTraceBuilder *builder);
guint32 *loom_track_order_sort_threads (const LoomTraceBuilder *builder, const guint32 *process_positions);
