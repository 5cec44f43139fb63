/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests damaged Perfetto traces. The packets after the damage are found. An event is not read with state (such as the
 * texts of numbers) that a lost packet may have changed. Reading a file that was made to be slow takes bounded time.
 */
#include "loom-int64-hash.h"
#include "loom-perfetto-trace.h"
#include "put-packets.h"

#include <time.h>

#define HOSTILE_BYTES (10u * 1024 * 1024)
/* Limits of the processor time for ten times the input: so many times that for a tenth of it, and so many seconds more,
 * because short times are not exact. With linear time it is about 10 times as long, with quadratic time 100 times. */
#define MOST_GROWTH 30
#define MOST_MORE_S 1
#define MEBIBYTE (1024u * 1024)
#define N_FAR_SPANS 100u

/* A packet that a test writes. The packets of a sequence share state, which here is the name that
 * is assigned to the number 1; the members say what the packet does with this state. */
typedef struct {
  guint flags;         /* Perfetto's sequence_flags. 1: clears the state, 2: needs the state */
  const char *name;    /* the name that the packet assigns to the number 1; NULL: none */
  gboolean has_event;  /* TRUE: the packet contains an instant with the name of number 1 */
  gboolean is_damaged; /* TRUE: a field of the packet cannot be read, but the length of the packet is correct */
} Step;

static void
put_step (GByteArray *out, guint64 time_ns, const Step *step)
{
  g_autoptr (GByteArray) event = g_byte_array_new (), packet = g_byte_array_new (), entry = g_byte_array_new (),
                         interned = g_byte_array_new ();
  put_number (packet, 8, time_ns);
  put_number (packet, 10, 7);
  put_number (packet, 13, step->flags);
  if (step->name != NULL) {
    put_number (entry, 1, 1);
    put_bytes (entry, 2, step->name, strlen (step->name));
    put_bytes (interned, 2, entry->data, entry->len);
    put_bytes (packet, 12, interned->data, interned->len);
  }
  put_number (event, 9, 3);
  put_number (event, 11, 5);
  put_number (event, 10, 1);
  if (step->has_event)
    put_bytes (packet, 11, event->data, event->len);
  if (step->is_damaged)
    g_byte_array_append (packet, (const guint8 *) "\xff\xff", 2);
  put_bytes (out, 1, packet->data, packet->len);
}

static LoomPerfettoTrace *
read_trace (const GByteArray *bytes)
{
  return loom_perfetto_trace_new (new_file (bytes), bytes->len, NULL, NULL);
}

/* Asserts that, of a file with a lost packet, `n_events` events are read: those before the packet, and those after it
 * that need no state; and that `loss` is reported. */
static void
assert_lost (const GByteArray *bytes, LoomPerfettoLoss loss, guint n_events)
{
  LoomPerfettoTrace *trace = read_trace (bytes);
  g_assert_cmpuint (trace->losses[loss], ==, 1);
  g_assert_cmpuint (trace->losses[LOOM_PERFETTO_BEHIND_DAMAGE], ==, 1);
  g_assert_cmpuint (trace->n_events, ==, n_events);
  g_assert_cmpuint (trace->gaps->len, ==, 1);
  g_assert_cmpuint (trace->damage, ==, G_MAXUINT64);
  loom_perfetto_trace_free (trace);
}

static const Step define_a = { 1, "A", TRUE, FALSE }, define_b = { 1, "B", TRUE, FALSE },
                  broken = { 1, "B", FALSE, TRUE }, use = { 2, NULL, TRUE, FALSE };

/* A lost packet may have assigned another name to number 1, so later events that need this name are not read. */
static void
test_lost_packet (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  put_step (bytes, 1, &define_a);
  put_step (bytes, 2, &broken);
  put_step (bytes, 3, &use);
  put_event (bytes, 4, 3, "needs no state");
  put_step (bytes, 5, &define_b);
  put_step (bytes, 6, &use);
  assert_lost (bytes, LOOM_PERFETTO_DAMAGED, 4);
}

/* Packets inside a compressed packet are lost; the effect is the same as at the top level. */
static void
test_lost_inside (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new (), inner = g_byte_array_new (), nested = g_byte_array_new ();
  put_step (inner, 1, &define_a);
  put_step (inner, 2, &broken);
  put_step (inner, 3, &use);
  put_compressed (bytes, inner);
  assert_lost (bytes, LOOM_PERFETTO_DAMAGED, 1);
  g_byte_array_set_size (bytes, 0);
  g_byte_array_set_size (inner, 0);
  put_step (inner, 1, &define_a);
  put_step (nested, 2, &define_b);
  put_compressed (inner, nested);
  put_step (inner, 3, &use);
  put_compressed (bytes, inner);
  assert_lost (bytes, LOOM_PERFETTO_NESTED_PACKED, 1);
}

