/* SPDX-License-Identifier: Apache-2.0
 *
 * What a long job has done so far. Workers add, anyone reads; all calls are lock-free except the label.
 * Ref-counted atomically.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LoomProgress LoomProgress;

/* `cancellable` may be NULL; a reference is taken. */
LoomProgress *loom_progress_new (GCancellable *cancellable);
LoomProgress *loom_progress_ref (LoomProgress *progress);
void loom_progress_unref (LoomProgress *progress);

/* Borrowed; may be NULL. Every function here accepts a NULL progress. */
GCancellable *loom_progress_get_cancellable (LoomProgress *progress);
gboolean loom_progress_is_cancelled (LoomProgress *progress);

/* Bytes (or any unit of the job): the expected total, and what is done. */
void loom_progress_add_total (LoomProgress *progress, guint64 n);
void loom_progress_add_done (LoomProgress *progress, guint64 n);
guint64 loom_progress_get_total (LoomProgress *progress);
guint64 loom_progress_get_done (LoomProgress *progress);

/* What is being worked on, for people; a copy is kept / returned. */
void loom_progress_set_label (LoomProgress *progress, const char *label);
char *loom_progress_dup_label (LoomProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProgress, loom_progress_unref)

G_END_DECLS
