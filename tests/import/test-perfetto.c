/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading of Perfetto traces: numbers that represent texts, and change their text from packet to packet; clocks
 * that are related by snapshots; packets inside compressed packets, which are found again for the details; and the JSON
 * text that is generated for events, which is the same wherever reading begins.
 */
#include "loom-perfetto-events.h"
#include "loom-string-pool.h"
#include "put-packets.h"

#include <gio/gio.h>
#include <string.h>

#define RANDOM_BYTES (1024 * 1024)

/* --- texts ------------------------------------------------------------------------------------------------------------ */

static void
add (LoomPerfettoTexts *texts, guint32 generation, guint64 number, guint64 place, const char *text)
{
  loom_perfetto_texts_add (texts, generation, LOOM_PERFETTO_TEXT_EVENT_NAME, number, place, text, strlen (text));
}

static const char *
get (const LoomPerfettoTexts *texts, guint32 generation, guint64 number, guint64 place)
{
  return loom_perfetto_texts_get (texts, generation, LOOM_PERFETTO_TEXT_EVENT_NAME, number, place);
}

static void
test_texts (void)
{
  LoomPerfettoTexts *texts = loom_perfetto_texts_new ();
  guint32 first = loom_perfetto_texts_add_generation (texts), second = loom_perfetto_texts_add_generation (texts);
  add (texts, first, 7, 10, "one \"quoted\"");
  add (texts, first, 7, 20, "two");
  add (texts, first, 7, 30, "two");
  add (texts, first, 7, 40, "three");
  g_assert_null (get (texts, first, 7, 9));
  g_assert_cmpstr (get (texts, first, 7, 10), ==, "one \\\"quoted\\\"");
  g_assert_cmpstr (get (texts, first, 7, 19), ==, "one \\\"quoted\\\"");
  g_assert_cmpstr (get (texts, first, 7, 20), ==, "two");
  g_assert_cmpstr (get (texts, first, 7, 39), ==, "two");
  g_assert_cmpstr (get (texts, first, 7, 1000), ==, "three");
  g_assert_null (get (texts, second, 7, 1000));
  g_assert_null (loom_perfetto_texts_get (texts, first, LOOM_PERFETTO_TEXT_CATEGORY, 7, 1000));
  loom_perfetto_texts_free (texts);
}

/* Tests texts whose numbers are few and far apart, and texts with very many consecutive numbers. */
static void
test_numbers (void)
{
  LoomPerfettoTexts *texts = loom_perfetto_texts_new ();
  guint32 generation = loom_perfetto_texts_add_generation (texts);
  const guint64 far[] = { 255, 256, 1000, 65535, 65536, G_MAXUINT32, G_GUINT64_CONSTANT (1) << 50 };
  char name[32];
  for (guint i = 0; i < G_N_ELEMENTS (far); i++) {
    g_snprintf (name, sizeof name, "far %u", i);
    add (texts, generation, far[i], 1, name);
  }
  for (guint i = 1; i < 3000; i++) {
    g_snprintf (name, sizeof name, "near %u", i);
    if (i != 255 && i != 256 && i != 1000)
      add (texts, generation, i, 1, name);
  }
  for (guint i = 0; i < G_N_ELEMENTS (far); i++) {
    g_snprintf (name, sizeof name, "far %u", i);
    g_assert_cmpstr (get (texts, generation, far[i], 1), ==, name);
  }
  g_assert_cmpstr (get (texts, generation, 2999, 1), ==, "near 2999");
  g_assert_null (get (texts, generation, 3000, 1));
  loom_perfetto_texts_free (texts);
}

/* In each kind of interned data, such as names and categories, the same number has a text of its own, even if the
 * number is larger than those that writers use. */
