/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the display modes of counters: as differences, as rates, on a logarithmic scale, stacked, and drawn over one
 * another. The counters have few samples, whose displayed values are computed by hand.
 */
#include <math.h>
#include <string.h>

#include "fake-run.h"
#include "golden.h"
#include "loom-counter-values.h"
#include "loom-timeline-image.h"
#include "loom-trace-builder.h"

#define S LOOM_NS_PER_S
#define WIDTH 1000

typedef struct {
  gint64 at_ns; /* time of the sample, relative to the begin of the run */
  double value;
} Sample;

typedef struct {
  const char *counter, *series, *unit;
  const Sample *samples;
  guint n;
} Line;

#define LINE(counter, series, unit, samples)               \
  {                                                        \
    counter, series, unit, samples, G_N_ELEMENTS (samples) \
  }

/* Samples of a counter; two of them are at the same time, 4 s. */
static const Sample memory[] = { { 0, 100 },     { 1 * S, 130 }, { 3 * S, 110 },
                                 { 4 * S, 110 }, { 4 * S, 150 }, { 6 * S, 150 } };

typedef struct {
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomDrawList *list;
  LoomViewport view;
} Run;

static guint32
add_counter (LoomTraceBuilder *builder, guint32 process, const char *name, GHashTable *counters)
{
  guint32 *counter = g_hash_table_lookup (counters, name);
  if (counter == NULL) {
    counter = g_new (guint32, 1);
    *counter = loom_trace_builder_counter (builder, process, "", 0, name, strlen (name), "", 0);
    g_hash_table_insert (counters, (gpointer) name, counter);
  }
  return *counter;
}

static void
open_run (Run *run, const char *format, const Line *lines, guint n)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  LoomSource *info = loom_source_new ("a.json");
  g_autoptr (GHashTable) counters = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  info->format = format;
  guint clock = loom_trace_builder_add_clock (builder), source = loom_trace_builder_add_source (builder, info, clock);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1);
  for (guint i = 0; i < n; i++) {
    guint32 counter = add_counter (builder, process, lines[i].counter, counters);
    guint32 series = loom_trace_builder_series (builder, counter, lines[i].series, strlen (lines[i].series));
    loom_trace_builder_series_set_unit (builder, series, lines[i].unit);
    for (guint k = 0; k < lines[i].n; k++)
      loom_trace_builder_sample (builder, series, FAKE_BEGIN_NS + lines[i].samples[k].at_ns, lines[i].samples[k].value,
                                 LOOM_REF_NONE);
  }
  run->timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  run->outline = loom_row_list_new ();
  run->list = loom_draw_list_new ();
  run->view = (LoomViewport) { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 10 * S, WIDTH, 600, 0 };
  loom_row_list_set_timeline (run->outline, run->timeline);
  loom_row_list_fold_all (run->outline, FALSE);
}

static void
close_run (Run *run)
{
  loom_draw_list_free (run->list);
  loom_row_list_free (run->outline);
  loom_timeline_unref (run->timeline);
}

/* Returns the row of the counter whose description ends with `name`. */
static const LoomTimelineRow *
row_of (const Run *run, const char *name)
{
  g_autoptr (GArray) counters = loom_row_list_list_counters (run->outline);
  for (guint i = 0; i < counters->len; i++) {
    const LoomTimelineCounter *counter = &g_array_index (counters, LoomTimelineCounter, i);
    if (g_str_has_suffix (counter->detail, name))
      return loom_row_list_get_row (run->outline, loom_row_list_find (run->outline, counter->key));
  }
  g_assert_not_reached ();
}

static char *
key_of (const Run *run, const char *name)
{
  return g_strdup (row_of (run, name)->key);
}

static void
show (Run *run, const char *name, LoomQuantity quantity, gboolean stacked, gboolean logarithmic)
{
  g_autofree char *key = key_of (run, name);
  loom_row_list_set_plot_mode (run->outline, key, (LoomCounterMode) { quantity, stacked, logarithmic });
  loom_draw_list_build (run->list, run->outline, &run->view, NULL);
}

