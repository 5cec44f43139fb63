/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the pairing of events, the nesting of spans and the binding of flow events to spans with slow, simple
 * implementations of the same rules, on random input.
 */
#include "fixture.h"

#include <string.h>

typedef struct {
  gint64 start_ns, end_ns;
  char name[8];
  gboolean is_open;
} Slice;

/* --- pairing --- */

typedef struct {
  char kind; /* B (begin event) or E (end event) */
  char name[8];
  gint64 time_ns;
} Half;

static void
split_name (const char *name, const char **category, const char **text)
{
  const char *colon = strchr (name, ':');
  *category = colon != NULL ? name : "";
  *text = colon != NULL ? colon + 1 : name;
}

static gboolean
answers (const Half *begin, const Half *end, gboolean with_category)
{
  const char *begin_category, *begin_text, *end_category, *end_text;
  split_name (begin->name, &begin_category, &begin_text);
  split_name (end->name, &end_category, &end_text);
  return strcmp (begin_text, end_text) == 0 && (!with_category || begin_category[0] == end_category[0]);
}

static gint
find_begin (const Half *halves, const GArray *stack, const Half *end)
{
  if (strcmp (end->name, "-") == 0)
    return (gint) stack->len - 1;
  for (gint with_category = strchr (end->name, ':') != NULL; with_category >= 0; with_category--) {
    for (gint i = (gint) stack->len; i-- > 0;) {
      if (answers (&halves[g_array_index (stack, guint, i)], end, with_category))
        return i;
    }
  }
  return -1;
}

static GArray *
pair_slowly (const Half *halves, guint n)
{
  GArray *slices = g_array_new (FALSE, TRUE, sizeof (Slice));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *slice_of = g_new (guint, n);
  for (guint i = 0; i < n; i++) {
    if (halves[i].kind == 'B') {
      Slice slice = { halves[i].time_ns, halves[n - 1].time_ns, "", TRUE };
      memcpy (slice.name, halves[i].name, sizeof slice.name);
      slice_of[i] = slices->len;
      g_array_append_val (slices, slice);
      g_array_append_val (stack, i);
      continue;
    }
    gint found = find_begin (halves, stack, &halves[i]);
    if (found < 0)
      continue;
    Slice *slice = &g_array_index (slices, Slice, slice_of[g_array_index (stack, guint, found)]);
    slice->end_ns = halves[i].time_ns;
    slice->is_open = FALSE;
    g_array_remove_index (stack, (guint) found);
  }
  return slices;
}

/* --- nesting --- */

static int
by_start (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Slice *first = a, *second = b;
  if (first->start_ns != second->start_ns)
    return first->start_ns < second->start_ns ? -1 : 1;
  return first->end_ns > second->end_ns ? -1 : first->end_ns < second->end_ns;
}

static gboolean
overlaps_in_part (const Slice *a, const Slice *b)
{
  return a->start_ns < b->start_ns && b->start_ns < a->end_ns && a->end_ns < b->end_ns;
}

static gboolean
lies_in (const Slice *inner, const Slice *outer)
{
  return inner->start_ns >= outer->start_ns && inner->end_ns <= outer->end_ns;
}

/* Returns the first lane in which no slice partially overlaps the slice `slice`. */
static guint
find_lane (const GArray *slices, const guint *lanes, guint slice)
{
  for (guint lane = 0;; lane++) {
    gboolean fits = TRUE;
    for (guint i = 0; i < slice && fits; i++)
      fits = lanes[i] != lane ||
             !overlaps_in_part (&g_array_index (slices, Slice, i), &g_array_index (slices, Slice, slice));
    if (fits)
      return lane;
  }
}

