/* SPDX-License-Identifier: Apache-2.0
 *
 * A GCancellable that also measures progress. A function that takes a GCancellable can report its progress through it,
 * whether or not a progress bar shows it. Each function chooses the unit of its progress, for example spans or rows.
 * Any thread, lock-free.
 */
#pragma once

#include <gio/gio.h>

#define LOOM_TYPE_PROGRESS_CANCELLABLE (loom_progress_cancellable_get_type ())
G_DECLARE_FINAL_TYPE (LoomProgressCancellable, loom_progress_cancellable, LOOM, PROGRESS_CANCELLABLE, GCancellable)

LoomProgressCancellable *loom_progress_cancellable_new (void);
/* Adds to `self` the total and the amount done of `before`, which measures other work that must be done first. Call
 * once, before the work begins. Takes a reference to `before`. */
void loom_progress_cancellable_set_before (LoomProgressCancellable *self, LoomProgressCancellable *before);

/* The next two functions add to the total, and to the amount done. They do nothing if `meter` is NULL or a plain
 * GCancellable. */
void loom_progress_cancellable_add_total (GCancellable *meter, guint64 n);
void loom_progress_cancellable_add_done (GCancellable *meter, guint64 n);

/* Returns the fraction done, from 0 to 1; −1 if the total is unknown or `meter` is not a LoomProgressCancellable. */
double loom_progress_cancellable_get_fraction (GCancellable *meter);
