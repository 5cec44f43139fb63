/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowers the priority of threads for long background work, such as a load, so that the window stays responsive. Such a
 * thread uses idle processors, and is interrupted at once when a thread of ordinary priority needs its processor.
 */
#pragma once

#include <glib.h>

/* Permanently lowers the priority of the calling thread, and of all threads that it starts later. Must be called at
 * the start of a thread that does only this work, and never in a thread of a shared pool. Returns FALSE if the
 * system does not support this; the thread then keeps its ordinary priority. Any thread. */
gboolean loom_thread_priority_enter (void);

/* Returns TRUE if the calling thread, or the thread that started it, called loom_thread_priority_enter(). */
gboolean loom_thread_priority_is_on (void);
