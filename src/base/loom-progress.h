/* SPDX-License-Identifier: Apache-2.0
 *
 * The progress of a long job: a total amount, a completed amount, and a label. Worker threads add to the completed
 * amount, and any thread can read it. All functions are lock-free, except those for the label. Ref-counted atomically.
 * All functions except loom_progress_new() accept NULL as the progress.
 */
#pragma once

#include <gio/gio.h>

typedef struct _LoomProgress LoomProgress;

/* Makes a progress with the total 0. Takes a reference to `cancellable`, which may be NULL. */
LoomProgress *loom_progress_new (GCancellable *cancellable);
LoomProgress *loom_progress_ref (LoomProgress *progress);
void loom_progress_unref (LoomProgress *progress);

/* Returns the cancellable, borrowed; may be NULL. */
GCancellable *loom_progress_get_cancellable (LoomProgress *progress);
gboolean loom_progress_is_cancelled (LoomProgress *progress);

/* The next four functions add to, and return, the total and the completed amount. The unit is bytes or another unit
 * that the job chooses. */
void loom_progress_add_total (LoomProgress *progress, guint64 n);
void loom_progress_add_done (LoomProgress *progress, guint64 n);
guint64 loom_progress_get_total (LoomProgress *progress);
guint64 loom_progress_get_done (LoomProgress *progress);

/* loom_progress_set_label() sets the label, which names the current work for the user; the text is copied.
 * loom_progress_dup_label() returns a copy of the label, owned by the caller. */
void loom_progress_set_label (LoomProgress *progress, const char *label);
char *loom_progress_dup_label (LoomProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProgress, loom_progress_unref)
