/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs made of sources that say no more than their clock and one or two events.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-trace-builder.h"

#define BASE_NS (G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S)

typedef struct {
  const char *path;   /* NULL: "a.json" */
  const char *format; /* NULL: as a source begins */
  gint rank;
  LoomClockState state;
  gint64 start_ns, dur_ns; /* of its only span, relative to BASE_NS unless the state is NONE */
  const char *group;       /* NULL: no sync group */
  const char *cycle;
  gint order;
  gboolean has_sync;
  gint64 sync_ns, error_ns; /* sync relative to BASE_NS */
} ClockCase;

LoomRun *clock_run_new (const ClockCase *cases, guint n);

gboolean clock_has_notice (const LoomAlignment *alignment, const char *part);
