/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <string.h>

LoomTraceBuilder *
fixture_new_builder (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("a.json"), clock);
  guint32 process = loom_trace_builder_process (builder, source, "7", 1);
  loom_trace_builder_thread (builder, process, "1", 1);
  return builder;
}

void
fixture_init (Fixture *fixture)
{
  *fixture = (Fixture) { .builder = fixture_new_builder () };
}

void
fixture_clear (Fixture *fixture)
{
  g_clear_pointer (&fixture->builder, loom_trace_builder_free);
  g_clear_pointer (&fixture->trace, loom_trace_unref);
}

guint32
fixture_name (Fixture *fixture, const char *text)
{
  const char *colon = strchr (text, ':');
  const char *name = colon != NULL ? colon + 1 : text;
  gsize category_length = colon != NULL ? (gsize) (colon - text) : 0;
  return loom_trace_builder_name (fixture->builder, name, strlen (name), text, category_length, "", 0);
}

LoomRef
fixture_ref (Fixture *fixture)
{
  return loom_source_ref_make (fixture->source, 0, fixture->n_fed++);
}

static void
feed_one (Fixture *fixture, guint32 thread, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_assert_cmpuint (g_strv_length (words), >=, 3);
  guint32 name = strcmp (words[1], "-") == 0 ? 0 : fixture_name (fixture, words[1]);
  gint64 time_ns = g_ascii_strtoll (words[2], NULL, 10);
  if (words[0][0] == 'X') {
    gint64 dur_ns = strcmp (words[3], "open") == 0 ? LOOM_DUR_OPEN : g_ascii_strtoll (words[3], NULL, 10);
    loom_trace_builder_span (fixture->builder, thread, time_ns, dur_ns, name, fixture_ref (fixture));
  } else if (words[0][0] == 'B') {
    loom_trace_builder_begin (fixture->builder, thread, time_ns, name, fixture_ref (fixture));
  } else {
    loom_trace_builder_end (fixture->builder, thread, time_ns, name, fixture_ref (fixture), words[0][1] == '+');
  }
}

void
fixture_feed (Fixture *fixture, guint32 thread, const char *script)
{
  g_auto (GStrv) lines = g_strsplit (script, ";", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    feed_one (fixture, thread, g_strstrip (lines[i]));
}

void
fixture_freeze (Fixture *fixture)
{
  fixture->trace = loom_trace_builder_freeze (g_steal_pointer (&fixture->builder), 2, NULL);
  g_assert_nonnull (fixture->trace);
}

static void
draw_row (const LoomTrace *trace, const LoomRow *row, GString *out)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_string_append_printf (out, "%s%u.%u:", out->len > 0 ? " | " : "", row->lane, row->depth);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    g_string_append_printf (out, " %s[%" G_GINT64_FORMAT, loom_trace_get_name (trace, spans->name_id[i])->text,
                            spans->start_ns[i]);
    if (loom_trace_span_is_instant (trace, i))
      g_string_append_printf (out, "%c%c]", LOOM_INSTANT_PHASE (spans->dur_ns[i]),
                              LOOM_INSTANT_SCOPE (spans->dur_ns[i]));
    else
      g_string_append_printf (out, "+%" G_GINT64_FORMAT "]", spans->dur_ns[i]);
    if (loom_source_ref_flags (spans->ref[i]) & LOOM_REF_OPEN)
      g_string_append_c (out, '!');
  }
}

char *
fixture_draw (const LoomTrace *trace, guint track)
{
  GString *out = g_string_new (NULL);
  if (track < loom_trace_get_n_tracks (trace)) {
    const LoomTrack *drawn = loom_trace_get_track (trace, track);
    for (guint row = drawn->first_row; row < drawn->first_row + drawn->n_rows; row++)
      draw_row (trace, loom_trace_get_row (trace, row), out);
  }
  return g_string_free (out, FALSE);
}

guint
fixture_find (const LoomTrace *trace, LoomTrackKind kind, const char *thread_key, const char *name)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != kind || (thread_key != NULL && strcmp (track->thread_key, thread_key) != 0))
      continue;
    if (name == NULL || strcmp (track->name, name) == 0)
      return i;
  }
  g_error ("no %s track of thread %s named %s", loom_trace_track_kind_to_string (kind), thread_key, name);
}

guint64
fixture_count (const LoomTrace *trace, const char *code)
{
  guint64 n = 0;
  for (guint s = 0; s < loom_trace_get_n_sources (trace); s++) {
    const LoomImportLog *log = loom_trace_get_source (trace, s)->log;
    for (guint i = 0; i < loom_import_log_get_n_problems (log); i++) {
      const LoomProblem *problem = loom_import_log_get_problem (log, i);
      n += strcmp (problem->code, code) == 0 ? problem->count : 0;
    }
  }
  return n;
}
