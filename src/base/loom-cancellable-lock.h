/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks a mutex; waiting for the mutex can be cancelled. Used if a thread holds the mutex for seconds, while it
 * computes a result that other threads need, too. Any thread.
 */
#pragma once

#include <gio/gio.h>

/* Locks the mutex and returns TRUE. If it must wait for the mutex and `cancellable` is cancelled, returns FALSE without
 * locking it. A free mutex is locked even if `cancellable` is already cancelled. GLib cannot cancel waiting for a
 * GMutex, so this function tries to lock the mutex every few milliseconds. */
gboolean loom_cancellable_lock (GMutex *mutex, GCancellable *cancellable);
