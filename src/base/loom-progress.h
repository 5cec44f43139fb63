/* SPDX-License-Identifier: Apache-2.0
 *
 * The progress of a long job: a total, the amount done, and a label. Worker threads add to the amount done, and any
 * thread reads it. All functions except those for the label are lock-free. Ref-counted atomically.
 */
#pragma once

#include <gio/gio.h>

typedef struct _LoomProgress LoomProgress;

/* Makes a progress with the total 0. Takes a reference to `cancellable`, which may be NULL. */
LoomProgress *loom_progress_new (GCancellable *cancellable);
LoomProgress *loom_progress_ref (LoomProgress *progress);
void loom_progress_unref (LoomProgress *progress);

/* Returns the cancellable, borrowed; may be NULL. All functions of this header accept NULL as the progress. */
GCancellable *loom_progress_get_cancellable (LoomProgress *progress);
gboolean loom_progress_is_cancelled (LoomProgress *progress);

/* The next functions add to, and return, the expected total and the completed amount, in bytes or in any other unit of
 * the job. */
void loom_progress_add_total (LoomProgress *progress, guint64 n);
void loom_progress_add_done (LoomProgress *progress, guint64 n);
guint64 loom_progress_get_total (LoomProgress *progress);
guint64 loom_progress_get_done (LoomProgress *progress);

/* The next two functions set and return the label, a text for users that names the current work.
 * loom_progress_set_label() copies the text; the other function returns a copy, owned by the caller. */
void loom_progress_set_label (LoomProgress *progress, const char *label);
char *loom_progress_dup_label (LoomProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProgress, loom_progress_unref)
