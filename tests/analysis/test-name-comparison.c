/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-comparison.h"

#include "trace-maker.h"

typedef struct {
  const char *name, *category;
  gint64 start, dur;
} Span;

/* Builds a run of one rank with these spans in sequence on one thread; n = 0: an empty run. */
static LoomTimeline *
run_of (const Span *spans, gsize n)
{
  Maker maker = maker_new ("run.json", "kineto");
  guint32 thread = maker_thread (&maker, "python", 0, "1", 0);
  for (gsize i = 0; i < n; i++)
    maker_span (&maker, thread, spans[i].name, spans[i].category, spans[i].start, spans[i].dur);
  return maker_timeline (&maker, NULL);
}

static char *
draw (const LoomNameComparison *changes)
{
  const LoomNameChange *rows = (const LoomNameChange *) (gpointer) changes->rows->data;
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < changes->rows->len; i++) {
    gboolean in_both = rows[i].count[0] > 0 && rows[i].count[1] > 0;
    g_string_append_printf (text, "%s%s/%s %+d:", i > 0 ? ", " : "", rows[i].name, rows[i].category,
                            in_both ? (int) (rows[i].mean_ns[1] - rows[i].mean_ns[0]) : 0);
    for (guint run = 0; run < 2; run++)
      if (rows[i].count[run] == 0)
        g_string_append (text, " -");
      else
        g_string_append_printf (text, " n%u m%d t%d", (guint) rows[i].count[run], (int) rows[i].mean_ns[run],
                                (int) rows[i].total_ns[run]);
  }
  return g_string_free (text, FALSE);
}

static void
assert_changes (const Span *first, gsize n_first, const Span *second, gsize n_second, const char *expected)
{
  g_autoptr (LoomTimeline) a = run_of (first, n_first), b = run_of (second, n_second);
  g_autoptr (LoomNameComparison) changes = loom_name_comparison_new (a, b, NULL);
  g_autofree char *drawn = draw (changes);
  g_assert_cmpstr (drawn, ==, expected);
}

/* Expected changes: “often” has the largest change of the total, but an unchanged mean; “slow” and “fast” change by
 * equal amounts in opposite directions. */
static const Span before[] = {
  { "often", "op", 0, 10 },  { "slow", "op", 20, 40 }, { "slow", "op", 70, 60 }, { "fast", "op", 200, 100 },
  { "equal", "op", 400, 7 }, { "gone", "op", 500, 3 }, { "gone", "op", 510, 5 }, { "little", "op", 600, 10 },
};
static const Span after[] = {
  { "often", "op", 1000, 10 }, { "often", "op", 1020, 12 }, { "often", "op", 1040, 11 },
  { "slow", "op", 1100, 90 },  { "fast", "op", 1200, 60 },  { "equal", "op", 1400, 6 },
  { "equal", "op", 1410, 8 },  { "new", "op", 1500, 9 },    { "little", "op", 1600, 8 },
};

static void
test_order (void)
{
  assert_changes (before, G_N_ELEMENTS (before), after, G_N_ELEMENTS (after),
                  "fast/op -40: n1 m100 t100 n1 m60 t60, slow/op +40: n2 m50 t100 n1 m90 t90, "
                  "little/op -2: n1 m10 t10 n1 m8 t8, often/op +1: n1 m10 t10 n3 m11 t33, "
                  "equal/op +0: n1 m7 t7 n2 m7 t14, new/op +0: - n1 m9 t9, gone/op +0: n2 m4 t8 -");
}

/* Swapping the runs inverts the sign of each change; names that occur in one run only still come last. */
static void
test_mirrored (void)
{
  assert_changes (after, G_N_ELEMENTS (after), before, G_N_ELEMENTS (before),
                  "fast/op +40: n1 m60 t60 n1 m100 t100, slow/op -40: n1 m90 t90 n2 m50 t100, "
                  "little/op +2: n1 m8 t8 n1 m10 t10, often/op -1: n3 m11 t33 n1 m10 t10, "
                  "equal/op +0: n2 m7 t14 n1 m7 t7, new/op +0: n1 m9 t9 -, gone/op +0: - n2 m4 t8");
}

/* Names with the same text in different categories are different names. */
static void
test_categories (void)
{
  static const Span first[] = { { "copy", "cpu_op", 0, 5 }, { "copy", "gpu", 10, 20 } },
                    second[] = { { "copy", "gpu", 0, 30 } };
  assert_changes (first, G_N_ELEMENTS (first), second, G_N_ELEMENTS (second),
                  "copy/gpu +10: n1 m20 t20 n1 m30 t30, copy/cpu_op +0: n1 m5 t5 -");
}

/* Spans of zero length have a mean of 0 ns, even as the last span of the run. */
static void
test_no_length (void)
{
  static const Span first[] = { { "work", "", 0, 10 }, { "blink", "", 50, 0 } },
                    second[] = { { "work", "", 0, 10 }, { "blink", "", 50, 4 } };
  assert_changes (first, G_N_ELEMENTS (first), second, G_N_ELEMENTS (second),
                  "blink/ +4: n1 m0 t0 n1 m4 t4, work/ +0: n1 m10 t10 n1 m10 t10");
}

static void
test_empty (void)
{
  assert_changes (NULL, 0, NULL, 0, "");
  assert_changes (before + 3, 1, NULL, 0, "fast/op +0: n1 m100 t100 -");
  assert_changes (NULL, 0, before + 3, 1, "fast/op +0: - n1 m100 t100");
}

/* The row of a name links to its longest span in each run. */
static void
test_longest (void)
{
  g_autoptr (LoomTimeline) a = run_of (before + 1, 2), b = run_of (after + 3, 1);
  g_autoptr (LoomNameComparison) changes = loom_name_comparison_new (a, b, NULL);
  const LoomNameChange *row = &g_array_index (changes->rows, LoomNameChange, 0);
  gint64 start_ns, end_ns;
  g_assert_cmpuint (changes->rows->len, ==, 1);
  loom_timeline_get_span (a, row->longest[0], &start_ns, &end_ns);
  g_assert_cmpint (end_ns - start_ns, ==, 60);
  loom_timeline_get_span (b, row->longest[1], &start_ns, &end_ns);
  g_assert_cmpint (end_ns - start_ns, ==, 90);
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) a = run_of (before, G_N_ELEMENTS (before));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_name_comparison_new (a, a, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/name-comparison/order", test_order);
  g_test_add_func ("/analysis/name-comparison/mirrored", test_mirrored);
  g_test_add_func ("/analysis/name-comparison/categories", test_categories);
  g_test_add_func ("/analysis/name-comparison/no-length", test_no_length);
  g_test_add_func ("/analysis/name-comparison/empty", test_empty);
  g_test_add_func ("/analysis/name-comparison/longest", test_longest);
  g_test_add_func ("/analysis/name-comparison/cancelled", test_cancelled);
  return g_test_run ();
}
