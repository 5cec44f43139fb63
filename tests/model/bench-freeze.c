/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the time and memory of adding events to a trace builder and of freezing (sorting into columns) for several
 * kinds of input. Arguments: number of spans, number of lanes, kind of input (sorted, ends, pairs, shuffled, overlap,
 * flows), number of threads.
 */
#include "loom-row-summary.h"
#include "loom-trace-builder.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
  gint64 start_ns, dur_ns;
} Span;

static GRand *dice;

/* Generates `n` nested spans in the order of their start, with at most 8 levels. */
static void
grow (GArray *spans, gint64 begin_ns, gint64 end_ns, guint depth, guint n)
{
  while (begin_ns < end_ns && spans->len < n) {
    gint64 room_ns = end_ns - begin_ns;
    Span span = { begin_ns, room_ns <= 4 ? room_ns : g_rand_int_range (dice, 1, (gint32) MIN (room_ns, 100000)) };
    g_array_append_val (spans, span);
    if (depth < 8 && span.dur_ns > 100 && g_rand_int_range (dice, 0, 4) > 0)
      grow (spans, begin_ns + 1, begin_ns + span.dur_ns - 1, depth + 1, n);
    begin_ns += span.dur_ns + g_rand_int_range (dice, 0, 50);
  }
}

static int
by_end (gconstpointer a, gconstpointer b)
{
  const Span *first = a, *second = b;
  gint64 difference = first->start_ns + first->dur_ns - second->start_ns - second->dur_ns;
  return difference != 0 ? (difference < 0 ? -1 : 1) : first->start_ns > second->start_ns ? -1 : 1;
}

static void
arrange (GArray *spans, const char *shape)
{
  if (strcmp (shape, "ends") == 0)
    g_array_sort (spans, by_end);
  for (guint i = spans->len; strcmp (shape, "shuffled") == 0 && i-- > 1;) {
    Span *a = &g_array_index (spans, Span, i), *b = &g_array_index (spans, Span, g_rand_int (dice) % (i + 1)),
         swap = *a;
    *a = *b;
    *b = swap;
  }
  for (guint i = 0; strcmp (shape, "overlap") == 0 && i < spans->len; i++)
    g_array_index (spans, Span, i).dur_ns = g_rand_int_range (dice, 0, 20000);
}

typedef struct {
  LoomTraceBuilder *builder;
  const guint32 *names;
  guint64 offset;
  const char *shape;
  guint32 series;
} Feed;

static void
feed_pairs (Feed *feed, guint32 thread, const GArray *spans)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Span));
  for (guint i = 0; i <= spans->len; i++) {
    const Span *next = i < spans->len ? &g_array_index (spans, Span, i) : NULL;
    while (open->len > 0) {
      const Span *top = &g_array_index (open, Span, open->len - 1);
      if (next != NULL && top->start_ns + top->dur_ns > next->start_ns)
        break;
      loom_trace_builder_end (feed->builder, thread, top->start_ns + top->dur_ns, 0,
                              loom_source_ref_make (0, 0, feed->offset += 80), FALSE);
      g_array_set_size (open, open->len - 1);
    }
    if (next == NULL)
      break;
    loom_trace_builder_begin (feed->builder, thread, next->start_ns, feed->names[i % 1000],
                              loom_source_ref_make (0, 0, feed->offset += 80));
    g_array_append_vals (open, next, 1);
  }
}

static void
feed_lane (Feed *feed, guint32 thread, const GArray *spans)
{
  if (strcmp (feed->shape, "pairs") == 0) {
    feed_pairs (feed, thread, spans);
    return;
  }
  for (guint i = 0; i < spans->len; i++) {
    const Span *span = &g_array_index (spans, Span, i);
    LoomRef ref = loom_source_ref_make (0, 0, feed->offset += 150);
    loom_trace_builder_span (feed->builder, thread, span->start_ns, span->dur_ns, feed->names[i % 1000], ref);
    if (strcmp (feed->shape, "flows") == 0 && i % 4 == 0) {
      char id[32];
      gsize length = (gsize) g_snprintf (id, sizeof id, "ac2g %u", (thread / 2) * 1000003 + i);
      loom_trace_builder_flow (feed->builder, thread, thread % 2 == 0 ? 's' : 'f', TRUE, span->start_ns,
                               loom_string_pool_hash (id, length), 1, ref);
    }
  }
}

