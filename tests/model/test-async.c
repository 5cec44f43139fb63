/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests async events, which do not belong to a thread and may overlap: both kinds of the format, events without a
 * partner, and rows, in which they must not overlap.
 */
#include "fixture.h"

#include <string.h>

/* Adds async events from a text such as "b k req 0; e k req 5": phase, key, name, time. */
static void
feed (Fixture *fixture, guint32 process, const char *script)
{
  g_auto (GStrv) lines = g_strsplit (script, ";", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", -1);
    guint32 key = loom_trace_builder_key (fixture->builder, words[1], strlen (words[1]));
    guint32 name = strcmp (words[2], "-") == 0 ? 0 : fixture_name (fixture, words[2]);
    loom_trace_builder_async (fixture->builder, process, words[0][0], key, g_ascii_strtoll (words[3], NULL, 10), name,
                              fixture_ref (fixture));
  }
}

typedef struct {
  const char *name;
  const char *script;
  const char *expected; /* expected rows of all tracks, joined by " / " */
  guint64 n_orphans, n_open;
} Case;

static const Case cases[] = {
  { "pair", "b 1 req 0; e 1 req 5", "0.0: req[0+5]", 0, 0 },
  { "two-ids-overlap", "b 1 req 0; b 2 req 2; e 1 req 5; e 2 req 9", "0.0: req[0+5] | 0.1: req[2+7]", 0, 0 },
  { "two-ids-in-turn", "b 1 req 0; e 1 req 5; b 2 req 5; e 2 req 9", "0.0: req[0+5] req[5+4]", 0, 0 },
  { "lowest-free-row", "b 1 r 0; b 2 r 1; b 3 r 2; e 1 r 4; b 4 r 4; e 2 r 5; e 3 r 6; e 4 r 7",
    "0.0: r[0+4] r[4+3] | 0.1: r[1+4] | 0.2: r[2+4]", 0, 0 },
  { "nested", "b 1 out 0; b 1 in 2; e 1 in 4; e 1 out 9", "0.0: in[2+2] / 0.0: out[0+9]", 0, 0 },
  { "outer-end-closes-inner", "b 1 out 0; b 1 in 2; e 1 out 9", "0.0: in[2+7] / 0.0: out[0+9]", 0, 0 },
  { "nameless-end", "b 1 out 0; b 1 in 2; e 1 - 4; e 1 - 9", "0.0: in[2+2] / 0.0: out[0+9]", 0, 0 },
  { "end-without-begin", "n 1 mark 3; e 1 req 9", "0.0: mark[3np] / 0.0: req[3+6]", 1, 0 },
  { "begin-without-end", "b 1 req 3; n 1 mark 9", "0.0: mark[9np] / 0.0: req[3+6]!", 0, 1 },
  { "old-pair", "S 1 req 0; F 1 req 5", "0.0: req[0+5]", 0, 0 },
  { "old-steps", "S 1 req 0; T 1 req 2; p 1 req 3; F 1 req 5", "0.0: req[2Tp] req[3pp] / 0.0: req[0+5]", 0, 0 },
  { "old-finish-only", "F 1 req 5; S 2 req 6; F 2 req 7", "0.0: req[6+1]", 1, 0 },
  { "old-start-only", "S 1 req 0; S 2 req 3; F 2 req 50", "0.0: req[0+50]! | 0.1: req[3+47]", 0, 1 },
  { "step-only", "T 1 req 5", "0.0: req[5Tp]", 1, 0 },
  { "unsorted", "e 1 req 5; b 1 req 0", "0.0: req[0+5]", 0, 0 },
  { "equal-time-file-order", "b 1 a 5; e 1 a 5; b 1 a 5; e 1 a 7", "0.0: a[5+2] | 0.1: a[5+0]", 0, 0 },
};

static char *
draw_all (const LoomTrace *trace)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    g_autofree char *drawn = fixture_draw (trace, i);
    g_string_append_printf (out, "%s%s", i > 0 ? " / " : "", drawn);
  }
  return g_string_free (out, FALSE);
}

static void
test_case (gconstpointer data)
{
  const Case *async = data;
  Fixture fixture;
  fixture_init (&fixture);
  feed (&fixture, 0, async->script);
  fixture_freeze (&fixture);
  g_autofree char *drawn = draw_all (fixture.trace);
  g_assert_cmpstr (drawn, ==, async->expected);
  g_assert_cmpuint (fixture_count (fixture.trace, "orphan-async"), ==, async->n_orphans);
  g_assert_cmpuint (fixture_count (fixture.trace, "open-async"), ==, async->n_open);
  fixture_clear (&fixture);
}

/* A span belongs to the process of its begin event; an old-style start event without a finish event lasts until the end
 * of its source. */
static void
test_processes (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 other = loom_trace_builder_process (fixture.builder, 0, "8", 1);
  feed (&fixture, 0, "b 1 req 0; S 9 old 2");
  feed (&fixture, other, "e 1 req 5; b 2 req 6; e 2 req 7");
  fixture_feed (&fixture, 0, "X work 0 30");
  fixture_freeze (&fixture);
  g_autofree char *drawn = draw_all (fixture.trace);
  g_assert_cmpstr (drawn, ==, "0.0: old[2+28]! / 0.0: req[0+5] / 0.0: work[0+30] / 0.0: req[6+1]");
  const LoomTrack *track = loom_trace_get_track (fixture.trace, 1);
  g_assert_cmpint (track->kind, ==, LOOM_TRACK_ASYNC);
  g_assert_cmpstr (track->name, ==, "req");
  g_assert_cmpstr (track->thread, ==, "");
  g_assert_cmpuint (track->thread_id, ==, G_MAXUINT32);
  fixture_clear (&fixture);
}

static void
test_end_refs (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  feed (&fixture, 0, "b 1 req 0; n 1 x 1; e 1 req 5");
  fixture_freeze (&fixture);
  guint track = fixture_find (fixture.trace, LOOM_TRACK_ASYNC, NULL, "req");
  guint32 span = loom_trace_get_row (fixture.trace, loom_trace_get_track (fixture.trace, track)->first_row)->first;
  g_assert_cmpuint (loom_source_ref_offset (loom_trace_get_end_ref (fixture.trace, span)), ==, 2);
  g_assert_false (loom_trace_span_is_instant (fixture.trace, span));
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/model/async/", cases[i].name, NULL);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  g_test_add_func ("/model/async/processes", test_processes);
  g_test_add_func ("/model/async/end-refs", test_end_refs);
  return g_test_run ();
}