/* Returns the value of the series that is displayed at a time; NaN if the series has no value at this time. */
static double
at (const Run *run, const char *name, guint series, gint64 after_ns)
{
  double value = NAN;
  gboolean any = loom_counter_values_at (loom_row_list_get_timeline (loom_draw_list_get_row_list (run->list)),
                                         &row_of (run, name)->series[series], FAKE_BEGIN_NS + after_ns, &value);
  return any ? value : NAN;
}

static const LoomPlotColumn *
columns_of (const Run *run, guint line, guint *n)
{
  guint n_lines, n_columns;
  const LoomPlotLine *lines = loom_draw_list_get_lines (run->list, &n_lines);
  g_assert_cmpuint (line, <, n_lines);
  *n = lines[line].n;
  return loom_draw_list_get_columns (run->list, &n_columns) + lines[line].first;
}

/* --- differences and rates ---------------------------------------------------------------------------------------- */

static void
test_difference (void)
{
  Run run;
  guint n;
  const Line line = LINE ("memory", "", "B", memory);
  open_run (&run, "chrome", &line, 1);
  show (&run, "memory", LOOM_QUANTITY_DIFFERENCE, FALSE, FALSE);
  g_assert_cmpfloat (at (&run, "memory", 0, S / 2), ==, 30);
  g_assert_cmpfloat (at (&run, "memory", 0, 2 * S), ==, -20);
  g_assert_cmpfloat (at (&run, "memory", 0, 3 * S + 1), ==, 0);
  g_assert_cmpfloat (at (&run, "memory", 0, 5 * S), ==, 0);
  g_assert_true (isnan (at (&run, "memory", 0, -1)));
  g_assert_true (isnan (at (&run, "memory", 0, 6 * S))); /* after the last sample no difference is known */
  /* The pixel at 4 s contains two differences: 0, and +40 of the second sample at that time. No further difference
   * follows. */
  const LoomPlotColumn *columns = columns_of (&run, 0, &n);
  const double wanted[][4] = {
    { 0, 30, 30, 30 }, { 100, -20, -20, -20 }, { 300, 0, 0, 0 }, { 400, 0, 40, 0 }, { 600, NAN, NAN, NAN }
  };
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (wanted) + 1);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    g_assert_cmpfloat_with_epsilon (columns[i].x, wanted[i][0], 0.01);
    g_assert_true (columns[i].low == wanted[i][1] || (isnan (columns[i].low) && isnan (wanted[i][1])));
    g_assert_true (columns[i].high == wanted[i][2] || (isnan (columns[i].high) && isnan (wanted[i][2])));
    g_assert_true (columns[i].last == wanted[i][3] || (isnan (columns[i].last) && isnan (wanted[i][3])));
  }
  const LoomTimelineRow *row = row_of (&run, "memory");
  g_assert_cmpstr (row->label, ==, "memory (Δ)");
  g_assert_cmpstr (row->unit, ==, "B");
  g_assert_cmpfloat (row->parts->scale.min, ==, -20);
  g_assert_cmpfloat (row->parts->scale.max, ==, 50); /* 40 is rounded up to the end of the scale */
  close_run (&run);
}

static void
test_rate (void)
{
  Run run;
  const Line line = LINE ("memory", "", "B", memory);
  open_run (&run, "chrome", &line, 1);
  show (&run, "memory", LOOM_QUANTITY_RATE, FALSE, FALSE);
  g_assert_cmpfloat (at (&run, "memory", 0, S / 2), ==, 30);
  g_assert_cmpfloat (at (&run, "memory", 0, 2 * S), ==, -10); /* the value falls by 20 in two seconds */
  g_assert_cmpfloat (at (&run, "memory", 0, 5 * S), ==, 0);
  const LoomTimelineRow *row = row_of (&run, "memory");
  g_assert_cmpstr (row->label, ==, "memory (Δ/s)");
  g_assert_cmpstr (row->unit, ==, "B/s");
  g_assert_cmpfloat (row->parts->scale.max, ==, 50); /* a rate over 0 s is undefined and does not extend the scale */
  close_run (&run);
}