static double
seconds_since (gint64 start_us)
{
  return (double) (g_get_monotonic_time () - start_us) / 1e6;
}

static double
peak_mib (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss / 1024;
}

static double
resident_mib (void)
{
  gulong total = 0, resident = 0;
  FILE *file = fopen ("/proc/self/statm", "r");
  if (file != NULL && fscanf (file, "%lu %lu", &total, &resident) != 2)
    resident = 0;
  if (file != NULL)
    fclose (file);
  return (double) resident * 4 / 1024;
}

/* Measures summaries of all rows for a view of 1,920 pixels that shows 1/`zoom` of each row. */
static void
measure_summaries (const LoomTrace *trace, guint zoom)
{
  gint64 start_us = g_get_monotonic_time ();
  guint64 n = 0;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    gint64 length_ns = (track->end_ns - track->start_ns) / zoom, begin_ns = track->start_ns + length_ns * (zoom / 2);
    for (guint row = track->first_row; row < track->first_row + track->n_rows; row++) {
      gint64 edges_ns[1921];
      LoomSpanSummary summaries[1920];
      for (guint e = 0; e < G_N_ELEMENTS (edges_ns); e++)
        edges_ns[e] = begin_ns + length_ns * e / 1920;
      loom_row_summary_add_many (trace, loom_trace_get_row (trace, row), edges_ns, 1920, summaries);
      n += 1920;
    }
  }
  double seconds = seconds_since (start_us);
  printf ("summaries   %8.3f s, %.0f ns per pixel of all rows, 1/%u in view\n", seconds, seconds * 1e9 / (double) n,
          zoom);
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : 1000000;
  guint n_lanes = argc > 2 ? (guint) g_ascii_strtoull (argv[2], NULL, 10) : 64;
  Feed feed = { .builder = loom_trace_builder_new (), .shape = argc > 3 ? argv[3] : "sorted" };
  guint n_threads = argc > 4 ? (guint) g_ascii_strtoull (argv[4], NULL, 10) : 0;
  guint32 names[1000];
  dice = g_rand_new_with_seed (7);
  loom_trace_builder_add_source (feed.builder, loom_source_new ("bench.json"),
                                 loom_trace_builder_add_clock (feed.builder));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *text = g_strdup_printf ("aten::operator_%u", i);
    names[i] = loom_trace_builder_name (feed.builder, text, strlen (text), "cpu_op", 6, "", 0);
  }
  feed.names = names;
  double feeding = 0;
  for (guint lane = 0; lane < n_lanes; lane++) {
    g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));
    grow (spans, 0, G_MAXINT64 / 4, 0, n / n_lanes);
    arrange (spans, feed.shape);
    g_autofree char *key = g_strdup_printf ("%u", lane);
    guint32 process = loom_trace_builder_process (feed.builder, 0, "1", 1);
    gint64 start_us = g_get_monotonic_time ();
    feed_lane (&feed, loom_trace_builder_thread (feed.builder, process, key, strlen (key)), spans);
    feeding += seconds_since (start_us);
  }
  guint64 n_events = loom_trace_builder_get_n_events (feed.builder);
  printf ("%s: %" G_GUINT64_FORMAT " events\nfeeding     %8.3f s, %.0f MiB resident\n", feed.shape, n_events, feeding,
          resident_mib ());
  gint64 start_us = g_get_monotonic_time ();
  LoomTrace *trace = loom_trace_builder_freeze (feed.builder, n_threads, NULL);
  double freezing = seconds_since (start_us);
  guint32 n_spans = loom_trace_get_spans (trace)->n;
  printf ("freezing    %8.3f s, %.1f bytes per span peak, %.1f at rest, %.2f held, %u rows\n", freezing,
          peak_mib () * 1048576 / n_spans, resident_mib () * 1048576 / n_spans,
          (double) loom_trace_get_memory (trace) / n_spans,
          loom_trace_get_track (trace, loom_trace_get_n_tracks (trace) - 1)->n_rows);
  for (guint zoom = 1; zoom <= 256; zoom *= 16)
    measure_summaries (trace, zoom);
  loom_trace_unref (trace);
  g_rand_free (dice);
  return 0;
}
