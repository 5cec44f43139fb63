/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowers the priority of threads with nice values. On Linux, a nice value applies to a single thread, and new threads
 * inherit it. Only privileged processes may raise a priority again, so a thread whose priority was lowered cannot
 * return to other work.
 */
#include "loom-thread-priority.h"

#include <errno.h>
#include <sys/resource.h>

/* Nice value of background threads. Such a thread gets about a ninth of the time that an ordinary thread gets on the
 * same processor: little enough to yield, enough to make progress on a machine that is busy with other work. */
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

#else /* on other systems, a priority would apply to the whole process */

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
