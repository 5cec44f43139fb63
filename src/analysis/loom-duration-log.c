/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-duration-log.h"

#include <string.h>

void
loom_duration_log_make_room (LoomDurationLog *kept, gsize n)
{
  if (kept->size - kept->n >= n)
    return;
  kept->size = MAX (kept->size * 2, kept->n + n);
  kept->key = g_renew (guint32, kept->key, kept->size);
  kept->dur_ns = g_renew (gint64, kept->dur_ns, kept->size);
}

void
loom_duration_log_clear (LoomDurationLog *kept)
{
  g_clear_pointer (&kept->key, g_free);
  g_clear_pointer (&kept->dur_ns, g_free);
  kept->n = kept->size = 0;
}

gint64 *
loom_duration_log_group (const LoomDurationLog *logs, gsize stride, guint n_logs, gsize n_keys, gsize *first)
{
  memset (first, 0, (n_keys + 1) * sizeof *first);
#define LOG(i) ((const LoomDurationLog *) (gconstpointer) ((const char *) logs + (i) *stride))
  for (guint w = 0; w < n_logs; w++)
    for (gsize i = 0; i < LOG (w)->n; i++)
      first[LOG (w)->key[i] + 1]++;
  for (gsize k = 0; k < n_keys; k++)
    first[k + 1] += first[k];
  gint64 *values = g_new (gint64, MAX (first[n_keys], 1));
  for (guint w = 0; w < n_logs; w++)
    for (gsize i = 0; i < LOG (w)->n; i++)
      values[first[LOG (w)->key[i]]++] = LOG (w)->dur_ns[i];
#undef LOG
  memmove (first + 1, first, n_keys * sizeof *first);
  first[0] = 0;
  return values;
}
