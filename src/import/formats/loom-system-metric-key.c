/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys that identify the series of SageMaker's system metrics. The interface is described in
 * loom-system-metric-key.h.
 */
#include "loom-system-metric-key.h"

#include <string.h>

/* `dimensions`: all known dimensions; `whole_names`: the names of metrics that exist in only one dimension */
static const char *const dimensions[] = {
  "CPUUtilization", "I/OWaitPercentage", "GPUUtilization", "GPUMemoryUtilization", "Algorithm", "Platform", NULL
};
static const char *const whole_names[] = { "MemoryUsedPercent", "IOPS", "ReadThroughputInBytesPerSecond",
                                           "WriteThroughputInBytesPerSecond", NULL };

const char *
loom_system_metric_key_unit (const char *name, const char *dimension)
{
  const char *text = dimension[0] != '\0' ? dimension : name;
  if (strstr (text, "BytesPerSecond") != NULL || strstr (name, "BytesPerSecond") != NULL)
    return "B/s";
  if (strstr (text, "Utilization") != NULL || strstr (text, "Percent") != NULL)
    return "%";
  return strcmp (name, "IOPS") == 0 ? "1/s" : "";
}

/* Splits `head`, the text of a key before its last "_", into name and dimension. Returns FALSE if `head` is
 * malformed. */
static gboolean
split_head (const char *head, LoomSystemMetricKey *key)
{
  const char *before = strrchr (head, '_');
  if (before == NULL || before == head || (before[1] != '\0' && !g_strv_contains (dimensions, before + 1)))
    return FALSE;
  key->name = g_strndup (head, (gsize) (before - head));
  key->dimension = g_strdup (before + 1);
  return TRUE;
}

/* Returns the known dimension at the beginning of `tail`, if the name of a node follows it; otherwise NULL. */
static const char *
find_dimension (const char *tail)
{
  for (guint i = 0; dimensions[i] != NULL; i++)
    if (g_str_has_prefix (tail, dimensions[i]) && tail[strlen (dimensions[i])] != '\0')
      return dimensions[i];
  return NULL;
}

gboolean
loom_system_metric_key_split (const char *text, LoomSystemMetricKey *key)
{
  const char *last = strrchr (text, '_'), *joined;
  if (last == NULL || last == text || last[1] == '\0')
    return FALSE;
  g_autofree char *head = g_strndup (text, (gsize) (last - text));
  if (split_head (head, key)) {
    key->node = g_strdup (last + 1);
    return TRUE;
  }
  joined = find_dimension (last + 1);
  if (joined == NULL && !g_strv_contains (whole_names, head))
    return FALSE;
  key->name = g_steal_pointer (&head);
  key->dimension = g_strdup (joined != NULL ? joined : "");
  key->node = g_strdup (last + 1 + strlen (key->dimension));
  return TRUE;
}

void
loom_system_metric_key_clear (LoomSystemMetricKey *key)
{
  g_clear_pointer (&key->name, g_free);
  g_clear_pointer (&key->dimension, g_free);
  g_clear_pointer (&key->node, g_free);
}
