/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-durations.h"
#include "loom-index-file.h"

#define N_SPANS 12000u
#define N_NAMES 6u
#define N_LAYERS 24u
#define N_FORMS (2 * LOOM_INDEX_DURATIONS_CONTEXTS)

static guint32 names[N_SPANS];
static LoomRange ranges[N_SPANS];
static guint8 ends[N_SPANS];

static const LoomIndexDurationsSpans spans = { .ranges = ranges,
                                               .names = names,
                                               .ends = ends,
                                               .n = N_SPANS,
                                               .n_names = N_NAMES };

/* Makes the spans of a stream: in each of 24 layers, kernels of six names in a sequence that depends on the layer.
 * `by_layer`: the duration of a kernel depends on its layer, apart from less than 16 ns. Otherwise all kernels of a
 * name take equally long. */
static void
make_spans (gboolean by_layer)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (7);
  gint64 at_ns = 1000;
  for (guint32 i = 0; i < N_SPANS; i++) {
    guint32 layer = i / 8 % N_LAYERS, step = i % 8;
    names[i] = (layer * step + layer / 5 + step) % N_NAMES;
    gint64 long_ns =
      1000 * (1 + names[i]) + (by_layer ? layer * step * 7919 % 40000 : 0) + g_rand_int_range (dice, 0, 16);
    ranges[i] = (LoomRange) { at_ns, at_ns + long_ns };
    at_ns += long_ns + 10;
  }
}

static GByteArray *
write_and_read (guint *form)
{
  GByteArray *section = loom_index_durations_write (&spans, 0);
  LoomIndexBytes in = { section->data, section->data + section->len, FALSE };
  g_autofree LoomRange *read = g_new (LoomRange, N_SPANS);
  g_auto (LoomIndexDurations) durations = { .last_ns = NULL };
  *form = section->data[0];
  loom_index_durations_begin (&durations, in, N_FORMS, N_NAMES, read);
  for (guint32 i = 0; i < N_SPANS; i++) {
    LoomRange range = { ranges[i].begin_ns, 0 };
    range.end_ns = range.begin_ns + loom_index_durations_get (&durations, range.begin_ns, names[i]);
    g_assert_cmpint (range.end_ns, ==, ranges[i].end_ns);
    read[i] = range;
  }
  g_assert_true (durations.rest.at == durations.rest.end);
  g_assert_false (durations.rest.failed || durations.ends.failed);
  return section;
}

/* If the duration of a kernel depends on the kernels before it, it is written as the difference from the duration that
 * followed the same sequence of names before. These differences are below 16 ns, so each of them takes about five bits.
 * As a difference from the previous kernel of the same name, a duration would take about two bytes. */
static void
test_contexts (void)
{
  guint form = 0;
  make_spans (TRUE);
  g_autoptr (GByteArray) section = write_and_read (&form);
  g_assert_cmpuint (form, ==, LOOM_INDEX_DURATIONS_CONTEXTS);
  g_assert_cmpuint (loom_index_file_measure (section), <, N_SPANS * 7 / 8);
}

/* If contexts save less than one part in 50, they are not used, because reading them takes longer. */
static void
test_alike (void)
{
  guint form = 0;
  make_spans (FALSE);
  g_autoptr (GByteArray) section = write_and_read (&form);
  g_assert_cmpuint (form, <, LOOM_INDEX_DURATIONS_CONTEXTS);
}

/* An index counts as damaged if it states a form of durations that its version does not have, or both kinds of
 * differences at once. */
static void
test_damage (void)
{
  const guint8 bytes[] = { LOOM_INDEX_DURATIONS_CONTEXTS,
                           LOOM_INDEX_DURATIONS_CONTEXTS | LOOM_INDEX_DURATIONS_DIFFERENCE };
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++) {
    g_autofree LoomRange *read = g_new (LoomRange, N_SPANS);
    g_auto (LoomIndexDurations) durations = { .last_ns = NULL };
    LoomIndexBytes in = { &bytes[i], &bytes[i] + 1, FALSE };
    loom_index_durations_begin (&durations, in, i == 0 ? LOOM_INDEX_DURATIONS_CONTEXTS : N_FORMS, N_NAMES, read);
    g_assert_true (durations.rest.failed);
  }
}

/* The value of an earlier span is found only if the last 16 names are the same as they were for that span. */
static void
test_find (void)
{
  g_autoptr (LoomIndexContexts) contexts = loom_index_contexts_new ();
  for (guint32 i = 0; i < 40; i++)
    g_assert_cmpuint (loom_index_contexts_add (contexts, i), ==, 0);
  for (guint32 i = 0; i < 40; i++)
    g_assert_cmpuint (loom_index_contexts_add (contexts, i), ==, i < 16 ? 0 : i + 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/durations/contexts", test_contexts);
  g_test_add_func ("/index/durations/alike", test_alike);
  g_test_add_func ("/index/durations/damage", test_damage);
  g_test_add_func ("/index/durations/find", test_find);
  return g_test_run ();
}
