/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes the statistics of the events of an XSpace as args. loom-xplane-measure.c computes the
 * lengths of most of this text without writing it, so both files must be changed together.
 */
#pragma once

#include "loom-xplane-space.h"

/* If the statistics of an event have more than this number of bytes, the names of its args are kept in a set. Otherwise
 * the text is searched for each name; for many statistics this would take quadratic time. */
#define LOOM_XPLANE_FEW_STAT_BYTES 2048

typedef struct {
  gint64 name_id, offset_ps, duration_ps;
  gboolean is_aggregated, is_damaged;
  const guint8 *begin, *end;
} LoomXplaneEvent;

/* Appends the args of an event: its statistics, the statistics of its metadata and, if its duration is not a whole
 * number of nanoseconds, the duration. If a name occurs several times, appends only the first arg with this name.
 * `known`: data from the metadata; NULL: the event has none. `text` must end with the brace that begins the args. */
void loom_xplane_args_append (const LoomXplane *plane, const LoomXplaneEvent *event, const LoomXplaneName *known,
                              GString *text);
/* Appends the value of a statistic as JSON. */
void loom_xplane_args_append_value (const LoomXplane *plane, const LoomProtoField *value, GString *text);
/* Appends the details of a kernel or copy as args with the names that PyTorch's profiler uses. Appends nothing if the
 * statistic with this name and value has no such details. */
void loom_xplane_args_append_details (const LoomXplane *plane, const char *name, const LoomProtoField *value,
                                      GString *text);
void loom_xplane_args_append_unsigned (GString *text, guint64 value);
