/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-filter.h"

#include "loom-track-label.h"

#include <glib/gi18n.h>
#include <string.h>

void
loom_event_filter_init (LoomEventFilter *match, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text != NULL ? text : "", -1);
  g_auto (GStrv) parts = g_strsplit_set (folded, " \t\n", -1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  *match = (LoomEventFilter) { 0 };
  guint n = 0;
  for (guint i = 0; parts[i] != NULL && n < LOOM_EVENT_FILTER_MOST; i++)
    if (*parts[i] != '\0') {
      g_strv_builder_add (words, parts[i]);
      match->all |= 1u << n++;
    }
  match->words = g_strv_builder_end (words);
}

void
loom_event_filter_clear (LoomEventFilter *match)
{
  g_clear_pointer (&match->words, g_strfreev);
}

guint32
loom_event_filter_text (const LoomEventFilter *match, const char *text)
{
  if (match->all == 0 || text == NULL || *text == '\0')
    return 0;
  g_autofree char *folded = g_utf8_casefold (text, -1);
  guint32 found = 0;
  for (guint i = 0; match->words[i] != NULL; i++)
    if (strstr (folded, match->words[i]) != NULL)
      found |= 1u << i;
  return found;
}

guint32
loom_event_filter_track (const LoomEventFilter *match, const LoomTrack *track, const char *name)
{
  g_autofree char *rank =
    /* the text "rank …" is searched, too, because the table of events shows it */
    track->rank >= 0 ? g_strdup_printf (_ ("rank %d"), track->rank) : NULL;
  g_autofree char *process = loom_track_label_dup_process (track), *thread = loom_track_label_dup_thread (track);
  return loom_event_filter_text (match, track->node) | loom_event_filter_text (match, rank) |
         loom_event_filter_text (match, process) | loom_event_filter_text (match, thread) |
         loom_event_filter_text (match, track->name) | loom_event_filter_text (match, name);
}

guint32 *
loom_event_filter_names (const LoomEventFilter *match, const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  guint32 *found = g_new0 (guint32, MAX (n, 1));
  for (guint i = 0; i < n && match->all != 0; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    found[i] = loom_event_filter_text (match, name->text) | loom_event_filter_text (match, name->category);
  }
  return found;
}
