/* SPDX-License-Identifier: Apache-2.0
 *
 * A question to a worker that changes while it is answered, as a range does that is dragged: a new question drops the one
 * under way, what is answered quickly is asked at once and what is not when the question has come to rest, and work that
 * takes its time is shown. A part of its owner, which clears it. Main thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Starts a worker for the question there is now; the cancellable is a LoomProgressCancellable. It calls loom_debounced_task_answered(), or nobody once it is cancelled. */
typedef void (*LoomDebouncedTaskStart) (GCancellable *cancellable, gpointer owner);
/* `working`: what is seen is of an old question and has been for a while; again and again, as the work goes on. FALSE when
 * it is not any more. */
typedef void (*LoomDebouncedTaskShow) (gboolean working, gpointer owner);

typedef struct {
  LoomDebouncedTaskStart start;
  LoomDebouncedTaskShow show;
  gpointer owner;
  GCancellable *running; /* NULL when no worker runs */
  guint start_id;        /* a question is about to be asked */
  guint show_id;         /* work is about to be shown, or to be shown as it is then */
  gint64 asked_us, took_us;
} LoomDebouncedTask;

void loom_debounced_task_init (LoomDebouncedTask *inquiry, LoomDebouncedTaskStart start, LoomDebouncedTaskShow show,
                               gpointer owner);
void loom_debounced_task_ask (LoomDebouncedTask *inquiry);
void loom_debounced_task_answered (LoomDebouncedTask *inquiry);
/* Nobody wants to know any more. Also before the owner goes. */
void loom_debounced_task_stop (LoomDebouncedTask *inquiry);
/* Whether an answer is waited for. */
gboolean loom_debounced_task_is_open (const LoomDebouncedTask *inquiry);

/* How far the work is, from 0 to 1; −1 when that is not known. */
double loom_debounced_task_get_fraction (const LoomDebouncedTask *inquiry);

G_END_DECLS