/* A difference is not computed across a gap: a value of Composer's counters holds for at most five seconds. */
static void
test_gap (void)
{
  static const Sample cycles[] = { { 0, 1 }, { S, 5 }, { 8 * S, 50 }, { 9 * S, 52 } };
  Run run;
  const Line line = LINE ("cpu", "", "", cycles);
  open_run (&run, "composer", &line, 1);
  for (LoomQuantity q = LOOM_QUANTITY_DIFFERENCE; q < LOOM_N_QUANTITIES; q++) {
    show (&run, "cpu", q, FALSE, FALSE);
    g_assert_cmpfloat (at (&run, "cpu", 0, S / 2), ==, 4);
    g_assert_true (isnan (at (&run, "cpu", 0, 2 * S)));
    g_assert_cmpfloat (at (&run, "cpu", 0, 8 * S + 1), ==, 2);
    /* the scale does not include 45, the difference across the gap */
    g_assert_cmpfloat (row_of (&run, "cpu")->parts->scale.max, ==, 5);
  }
  show (&run, "cpu", LOOM_QUANTITY_VALUE, FALSE, FALSE);
  g_assert_cmpfloat (at (&run, "cpu", 0, 2 * S), ==, 5);
  close_run (&run);
}

static void
test_one_sample (void)
{
  static const Sample one[] = { { S, 7 } };
  Run run;
  guint n;
  const Line line = LINE ("cpu", "", "", one);
  open_run (&run, "chrome", &line, 1);
  for (guint i = 0; i < 8; i++) {
    show (&run, "cpu", i / 4 ? LOOM_QUANTITY_RATE : LOOM_QUANTITY_VALUE, i & 1, i & 2);
    g_assert_true (i / 4 ? isnan (at (&run, "cpu", 0, 2 * S)) : at (&run, "cpu", 0, 2 * S) == 7);
    loom_draw_list_get_plots (run.list, &n);
    g_assert_cmpuint (n, ==, 1);
  }
  close_run (&run);
}

/* A counter goes up and down by ten, a hundred times per pixel: the plot shows the differences between samples inside
 * the pixel, not the difference between the ends of the pixel. */
static void
test_dense (void)
{
  static Sample saw[50000];
  Run run;
  guint n;
  for (guint i = 0; i < G_N_ELEMENTS (saw); i++)
    saw[i] = (Sample) { i * (10 * S / G_N_ELEMENTS (saw)), i % 2 * 10 };
  saw[25000].value = 17;
  const Line line = LINE ("saw", "", "", saw);
  open_run (&run, "chrome", &line, 1);
  show (&run, "saw", LOOM_QUANTITY_DIFFERENCE, FALSE, FALSE);
  const LoomPlotColumn *columns = columns_of (&run, 0, &n);
  g_assert_cmpuint (n, >, 900);
  g_assert_cmpfloat (columns[10].low, ==, -10);
  g_assert_cmpfloat (columns[10].high, ==, 10);
  g_assert_cmpfloat (row_of (&run, "saw")->parts->scale.max, ==, 10);
  show (&run, "saw", LOOM_QUANTITY_RATE, FALSE, FALSE);
  columns = columns_of (&run, 0, &n);
  g_assert_cmpfloat_with_epsilon (columns[10].high, 10 / 0.0002, 1e-6); /* the value rises by 10 in 200 µs */
  close_run (&run);
}

static void
test_units (void)
{
  static const char *const units[][2] = {
    { "B", "B/s" }, { "", "1/s" }, { "%", "%/s" }, { "B/s", "B/s²" }, { "1/s", "1/s²" }
  };
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    g_assert_cmpstr (loom_counter_mode_get_unit (LOOM_QUANTITY_RATE, units[i][0]), ==, units[i][1]);
    g_assert_cmpstr (loom_counter_mode_get_unit (LOOM_QUANTITY_DIFFERENCE, units[i][0]), ==, units[i][0]);
  }
  g_autofree char *up = loom_counter_mode_format (LOOM_QUANTITY_DIFFERENCE, 2048, "B"),
                  *down = loom_counter_mode_format (LOOM_QUANTITY_DIFFERENCE, -2048, "B");
  g_autofree char *rate = loom_counter_mode_format (LOOM_QUANTITY_RATE, 2e6, "B/s"),
                  *none = loom_counter_mode_format (LOOM_QUANTITY_DIFFERENCE, 0, "B");
  g_assert_cmpstr (up, ==, "+2 KiB");
  g_assert_cmpstr (down, ==, "−2 KiB");
  g_assert_cmpstr (rate, ==, "2 MB/s");
  g_assert_cmpstr (none, ==, "0 B");
}

