/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What tracks are called and how they follow one another.
 */
#pragma once

#include "loom-builder-private.h"

G_BEGIN_DECLS

/* Labels for people; owned by the caller. */
char *loom_process_dup_label (const LoomProcessEntry *process);
char *loom_thread_dup_label (const LoomThreadEntry *thread);

/* Position of every process, and of every thread among all threads, in order of display. */
guint32 *loom_builder_order_processes (const LoomBuilder *builder);
guint32 *loom_builder_order_threads (const LoomBuilder *builder, const guint32 *process_positions);

G_END_DECLS
