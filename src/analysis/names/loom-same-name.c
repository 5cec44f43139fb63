/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-same-name.h"

#include <string.h>

LoomSameName
loom_same_name (LoomTimeline *timeline, LoomSpanId span)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomTrace *trace = loom_run_get_trace (run, span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  return (LoomSameName) { run, span, loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span]),
                          loom_trace_get_track (trace, track) };
}

guint8 *
loom_same_name_list_ids (const LoomSameName *self, const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  guint8 *same = g_new0 (guint8, (gsize) n + 1);
  for (guint i = 0; i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    same[i] = name->text_hash == self->name->text_hash && strcmp (name->text, self->name->text) == 0;
  }
  return same;
}

gboolean
loom_same_name_is_comparable (const LoomSameName *self, const LoomTrack *track)
{
  return track->kind == self->track->kind &&
         ((track->flags ^ self->track->flags) & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) == 0;
}