static void
test_kinds (void)
{
  LoomPerfettoTexts *texts = loom_perfetto_texts_new ();
  guint32 generation = loom_perfetto_texts_add_generation (texts);
  for (guint shift = 32; shift < 64; shift++)
    for (guint64 low = 0; low < 4; low++)
      loom_perfetto_texts_add (texts, generation, LOOM_PERFETTO_TEXT_CATEGORY, 7 ^ low << shift, 1, "category", 8);
  g_assert_null (get (texts, generation, 7, 1));
  g_assert_null (get (texts, generation, 7 ^ G_GUINT64_CONSTANT (1) << 63, 1));
  add (texts, generation, G_MAXUINT64, 1, "name");
  g_assert_cmpstr (get (texts, generation, G_MAXUINT64, 1), ==, "name");
  g_assert_null (loom_perfetto_texts_get (texts, generation, LOOM_PERFETTO_TEXT_ARG_TEXT, G_MAXUINT64, 1));
  loom_perfetto_texts_free (texts);
}

/* --- clocks ----------------------------------------------------------------------------------------------------------- */

static void
snap (LoomPerfettoClocks *clocks, guint a, guint64 a_ns, guint b, guint64 b_ns)
{
  loom_perfetto_clocks_begin_snapshot (clocks);
  loom_perfetto_clocks_add_reading (clocks, a, a_ns, 1, FALSE);
  loom_perfetto_clocks_add_reading (clocks, b, b_ns, 1, FALSE);
}

static gint64
convert (const LoomPerfettoClocks *clocks, guint clock, gint64 time_ns)
{
  g_assert_true (loom_perfetto_clocks_convert (clocks, clock, &time_ns));
  return time_ns;
}

static void
test_clocks (void)
{
  LoomPerfettoClocks *clocks = loom_perfetto_clocks_new ();
  guint utc = loom_perfetto_clocks_find (clocks, LOOM_PERFETTO_REALTIME, 1),
        boot = loom_perfetto_clocks_find (clocks, LOOM_PERFETTO_BOOTTIME, 1),
        tsc = loom_perfetto_clocks_find (clocks, 9, 1), own = loom_perfetto_clocks_find (clocks, 64, 1),
        other = loom_perfetto_clocks_find (clocks, 64, 2), far = loom_perfetto_clocks_find (clocks, 200, 1);
  gint64 time_ns = 5;
  g_assert_cmpuint (own, !=, other);
  g_assert_cmpuint (loom_perfetto_clocks_find (clocks, LOOM_PERFETTO_BOOTTIME, 2), ==, boot);
  snap (clocks, utc, 1000000, boot, 100);
  snap (clocks, utc, 1001500, boot, 1100); /* the clock UTC was set forward by 500 ns */
  snap (clocks, boot, 100, tsc, 7000);
  snap (clocks, tsc, 7000, own, 3);
  snap (clocks, own, 3, far, 1);
  g_assert_true (loom_perfetto_clocks_choose (clocks, boot));
  g_assert_cmpint (convert (clocks, utc, 42), ==, 42);
  g_assert_cmpint (convert (clocks, boot, 50), ==, 999950); /* the time is before the first snapshot */
  g_assert_cmpint (convert (clocks, boot, 1099), ==, 1000999);
  g_assert_cmpint (convert (clocks, boot, 1100), ==, 1001500);
  g_assert_cmpint (convert (clocks, tsc, 7010), ==, 1000010);
  g_assert_cmpint (convert (clocks, own, 4), ==, 1000001);
  g_assert_false (loom_perfetto_clocks_convert (clocks, far, &time_ns)); /* a time of this clock would need four
                                                                          * conversions, which is too many */
  g_assert_false (loom_perfetto_clocks_convert (clocks, other, &time_ns));
  g_assert_cmpint (time_ns, ==, 5);
  g_assert_cmpint (loom_perfetto_clocks_find_drift (clocks, boot), ==, 500);
  loom_perfetto_clocks_free (clocks);
}

/* Clocks of different sequences are different clocks, also if the numbers of the sequences were chosen so that
 * loom_string_pool_hash_join() returns the same value for both clocks. */