/* --- scales ------------------------------------------------------------------------------------------------------- */

static void
assert_place (const LoomCounterScale *scale, double value, double place)
{
  g_assert_cmpfloat_with_epsilon (loom_counter_mode_scale_place (scale, value), place, 1e-9);
}

static void
test_logarithmic (void)
{
  /* A logarithmic scale for values whose smallest absolute value is 1 begins a decade below, at 0.1; smaller values are
   * drawn at zero. It has four decades, 0.1 to 1000. */
  LoomCounterScale up = loom_counter_mode_scale_around (0, 1000, 1, "", TRUE);
  g_assert_cmpfloat (up.max, ==, 1000);
  assert_place (&up, 0, 0);
  assert_place (&up, 0.1, 0);
  assert_place (&up, 1, 0.25);
  assert_place (&up, 10, 0.5);
  assert_place (&up, 1000, 1);
  /* the negative half of a logarithmic scale mirrors the positive half */
  LoomCounterScale both = loom_counter_mode_scale_around (-100, 100, 20, "", TRUE);
  assert_place (&both, -100, 0);
  assert_place (&both, 0, 0.5);
  assert_place (&both, 100, 1);
  g_assert_cmpfloat_with_epsilon (
    loom_counter_mode_scale_place (&both, 50) + loom_counter_mode_scale_place (&both, -50), 1, 1e-9);
  g_assert_cmpfloat (loom_counter_mode_scale_place (&both, 20), >, 0.5);
  /* a scale has at most nine decades, however small the smallest value is */
  LoomCounterScale dust = loom_counter_mode_scale_around (0, 1e6, 1e-15, "", TRUE);
  assert_place (&dust, 1e-3, 0);
  g_assert_cmpfloat (loom_counter_mode_scale_place (&dust, 1e-2), >, 0);
  /* A scale can also be computed for values that are all zero, and for a counter without samples. */
  LoomCounterScale zeros = loom_counter_mode_scale_around (0, 0, INFINITY, "", TRUE);
  assert_place (&zeros, 0, 0);
  LoomCounterScale linear = loom_counter_mode_scale_around (-5, 20, 1, "", FALSE);
  g_assert_cmpfloat (linear.min, ==, -5);
  assert_place (&linear, 0, 0.2);
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

static void
assert_layer (const LoomPlotColumn *column, double low, double high)
{
  g_assert_cmpfloat (column->low, ==, low);
  g_assert_cmpfloat (column->high, ==, high);
}

/* Stacks three series: a is 10; b, drawn on top of a, is 20 from 2 s on and 40 from 4 s on; c is −5 and is drawn below
 * zero. */
static void
test_stack (void)
{
  static const Sample a[] = { { 0, 10 } }, b[] = { { 2 * S, 20 }, { 4 * S, 40 } }, c[] = { { 0, -5 } };
  const Line lines[] = { LINE ("bytes", "a", "B", a), LINE ("bytes", "b", "B", b), LINE ("bytes", "c", "B", c) };
  Run run;
  guint n;
  LoomDrawHit hit;
  open_run (&run, "chrome", lines, G_N_ELEMENTS (lines));
  show (&run, "bytes", LOOM_QUANTITY_VALUE, TRUE, TRUE); /* the logarithmic scale that is requested has no effect on a
                                                          * stack */
  const LoomTimelineRow *row = row_of (&run, "bytes");
  g_assert_false (row->parts->mode.logarithmic);
  g_assert_cmpint (row->parts->kind, ==, LOOM_PLOT_STACK);
  g_assert_cmpfloat (row->parts->scale.max, ==, 50);
  g_assert_cmpfloat (row->parts->scale.min, ==, -5);
  const LoomPlotColumn *columns = columns_of (&run, 0, &n);
  g_assert_cmpuint (n, ==, 2);
  assert_layer (&columns[0], 0, 10);
  columns = columns_of (&run, 1, &n); /* this series begins at 2 s and is stacked on the first one */
  g_assert_true (isnan (columns[0].low));
  g_assert_cmpfloat_with_epsilon (columns[1].x, 200, 1);
  assert_layer (&columns[1], 10, 30);
  assert_layer (&columns[2], 10, 30 + 20);
  columns = columns_of (&run, 2, &n);
  assert_layer (&columns[0], -5, 0);
  /* Hit testing finds the layer of the stack under the pointer. */
  double top = loom_row_list_row_top (run.outline, loom_row_list_find (run.outline, row->key), 0),
         zero = top + row->height * 50 / 55;
  const double px = row->height / 55;
  const guint wanted[] = { 0, 1, 2 };
  const double heights[] = { 5, 25, -3 };
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    loom_draw_list_hit (run.list, 300, zero - heights[i] * px, 3, &hit);
    g_assert_cmpuint (hit.series, ==, wanted[i]);
  }
  close_run (&run);
}

