/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks a mutex; waiting for the mutex can be cancelled. The interface is described in loom-cancellable-lock.h.
 */
#include "loom-cancellable-lock.h"

#define RETRY_US 2000

gboolean
loom_cancellable_lock (GMutex *mutex, GCancellable *cancellable)
{
  while (!g_mutex_trylock (mutex)) {
    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    g_usleep (RETRY_US);
  }
  return TRUE;
}
