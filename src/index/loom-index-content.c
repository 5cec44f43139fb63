/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of a trace that an index will contain. The interface is described in loom-index-content.h.
 */
#include "loom-index-content.h"

#include "loom-int64-hash.h"

static void
free_track (gpointer data)
{
  LoomIndexTrack *track = data;
  g_array_unref (track->spans);
  g_free (track);
}

/* Several threads make the index of a trace with at least this many spans. Shorter traces come in large numbers, and
 * each of them is read and indexed by a thread of its own. */
#define MANY_SPANS 100000u

guint
loom_index_content_get_n_threads (const LoomTrace *trace)
{
  return loom_trace_get_spans (trace)->n >= MANY_SPANS ? 0 : 1;
}

LoomIndexContent *
loom_index_content_alloc (LoomTrace *trace)
{
  LoomIndexContent *content = g_new0 (LoomIndexContent, 1);
  content->trace = loom_trace_ref (trace);
  content->tracks = g_ptr_array_new_with_free_func (free_track);
  content->meetings = g_array_new (FALSE, FALSE, sizeof (guint32));
  content->sums = g_array_new (FALSE, FALSE, sizeof (LoomIndexSum));
  content->step_numbers = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free);
  return content;
}

LoomIndexTrack *
loom_index_content_add_track (LoomIndexContent *content, guint32 track)
{
  LoomIndexTrack *kept = g_new0 (LoomIndexTrack, 1);
  kept->track = track;
  kept->spans = g_array_new (FALSE, FALSE, sizeof (LoomIndexSpan));
  g_ptr_array_add (content->tracks, kept);
  return kept;
}

void
loom_index_content_free (LoomIndexContent *content)
{
  if (content == NULL)
    return;
  g_ptr_array_unref (content->tracks);
  g_array_unref (content->meetings);
  g_array_unref (content->sums);
  g_hash_table_unref (content->step_numbers);
  g_clear_pointer (&content->restarts, g_byte_array_unref);
  loom_trace_unref (content->trace);
  g_free (content);
}
