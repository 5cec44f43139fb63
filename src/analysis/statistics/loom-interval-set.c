/* SPDX-License-Identifier: Apache-2.0
 *
 * loom_interval_set_seal() makes the intervals of each host disjoint, and stores them in two ascending arrays: one with
 * the starts, one with the ends. Because of this, a binary search in the array of ends is enough to find the first
 * interval that does not end before an instant.
 */
#include "loom-interval-set.h"

#include "loom-merge-sort.h"
#include "loom-statistics.h"
#include "loom-time.h"

#define BEGINS_BEFORE(a, b) ((a)->begin_ns < (b)->begin_ns)
LOOM_DEFINE_SORT (sort_stretches, LoomRange, BEGINS_BEFORE)

typedef struct {
  GArray *stretches; /* LoomRange: the intervals that were added; NULL after loom_interval_set_seal() */
  gint64 *begin_ns, *end_ns;
  gsize n;
} HostWindows;

struct _LoomIntervalSet {
  guint n_hosts;
  gboolean pooled;
  HostWindows *hosts;
};

LoomIntervalSet *
loom_interval_set_new (guint n_hosts, gboolean pooled)
{
  LoomIntervalSet *windows = g_new0 (LoomIntervalSet, 1);
  windows->n_hosts = pooled ? 1 : MAX (n_hosts, 1);
  windows->pooled = pooled;
  windows->hosts = g_new0 (HostWindows, windows->n_hosts);
  for (guint i = 0; i < windows->n_hosts; i++)
    windows->hosts[i].stretches = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  return windows;
}

void
loom_interval_set_free (LoomIntervalSet *windows)
{
  if (windows == NULL)
    return;
  for (guint i = 0; i < windows->n_hosts; i++) {
    g_clear_pointer (&windows->hosts[i].stretches, g_array_unref);
    g_free (windows->hosts[i].begin_ns);
    g_free (windows->hosts[i].end_ns);
  }
  g_free (windows->hosts);
  g_free (windows);
}

static HostWindows *
host_of (const LoomIntervalSet *windows, guint32 host_id)
{
  return &windows->hosts[windows->pooled ? 0 : MIN (host_id, windows->n_hosts - 1)];
}

void
loom_interval_set_add (LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns)
{
  LoomRange stretch = { begin_ns, end_ns };
  g_array_append_val (host_of (windows, host_id)->stretches, stretch);
}

void
loom_interval_set_seal (LoomIntervalSet *windows)
{
  for (guint i = 0; i < windows->n_hosts; i++) {
    HostWindows *host = &windows->hosts[i];
    LoomRange *stretches = (LoomRange *) host->stretches->data;
    sort_stretches (stretches, host->stretches->len);
    host->begin_ns = g_new (gint64, MAX (host->stretches->len, 1));
    host->end_ns = g_new (gint64, MAX (host->stretches->len, 1));
    for (guint k = 0; k < host->stretches->len; k++) {
      if (host->n > 0 && stretches[k].begin_ns <= host->end_ns[host->n - 1]) {
        host->end_ns[host->n - 1] = MAX (host->end_ns[host->n - 1], stretches[k].end_ns);
        continue;
      }
      host->begin_ns[host->n] = stretches[k].begin_ns;
      host->end_ns[host->n++] = stretches[k].end_ns;
    }
    g_clear_pointer (&host->stretches, g_array_unref);
  }
}

gboolean
loom_interval_set_is_empty (const LoomIntervalSet *windows)
{
  for (guint i = 0; i < windows->n_hosts; i++)
    if (windows->hosts[i].n > 0)
      return FALSE;
  return TRUE;
}

gboolean
loom_interval_set_touch (const LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns, gsize *near)
{
  const HostWindows *host = host_of (windows, host_id);
  *near = loom_statistics_first_at (host->end_ns, host->n, begin_ns, *near);
  return *near < host->n && host->begin_ns[*near] <= end_ns;
}
