/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading a file in pieces by several threads, for formats whose events depend on earlier events: names and time
 * bases that change, late start events, damage. For any pieces, the result equals that of one pass.
 */
#include "dump-run.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define N_EVENTS 300
#define EPOCH_US G_GINT64_CONSTANT (1735632360000000)

static const char x_format[] = "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"name\":\"n%d\"}";

static gint
one_in (GRand *dice, gint n)
{
  return g_rand_int_range (dice, 0, n) == 0;
}

static gint
below (GRand *dice, gint n)
{
  return g_rand_int_range (dice, 0, n);
}

/* Writes a separator between two events, which is sometimes invalid. */
static void
separate (GString *out, GRand *dice)
{
  static const char *const odd[] = { "\n",
                                     ",{}\n,",
                                     ",,",
                                     ", {\"ph\":\"X\",\"ts\":} ,",
                                     ",7,",
                                     ",{\"ph\":\"?\",\"ts\":1},",
                                     ",{\"name\":\"no phase\"},",
                                     ",{\"ph\":\"X\",\"pid\":1,\"ts\":\"x\"}," };
  g_string_append (out, one_in (dice, 25) ? odd[below (dice, G_N_ELEMENTS (odd))] : ",\n");
}

static void
add_event (GString *out, GRand *dice, gint i)
{
  switch (below (dice, 12)) {
  case 0:
    g_string_append_printf (out,
                            "{\"ph\":\"C\",\"pid\":1,\"ts\":%d,\"name\":\"c%d\",\"args\":{\"a\":%d,\"b\\n\":%d.5}}", i,
                            below (dice, 3), i, i);
    break;
  case 1: g_string_append_printf (out, "{\"ph\":\"B\",\"pid\":1,\"tid\":9,\"ts\":%d,\"name\":\"b\"}", i); break;
  case 2: g_string_append_printf (out, "{\"ph\":\"E\",\"pid\":1,\"tid\":9,\"ts\":%d,\"args\":{\"x\":1}}", i); break;
  case 3:
    g_string_append_printf (out,
                            "{\"ph\":\"%c\",\"pid\":1,\"tid\":2,\"ts\":%d,\"id\":%d,\"cat\":\"f\",\"name\":\"flow\"}",
                            "sf"[below (dice, 2)], i, below (dice, 9));
    break;
  case 4:
    g_string_append_printf (out,
                            "{\"ph\":\"%c\",\"pid\":1,\"tid\":2,\"ts\":%d,\"id\":%d,\"cat\":\"f\",\"name\":\"async\"}",
                            "be"[below (dice, 2)], i, below (dice, 9));
    break;
  case 5:
    g_string_append_printf (out, "{\"ph\":\"i\",\"s\":\"%c\",\"pid\":%d,\"tid\":2,\"ts\":%d,\"name\":\"now\"}",
                            "tpg"[below (dice, 3)], below (dice, 5), i);
    break;
  default:
    g_string_append_printf (out, x_format, below (dice, 5), below (dice, 4), i * 3, 1 + below (dice, 9),
                            below (dice, 30));
  }
}

static void
add_metadata (GString *out, GRand *dice, gint i)
{
  static const struct {
    const char *name, *member, *quote;
  } kinds[] = {
    { "process_name", "name", "\"" },          { "thread_name", "name", "\"" },
    { "process_labels", "labels", "\"" },      { "process_sort_index", "sort_index", "" },
    { "thread_sort_index", "sort_index", "" }, { "fact", "n", "" },
  };
  guint k = (guint) below (dice, G_N_ELEMENTS (kinds));
  g_string_append_printf (out, "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"%s\":%s%d%s}}",
                          below (dice, 5), below (dice, 4), kinds[k].name, kinds[k].member, kinds[k].quote,
                          below (dice, 20) + i % 3, kinds[k].quote);
}

/* --- formats ------------------------------------------------------------------------------------------------------ */

static void
write_plain (GString *out, GRand *dice)
{
  for (gint i = 0; i < N_EVENTS; i++, separate (out, dice))
    (one_in (dice, 3) ? add_metadata : add_event) (out, dice, i);
}

static void
write_chrome (GString *out, GRand *dice)
{
  g_string_append (out, "{\"displayTimeUnit\":\"s\",\"traceEvents\":[");
  write_plain (out, dice);
  g_string_append (out, "{}],\"samples\":[1,2],\"otherData\":{\"a\":1}} behind");
}

static void
write_kineto (GString *out, GRand *dice)
{
  g_string_append (out, "{\"schemaVersion\":1,\"traceEvents\":[");
  write_plain (out, dice);
  g_string_append (out, "{}],\"baseTimeNanoseconds\":1735632360000000000,\"distributedInfo\":{\"backend\":\"");
  g_string_append_c (out, '\0'); /* a NUL byte must not end the text */
  g_string_append (out, "\",\"rank\":3}}");
}

static void
write_tensorflow (GString *out, GRand *dice)
{
  g_string_append (out, "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\"traceEvents\":["
                        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"/device:GPU:0\"}},");
  write_plain (out, dice);
  g_string_append (out, "{}]}");
}

