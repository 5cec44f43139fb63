/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress of a long job. Workers add, any thread reads; all calls except those for the label are lock-free.
 * Ref-counted atomically.
 */
#pragma once

#include <gio/gio.h>

typedef struct _LoomProgress LoomProgress;

/* `cancellable` may be NULL; a reference is taken. */
LoomProgress *loom_progress_new (GCancellable *cancellable);
LoomProgress *loom_progress_ref (LoomProgress *progress);
void loom_progress_unref (LoomProgress *progress);

/* Borrowed; may be NULL. Every function here accepts a NULL progress. */
GCancellable *loom_progress_get_cancellable (LoomProgress *progress);
gboolean loom_progress_is_cancelled (LoomProgress *progress);

/* Expected total and completed amount, in bytes or any other unit of the job. */
void loom_progress_add_total (LoomProgress *progress, guint64 n);
void loom_progress_add_done (LoomProgress *progress, guint64 n);
guint64 loom_progress_get_total (LoomProgress *progress);
guint64 loom_progress_get_done (LoomProgress *progress);

/* Label of the current work, shown to the user. set copies the label, dup returns a copy. */
void loom_progress_set_label (LoomProgress *progress, const char *label);
char *loom_progress_dup_label (LoomProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProgress, loom_progress_unref)
