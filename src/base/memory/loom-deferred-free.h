/* SPDX-License-Identifier: Apache-2.0
 *
 * Frees large structures on a background thread, because returning gigabytes to the kernel takes time. Any thread.
 */
#pragma once

#include <glib.h>

/* Calls `func` in a new thread, or directly if no thread can be started. */
void loom_deferred_free (GDestroyNotify func, gpointer data);

/* Waits until no deferred call is pending or running. For code that measures memory. */
void loom_deferred_free_wait (void);