/* Writes a trace of Composer: some times are wall-clock times, others depend on the previous event; the rank and the
 * clock sync may come after events. */
static void
write_composer (GString *out, GRand *dice)
{
  gint late = below (dice, N_EVENTS);
  g_string_append (out, "[");
  for (gint i = 0; i < N_EVENTS; i++, separate (out, dice)) {
    gint64 wall_us = EPOCH_US + (gint64) (i / 50) * 5000000000000;
    if (i == late)
      g_string_append_printf (out,
                              "{\"ph\":\"M\",\"pid\":2,\"tid\":1,\"ts\":%" G_GINT64_FORMAT
                              ",\"name\":\"global_rank\",\"args\":{\"value\":2}},",
                              wall_us);
    if (one_in (dice, 40))
      g_string_append_printf (
        out,
        "{\"ph\":\"M\",\"pid\":2,\"tid\":1,\"name\":\"clock_sync_timestamp_us\",\"args\":{\"value\":%" G_GINT64_FORMAT
        "}}",
        wall_us);
    else if (one_in (dice, 6))
      g_string_append_printf (
        out, "{\"ph\":\"%c\",\"pid\":2,\"tid\":1,\"ts\":%" G_GINT64_FORMAT ",\"name\":\"event/a\",\"cat\":\"\"}",
        "BE"[below (dice, 2)], wall_us + i);
    else if (one_in (dice, 3))
      g_string_append_printf (
        out,
        "{\"ph\":\"X\",\"pid\":2,\"tid\":7,\"ts\":%d,\"dur\":4,\"name\":\"gemm\",\"cat\":\"kernel\",\"args\":{\"device\":%d,\"stream\":7}}",
        below (dice, G_MAXINT), below (dice, 2));
    else
      g_string_append_printf (
        out, "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":%d000,\"dur\":4,\"name\":\"aten::mm\",\"cat\":\"cpu_op\"}",
        below (dice, G_MAXINT));
  }
  g_string_append (out, "{}]");
}

/* Writes a timeline of Horovod: tensors that change their pid; a start event that comes late or twice. */
static void
write_horovod (GString *out, GRand *dice)
{
  gint start = one_in (dice, 3) ? 0 : below (dice, 2 * N_EVENTS), again = below (dice, 2 * N_EVENTS);
  g_string_append (out, "[");
  for (gint i = 0; i < N_EVENTS; i++, separate (out, dice)) {
    gint pid = 1 + below (dice, 6);
    if (i == start || i == again)
      g_string_append_printf (
        out,
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":%" G_GINT64_FORMAT
        "}},",
        EPOCH_US + i);
    if (i < 3 || one_in (dice, 20))
      g_string_append_printf (out, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"%s%d\"}}",
                              pid, one_in (dice, 5) ? "" : "grad/", below (dice, 3));
    else if (one_in (dice, 20))
      g_string_append_printf (
        out, "{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"sort_index\":%d}}", pid, i);
    else if (one_in (dice, 5))
      g_string_append_printf (out, "{\"ph\":\"X\",\"name\":\"%d\",\"ts\":%d,\"pid\":%d,\"dur\":99}", below (dice, 3), i,
                              pid);
    else
      g_string_append_printf (out, "{\"ph\":\"%c\",\"name\":\"NEGOTIATE_ALLREDUCE\",\"ts\":%d,\"pid\":%d}", "BE"[i % 2],
                              i, pid);
  }
  g_string_append (out, "{}]");
}

/* Writes a trace of smdebug: names of phases that come late, change or are missing; a second start event in the
 * middle. */
static void
write_smdebug (GString *out, GRand *dice)
{
  gint start = one_in (dice, 3) ? 0 : below (dice, 2 * N_EVENTS), again = below (dice, 2 * N_EVENTS);
  g_string_append (out, "[");
  for (gint i = 0; i < N_EVENTS; i++, separate (out, dice)) {
    gint pid = below (dice, 6);
    if (i == start || i == again)
      g_string_append_printf (
        out,
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":%" G_GINT64_FORMAT
        "}},",
        EPOCH_US + i);
    if (one_in (dice, 12))
      g_string_append_printf (out,
                              "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"phase%d\"}}",
                              pid, one_in (dice, 6) ? below (dice, 6) : pid);
    else if (one_in (dice, 20))
      g_string_append_printf (
        out, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"tid-%d\"}}", pid, i % 4,
        i);
    else if (one_in (dice, 20))
      g_string_append_printf (
        out, "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"labels\":\"l%d\"}}", pid, i % 3);
    else if (one_in (dice, 8))
      g_string_append_printf (out, "{\"name\":\"mark\",\"ph\":\"i\",\"pid\":%d,\"ts\":%d,\"s\":\"%c\"}", pid, i,
                              "gpt"[i % 3]);
    else if (one_in (dice, 4))
      g_string_append_printf (out, "{\"name\":\"b\",\"ph\":\"%c\",\"pid\":%d,\"tid\":1,\"ts\":%d}", "BE"[i % 2], pid,
                              i);
    else
      g_string_append_printf (
        out, "{\"name\":\"op\",\"ph\":\"X\",\"pid\":%d,\"ts\":%s%d,\"dur\":%d,\"args\":{\"tid\":%d}}", pid,
        one_in (dice, 9) ? "173563236" : "", i + 1000000, one_in (dice, 30) ? G_MAXINT : 3, below (dice, 3));
  }
  g_string_append (out, "{}]");
}