/* Returns the depth of a slice: one more than that of the innermost slice in its lane that is still open. */
static guint
find_depth (const GArray *slices, const guint *lanes, const guint *depths, guint slice)
{
  const Slice *placed = &g_array_index (slices, Slice, slice);
  for (guint i = slice; i-- > 0;) {
    const Slice *other = &g_array_index (slices, Slice, i);
    if (lanes[i] != lanes[slice] || !lies_in (placed, other))
      continue;
    /* an open slice is closed by a later slice that starts at or after its end */
    gboolean is_closed = FALSE;
    for (guint k = i + 1; k < slice; k++) {
      const Slice *between = &g_array_index (slices, Slice, k);
      is_closed |= lanes[k] == lanes[slice] && between->start_ns >= other->end_ns && between->end_ns > other->end_ns;
    }
    if (!is_closed)
      return depths[i] + 1;
  }
  return 0;
}

static char *
draw_slowly (GArray *slices)
{
  g_array_sort_with_data (slices, by_start, NULL);
  g_autofree guint *lanes = g_new0 (guint, slices->len + 1), *depths = g_new0 (guint, slices->len + 1);
  guint n_lanes = 0, n_depths = 0;
  for (guint i = 0; i < slices->len; i++) {
    lanes[i] = find_lane (slices, lanes, i);
    depths[i] = find_depth (slices, lanes, depths, i);
    n_lanes = MAX (n_lanes, lanes[i] + 1);
    n_depths = MAX (n_depths, depths[i] + 1);
  }
  GString *out = g_string_new (NULL);
  for (guint row = 0; row < n_lanes * n_depths; row++) {
    gboolean is_first = TRUE;
    for (guint i = 0; i < slices->len; i++) {
      const Slice *slice = &g_array_index (slices, Slice, i);
      if (lanes[i] * n_depths + depths[i] != row)
        continue;
      if (is_first)
        g_string_append_printf (out, "%s%u.%u:", out->len > 0 ? " | " : "", lanes[i], depths[i]);
      const char *colon = strchr (slice->name, ':');
      g_string_append_printf (out, " %s[%d+%d]%s", colon != NULL ? colon + 1 : slice->name, (int) slice->start_ns,
                              (int) (slice->end_ns - slice->start_ns), slice->is_open ? "!" : "");
      is_first = FALSE;
    }
  }
  return g_string_free (out, FALSE);
}

static void
test_pairing (void)
{
  static const char *const names[] = { "a", "b", "x:a", "y:a", "x:b", "-" };
  for (guint round = 0; round < 2000; round++) {
    Fixture fixture;
    fixture_init (&fixture);
    guint n = (guint) g_test_rand_int_range (1, 60);
    g_autofree Half *halves = g_new0 (Half, n);
    gint64 time_ns = 0;
    for (guint i = 0; i < n; i++) {
      halves[i].kind = g_test_rand_bit () ? 'B' : 'E';
      halves[i].time_ns = time_ns += g_test_rand_int_range (0, 3);
      g_strlcpy (halves[i].name, names[g_test_rand_int_range (0, halves[i].kind == 'B' ? 5 : 6)],
                 sizeof halves[i].name);
      g_autofree char *line = g_strdup_printf ("%c %s %d", halves[i].kind, halves[i].name, (int) time_ns);
      fixture_feed (&fixture, 0, line);
    }
    g_autoptr (GArray) slices = pair_slowly (halves, n);
    g_autofree char *expected = draw_slowly (slices);
    fixture_freeze (&fixture);
    fixture_assert_spans (&fixture, expected);
    fixture_clear (&fixture);
  }
}

static void
test_nesting (void)
{
  for (guint round = 0; round < 2000; round++) {
    Fixture fixture;
    fixture_init (&fixture);
    g_autoptr (GArray) slices = g_array_new (FALSE, TRUE, sizeof (Slice));
    guint n = (guint) g_test_rand_int_range (1, 50);
    guint32 name = fixture_name (&fixture, "s");
    for (guint i = 0; i < n; i++) {
      Slice slice = { g_test_rand_int_range (0, 40), 0, "s", FALSE };
      slice.end_ns = slice.start_ns + g_test_rand_int_range (0, 1 + (gint) round % 40);
      g_array_append_val (slices, slice);
      loom_trace_builder_span (fixture.builder, 0, slice.start_ns, slice.end_ns - slice.start_ns, name,
                               fixture_ref (&fixture));
    }
    g_autofree char *expected = draw_slowly (slices);
    fixture_freeze (&fixture);
    fixture_assert_spans (&fixture, expected);
    fixture_clear (&fixture);
  }
}

