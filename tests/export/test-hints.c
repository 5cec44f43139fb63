/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests hints (loom-event-ref-hint.h), which let the export skip parts of the text of an event. A file that was merged
 * with hints must equal the file merged without hints, for all kinds of events.
 */
#include "forget-hints.h"
#include "loom-load.h"
#include "loom-trace-export.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char *folder;

static char *
place (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static LoomTimeline *
load (const char *const *paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  return loom_timeline_new (run, alignment);
}

static char *
merge (LoomTimeline *timeline)
{
  g_autofree char *path = place ("merged.out");
  g_autoptr (GError) error = NULL;
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  char *text = NULL;
  g_assert_true (loom_trace_export_write (timeline, &options, path, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_unlink (path);
  return text;
}

/* Merges the files with and without hints and compares the results. Adds the numbers of spans and
 * of flow events that had a hint to `n_spans` and `n_flows`. */
static void
check (const char *const *paths, guint *n_spans, guint *n_flows)
{
  g_autoptr (LoomTimeline) timeline = load (paths);
  guint spans, flows;
  g_autofree char *with = merge (timeline);
  forget_hints (loom_timeline_get_run (timeline), &spans, &flows);
  g_autofree char *without = merge (timeline);
  g_assert_cmpstr (with, ==, without);
  *n_spans += spans;
  *n_flows += flows;
}

/* --- single events --- */

typedef struct {
  const char *text;
  gboolean hint;
} Example;

static const Example examples[] = {
  { "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", TRUE },
  { "{\n  \"name\": \"a\", \"ph\": \"X\", \"pid\": 1, \"tid\": \"t\",\n  \"ts\": 5.5, \"dur\": 0,\n  \"args\": {\n \"x\": [1,\r\n 2]\n  }\n}",
    TRUE },
  { "{\"ph\":\"X\",\"name\":\"\xC3\xA4 \xE2\x82\xAC /\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{}}", TRUE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"bad\":NaN,}}",
    TRUE }, /* the hint lets the export skip parts of the event, but the args are checked and repaired while they
             * are copied */
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":null}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":\"{x\"}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"\\u0061\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\\\\b\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"C:\\data\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"\xFF\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":7,\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":null,\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"cat\":3,\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"cname\":\"good\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}",
    FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"tts\":3,\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"tts\":3,\"pid\":1,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"id\":3,\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"args\":{\"x\":1},\"dur\":4}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1},}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}}", FALSE },
  { "{\"ph\":\"s\",\"id\":7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\": \"t\", \"id\": \"0x7\", \"name\": \"a\", \"cat\": \"b\", \"pid\": 1, \"tid\": 2, \"ts\": 5}", TRUE },
  { "{\"ph\":\"f\",\"name\":\"a\",\"cat\":\"b\",\"id\" : 0,\"pid\":1,\"tid\":2,\"ts\":5,\"bp\":\"e\"}", TRUE },
  { "{\"ph\":\"f\",\"id\":1.5,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}",
    TRUE }, /* the hint lets the export skip parts of the event, but the id is checked while it is copied */
  { "{\"ph\":\"f\",\"id\": -1,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\":-1,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\":\"a\" b\",\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\": \"a\" b\",\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\":\f7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\": \f7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\":\t7 ,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\":{\"local\":1},\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\":01,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"f\",\"id\":\"a\\\"b\",\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", TRUE },
  { "{\"ph\":\"s\",\"id\":7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5,\"bp\":\"e\"}", FALSE },
  { "{\"ph\":\"f\",\"bp\":\"e\",\"id\":7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5}", FALSE },
  { "{\"ph\":\"f\",\"id\":7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5,\"bp\":\"x\"}", FALSE },
  { "{\"ph\":\"f\",\"id\":7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":5,\"args\":{}}", FALSE },
  { "{\"ph\":\"f\",\"id\":7,\"id\":7,\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"ts\":5}", FALSE },
};

/* Tests each example in a file of its own, which is merged with another file, so that ids get a prefix for each
 * file. */
static void
test_examples (void)
{
  g_autofree char *first = place ("a.json"), *second = place ("b.json");
  const char *const paths[] = { first, second, NULL }, *const alone[] = { first, NULL };
  const char *const other =
    /* a span on the thread, because flow events are drawn only on threads with spans */
    "[{\"ph\":\"X\",\"name\":\"other\",\"pid\":1,\"tid\":2,\"ts\":7,\"dur\":4}";
  g_autofree char *other_only = g_strconcat (other, "]", NULL);
  g_assert_true (g_file_set_contents (second, other_only, -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++) {
    guint n_spans = 0, n_flows = 0;
    g_autofree char *text = g_strdup_printf ("%s,%s]", other, examples[i].text);
    g_test_message ("example %u", i);
    g_assert_true (g_file_set_contents (first, text, -1, NULL));
    check (paths, &n_spans, &n_flows);
    g_assert_cmpuint (n_spans + n_flows, ==, examples[i].hint);
    check (alone, &n_spans, &n_flows); /* a single file is merged, so ids get no prefix */
  }
  g_unlink (first);
  g_unlink (second);
}

/* Shows that the export uses hints: changes members in the file that hints skip, and restores the modification time of
 * the file, so that the change is not noticed. With hints the output is unchanged; without hints it contains the
 * changed members. Returns the output without hints, owned by the caller. */
static char *
check_is_taken (const char *before, guint n_wanted_flows)
{
  g_autofree char *path = place ("a.json");
  const char *const paths[] = { path, NULL };
  GStatBuf status;
  guint n_spans, n_flows;
  g_assert_true (g_file_set_contents (path, before, -1, NULL));
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  const struct timespec times[] = { status.st_atim, status.st_mtim };
  g_autoptr (LoomTimeline) timeline = load (paths);
  g_autofree char *first = merge (timeline);
  FILE *file = fopen (path, "r+");
  for (const char *at = before; (at = strstr (at, "\"cat\"")) != NULL; at++) {
    fseek (file, at + 1 - before, SEEK_SET);
    fputc ('x', file);
  }
  fclose (file);
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
  g_autofree char *with = merge (timeline);
  forget_hints (loom_timeline_get_run (timeline), &n_spans, &n_flows);
  char *without = merge (timeline);
  g_assert_cmpuint (n_spans, ==, 1);
  g_assert_cmpuint (n_flows, ==, n_wanted_flows);
  g_assert_cmpstr (with, ==, first);
  g_assert_nonnull (strstr (without, "\"xat\":\"op\",\"args\""));
  g_unlink (path);
  return without;
}

static void
test_is_taken (void)
{
  g_autofree char *without = check_is_taken (
    "[{\"ph\":\"X\",\"cat\":\"op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}},"
    "{\"ph\":\"s\",\"cat\":\"op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":6,\"id\":7}]",
    1);
  g_assert_nonnull (strstr (without, "\"xat\":\"op\",\"id\""));
}

/* Many flow events at the same time get hints, too. They are normal for ranks whose clocks count whole microseconds. */
static void
test_is_taken_of_one_instant (void)
{
  g_autofree char *without = check_is_taken (
    "[{\"ph\":\"X\",\"cat\":\"op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":4,\"args\":{\"x\":1}},"
    "{\"ph\":\"f\",\"cat\":\"op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":6,\"id\":6,\"bp\":\"e\"},"
    "{\"ph\":\"t\",\"cat\":\"op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":6,\"id\":7},"
    "{\"ph\":\"f\",\"cat\":\"op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":6,\"id\":7},"
    "{\"ph\":\"s\",\"cat\":\"op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":6,\"id\":7}]",
    4);
  g_assert_nonnull (strstr (without, "\"xat\":\"op\",\"id\""));
}

/* With more than 65,536 names the export does not prepare the first part of a line for each name. */
static void
test_many_names (void)
{
  g_autofree char *path = place ("a.json");
  const char *const paths[] = { path, NULL };
  g_autoptr (GString) text = g_string_new ("[");
  guint n_spans = 0, n_flows = 0;
  for (guint i = 0; i < 66000; i++)
    g_string_append_printf (text,
                            "%s{\"ph\":\"X\",\"name\":\"%x\",\"pid\":1,\"tid\":2,\"ts\":%u,\"dur\":4,\"args\":{}}",
                            i > 0 ? "," : "", i, i);
  g_string_append (text, "]");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  check (paths, &n_spans, &n_flows);
  g_assert_cmpuint (n_spans, ==, 66000);
  g_unlink (path);
}

/* A hint stores distances within the text of an event, up to a maximum. Tests all distances; events with a larger
 * distance have no hint. */
static void
test_distances (void)
{
  g_autofree char *path = place ("a.json");
  const char *const paths[] = { path, NULL };
  g_autoptr (GString) text = g_string_new ("[");
  const guint n = 1100;
  guint n_spans = 0, n_flows = 0;
  for (guint i = 0; i < n; i++) {
    g_string_append_printf (
      text, "{\"ph\":\"X\",\"name\":\"%0*u\",\"pid\":1,\"tid\":2,\"ts\":%u,\"dur\":4,\"args\":{\"x\":%u}},\n", i, i,
      10 * i, i);
    g_string_append_printf (text, "{\"ph\":\"s\",\"name\":\"%0*u\",\"id\":%u,\"pid\":1,\"tid\":2,\"ts\":%u},\n", i, i,
                            i, 10 * i);
  }
  g_string_overwrite (text, text->len - 2, "]");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  check (paths, &n_spans, &n_flows);
  g_assert_true (n_spans > 900 && n_spans < n);
  g_assert_true (n_flows > 80 && n_flows < 150);
  g_unlink (path);
}

/* --- random events of all kinds --- */

static const char *const names[] = { "\"forward\"", "\"aten::mm\"",  "\"a name of more than sixteen bytes\"",
                                     "\"\"",        "\"q\\\"uote\"", "\"caf\xC3\xA9\"",
                                     "5",           "null",          NULL };
static const char *const phases[] = { "\"X\"", "\"X\"", "\"X\"", "\"s\"", "\"t\"",
                                      "\"f\"", "\"i\"", "\"B\"", "\"E\"", NULL };
static const char *const odd_members[] = {
  "\"id\":7",  "\"id\": \"x\"", "\"bp\": \"e\"", "\"s\":\"g\"",
  "\"tts\":1", "\"cat\":\"\"",  "\"pid\":2",     "\"bind_id\":3,\"flow_out\":true",
  NULL
};
static const char *const values[] = { "{}",
                                      "{\"a\": 1}",
                                      "{\"a\": 22, \"b\": [1, [2]]}",
                                      "{\n  \"a\": \"text\",\n  \"b\": {\"c\": 1.5e3}\n}",
                                      "{\"a\":NaN}",
                                      "[1]",
                                      NULL };

static const char *
pick (const char *const *choices)
{
  return choices[g_test_rand_int_range (0, (gint) g_strv_length ((char **) choices))];
}

static void
append_event (GString *out, guint at, gboolean odd)
{
  const char *comma = g_test_rand_bit () ? "," : ",\n    ";
  const char *phase = pick (phases);
  gboolean flow = strchr ("stf", phase[1]) != NULL;
  g_string_append_printf (out, "{\"ph\": %s%s\"pid\":1%s", phase, comma, comma);
  if (flow)
    g_string_append_printf (out, "\"id\": %d%s", g_test_rand_int_range (0, 20), comma);
  if (odd && g_test_rand_bit ())
    g_string_append_printf (out, "%s%s", pick (odd_members), comma);
  g_string_append_printf (out, "\"tid\":%d,\"ts\":%u.%03d%s", g_test_rand_int_range (0, 3), at,
                          g_test_rand_int_range (0, 1000), comma);
  if (odd ? g_test_rand_bit () : !flow)
    g_string_append_printf (out, "\"dur\": %d%s", g_test_rand_int_range (0, 9), comma);
  g_string_append_printf (out, "\"cat\":\"op\"%s\"name\": %s", comma,
                          odd ? pick (names) : names[g_test_rand_int_range (0, 3)]);
  if (odd ? g_test_rand_bit () : !flow)
    g_string_append_printf (out, "%s\"args\": %s", comma, odd ? pick (values) : values[g_test_rand_int_range (0, 4)]);
  if (flow && g_test_rand_bit ())
    g_string_append_printf (out, "%s\"bp\": \"e\"", comma);
  if (odd && g_test_rand_bit ())
    g_string_append_printf (out, "%s%s", comma, pick (odd_members));
  g_string_append (out, g_test_rand_bit () ? "}" : "\n  }");
}

static void
write_events (const char *path)
{
  g_autoptr (GString) text = g_string_new ("[");
  for (guint i = 0; i < 400; i++) {
    g_string_append (text, i > 0 ? ",\n" : "");
    append_event (text, 10 * i, g_test_rand_int_range (0, 3) == 0);
  }
  g_string_append (text, "]");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

static void
test_random (void)
{
  g_autofree char *first = place ("a.json"), *second = place ("b.json");
  const char *const paths[] = { first, second, NULL };
  guint n_spans = 0, n_flows = 0;
  for (guint round = 0; round < 25; round++) {
    write_events (first);
    write_events (second);
    check (paths, &n_spans, &n_flows);
  }
  g_test_message ("%u spans and %u flow events with a hint", n_spans, n_flows);
  g_assert_cmpuint (n_spans, >, 1000);
  g_assert_cmpuint (n_flows, >, 1000);
  g_unlink (first);
  g_unlink (second);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("traceloom-hints-XXXXXX", NULL);
  g_test_add_func ("/export/hints/examples", test_examples);
  g_test_add_func ("/export/hints/is-taken", test_is_taken);
  g_test_add_func ("/export/hints/is-taken-of-one-instant", test_is_taken_of_one_instant);
  g_test_add_func ("/export/hints/many-names", test_many_names);
  g_test_add_func ("/export/hints/distances", test_distances);
  g_test_add_func ("/export/hints/random", test_random);
  int status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
