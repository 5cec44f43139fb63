/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds runs for tests of clocks. Each source of a run has a clock and only one or two events.
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
  gint64 start_ns, dur_ns; /* begin and duration of the only span of the source; `start_ns` is relative to BASE_NS
                            * unless `state` is NONE */
  const char *group;       /* name of the sync group, a set of sources whose `sync_ns` are the same moment; NULL:
                            * none */
  const char *cycle;
  const char *domain; /* name of the clock that counts from the boot of a host; NULL: none */
  gint order;
  gboolean has_sync;
  gint64 sync_ns, error_ns; /* `sync_ns` is relative to BASE_NS */
} ClockCase;

LoomRun *clock_run_new (const ClockCase *cases, guint n);

gboolean clock_has_notice (const LoomAlignment *alignment, const char *part);