static void
test_crafted_clocks (void)
{
  const guint64 prime = G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  guint64 inverse = prime; /* of `prime`, modulo 2 to the power of 64; each step doubles the number of right bits */
  for (guint i = 0; i < 6; i++)
    inverse *= 2 - prime * inverse;
  guint64 first = 5, turned = (first << 23 | first >> 41) - inverse, second = turned >> 23 | turned << 41;
  g_assert_cmpuint (loom_string_pool_hash_join (first, 64), ==, loom_string_pool_hash_join (second, 65));
  LoomPerfettoClocks *clocks = loom_perfetto_clocks_new ();
  guint a = loom_perfetto_clocks_find (clocks, 64, first - 1), b = loom_perfetto_clocks_find (clocks, 65, second - 1);
  g_assert_cmpuint (a, !=, b);
  loom_perfetto_clocks_free (clocks);
}

static void
test_incremental (void)
{
  LoomPerfettoClocks *clocks = loom_perfetto_clocks_new ();
  guint own = loom_perfetto_clocks_find (clocks, 65, 1), boot = loom_perfetto_clocks_find (clocks, 6, 1);
  gint64 time_ns;
  loom_perfetto_clocks_begin_snapshot (clocks);
  loom_perfetto_clocks_add_reading (clocks, own, 10, 1000, TRUE);
  g_assert_true (loom_perfetto_clocks_read (clocks, own, 2, &time_ns));
  g_assert_cmpint (time_ns, ==, 12000);
  g_assert_true (loom_perfetto_clocks_read (clocks, own, 3, &time_ns));
  g_assert_cmpint (time_ns, ==, 15000);
  g_assert_false (loom_perfetto_clocks_read (clocks, own, G_MAXINT64 / 1000, &time_ns));
  g_assert_true (loom_perfetto_clocks_read (clocks, own, 1, &time_ns));
  g_assert_cmpint (time_ns, ==, 16000);
  g_assert_false (loom_perfetto_clocks_read (clocks, boot, G_MAXUINT64, &time_ns));
  loom_perfetto_clocks_free (clocks);
}

/* --- packets ---------------------------------------------------------------------------------------------------------- */

static void
test_places (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new (), inner = g_byte_array_new ();
  put_event (bytes, 1, 3, "before");
  put_event (inner, 2, 3, "inside");
  put_event (inner, 3, 3, "inside, too");
  guint64 packed_at = bytes->len;
  put_compressed (bytes, inner);
  guint64 behind = bytes->len;
  put_event (bytes, 4, 3, "behind");
  LoomPerfettoTrace *trace = loom_perfetto_trace_new (new_file (bytes), bytes->len, NULL, NULL);
  g_assert_cmpuint (trace->n_events, ==, 4);
  const guint64 offsets[] = { 0, behind, behind, behind };
  for (guint i = 4; i-- > 0;) { /* in reverse order, so that each packet must be found without reading the previous
                                 * one */
    guint64 place = loom_perfetto_trace_find_place (trace, i);
    gsize n_bytes;
    g_assert_cmpint (loom_perfetto_trace_read_event (trace, i).start_ns, ==, i + 1);
    g_assert_nonnull (loom_perfetto_packets_get (trace->begins, place, &n_bytes));
    g_assert_cmpuint (loom_perfetto_packets_find_offset (trace->packets, place), ==, offsets[i]);
  }
  g_assert_cmpuint (loom_perfetto_packets_find_offset (trace->packets, packed_at), ==, packed_at);
  g_assert_cmpuint (loom_perfetto_packets_get_end (trace->packets), ==, bytes->len + inner->len);
  loom_perfetto_trace_free (trace);
}

