/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks a mutex, and can be cancelled while it waits. For mutexes that another thread holds for seconds while it
 * computes a result that several threads need. Any thread.
 */
#pragma once

#include <gio/gio.h>

/* Locks the mutex and returns TRUE. If the operation is cancelled while this function waits for the mutex, returns
 * FALSE without locking it. A free mutex is locked even if `cancellable` is cancelled already. GMutex has no wait that
 * can be cancelled, so this function tries to lock it every few milliseconds. */
gboolean loom_cancellable_lock (GMutex *mutex, GCancellable *cancellable);