/* A compressed packet lacks its last bytes: the packets that can be unpacked are read with their state, but events
 * after the compressed packet have no state. */
static void
test_lost_rest (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new (), inner = g_byte_array_new (), packed = g_byte_array_new (),
                         packet = g_byte_array_new ();
  put_step (bytes, 1, &define_a);
  put_bytes (packet, 50, "damaged", 7);
  put_bytes (bytes, 1, packet->data, packet->len);
  put_step (bytes, 2, &use);
  assert_lost (bytes, LOOM_PERFETTO_BAD_PACKED, 1);
  g_byte_array_set_size (bytes, 0);
  g_byte_array_set_size (packet, 0);
  put_step (inner, 1, &define_a);
  put_step (inner, 2, &use);
  put_compressed (packed, inner);
  g_assert_cmpuint (packed->len, <, 128);                        /* so short that the lengths of packet and field take
                                                                  * one byte each */
  put_bytes (packet, 50, packed->data + 5, packed->len - 5 - 4); /* omits the checksum of zlib */
  put_bytes (bytes, 1, packet->data, packet->len);
  put_step (bytes, 3, &use);
  assert_lost (bytes, LOOM_PERFETTO_BAD_PACKED, 2);
}

/* A packet of 64 MiB or more is skipped and counted as lost. */
static void
test_lost_large (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  put_step (bytes, 1, &define_a);
  guint8 head = 10;
  g_byte_array_append (bytes, &head, 1);
  put_varint (bytes, 65 * 1024 * 1024);
  guint begin = bytes->len;
  g_byte_array_set_size (bytes, begin + 65 * 1024 * 1024);
  memset (bytes->data + begin, 0, 65 * 1024 * 1024);
  put_step (bytes, 2, &use);
  assert_lost (bytes, LOOM_PERFETTO_TOO_LARGE, 1);
}

/* Appends `n_bytes` pseudo-random bytes with a fixed seed. */
static void
put_noise (GByteArray *out, guint n_bytes)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  for (guint i = 0; i < n_bytes; i += 4) {
    guint32 word = g_rand_int (random);
    g_byte_array_append (out, (const guint8 *) &word, 4);
  }
}

/* All packets after a large damaged part are read. */
static void
test_noise (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (guint i = 0; i < 1000; i++)
    put_event (bytes, i, 3, "before");
  guint begin = bytes->len;
  put_noise (bytes, 1024 * 1024);
  guint end = bytes->len;
  for (guint i = 0; i < 1000; i++)
    put_event (bytes, 1000 + i, 3, "behind");
  LoomPerfettoTrace *trace = read_trace (bytes);
  g_assert_cmpuint (trace->n_events, ==, 2000);
  g_assert_cmpuint (trace->gaps->len, ==, 1);
  const LoomPerfettoGap *gap = &g_array_index (trace->gaps, LoomPerfettoGap, 0);
  g_assert_cmpuint (gap->begin, ==, begin);
  g_assert_cmpuint (gap->end, ==, end);
  loom_perfetto_trace_free (trace);
}

/* A compressed packet has neither a time nor a sequence number by which it could be recognised after damage; it must be
 * found nevertheless. */
static void
test_noise_packed (void)
{
  for (guint kind = 0; kind < 2; kind++) {
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    for (guint i = 0; i < 8; i++) {
      g_autoptr (GByteArray) inner = g_byte_array_new ();
      put_event (inner, i, 3, "inside");
      if (kind == 0)
        put_compressed (bytes, inner);
      else
        put_zstd (bytes, inner);
      if (i == 3 || i == 6)
        put_noise (bytes, 1000);
    }
    LoomPerfettoTrace *trace = read_trace (bytes);
    g_assert_cmpuint (trace->n_events, ==, 8);
    g_assert_cmpuint (trace->gaps->len, ==, 2);
    loom_perfetto_trace_free (trace);
  }
}

