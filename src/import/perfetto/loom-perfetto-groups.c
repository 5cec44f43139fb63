/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs begin and end events of a Perfetto trace by their order in the file. The interface is described in
 * loom-perfetto-groups.h.
 */
#include "loom-perfetto-groups.h"

void
loom_perfetto_groups_note_first (LoomPerfettoSurvey *survey, guint32 look, guint32 number)
{
  const guint32 none = G_MAXUINT32;
  while (survey->firsts->len <= look)
    g_array_append_val (survey->firsts, none);
  g_array_index (survey->firsts, guint32, look) = number;
}

void
loom_perfetto_groups_note_begin (LoomPerfettoWalk *self, const LoomPerfettoSequence *sequence, gint64 time_ns)
{
  LoomPerfettoGroup *group = &self->group;
  guint32 event = self->trace->events.len;
  if (group->sequence != sequence || group->n_ends > 0 || event != group->first + group->n_begins) {
    *group = (LoomPerfettoGroup) { .sequence = sequence, .first = event, .n_begins = 1, .is_in_order = TRUE };
    return;
  }
  group->is_in_order &= time_ns >= loom_perfetto_trace_get_event (self->trace, event - 1)->start_ns;
  group->n_begins++;
}

/* Pairs the begin events of the group with its end events: the first one with the first one, and so on. Removes the end
 * events from the events of the trace, because each begin event has now become a span. */
static void
pair_group (LoomPerfettoWalk *self)
{
  LoomPerfettoTrace *trace = self->trace;
  LoomPerfettoGroup *group = &self->group;
  for (guint32 i = 0; i < group->n_begins; i++) {
    LoomPerfettoEvent *begin = loom_perfetto_trace_get_event (trace, group->first + i);
    const LoomPerfettoEvent *end = loom_perfetto_trace_get_event (trace, group->first + group->n_begins + i);
    LoomPerfettoTail tail = { group->first + i, end->place };
    begin->kind = LOOM_PERFETTO_SPAN;
    begin->is_paired = TRUE;
    begin->end_ns = end->start_ns;
    begin->has_tail = end->is_told;
    if (end->is_told)
      g_array_append_val (trace->tails, tail);
  }
  for (guint i = group->first_link; i < trace->links->len; i++)
    g_array_index (trace->links, LoomPerfettoLink, i).event -= group->n_begins;
  trace->events.len = group->first + group->n_begins;
  trace->survey.n_unpaired -= 2 * (guint64) group->n_begins;
  trace->is_pytorch |= group->n_begins > 1;
  group->sequence = NULL;
}

static gboolean
has_same_place (const LoomPerfettoTrace *trace, const LoomPerfettoEvent *begin, const LoomPerfettoEvent *end)
{
  const LoomPerfettoLook *a = loom_perfetto_looks_get (trace->looks, begin->look),
                         *b = loom_perfetto_looks_get (trace->looks, end->look);
  return a->track == b->track && a->context == b->context;
}

void
loom_perfetto_groups_note_end (LoomPerfettoWalk *self, const LoomPerfettoSequence *sequence, guint n_links)
{
  LoomPerfettoTrace *trace = self->trace;
  LoomPerfettoGroup *group = &self->group;
  guint32 event = trace->events.len - 1;
  const LoomPerfettoEvent *end = loom_perfetto_trace_get_event (trace, event),
                          *begin = loom_perfetto_trace_get_event (trace, group->first + group->n_ends);
  if (group->sequence != sequence || event != group->first + group->n_begins + group->n_ends ||
      !has_same_place (trace, begin, end) || begin->start_ns > end->start_ns) {
    group->sequence = NULL;
    return;
  }
  if (group->n_ends == 0)
    group->first_link = n_links;
  group->is_in_order &= end->start_ns >= loom_perfetto_trace_get_event (trace, event - 1)->start_ns;
  group->n_ends++;
  if (group->n_ends < group->n_begins)
    return;
  if (group->n_begins == 1 || !group->is_in_order)
    pair_group (self);
  group->sequence = NULL;
}