/* In one pixel, each of two stacked series has values from 0 to 10, so the sum is drawn from 0 to 20. */
static void
test_stack_bounds (void)
{
  static Sample first[10000], second[10000];
  Run run;
  guint n, n_lines;
  for (guint i = 0; i < G_N_ELEMENTS (first); i++) {
    first[i] = (Sample) { i * S / 1000, i % 2 * 10 };
    second[i] = (Sample) { i * S / 1000, (i + 1) % 2 * 10 };
  }
  const Line lines[] = { LINE ("bytes", "a", "B", first), LINE ("bytes", "b", "B", second) };
  open_run (&run, "chrome", lines, G_N_ELEMENTS (lines));
  show (&run, "bytes", LOOM_QUANTITY_VALUE, TRUE, FALSE);
  const LoomPlotLine *plot_lines = loom_draw_list_get_lines (run.list, &n_lines);
  g_assert_cmpuint (n_lines, ==, 3);
  g_assert_cmpint (plot_lines[2].kind, ==, LOOM_LINE_TOTAL);
  const LoomPlotColumn *total = columns_of (&run, 2, &n);
  g_assert_cmpuint (n, >, 900);
  assert_layer (&total[100], 0, 20);
  g_assert_cmpfloat (total[100].last, ==, 10); /* the sum of two values at the same time is always 10 */
  close_run (&run);
}

/* --- overlaid counters --- */