/* Appends damaged packets, each followed by a packet of a writer (sequence) that did not occur before. */
static void
put_writers (GByteArray *out, guint n_most)
{
  for (guint i = 1; out->len < n_most; i++) {
    g_autoptr (GByteArray) packet = g_byte_array_new ();
    put_number (packet, 10, i);
    put_bytes (out, 1, "\xff\xff", 2);
    put_bytes (out, 1, packet->data, packet->len);
  }
}

static void
put_again (GByteArray *out, guint n_most, const guint8 *unit, guint n_bytes)
{
  while (out->len < n_most)
    g_byte_array_append (out, unit, n_bytes);
}

static void
put_hostile (GByteArray *out, guint kind, guint n_most)
{
  g_autoptr (GByteArray) unit = g_byte_array_new (), packets = g_byte_array_new ();
  for (guint i = 0; i < 3; i++)
    put_event (packets, i, 3, "e");
  put_bytes (unit, 2, packets->data, packets->len);
  switch (kind) {
  case 0: put_again (out, n_most, (const guint8 *) "\x0a\x02\xff\xff", 4); break; /* packets that all are damaged */
  case 1:
    put_again (out, n_most, unit->data, unit->len);
    break; /* packets without the framing of the top
                                                                           * level */
  case 2: put_writers (out, n_most); break;
  case 3: /* long packets that overlap, with fields at distant places */
    put_again (out, n_most, (const guint8 *) "\x0a\xf0\xff\x3f\x12\xe0\xff\x3e", 8);
    break;
  default:
    put_again (out, n_most, (const guint8 *) "\x1a\x04\x0a\xf0\xff\x3f", 6);
    break; /* long packets that overlap, with many fields */
  }
}

/* Returns the processor time of this process, which other programs on the machine hardly change. */
static double
get_processor_s (void)
{
  return (double) clock () / CLOCKS_PER_SEC;
}

/* Reads a hostile file of about `n_most` bytes. Returns the processor time in s. */
static double
read_hostile (guint kind, guint n_most)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  put_hostile (bytes, kind, n_most);
  double begin_s = get_processor_s ();
  LoomPerfettoTrace *trace = read_trace (bytes);
  double used_s = get_processor_s () - begin_s;
  g_test_message ("kind %u: %.2f s, %u events, %u gaps", kind, used_s, trace->n_events, trace->gaps->len);
  g_assert_true (trace->gaps->len > 0 || trace->damage != G_MAXUINT64);
  loom_perfetto_trace_free (trace);
  return used_s;
}

/* Returns TRUE if reading a file takes far less than 100 times as long as reading a tenth of it, which a quadratic reader
 * takes. */
static gboolean
is_linear (guint kind)
{
  /* the file with the most sequences is smaller, because the processor's caches must hold the sequences: where they do
   * not, and memory is divided into small pages, reading takes up to 100 times as long as a tenth */
  guint n_bytes = kind == 2 ? HOSTILE_BYTES / 5 : HOSTILE_BYTES;
  double tenth_s = read_hostile (kind, n_bytes / 10);
  return read_hostile (kind, n_bytes) < MOST_GROWTH * tenth_s + MOST_MORE_S;
}

/* The time for reading a file is proportional to its length, whatever its content. Seconds alone depend on the machine,
 * and the ratio on the other programs that use its caches, so a ratio that is too large is measured again. */
static void
test_hostile (void)
{
  for (guint kind = 0; kind < 5; kind++)
    g_assert_true (is_linear (kind) || is_linear (kind) || is_linear (kind));
}

/* Appends packets with `n_bytes` zeros, which a compressed packet stores in some kilobytes. */
static void
put_zeros (GByteArray *out, guint n_bytes)
{
  g_autofree guint8 *zeros = g_malloc0 (MEBIBYTE);
  g_autoptr (GByteArray) packet = g_byte_array_new ();
  put_bytes (packet, 200, zeros, MEBIBYTE - 16);
  for (guint n = 0; n < n_bytes; n += MEBIBYTE)
    put_bytes (out, 1, packet->data, packet->len);
}

/* Appends the ends, with an arg, of every other span that test_args_out_of_order() begins, and then zeros. */
static void
put_far_ends (GByteArray *out, guint first)
{
  g_autoptr (GByteArray) inner = g_byte_array_new ();
  for (guint i = first; i < N_FAR_SPANS; i += 2) {
    g_autoptr (GByteArray) event = g_byte_array_new (), packet = g_byte_array_new (), arg = g_byte_array_new ();
    put_bytes (arg, 10, "arg", 3);
    put_number (arg, 4, i);
    put_number (event, 9, 2);
    put_number (event, 11, 100 + i);
    put_bytes (event, 4, arg->data, arg->len);
    put_number (packet, 8, 100000 + i);
    put_bytes (packet, 11, event->data, event->len);
    put_bytes (inner, 1, packet->data, packet->len);
  }
  put_zeros (inner, 48 * MEBIBYTE);
  put_zstd (out, inner);
}

