/* SPDX-License-Identifier: Apache-2.0
 *
 * On Linux a nice value belongs to a thread, and threads inherit it. Nobody may lower it again without a privilege,
 * which is why a thread that was lowered cannot go back to other work.
 */
#include "loom-thread-priority.h"

#include <errno.h>
#include <sys/resource.h>

/* About a ninth of what an ordinary thread gets beside it: little enough to make way, enough not to stand still on a
 * machine that others keep busy. */
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

#else /* it would be the whole process */

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