static void
test_zstd (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new (), inner = g_byte_array_new ();
  for (guint i = 0; i < 500; i++)
    put_event (inner, i, 3, "inside");
  put_zstd (bytes, inner);
  put_event (bytes, 500, 3, "behind");
  LoomPerfettoTrace *trace = loom_perfetto_trace_new (new_file (bytes), bytes->len, NULL, NULL);
  g_assert_cmpuint (bytes->len, <, inner->len);
  g_assert_cmpuint (trace->n_events, ==, 501);
  for (guint i = 0; i < LOOM_PERFETTO_N_LOSSES; i++)
    g_assert_cmpuint (trace->losses[i], ==, 0);
  loom_perfetto_trace_free (trace);
}

/* --- pairs ------------------------------------------------------------------------------------------------------------ */

/* Asserts the durations of the spans, in the order of the trace. */
static void
assert_spans (const GByteArray *bytes, const gint64 *durations, guint n)
{
  LoomPerfettoTrace *trace = loom_perfetto_trace_new (new_file (bytes), bytes->len, NULL, NULL);
  g_assert_cmpuint (trace->n_events, ==, n);
  for (guint i = 0; i < n; i++) {
    LoomPerfettoEvent event = loom_perfetto_trace_read_event (trace, i);
    g_assert_cmpint (event.end_ns - event.start_ns, ==, durations[i]);
  }
  loom_perfetto_trace_free (trace);
}

static void
put_spans (GByteArray *bytes, const guint64 *begins, const guint64 *ends, guint n)
{
  for (guint i = 0; i < n; i++)
    put_event (bytes, begins[i], 1, "span");
  for (guint i = 0; i < n; i++)
    put_event (bytes, ends[i], 2, NULL);
}

static void
test_pairs (void)
{
  g_autoptr (GByteArray) touching = g_byte_array_new (), nested = g_byte_array_new (),
                         overlapping = g_byte_array_new ();
  put_spans (touching, (guint64[]) { 10, 20, 30 }, (guint64[]) { 20, 30, 40 }, 3);
  assert_spans (touching, (gint64[]) { 10, 10, 10 }, 3);
  put_spans (overlapping, (guint64[]) { 10, 20 }, (guint64[]) { 19, 90 }, 2);
  put_spans (overlapping, (guint64[]) { 100, 120, 300 }, (guint64[]) { 150, 140, 310 }, 3);
  assert_spans (overlapping, (gint64[]) { 9, 70, 50, 20, 10 }, 5);
  put_spans (nested, (guint64[]) { 10, 20 }, (guint64[]) { 30, 40 }, 2); /* the end events are in the order of time */
  assert_spans (nested, (gint64[]) { 30, 10 }, 2);
}

/* --- the text --------------------------------------------------------------------------------------------------------- */

static void
free_trace (gpointer trace)
{
  loom_perfetto_trace_free (trace);
}

/* At the same offset, the generated text has the same bytes, wherever reading begins. */
static void
test_text (void)
{
  static const LoomMadeTextClass klass = { loom_perfetto_events_make, free_trace };
  g_autoptr (GByteArray) bytes = g_byte_array_new (), inner = g_byte_array_new ();
  for (guint i = 0; i < 4000; i++) {
    g_autofree char *name = g_strdup_printf ("%.*s %u", (int) (i % 40), "........................................", i);
    GByteArray *out = i >= 1000 && i < 2000 ? inner : bytes;
    put_event (out, i * 10, 1, name);
    put_event (out, i * 10 + i % 7, 2, NULL);
    if (i == 1999)
      put_compressed (bytes, inner);
  }
  g_autoptr (LoomByteSource) text =
    loom_made_text_new (&klass, loom_perfetto_trace_new (new_file (bytes), bytes->len, NULL, NULL), 0, NULL, NULL);
  g_autoptr (GString) whole = g_string_new (NULL);
  char buffer[3000];
  gssize n;
  while ((n = loom_byte_source_read (text, whole->len, buffer, sizeof buffer, NULL)) > 0)
    g_string_append_len (whole, buffer, n);
  g_assert_nonnull (strstr (whole->str, "3999\""));
  for (guint i = 0; i < 300; i++) {
    guint64 offset = (guint64) g_test_rand_int_range (0, (gint32) whole->len);
    n = loom_byte_source_read (text, offset, buffer, sizeof buffer, NULL);
    g_assert_cmpint (n, >, 0);
    g_assert_cmpmem (buffer, (gsize) n, whole->str + offset, (gsize) n);
  }
}

