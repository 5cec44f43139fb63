/* SPDX-License-Identifier: Apache-2.0
 *
 * A GCancellable that also measures progress. A function that has a GCancellable as an argument can report its progress
 * through it, and does not depend on a progress bar. Each function chooses the unit of its progress, such as spans or
 * rows. Any thread, lock-free.
 */
#pragma once

#include <gio/gio.h>

#define LOOM_TYPE_PROGRESS_CANCELLABLE (loom_progress_cancellable_get_type ())
G_DECLARE_FINAL_TYPE (LoomProgressCancellable, loom_progress_cancellable, LOOM, PROGRESS_CANCELLABLE, GCancellable)

LoomProgressCancellable *loom_progress_cancellable_new (void);
/* Includes the work that `before` measures in the progress of `self`: from now on, the total and the completed amount
 * of `self` are sums for both. The work of `before` is done first. Must be called at most once, before the work begins.
 * Takes a reference to `before`. */
void loom_progress_cancellable_set_before (LoomProgressCancellable *self, LoomProgressCancellable *before);

/* loom_progress_cancellable_add_total() adds to the total amount, loom_progress_cancellable_add_done() to the completed
 * amount. Both do nothing if `meter` is NULL or not a LoomProgressCancellable. */
void loom_progress_cancellable_add_total (GCancellable *meter, guint64 n);
void loom_progress_cancellable_add_done (GCancellable *meter, guint64 n);

/* Returns the completed fraction, from 0 to 1; −1 if the total is unknown, or if `meter` is not a
 * LoomProgressCancellable. */
double loom_progress_cancellable_get_fraction (GCancellable *meter);
