/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that dumps of flight recorders are the same after they were written to an index and read again, and that damage
 * is found.
 */
#include <string.h>

#include "loom-index-flights.h"

static LoomFlightDump *
make_dump (void)
{
  static const gint ranks[] = { 7, 0, 3 };
  LoomFlightDump *dump = loom_flight_dump_new ();
  dump->rank = 3;
  dump->version = loom_flight_dump_keep (dump, "2.10");
  dump->n_lost = 12;
  dump->is_doubtful = TRUE;
  guint group = loom_flight_dump_add_group (dump, "0", "default_pg", ranks, G_N_ELEMENTS (ranks));
  g_array_index (dump->groups, LoomFlightGroup, group).enqueued = 41;
  const LoomFlightEntry entries[] = {
    { 40, 0, 40, FALSE, TRUE, LOOM_FLIGHT_COMPLETED, "all_reduce", "[8] Float", "step train.py:7", "main", 1000, 1500,
      2000, 600 },
    { 41, 0, 41, FALSE, FALSE, LOOM_FLIGHT_SCHEDULED, "all_reduce", "", "", "", 3000, 0, 0, 600 },
    { 42, G_MAXUINT, -1, TRUE, FALSE, LOOM_FLIGHT_STARTED, "send 0->3", "", "", "", 2500, 2600, 0, 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    g_array_append_val (dump->entries, entries[i]);
  return dump;
}

/* Returns a trace with two sources. The second one is the dump of a flight recorder if `has_dump`. */
static LoomTrace *
make_trace (gboolean has_dump)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  for (guint i = 0; i < 2; i++) {
    LoomSource *source = loom_source_new (i == 0 ? "a.json" : "_dump_3");
    source->flight = i == 1 && has_dump ? make_dump () : NULL;
    loom_trace_builder_add_source (builder, source, loom_trace_builder_add_clock (builder));
  }
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* Reads the first `n_bytes` bytes. Returns NULL if they are damaged. */
static LoomTrace *
read_trace (const GByteArray *bytes, gsize n_bytes)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  LoomIndexBytes in = { bytes->data, bytes->data + n_bytes, FALSE };
  for (guint i = 0; i < 2; i++)
    loom_trace_builder_add_source (builder, loom_source_new ("a"), loom_trace_builder_add_clock (builder));
  loom_index_flights_read (&in, builder, 0, 2);
  if (!in.failed)
    return loom_trace_builder_freeze (builder, 1, NULL);
  loom_trace_builder_free (builder);
  return NULL;
}

static void
check_entry (const LoomFlightEntry *found, const LoomFlightEntry *wanted)
{
  g_assert_cmpint (found->record, ==, wanted->record);
  g_assert_cmpuint (found->group, ==, wanted->group);
  g_assert_cmpint (found->sequence, ==, wanted->sequence);
  g_assert_cmpint (found->is_message, ==, wanted->is_message);
  g_assert_cmpint (found->is_retired, ==, wanted->is_retired);
  g_assert_cmpint (found->state, ==, wanted->state);
  g_assert_cmpstr (found->name, ==, wanted->name);
  g_assert_cmpstr (found->sizes, ==, wanted->sizes);
  g_assert_cmpstr (found->frames, ==, wanted->frames);
  g_assert_cmpstr (found->thread, ==, wanted->thread);
  g_assert_cmpint (found->created_ns, ==, wanted->created_ns);
  g_assert_cmpint (found->started_ns, ==, wanted->started_ns);
  g_assert_cmpint (found->completed_ns, ==, wanted->completed_ns);
  g_assert_cmpint (found->timeout_ns, ==, wanted->timeout_ns);
}

static void
check_dump (const LoomFlightDump *found, const LoomFlightDump *wanted)
{
  g_assert_cmpint (found->rank, ==, wanted->rank);
  g_assert_cmpstr (found->version, ==, wanted->version);
  g_assert_cmpstr (found->nccl_version, ==, "");
  g_assert_cmpint (found->n_lost, ==, wanted->n_lost);
  g_assert_true (found->is_doubtful);
  g_assert_cmpuint (found->groups->len, ==, 1);
  const LoomFlightGroup *group = &g_array_index (found->groups, LoomFlightGroup, 0);
  g_assert_cmpstr (group->name, ==, "0");
  g_assert_cmpstr (group->purpose, ==, "default_pg");
  g_assert_cmpmem (group->ranks, group->n_ranks * sizeof (gint), ((gint[]) { 0, 3, 7 }), 3 * sizeof (gint));
  g_assert_cmpint (group->enqueued, ==, 41);
  g_assert_cmpint (group->completed, ==, LOOM_FLIGHT_UNKNOWN);
  g_assert_cmpuint (found->entries->len, ==, wanted->entries->len);
  for (guint i = 0; i < wanted->entries->len; i++)
    check_entry (&g_array_index (found->entries, LoomFlightEntry, i),
                 &g_array_index (wanted->entries, LoomFlightEntry, i));
}

static void
test_dumps (void)
{
  g_autoptr (LoomTrace) trace = make_trace (TRUE);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  loom_index_flights_write (trace, bytes);
  g_autoptr (LoomTrace) found = read_trace (bytes, bytes->len);
  g_assert_nonnull (found);
  g_assert_null (loom_trace_get_source (found, 0)->flight);
  check_dump (loom_trace_get_source (found, 1)->flight, loom_trace_get_source (trace, 1)->flight);
}

/* Traces of other profilers need no section. */
static void
test_none (void)
{
  g_autoptr (LoomTrace) trace = make_trace (FALSE);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  loom_index_flights_write (trace, bytes);
  g_assert_cmpuint (bytes->len, ==, 0);
  g_autoptr (LoomTrace) found = read_trace (bytes, 0);
  g_assert_null (loom_trace_get_source (found, 1)->flight);
}

/* A cut is found wherever it is after the texts and the source without a dump; a changed byte does no harm. */
static void
test_damage (void)
{
  g_autoptr (LoomTrace) trace = make_trace (TRUE);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  loom_index_flights_write (trace, bytes);
  guint n_good = 0;
  for (guint n = 1; n < bytes->len; n++) {
    g_autoptr (LoomTrace) cut = read_trace (bytes, n);
    n_good += cut != NULL;
  }
  g_assert_cmpuint (n_good, <=, 2); /* a cut before the first or before the second source looks like no dumps */
  for (guint i = 0; i < bytes->len; i++)
    for (guint bit = 0; bit < 8; bit++) {
      bytes->data[i] ^= (guint8) (1u << bit);
      g_autoptr (LoomTrace) changed = read_trace (bytes, bytes->len);
      bytes->data[i] ^= (guint8) (1u << bit);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/flights/dumps", test_dumps);
  g_test_add_func ("/index/flights/none", test_none);
  g_test_add_func ("/index/flights/damage", test_damage);
  return g_test_run ();
}
