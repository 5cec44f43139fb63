/* SPDX-License-Identifier: Apache-2.0
 *
 * Frees large structures on a background thread, because returning gigabytes to the kernel takes time. Any thread.
 */
#pragma once

#include <glib.h>

/* Calls `func` with `data` in a new thread; if no thread can be started, calls it directly. */
void loom_deferred_free (GDestroyNotify func, gpointer data);

/* Waits until all deferred calls have ended. Used by code that measures memory. */
void loom_deferred_free_wait (void);