static void
test_guests (void)
{
  static const Sample a[] = { { 0, 10 }, { S, 20 } }, b[] = { { 0, 400 }, { S, 100 } }, c[] = { { 0, 3 }, { S, 4 } };
  const Line lines[] = { LINE ("alpha", "", "B", a), LINE ("beta", "", "B", b), LINE ("gamma", "x", "", c),
                         LINE ("gamma", "y", "", c) };
  Run run;
  LoomDrawHit hit;
  open_run (&run, "chrome", lines, G_N_ELEMENTS (lines));
  g_autofree char *alpha = key_of (&run, "alpha"), *beta = key_of (&run, "beta"), *gamma = key_of (&run, "gamma");
  g_assert_true (loom_row_list_set_guest (run.outline, alpha, beta, TRUE));
  g_assert_true (loom_row_list_set_guest (run.outline, alpha, gamma, TRUE));
  g_assert_false (loom_row_list_set_guest (run.outline, alpha, alpha, TRUE));
  g_assert_true (loom_row_list_set_guest (run.outline, alpha, "not there yet", TRUE));
  show (&run, "beta", LOOM_QUANTITY_DIFFERENCE, FALSE, FALSE);
  const LoomTimelineRow *row = loom_row_list_get_row (run.outline, loom_row_list_find (run.outline, alpha));
  g_assert_cmpuint (row->n_parts, ==, 3);
  g_assert_cmpuint (row->n_series, ==, 4);
  g_assert_cmpstr (row->series[0].label, ==, "alpha");
  g_assert_cmpstr (row->series[1].label, ==, "beta (Δ)"); /* the label is the same as in the counter's own row */
  g_assert_cmpstr (row->series[3].label, ==, "gamma y");
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (row->series[i].color, ==, i);
  /* the two counters in bytes share one scale for their values, −300 to 20; its lower end is rounded to −500. The third
   * counter has a scale of its own. */
  g_assert_cmpfloat (row->parts[0].scale.min, ==, -500);
  g_assert_cmpfloat (row->parts[0].scale.max, ==, 20);
  g_assert_cmpfloat (row->parts[1].scale.min, ==, -500);
  g_assert_cmpfloat (row->parts[2].scale.max, ==, 5);
  g_assert_nonnull (strstr (row->detail, "beta (Δ)"));
  double top = loom_row_list_row_top (run.outline, loom_row_list_find (run.outline, alpha), 0);
  loom_draw_list_hit (run.list, 50, top + row->height * (1 - 3 / 5.0), 3, &hit);
  g_assert_cmpuint (hit.series, ==, 2);
  g_assert_cmpfloat (hit.value, ==, 3);
  /* the counters in bytes are stacked as requested; the third counter has another unit and stays a line */
  show (&run, "beta", LOOM_QUANTITY_VALUE, FALSE, FALSE);
  show (&run, "alpha", LOOM_QUANTITY_VALUE, TRUE, FALSE);
  row = loom_row_list_get_row (run.outline, loom_row_list_find (run.outline, alpha));
  g_assert_cmpint (row->parts[1].kind, ==, LOOM_PLOT_STACK);
  g_assert_cmpint (row->parts[2].kind, ==, LOOM_PLOT_LINES);
  g_assert_cmpfloat (row->parts[0].scale.max, ==, 500); /* the sum 20 + 400 is rounded up */
  g_assert_true (loom_row_list_set_guest (run.outline, alpha, beta, FALSE));
  g_assert_false (loom_row_list_has_guest (run.outline, alpha, beta));
  close_run (&run);
}

/* At most as many counters can be drawn over a plot as there are distinguishable colours. */
static void
test_most_guests (void)
{
  static const Sample one[] = { { 0, 1 } };
  Run run;
  const Line line = LINE ("alpha", "", "", one);
  open_run (&run, "chrome", &line, 1);
  g_autofree char *key = key_of (&run, "alpha");
  for (guint i = 0; i <= LOOM_PLOT_MAX_GUESTS; i++) {
    g_autofree char *guest = g_strdup_printf ("%u", i);
    g_assert_cmpint (loom_row_list_set_guest (run.outline, key, guest, TRUE), ==, i < LOOM_PLOT_MAX_GUESTS);
  }
  close_run (&run);
}

static void
test_saved (void)
{
  const Line lines[] = { LINE ("alpha", "", "B", memory), LINE ("beta", "", "B", memory) };
  Run run;
  open_run (&run, "chrome", lines, 2);
  g_autoptr (GVariant) before = loom_row_list_save (run.outline);
  g_autofree char *alpha = key_of (&run, "alpha"), *beta = key_of (&run, "beta");
  loom_row_list_set_plot_mode (run.outline, alpha, (LoomCounterMode) { LOOM_QUANTITY_RATE, FALSE, TRUE });
  loom_row_list_set_guest (run.outline, alpha, beta, TRUE);
  g_autoptr (GVariant) after = loom_row_list_save (run.outline);
  g_assert_false (g_variant_equal (before, after));
  g_autofree char *text = g_variant_print (after, TRUE); /* the text form in which sessions store the rows */
  g_autoptr (GVariant) read = g_variant_parse (G_VARIANT_TYPE ("a{sa{sv}}"), text, NULL, NULL, NULL);
  loom_row_list_restore (run.outline, before);
  g_assert_cmpstr (row_of (&run, "alpha")->label, ==, "alpha");
  loom_row_list_restore (run.outline, read);
  const LoomTimelineRow *row = loom_row_list_get_row (run.outline, loom_row_list_find (run.outline, alpha));
  g_assert_cmpstr (row->label, ==, "alpha (Δ/s)");
  g_assert_true (row->parts->mode.logarithmic);
  g_assert_cmpuint (row->n_parts, ==, 2);
  close_run (&run);
}

