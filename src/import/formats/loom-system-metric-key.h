/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: names of the series of SageMaker's system metrics, in parts or, in a merged timeline, as one text.
 * No side effects.
 */
#pragma once

#include <glib.h>

/* Returns the unit of a metric: "%", "B/s", "1/s" or "". Static. */
const char *loom_system_metric_key_unit (const char *name, const char *dimension);

/* The parts of the key of a system metric. The strings are owned. */
typedef struct {
  char *name, *dimension, *node; /* such as "gpu0", "GPUUtilization", "algo-1"; the dimension may be "" */
} LoomSystemMetricKey;

/* Splits "<name>_<dimension>_<node>"; the second "_" may be missing if the dimension is a known one. Returns FALSE for
 * any other text; there is then nothing to clear. */
gboolean loom_system_metric_key_split (const char *text, LoomSystemMetricKey *key);
void loom_system_metric_key_clear (LoomSystemMetricKey *key);
