/* SPDX-License-Identifier: Apache-2.0
 *
 * Work that somebody waits for while something else must go on moving: a load behind a window. It takes whatever
 * processors are free and makes way at once for threads of ordinary priority.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lowers the priority of the calling thread, for good, and of every thread it starts from now on. Call it at the start
 * of a thread that ends with its work, never in one of a shared pool. FALSE where the system does not do that; the work
 * then goes on as before. Any thread. */
gboolean loom_thread_priority_enter (void);

/* Whether the calling thread, or the one that started it, entered. */
gboolean loom_thread_priority_is_on (void);

G_END_DECLS
