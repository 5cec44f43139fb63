/* SPDX-License-Identifier: Apache-2.0
 *
 * A cancellable that also tells how far the work is: whatever takes a cancellable can count on it, and need not know whether
 * anybody looks. What is counted is whatever the work goes by: spans, rows, parts of them. Any thread, without locks.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PROGRESS_CANCELLABLE (loom_progress_cancellable_get_type ())
G_DECLARE_FINAL_TYPE (LoomProgressCancellable, loom_progress_cancellable, LOOM, PROGRESS_CANCELLABLE, GCancellable)

LoomProgressCancellable *loom_progress_cancellable_new (void);
/* What has to be done before, by other work that counts on a meter of its own; its counts are added. Once, before the
 * work begins. A reference is taken. */
void loom_progress_cancellable_set_before (LoomProgressCancellable *meter, LoomProgressCancellable *before);

/* Nothing happens when it is NULL or a cancellable that does not count. */
void loom_progress_cancellable_add_total (GCancellable *meter, guint64 n);
void loom_progress_cancellable_add_done (GCancellable *meter, guint64 n);

/* From 0 to 1; −1 when it is not known, or not a meter. */
double loom_progress_cancellable_get_fraction (GCancellable *meter);

G_END_DECLS
