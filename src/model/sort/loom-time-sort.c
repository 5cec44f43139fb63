/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-time-sort.h"

#include "loom-merge-sort.h"

#define IS_BEFORE(a, b) (*(a) < *(b))
LOOM_DEFINE_SORT (sort, gint64, IS_BEFORE)

void
loom_time_sort (gint64 *times_ns, gsize n)
{
  sort (times_ns, n);
}