/* Spans end alternately in two large compressed packets, which do not fit into memory together. Reading the args of
 * the ends would unpack 48 MiB for each span. The limit is twice the unpacked content and 256 MiB, which is enough for
 * the first 9 spans; the spans after them lack these args, but have their ends. */
static void
test_args_out_of_order (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (guint i = 0; i < N_FAR_SPANS; i++) {
    g_autoptr (GByteArray) event = g_byte_array_new (), packet = g_byte_array_new ();
    put_number (event, 9, 1);
    put_number (event, 11, 100 + i);
    put_number (packet, 8, i);
    put_bytes (packet, 11, event->data, event->len);
    put_bytes (bytes, 1, packet->data, packet->len);
  }
  put_far_ends (bytes, 0);
  guint64 behind = bytes->len;
  put_far_ends (bytes, 1);
  LoomPerfettoTrace *trace = read_trace (bytes);
  g_assert_cmpuint (trace->n_events, ==, N_FAR_SPANS);
  g_assert_cmpuint (trace->tails->len, >=, 9);
  g_assert_cmpuint (trace->tails->len, <, N_FAR_SPANS);
  g_assert_cmpuint (trace->losses[LOOM_PERFETTO_FAR_ARGS], ==, N_FAR_SPANS - trace->tails->len);
  g_assert_cmpuint (trace->first_loss[LOOM_PERFETTO_FAR_ARGS], ==, bytes->len);
  g_assert_cmpuint (behind, <, bytes->len);
  for (guint i = 0; i < N_FAR_SPANS; i++)
    g_assert_cmpint (loom_perfetto_trace_read_event (trace, i).end_ns, ==, 100000 + i);
  loom_perfetto_trace_free (trace);
}

/* Reads `n` packets of `packed` and one span. Returns the processor time in s. `n_left` gets the number of packets that
 * were not unpacked. */
static double
read_packed (GByteArray *packed, guint n, guint64 *n_left)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (guint i = 0; i < n; i++)
    g_byte_array_append (bytes, packed->data, packed->len);
  put_event (bytes, 1, 3, "behind");
  double begin_s = get_processor_s ();
  LoomPerfettoTrace *trace = read_trace (bytes);
  double used_s = get_processor_s () - begin_s;
  g_test_message ("%u packets: %.2f s", n, used_s);
  g_assert_cmpuint (trace->n_events, ==, 1);
  *n_left = trace->losses[LOOM_PERFETTO_LARGE_PACKED];
  if (*n_left > 0)
    g_assert_cmpuint (trace->first_loss[LOOM_PERFETTO_LARGE_PACKED], ==, packed->len * 4);
  loom_perfetto_trace_free (trace);
  return used_s;
}

/* Many compressed packets, each of which may be unpacked alone: those beyond the limit for their sum, which is 256 MiB
 * or 200 times the compressed length, are not unpacked. The first four of 60 MiB stay below it; unpacking all 300 would
 * take 75 times as long as unpacking four. */
static void
test_many_large (void)
{
  g_autoptr (GByteArray) inner = g_byte_array_new (), packed = g_byte_array_new ();
  guint64 n_left;
  put_zeros (inner, 60 * MEBIBYTE);
  put_zstd (packed, inner);
  double four_s = read_packed (packed, 4, &n_left);
  g_assert_cmpuint (n_left, ==, 0);
  g_assert_cmpfloat (read_packed (packed, 300, &n_left), <, MOST_GROWTH * four_s + MOST_MORE_S);
  g_assert_cmpuint (n_left, >, 280);
}

/* Returns the number for which loom_int64_hash() computes the 64 bits `hash` before it drops the upper half: undoes its
 * steps in reverse order. The factors are the inverses of its factors, modulo 2 to the power of 64. */
static guint64
find_number (guint64 hash)
{
  guint64 bits = (hash ^ hash >> 31 ^ hash >> 62) * G_GUINT64_CONSTANT (0x319642b2d24d8ec3);
  bits = (bits ^ bits >> 27 ^ bits >> 54) * G_GUINT64_CONSTANT (0x96de1b173f119089);
  return bits ^ bits >> 30 ^ bits >> 60;
}

