/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: appends events to a Perfetto trace while its packets are first read, and pairs those begin and
 * end events that can be paired by their order in the file.
 *
 * PyTorch writes all begin events of a group, and then all their end events in the same order. Other programs write
 * nested spans in the order of time, so that the first end event belongs to the last begin event. Therefore only two
 * kinds of groups are paired here: groups whose events are not in the order of time, and groups of one begin and one
 * end event.
 */
#pragma once

#include "loom-perfetto-walk.h"
#include "loom-time.h"

/* Records that event `number`, whose kind is not END, is the first event with the look `look` (a combination of name,
 * category, track and context, see loom-perfetto-looks.h). */
void loom_perfetto_groups_note_first (LoomPerfettoSurvey *survey, guint32 look, guint32 number);

static inline void
loom_perfetto_groups_survey (LoomPerfettoSurvey *survey, guint32 number, const LoomPerfettoEvent *event,
                             LoomPerfettoKind kind)
{
  gboolean is_out_of_range =
    loom_time_is_saturated (event->start_ns) ||
    (event->end_ns == G_MININT64 || (event->end_ns == G_MAXINT64 && kind != LOOM_PERFETTO_BEGIN));
  survey->is_unusual |= is_out_of_range || event->end_ns < event->start_ns;
  survey->n_unpaired += kind == LOOM_PERFETTO_BEGIN || kind == LOOM_PERFETTO_END || kind == LOOM_PERFETTO_STATE;
  if (kind == LOOM_PERFETTO_END)
    return;
  survey->n_plausible += event->start_ns >= LOOM_TIME_PLAUSIBLE_MIN && event->start_ns < LOOM_TIME_PLAUSIBLE_MAX;
  if (G_UNLIKELY (event->look >= survey->firsts->len ||
                  g_array_index (survey->firsts, guint32, event->look) == G_MAXUINT32))
    loom_perfetto_groups_note_first (survey, event->look, number);
}

/* `kind`: the kind of the event. It is a separate argument, because reading it from the event would be slow
 * (loom_perfetto_event_join_bits()). */
static inline void
loom_perfetto_groups_append (LoomPerfettoWalk *self, const LoomPerfettoEvent *event, LoomPerfettoKind kind)
{
  LoomPerfettoTrace *trace = self->trace;
  loom_perfetto_groups_survey (&trace->survey, trace->events.len, event, kind);
  loom_perfetto_event_list_append (&trace->events, event);
}

/* Must be called before a begin event of the sequence is appended. `time_ns`: time of the event, in ns of its clock. */
void loom_perfetto_groups_note_begin (LoomPerfettoWalk *self, const LoomPerfettoSequence *sequence, gint64 time_ns);
/* Must be called after an end event of the sequence was appended. If this event completes a group, pairs the events of
 * the group. `n_links`: number of links that the trace had before the links of this event were added. */
void loom_perfetto_groups_note_end (LoomPerfettoWalk *self, const LoomPerfettoSequence *sequence, guint n_links);