/* --- lengths of args ------------------------------------------------------------------------------------------------ */

static void
put_message (GByteArray *out, guint field, const GByteArray *content)
{
  put_bytes (out, field, content->data, content->len);
}

/* Appends a packet with the name of an event, and the name `number` of args, for a sequence. */
static void
put_names (GByteArray *out, guint sequence, gboolean clears, guint number, const char *name)
{
  g_autoptr (GByteArray) packet = g_byte_array_new (), texts = g_byte_array_new (), of_event = g_byte_array_new (),
                         of_arg = g_byte_array_new ();
  put_number (of_event, 1, 1);
  put_bytes (of_event, 2, "event", 5);
  put_number (of_arg, 1, number);
  put_bytes (of_arg, 2, name, strlen (name));
  put_message (texts, 2, of_event);
  put_message (texts, 3, of_arg);
  put_number (packet, 10, sequence);
  put_number (packet, 13, clears ? 1 : 2);
  put_message (packet, 12, texts);
  put_message (out, 1, packet);
}

/* Appends two equal instants with an arg. The packet of the second one is like the packet before it, so that it is read
 * as a usual packet. `field`: 3 for an unsigned value, 4 for a signed one. */
static void
put_instants (GByteArray *out, guint sequence, guint number, guint field, guint64 value)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GByteArray) packet = g_byte_array_new (), event = g_byte_array_new (), arg = g_byte_array_new ();
    put_number (arg, 1, number);
    put_number (arg, field, value);
    put_number (event, 9, 3);
    put_number (event, 11, 5);
    put_number (event, 10, 1);
    put_message (event, 4, arg);
    put_number (packet, 8, 1000);
    put_number (packet, 10, sequence);
    put_number (packet, 13, 2);
    put_message (packet, 11, event);
    put_message (out, 1, packet);
  }
}

/* The length of args is that of their text, although names of args with the same number have different lengths in
 * different sequences, and before and after the name is replaced. */
static void
test_arg_lengths (void)
{
  static const char *const args[] = {
    "\"a\":7",        "\"longer\":-7", "\"a\":18446744073709551615",   "\"far\":1000",
    "\"replaced\":9", "\"longer\":10", "\"new\":-9223372036854775808",
  };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  put_names (bytes, 1, TRUE, 1, "a");
  put_names (bytes, 1, FALSE, 200, "far");
  put_names (bytes, 2, TRUE, 1, "longer");
  put_instants (bytes, 1, 1, 4, 7);
  put_instants (bytes, 2, 1, 4, (guint64) -7);
  put_instants (bytes, 1, 1, 3, G_MAXUINT64);
  put_instants (bytes, 1, 200, 3, 1000);
  put_names (bytes, 1, FALSE, 1, "replaced");
  put_instants (bytes, 1, 1, 3, 9);
  put_instants (bytes, 2, 1, 3, 10);
  put_names (bytes, 1, TRUE, 1, "new");
  put_instants (bytes, 1, 1, 4, (guint64) G_MININT64);
  LoomPerfettoTrace *trace = loom_perfetto_trace_new (new_file (bytes), bytes->len, NULL, NULL);
  g_assert_cmpuint (trace->n_events, ==, 2 * G_N_ELEMENTS (args));
  for (guint32 i = 0; i < trace->n_events; i++)
    g_assert_cmpuint (loom_perfetto_trace_read_event (trace, i).args_length, ==, strlen (args[i / 2]) + 1);
  loom_perfetto_trace_free (trace);
}

