/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What tracks are called and how they follow one another.
 */
#pragma once

#include "loom-trace-builder-private.h"

G_BEGIN_DECLS

/* Labels for people; owned by the caller. */
char *loom_track_order_dup_process_label (const LoomProcessEntry *process);
char *loom_track_order_dup_thread_label (const LoomThreadEntry *thread);

/* Position of every process, and of every thread among all threads, in order of display. */
guint32 *loom_track_order_sort_processes (const LoomTraceBuilder *builder);
guint32 *loom_track_order_sort_threads (const LoomTraceBuilder *builder, const guint32 *process_positions);

G_END_DECLS
