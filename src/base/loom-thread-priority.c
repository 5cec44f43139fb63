/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowers the priority of threads with nice values. On Linux, a nice value applies to a single thread, and new threads
 * inherit it. Only privileged processes may raise a priority, so a thread whose priority was lowered must not be used
 * for other work later.
 */
#include "loom-thread-priority.h"

#include <errno.h>
#include <sys/resource.h>

/* Nice value of background threads. Such a thread gets about a ninth of the time of an ordinary thread on the same
 * processor. So it does not slow down ordinary threads much, and still makes progress on a busy machine. */
#define BACKGROUND_NICE 10

#ifdef __linux__

gboolean
loom_thread_priority_is_on (void)
{
  errno = 0;
  int nice = getpriority (PRIO_PROCESS, 0);
  return errno == 0 && nice >= BACKGROUND_NICE;
}

gboolean
loom_thread_priority_enter (void)
{
  return loom_thread_priority_is_on () || setpriority (PRIO_PROCESS, 0, BACKGROUND_NICE) == 0;
}

#else /* on other systems, nothing is done: the priority would apply to the whole process */

gboolean
loom_thread_priority_is_on (void)
{
  return FALSE;
}

gboolean
loom_thread_priority_enter (void)
{
  return FALSE;
}

#endif