/* --- compressed packets ----------------------------------------------------------------------------------------------- */

typedef struct {
  LoomByteSource base;
  LoomByteSource *file;
  guint64 *n_read; /* number of bytes that were read */
} CountedFile;

static gssize
counted_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  CountedFile *counted = (CountedFile *) base;
  gssize n = loom_byte_source_read (counted->file, offset, buffer, n_bytes, error);
  *counted->n_read += (guint64) MAX (n, 0);
  return n;
}

static void
counted_finalize (LoomByteSource *base)
{
  loom_byte_source_unref (((CountedFile *) base)->file);
}

/* Appends a compressed packet with an instant, and with random bytes, which compression does not make shorter. */
static void
put_random (GByteArray *out, guint64 time_ns)
{
  g_autoptr (GByteArray) inner = g_byte_array_new (), noise = g_byte_array_new (), packet = g_byte_array_new ();
  g_byte_array_set_size (noise, RANDOM_BYTES);
  for (guint i = 0; i < noise->len; i++)
    noise->data[i] = (guint8) g_test_rand_int_range (0, 256);
  put_event (inner, time_ns, 3, "mark");
  put_bytes (packet, 900, noise->data, noise->len);
  put_bytes (inner, 1, packet->data, packet->len);
  put_compressed (out, inner);
}

/* A reader that changes between two compressed packets whose contents it still has does not read the file again. */
static void
test_unpacked_once (void)
{
  static const LoomByteSourceClass klass = { counted_read, counted_finalize };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 n_read = 0;
  gsize n;
  put_random (bytes, 1);
  put_random (bytes, 2);
  g_assert_cmpuint (bytes->len, >, 2 * RANDOM_BYTES);
  CountedFile *counted = (CountedFile *) loom_byte_source_alloc (&klass, sizeof (CountedFile));
  counted->file = new_file (bytes);
  counted->n_read = &n_read;
  LoomPerfettoTrace *trace = loom_perfetto_trace_new (&counted->base, bytes->len, NULL, NULL);
  g_assert_cmpuint (trace->n_events, ==, 2);
  LoomPerfettoReader *reader = loom_perfetto_packets_new_reader (trace->packets);
  n_read = 0;
  for (guint i = 0; i < 20; i++)
    g_assert_nonnull (loom_perfetto_packets_get (reader, loom_perfetto_trace_read_event (trace, i % 2).place, &n));
  g_assert_cmpuint (n_read, <, 3 * RANDOM_BYTES);
  loom_perfetto_packets_free_reader (reader);
  loom_perfetto_trace_free (trace);
}

/* --- packed events ------------------------------------------------------------------------------------------------------ */

static LoomPerfettoEvent
new_usual_event (guint32 number)
{
  gint64 start_ns = G_GINT64_CONSTANT (1700000000000000000) + number * G_GINT64_CONSTANT (20000000);
  return (LoomPerfettoEvent) { .start_ns = start_ns,
                               .end_ns = number % 5 == 0 ? LOOM_PERFETTO_OPEN : start_ns + number % 1000,
                               .place = number * 1000,
                               .kind = number % LOOM_PERFETTO_BEGIN,
                               .has_tail = number % 3 == 0,
                               .has_arrows = number % 7 == 0,
                               .look = number % 65536,
                               .args_length = number % 2048 };
}

/* Gives some of the events values that are just small enough for a packed event (a compact form in memory), or too
 * large for it. */
static void
make_unusual (LoomPerfettoEvent *event, guint number)
{
  switch (number) {
  case 1: event->start_ns = -event->start_ns; break;
  case 2: event->end_ns = event->start_ns + G_GINT64_CONSTANT (4294967293); break;
  case 3: event->end_ns = event->start_ns + G_GINT64_CONSTANT (4294967294); break;
  case 4: event->end_ns = event->start_ns - 1; break;
  case 5: event->look = 65536; break;
  case 6: event->args_length = 2048; break;
  case 7: event->place += 65536; break;
  case 8: event->start_ns = G_MININT64; break;
  case 9: event->place = 0; break;
  case 10: event->end_ns = event->start_ns + G_GINT64_CONSTANT (4294967295); break;
  default: break;
  }
}

