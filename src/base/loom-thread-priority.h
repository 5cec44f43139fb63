/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowers the priority of threads for long background work, such as a load, so that the window stays responsive. Such a
 * thread uses idle processors, and yields at once to threads of ordinary priority.
 */
#pragma once

#include <glib.h>

/* Permanently lowers the priority of the calling thread, and of every thread that it starts from now on. Must be called
 * at the start of a thread that is used for this work only, never in a thread of a shared pool. Returns FALSE if the
 * system does not support this; the work then runs at ordinary priority. Any thread. */
gboolean loom_thread_priority_enter (void);

/* Returns TRUE if the calling thread, or the thread that started it, called loom_thread_priority_enter(). */
gboolean loom_thread_priority_is_on (void);