/* --- pictures ----------------------------------------------------------------------------------------------------- */

static void
picture (Run *run, LoomThemeKind theme, double scale, gboolean tagged, const char *name)
{
  const gint64 tags_ns[] = { FAKE_BEGIN_NS + 12 * S / 10, FAKE_BEGIN_NS + 48 * S / 10, FAKE_BEGIN_NS + 5 * S,
                             FAKE_BEGIN_NS + 98 * S / 10 };
  const double header = 160, width = 480;
  g_autoptr (LoomTextCache) text = loom_text_cache_new ("DejaVu Sans");
  g_autoptr (LoomRuler) ruler = loom_ruler_new ();
  LoomPaintOptions options;
  run->view = (LoomViewport) { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 10 * S, width, 366, 0 };
  loom_timeline_painter_init_options (&options, loom_theme_get (theme), text);
  options.device_scale = scale;
  options.cursor_ns = FAKE_BEGIN_NS + 5 * S;
  options.tags_ns = tags_ns;
  options.n_tags = tagged ? G_N_ELEMENTS (tags_ns) : 0;
  loom_draw_list_build (run->list, run->outline, &run->view, NULL);
  loom_ruler_update (ruler, run->timeline, NULL, &run->view, LOOM_RULER_UNIT_SINCE_START, text);
  cairo_surface_t *surface =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) ((header + width) * scale), (int) (390 * scale));
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  LoomTimelineImage parts = { run->list, ruler, NULL, header, &options };
  loom_timeline_image_paint (cr, &parts);
  cairo_destroy (cr);
  golden_compare (surface, name);
  cairo_surface_destroy (surface);
}

/* Compares golden pictures of each display mode in a row of its own, with negative values, a gap at
 * the begin, a single sample, and zeros on a logarithmic scale. */
static void
test_pictures (void)
{
  static Sample grown[400], load[2][400], wide[200], sine[400];
  static const Sample one[] = { { 4 * S, 7 } };
  for (guint i = 0; i < 400; i++) {
    gint64 at_ns = i * 10 * S / 400;
    grown[i] = (Sample) { at_ns, (i / 80 + 1) * (double) i * 1e6 };
    load[0][i] = (Sample) { at_ns, 30 + 20 * ((i / 40) % 2) };
    load[1][i] = (Sample) { at_ns, 15 + i % 100 / 4.0 };
    sine[i] = (Sample) { at_ns, 100 * sin (i / 20.0) };
  }
  for (guint i = 0; i < 200; i++)
    wide[i] = (Sample) { 2 * S + i * 8 * S / 200, i % 40 == 0 ? 0 : pow (10, i % 40 / 6.0) };
  const Line lines[] = { LINE ("1 sent", "", "B", grown),    LINE ("2 sent", "", "B", grown),
                         LINE ("3 load", "a", "%", load[0]), LINE ("3 load", "b", "%", load[1]),
                         LINE ("4 wide", "", "", wide),      LINE ("5 waves", "", "", sine),
                         LINE ("6 alone", "", "", one),      LINE ("7 over", "", "", sine) };
  Run run;
  open_run (&run, "chrome", lines, G_N_ELEMENTS (lines));
  show (&run, "1 sent", LOOM_QUANTITY_DIFFERENCE, FALSE, FALSE);
  show (&run, "2 sent", LOOM_QUANTITY_RATE, FALSE, TRUE);
  show (&run, "3 load", LOOM_QUANTITY_VALUE, TRUE, FALSE);
  show (&run, "4 wide", LOOM_QUANTITY_VALUE, FALSE, TRUE);
  show (&run, "5 waves", LOOM_QUANTITY_VALUE, FALSE, TRUE);
  show (&run, "6 alone", LOOM_QUANTITY_VALUE, FALSE, TRUE);
  g_autofree char *over = key_of (&run, "7 over"), *load_key = key_of (&run, "3 load"), *sent = key_of (&run, "2 sent");
  loom_row_list_set_guest (run.outline, over, load_key, TRUE);
  loom_row_list_set_guest (run.outline, over, sent, TRUE);
  picture (&run, LOOM_THEME_LIGHT, 1, FALSE, "counters-light");
  picture (&run, LOOM_THEME_DARK, 1, FALSE, "counters-dark");
  picture (&run, LOOM_THEME_LIGHT_CONTRAST, 2, FALSE, "counters-light-contrast");
  picture (&run, LOOM_THEME_LIGHT, 1, TRUE, "tags-light");
  picture (&run, LOOM_THEME_DARK_CONTRAST, 2, TRUE, "tags-dark-contrast");
  close_run (&run);
}