/* --- flows --- */

static gint64
end_of (const LoomSpans *spans, guint32 span)
{
  return spans->start_ns[span] + spans->dur_ns[span];
}

/* Returns the innermost slice that starts at the time, or, if none starts there, the innermost slice that encloses the
 * time. Ignores overflow lanes, which this test does not create. */
static guint32
enclosing_slowly (const LoomTrace *trace, gint64 time_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 starting = G_MAXUINT32, enclosing = G_MAXUINT32;
  for (guint32 i = 0; i < spans->n; i++) { /* rows are stored by increasing depth, so a later match is an inner slice */
    if (spans->start_ns[i] == time_ns)
      starting = i;
    if (spans->start_ns[i] <= time_ns && end_of (spans, i) >= time_ns)
      enclosing = spans->start_ns[i] < time_ns || starting == i ? i : enclosing;
  }
  return starting != G_MAXUINT32 ? starting : enclosing;
}

static guint32
next_slowly (const LoomTrace *trace, gint64 time_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 best = G_MAXUINT32;
  for (guint32 i = 0; i < spans->n; i++) {
    if (spans->start_ns[i] < time_ns)
      continue;
    if (best == G_MAXUINT32 || spans->start_ns[i] < spans->start_ns[best] ||
        (spans->start_ns[i] == spans->start_ns[best] && spans->start_ns[i] == time_ns))
      best = i;
  }
  return best;
}

static void
feed_tree (Fixture *fixture, gint64 begin_ns, gint64 end_ns, guint depth)
{
  while (begin_ns < end_ns) {
    gint64 slice_end_ns = begin_ns + g_test_rand_int_range (0, (gint) (end_ns - begin_ns) + 1);
    loom_trace_builder_span (fixture->builder, 0, begin_ns, slice_end_ns - begin_ns, fixture_name (fixture, "s"),
                             fixture_ref (fixture));
    if (depth < 4)
      feed_tree (fixture, begin_ns, slice_end_ns, depth + 1);
    begin_ns = slice_end_ns + g_test_rand_int_range (1, 4);
  }
}

/* Adds one flow in each round, from a slice of its own to a random time. */
static void
test_flows (void)
{
  for (guint round = 0; round < 3000; round++) {
    Fixture fixture;
    fixture_init (&fixture);
    feed_tree (&fixture, 0, 60, 0);
    gint64 from_ns = g_test_rand_int_range (-5, 70), to_ns = g_test_rand_int_range (-5, 70);
    guint64 key = loom_string_pool_hash ("k", 1);
    loom_trace_builder_flow (fixture.builder, 0, 's', FALSE, from_ns, key, 0, fixture_ref (&fixture));
    loom_trace_builder_flow (fixture.builder, 0, 'f', round % 2 == 0, to_ns, key, 0, fixture_ref (&fixture));
    fixture_freeze (&fixture);
    guint32 n, from = enclosing_slowly (fixture.trace, from_ns);
    guint32 to = round % 2 == 0 ? enclosing_slowly (fixture.trace, to_ns) : next_slowly (fixture.trace, to_ns);
    const LoomArrow *arrows = loom_trace_get_arrows (fixture.trace, &n);
    gboolean is_drawn = from != G_MAXUINT32 && to != G_MAXUINT32 && from != to;
    g_assert_cmpuint (n, ==, is_drawn);
    if (is_drawn) {
      g_assert_cmpuint (arrows->from, ==, from);
      g_assert_cmpuint (arrows->to, ==, to);
    }
    fixture_clear (&fixture);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/reference/pairing", test_pairing);
  g_test_add_func ("/model/reference/nesting", test_nesting);
  g_test_add_func ("/model/reference/flows", test_flows);
  return g_test_run ();
}