static void
write_own (GString *out, GRand *dice)
{
  const char *head =
    "\"otherData\":{\"traceloom\":{\"version\":1,\"origin_ns\":1735632360000000000,\"anchored\":true,\"state\":\"exact\",\"basis\":\"b\",\"processes\":["
    "{\"pid\":1,\"key\":\"77\",\"name\":\"seven\",\"rank\":3,\"node\":\"n\",\"flags\":[\"device\"],\"threads\":[{\"tid\":1,\"key\":\"lane\"},{\"tid\":2,\"key\":\"9\"}]},"
    "{\"pid\":2,\"key\":\"77\",\"source\":4,\"rank\":4,\"threads\":[]}]}}";
  gboolean first = !one_in (dice, 3);
  g_string_append_printf (out, "{%s,\"traceEvents\":[", first ? head : "\"otherData\":{\"traceloom\":{\"version\":1}}");
  write_plain (out, dice);
  g_string_append_printf (
    out, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"n\",\"args\":{\"traceloom\":\"open\"}}]%s%s}",
    first ? "" : ",", first ? "" : head);
}

static void
write_smdebug_merged (GString *out, GRand *dice)
{
  g_string_append (out, "[");
  write_plain (out, dice);
  g_string_append_printf (
    out, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%" G_GINT64_FORMAT ",\"dur\":1,\"name\":\"n\"}]", EPOCH_US);
}

typedef struct {
  const char *format, *file;
  void (*write) (GString *out, GRand *dice);
} Kind;

static const Kind kinds[] = {
  { "chrome", "a.json", write_chrome },
  { "kineto", "a.pt.trace.json", write_kineto },
  { "tensorflow", "plugins/profile/2024_12_31_08_06_00/host.trace.json", write_tensorflow },
  { "composer", "ep0-ba0-rank2.json", write_composer },
  { "horovod", "timeline.json", write_horovod },
  { "smdebug", "framework/pevents/2024123108/1735632460000000_7-algo-2_pythontimeline.json", write_smdebug },
  { "smdebug-merged", "1735632460000000_7-algo-2_merged_timeline.json", write_smdebug_merged },
  { "traceloom", "a.json", write_own },
};

/* --- the test ----------------------------------------------------------------------------------------------------- */

static void
put (const char *folder, const char *name, const char *text, gsize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *parent = g_path_get_dirname (path);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR))
      remove_folder (child);
    else
      g_unlink (child);
  }
  g_rmdir (path);
}

static void
compare (const char *folder, const Kind *kind, guint32 seed)
{
  static const guint64 bytes[] = { 61, 400, 1500, 7000 };
  g_autofree char *whole = dump_folder (folder, DUMP_IN_ONE_PASS, TRUE);
  g_autofree char *read_as = g_strdup_printf ("  %s events", kind->format);
  g_assert_nonnull (strstr (whole, read_as));
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++) {
    g_autofree char *pieces = dump_folder (folder, bytes[i], TRUE);
    if (strcmp (pieces, whole) != 0) {
      g_test_message ("%s, seed %u, pieces of %u bytes", kind->format, seed, (guint) bytes[i]);
      g_assert_cmpstr (pieces, ==, whole);
    }
  }
}

/* Writes a gzip file under a name without ".gz", because compression is recognised by the first bytes. */
static void
put_packed (const char *folder, const char *name, const char *text, gsize length)
{
  g_autoptr (GZlibCompressor) zip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1);
  gsize room = length + 1000, n_read, n_written;
  g_autofree char *packed = g_malloc (room);
  g_assert_cmpint (g_converter_convert (G_CONVERTER (zip), text, length, packed, room, G_CONVERTER_INPUT_AT_END,
                                        &n_read, &n_written, NULL),
                   ==, G_CONVERTER_FINISHED);
  put (folder, name, packed, n_written);
}

static void
test_kind (gconstpointer data)
{
  const Kind *kind = data;
  guint32 n = g_test_slow () ? 500 : 8;
  for (guint32 seed = 0; seed < n; seed++) {
    g_autofree char *folder = g_dir_make_tmp ("loom-pieces-XXXXXX", NULL);
    g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
    g_autoptr (GString) out = g_string_new (NULL);
    kind->write (out, dice);
    if (seed % 4 == 3) /* truncates the file at a random byte */
      g_string_truncate (out, out->len / 2 + (gsize) below (dice, (gint) out->len / 2));
    put (folder, kind->file, out->str, out->len);
    compare (folder, kind, seed);
    put_packed (folder, kind->file, out->str, out->len);
    compare (folder, kind, seed);
    remove_folder (folder);
  }
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *path = g_strconcat ("/pieces/", kinds[i].format, NULL);
    g_test_add_data_func (path, &kinds[i], test_kind);
  }
  return g_test_run ();
}
