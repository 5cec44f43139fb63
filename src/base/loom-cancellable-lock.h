/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks a mutex that another thread may hold for seconds, while it computes a result that both need. Any thread.
 */
#pragma once

#include <gio/gio.h>

/* Locks the mutex and returns TRUE. Returns FALSE, with the mutex not locked, when cancelled while waiting. A free
 * mutex is locked even if `cancellable` is cancelled. GMutex has no wait that can be cancelled, so a mutex that is held
 * is tried again every few milliseconds. */
gboolean loom_cancellable_lock (GMutex *mutex, GCancellable *cancellable);
