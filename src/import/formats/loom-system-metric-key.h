/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: how a series of system metrics is called (formats/system-metrics.md §2), in parts or, in a merged
 * timeline, as one text (formats/merged-timeline.md §6). Pure.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "%", "B/s", "1/s" or "": static. */
const char *loom_system_metric_key_unit (const char *name, const char *dimension);

/* Owned. */
typedef struct {
  char *name, *dimension, *node; /* "gpu0", "GPUUtilization", "algo-1"; the dimension may be "" */
} LoomSystemMetricKey;

/* Reads "<name>_<dimension>_<node>", and without the second "_" what is left of it where the dimension is a known one. FALSE,
 * with nothing to clear, for any other text. */
gboolean loom_system_metric_key_split (const char *text, LoomSystemMetricKey *key);
void loom_system_metric_key_clear (LoomSystemMetricKey *key);

G_END_DECLS
