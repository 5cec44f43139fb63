/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the keys that identify the series of SageMaker's system metrics. A key has the parts name,
 * dimension and node. In a merged timeline, these parts are joined to one text; loom_system_metric_key_split() splits
 * such a text. The functions have no side effects.
 */
#pragma once

#include <glib.h>

/* Returns the unit of a metric: "%", "B/s", "1/s" or "" (none). The text is static. */
const char *loom_system_metric_key_unit (const char *name, const char *dimension);

/* The parts of the key of a system metric. The strings are owned. */
typedef struct {
  char *name, *dimension, *node; /* for example "gpu0", "GPUUtilization" and "algo-1"; the dimension may be "" */
} LoomSystemMetricKey;

/* Splits the text "<name>_<dimension>_<node>" into a key. If the dimension is a known one, the second "_" may be
 * missing. Returns FALSE for any other text; `key` then need not be cleared. */
gboolean loom_system_metric_key_split (const char *text, LoomSystemMetricKey *key);
void loom_system_metric_key_clear (LoomSystemMetricKey *key);
