/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds runs of minimal sources: a clock and one or two events each.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-trace-builder.h"

#define BASE_NS (G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S)

typedef struct {
  const char *path;   /* NULL means "a.json" */
  const char *format; /* NULL means the default of a new source */
  gint rank;
  LoomClockState state;
  gint64 start_ns, dur_ns; /* times of the only span of the source, relative to BASE_NS unless `state` is NONE */
  const char *group;       /* NULL: no sync group */
  const char *cycle;
  gint order;
  gboolean has_sync;
  gint64 sync_ns, error_ns; /* `sync_ns` is relative to BASE_NS */
} ClockCase;

LoomRun *clock_run_new (const ClockCase *cases, guint n);

gboolean clock_has_notice (const LoomAlignment *alignment, const char *part);