/* --- values at the cursor --- */

/* Tests the values that are shown at the cursor. A plot shows one value for each label; a plot that draws many series
 * as a band shows their mean. If the display mode is a difference or a rate, that difference or rate is shown. */
static void
test_readings (void)
{
  static Sample cores[12][1], bytes[] = { { 0, 10 }, { 5 * S, 40 } };
  Line lines[13] = { LINE ("bytes", "", "B", bytes) };
  char names[12][4];
  Run run;
  for (guint i = 0; i < 12; i++) {
    cores[i][0] = (Sample) { S, i };
    g_snprintf (names[i], sizeof names[i], "%u", i);
    lines[i + 1] = (Line) { "cores", names[i], "", cores[i], 1 };
  }
  open_run (&run, "chrome", lines, G_N_ELEMENTS (lines));
  show (&run, "bytes", LOOM_QUANTITY_RATE, FALSE, FALSE);
  g_autoptr (GArray) readings = g_array_new (FALSE, FALSE, sizeof (LoomCounterValue));
  loom_counter_values_add (run.timeline, row_of (&run, "bytes"), FAKE_BEGIN_NS + 2 * S, readings);
  loom_counter_values_add (run.timeline, row_of (&run, "cores"), FAKE_BEGIN_NS + 2 * S, readings);
  loom_counter_values_add (run.timeline, row_of (&run, "cores"), FAKE_BEGIN_NS, readings);
  g_assert_cmpuint (readings->len, ==, 3);
  const double wanted[] = { 6, 5.5 }; /* 30 in five seconds is a rate of 6 per second; the mean of 0, 1 … 11 is 5.5 */
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpfloat (g_array_index (readings, LoomCounterValue, i).value, ==, wanted[i]);
  g_assert_true (isnan (g_array_index (readings, LoomCounterValue, 2).value));
  g_autofree char *text = loom_counter_value_format (&g_array_index (readings, LoomCounterValue, 0));
  g_assert_cmpstr (text, ==, "6 B/s");
  close_run (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/counter-values/difference", test_difference);
  g_test_add_func ("/draw/counter-values/rate", test_rate);
  g_test_add_func ("/draw/counter-values/gap", test_gap);
  g_test_add_func ("/draw/counter-values/one-sample", test_one_sample);
  g_test_add_func ("/draw/counter-values/dense", test_dense);
  g_test_add_func ("/draw/counter-values/units", test_units);
  g_test_add_func ("/draw/counter-values/logarithmic", test_logarithmic);
  g_test_add_func ("/draw/counter-values/stack", test_stack);
  g_test_add_func ("/draw/counter-values/stack-bounds", test_stack_bounds);
  g_test_add_func ("/draw/counter-values/guests", test_guests);
  g_test_add_func ("/draw/counter-values/most-guests", test_most_guests);
  g_test_add_func ("/draw/counter-values/saved", test_saved);
  g_test_add_func ("/draw/counter-values/readings", test_readings);
  g_test_add_func ("/draw/counter-values/pictures", test_pictures);
  return g_test_run ();
}
