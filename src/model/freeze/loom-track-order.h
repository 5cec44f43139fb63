/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Makes the labels of processes and threads, and determines the order in which they are
 * displayed.
 */
#pragma once

#include "loom-trace-builder-private.h"

/* These functions return the name of a process or thread as it is shown to the user. Owned by the caller. */
char *loom_track_order_dup_process_label (const LoomProcessEntry *process);
char *loom_track_order_dup_thread_label (const LoomThreadEntry *thread);

/* These functions return an array that contains, for each process or thread of the builder, its position among all
 * processes or threads in order of display. Owned by the caller. */
guint32 *loom_track_order_sort_processes (const LoomTraceBuilder *builder);
guint32 *loom_track_order_sort_threads (const LoomTraceBuilder *builder, const guint32 *process_positions);
