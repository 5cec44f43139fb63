/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of a Perfetto trace that stay in memory after its packets were read once. The interface is described in
 * loom-perfetto-trace.h.
 */
#include "loom-perfetto-trace.h"

#include "loom-perfetto-events.h"
#include "loom-perfetto-pairs.h"
#include "loom-perfetto-walk.h"

void
loom_perfetto_trace_free (LoomPerfettoTrace *self)
{
  if (self == NULL)
    return;
  loom_perfetto_packets_free_reader (self->begins);
  loom_perfetto_packets_free_reader (self->ends);
  loom_perfetto_packets_free (self->packets);
  loom_perfetto_texts_free (self->texts);
  loom_perfetto_clocks_free (self->clocks);
  loom_perfetto_tracks_free (self->tracks);
  loom_perfetto_looks_free (self->looks);
  g_array_unref (self->contexts);
  loom_perfetto_event_list_clear (&self->events);
  g_array_unref (self->survey.firsts);
  g_clear_pointer (&self->pack, loom_perfetto_pack_free);
  g_array_unref (self->samples);
  g_array_unref (self->tails);
  g_array_unref (self->arrows);
  g_array_unref (self->gaps);
  g_clear_pointer (&self->links, g_array_unref);
  g_free (self);
}

static LoomPerfettoTrace *
new_empty (LoomByteSource *file, guint64 n_bytes)
{
  LoomPerfettoTrace *self = g_new0 (LoomPerfettoTrace, 1);
  self->packets = loom_perfetto_packets_new (file, n_bytes);
  self->texts = loom_perfetto_texts_new ();
  self->clocks = loom_perfetto_clocks_new ();
  self->tracks = loom_perfetto_tracks_new ();
  self->looks = loom_perfetto_looks_new ();
  self->contexts = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoContext));
  loom_perfetto_event_list_init (&self->events);
  self->survey.firsts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->samples = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoSample));
  self->links = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoLink));
  self->tails = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoTail));
  self->arrows = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoArrow));
  self->gaps = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoGap));
  self->damage = self->full_at = G_MAXUINT64;
  self->n_bytes = n_bytes;
  self->begins = loom_perfetto_packets_new_reader (self->packets);
  self->ends = loom_perfetto_packets_new_reader (self->packets);
  return self;
}

LoomPerfettoTrace *
loom_perfetto_trace_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress, LoomMemoryBudget *budget)
{
  LoomPerfettoTrace *self = new_empty (file, n_bytes);
  if (!loom_perfetto_walk_run (self, progress, budget)) {
    loom_perfetto_trace_free (self);
    return NULL;
  }
  loom_perfetto_pairs_convert_times (self);
  loom_perfetto_pairs_find (self);
  loom_perfetto_pairs_link (self);
  loom_perfetto_pairs_add_up_samples (self);
  loom_perfetto_events_name_tracks (self);
  loom_perfetto_tracks_settle (self->tracks);
  self->n_events = self->events.len;
  return self;
}