/* Appends an instant of the track with uuid `track`, of the sequence `sequence`, whose name is stated by its number
 * `name`. */
static void
put_numbered (GByteArray *out, guint64 time_ns, guint64 track, guint64 sequence, guint64 name)
{
  g_autoptr (GByteArray) event = g_byte_array_new (), packet = g_byte_array_new (), entry = g_byte_array_new (),
                         interned = g_byte_array_new ();
  put_number (entry, 1, name);
  put_bytes (entry, 2, "name", 4);
  put_bytes (interned, 2, entry->data, entry->len);
  put_number (event, 9, 3);
  put_number (event, 11, track);
  put_number (event, 10, name);
  put_number (packet, 8, time_ns);
  put_number (packet, 10, sequence);
  put_bytes (packet, 12, interned->data, interned->len);
  put_bytes (packet, 11, event->data, event->len);
  put_bytes (out, 1, packet->data, packet->len);
}

/* Reads `n` packets with numbers whose hashes are equal. Returns the processor time in s. */
static double
read_crafted (guint kind, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (guint64 i = 0; i < n; i++) {
    guint64 number = find_number (i << 32 | 7);
    put_numbered (bytes, i, kind == 0 ? number : 5, kind == 1 ? number : 7, kind == 2 ? i << 32 | 70000 : 1);
  }
  double begin_s = get_processor_s ();
  LoomPerfettoTrace *trace = read_trace (bytes);
  double used_s = get_processor_s () - begin_s;
  g_test_message ("kind %u: %.2f s", kind, used_s);
  g_assert_cmpuint (trace->n_events, ==, n);
  g_assert_cmpuint (trace->tracks->tracks->len, ==, kind == 0 ? n : 1);
  loom_perfetto_trace_free (trace);
  return used_s;
}

/* Numbers that were chosen to have equal hashes take no quadratic time, and are not confused. */
static void
test_crafted_numbers (void)
{
  const guint n = 50000;
  guint64 first = find_number (7), second = find_number (G_GUINT64_CONSTANT (1) << 32 | 7);
  g_assert_cmpuint (loom_int64_hash (&first), ==, 7);
  g_assert_cmpuint (loom_int64_hash (&second), ==, 7);
  for (guint kind = 0; kind < 3; kind++) {
    double tenth_s = read_crafted (kind, n / 10);
    g_assert_cmpfloat (read_crafted (kind, n), <, MOST_GROWTH * tenth_s + MOST_MORE_S);
  }
}

/* The search for packets after damage ends when the load is cancelled. */
static void
test_cancelled (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  put_noise (bytes, 1024 * 1024);
  put_event (bytes, 1, 3, "behind");
  put_event (bytes, 2, 3, "behind");
  put_event (bytes, 3, 3, "behind");
  LoomPerfettoPackets *packets = loom_perfetto_packets_new (new_file (bytes), bytes->len);
  LoomPerfettoReader *reader = loom_perfetto_packets_new_reader (packets);
  guint64 place = 0;
  g_cancellable_cancel (cancellable);
  g_assert_false (loom_perfetto_packets_find_boundary (reader, &place, progress));
  g_cancellable_reset (cancellable);
  g_assert_true (loom_perfetto_packets_find_boundary (reader, &place, progress));
  g_assert_cmpuint (place, ==, 1024 * 1024);
  loom_perfetto_packets_free_reader (reader);
  loom_perfetto_packets_free (packets);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfetto-damage/lost-packet", test_lost_packet);
  g_test_add_func ("/perfetto-damage/lost-inside", test_lost_inside);
  g_test_add_func ("/perfetto-damage/lost-rest", test_lost_rest);
  g_test_add_func ("/perfetto-damage/lost-large", test_lost_large);
  g_test_add_func ("/perfetto-damage/noise", test_noise);
  g_test_add_func ("/perfetto-damage/noise-packed", test_noise_packed);
  g_test_add_func ("/perfetto-damage/hostile", test_hostile);
  g_test_add_func ("/perfetto-damage/args-out-of-order", test_args_out_of_order);
  g_test_add_func ("/perfetto-damage/many-large", test_many_large);
  g_test_add_func ("/perfetto-damage/crafted-numbers", test_crafted_numbers);
  g_test_add_func ("/perfetto-damage/cancelled", test_cancelled);
  return g_test_run ();
}
