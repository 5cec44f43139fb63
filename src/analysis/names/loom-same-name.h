/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans of a run that have the same name as a given span and are comparable with it: spans on devices are
 * compared only with spans on devices, and spans on hosts only with spans on hosts. Any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  LoomRun *run; /* borrowed */
  LoomSpanId span;
  const LoomName *name;   /* name of the span */
  const LoomTrack *track; /* track of the span */
} LoomSameName;

/* `span` must not be an instant. Everything in the result is borrowed from the timeline. O(log spans). */
LoomSameName loom_same_name (LoomTimeline *timeline, LoomSpanId span);

/* Returns an array with one element for each name id of the trace: TRUE if the name has the same text. It makes a
 * comparison of texts for each span unnecessary. Owned by the caller. O(names). */
guint8 *loom_same_name_list_ids (const LoomSameName *self, const LoomTrace *trace);

/* Returns TRUE if the spans on `track` are comparable with the given span. */
gboolean loom_same_name_is_comparable (const LoomSameName *self, const LoomTrack *track);
