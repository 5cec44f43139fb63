/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-wait-attribution.h"

void
loom_wait_attribution (const LoomCollectiveMember *members, guint n, double *shares)
{
  double share = 0;
  for (guint k = 0; k < n; k++) {
    if (k > 0)
      share += (double) loom_time_sub (members[k].arrival_ns, members[k - 1].arrival_ns) * k / (n - k);
    shares[k] = share;
  }
}
