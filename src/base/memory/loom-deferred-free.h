/* SPDX-License-Identifier: Apache-2.0
 *
 * Giving gigabytes of columns or records back to the kernel takes a while that nobody needs to wait for: it is done aside.
 * Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Calls `func` in a thread of its own, or at once where there can be no more threads. */
void loom_deferred_free (GDestroyNotify func, gpointer data);

/* Returns when nothing is being released; for whoever counts memory. */
void loom_deferred_free_wait (void);

G_END_DECLS