static void
check_packed (const LoomPerfettoPack *pack, const LoomPerfettoEvent *events, guint32 n)
{
  for (guint32 i = 0; i < n; i++) {
    LoomPerfettoEvent got = loom_perfetto_pack_get (pack, i);
    g_assert_cmpint (got.start_ns, ==, events[i].start_ns);
    g_assert_cmpint (got.end_ns, ==, events[i].end_ns);
    g_assert_cmpuint (loom_perfetto_pack_get_place (pack, i), ==, events[i].place);
    g_assert_cmpuint (got.kind, ==, events[i].kind);
    g_assert_cmpuint (got.has_tail, ==, events[i].has_tail);
    g_assert_cmpuint (got.has_arrows, ==, events[i].has_arrows);
    g_assert_cmpuint (got.look, ==, events[i].look);
    g_assert_cmpuint (got.args_length, ==, events[i].args_length);
  }
}

/* Events that are unpacked equal the events that were packed, also if a few of them have unusual values. */
static void
test_packed (void)
{
  for (guint32 n = 0; n < 5000; n = n * 3 / 2 + 1) {
    g_autofree LoomPerfettoEvent *events = g_new (LoomPerfettoEvent, n + 1);
    for (guint32 i = 0; i < n; i++) {
      events[i] = new_usual_event (i);
      if (n > 1000)
        make_unusual (&events[i], i % 997);
    }
    LoomPerfettoPack *pack = loom_perfetto_pack_new (n);
    for (guint32 first = 0; first < n; first += MIN (LOOM_PERFETTO_PACK_BLOCK, n - first)) /* in several parts */
      loom_perfetto_pack_add (pack, events + first, MIN (LOOM_PERFETTO_PACK_BLOCK, n - first));
    g_assert_false (loom_perfetto_pack_is_large (pack));
    check_packed (pack, events, n);
    loom_perfetto_pack_free (pack);
  }
}

/* If many events have unusual values, the events are stored without packing. */
static void
test_not_packed (void)
{
  enum { N = 1000 };
  g_autofree LoomPerfettoEvent *events = g_new (LoomPerfettoEvent, N);
  for (guint32 i = 0; i < N; i++) {
    events[i] = new_usual_event (i);
    events[i].look += i % 20 == 0 ? 65536 : 0;
  }
  LoomPerfettoPack *pack = loom_perfetto_pack_new (N);
  loom_perfetto_pack_add (pack, events, N);
  g_assert_true (loom_perfetto_pack_is_large (pack));
  loom_perfetto_pack_free (pack);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfetto/texts", test_texts);
  g_test_add_func ("/perfetto/numbers", test_numbers);
  g_test_add_func ("/perfetto/kinds", test_kinds);
  g_test_add_func ("/perfetto/clocks", test_clocks);
  g_test_add_func ("/perfetto/crafted-clocks", test_crafted_clocks);
  g_test_add_func ("/perfetto/incremental", test_incremental);
  g_test_add_func ("/perfetto/places", test_places);
  g_test_add_func ("/perfetto/zstd", test_zstd);
  g_test_add_func ("/perfetto/pairs", test_pairs);
  g_test_add_func ("/perfetto/text", test_text);
  g_test_add_func ("/perfetto/arg-lengths", test_arg_lengths);
  g_test_add_func ("/perfetto/packed", test_packed);
  g_test_add_func ("/perfetto/not-packed", test_not_packed);
  g_test_add_func ("/perfetto/unpacked-once", test_unpacked_once);
  return g_test_run ();
}
