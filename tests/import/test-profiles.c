/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the content of loaded Python profiles and the information in their paths, for each section and row of
 * formats/python-profiles.md ("§" in the comments of this file). Uses the files of cases/python-profiles-*; their place
 * on the timeline is tested by their expected.txt.
 */
#include "loom-cprofile.h"
#include "loom-error.h"
#include "loom-load.h"
#include "loom-pyinstrument.h"
#include "loom-python-profile-path.h"

#include <glib/gstdio.h>
#include <string.h>

static const char *cases_folder;

static LoomRun *
load (const char *path)
{
  const char *paths[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  LoomRun *run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return run;
}

static LoomRun *
load_case (const char *path)
{
  g_autofree char *full = g_build_filename (cases_folder, path, NULL);
  return load (full);
}

static const LoomSource *
only_source (LoomRun *run)
{
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 1);
  return loom_run_get_source (run, 0);
}

static const LoomPythonProfileFunction *
find (const LoomPythonProfile *profile, const char *name, guint32 *number)
{
  for (guint32 i = 0; i < profile->functions->len; i++)
    if (strcmp (loom_python_profile_get_function (profile, i)->name, name) == 0) {
      if (number != NULL)
        *number = i;
      return loom_python_profile_get_function (profile, i);
    }
  g_error ("no function %s", name);
}

static gboolean
has_problem (const LoomSource *source, const char *code, const char *words)
{
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
    if (strcmp (problem->code, code) == 0 && strstr (problem->message, words) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* --- cProfile ---------------------------------------------------------------------------------------------------------- */

/* Tests three files with equal content: one with more bytes after the profile, one as Python 2
 * writes it, and one in version 1 of the marshal format, in which floating-point numbers are text. */
static void
test_content (void)
{
  static const char *const files[] = { "python-profiles-files/trailing.prof", "python-profiles-files/python2.prof",
                                       "python-profiles-files/version1.prof" };
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (LoomRun) run = load_case (files[i]);
    const LoomPythonProfile *profile = only_source (run)->profile;
    guint32 work, n;
    const LoomPythonProfileFunction *entry = find (profile, "work", &work),
                                    *sleep = find (profile, "{built-in method time.sleep}", NULL);
    g_assert_cmpuint (profile->functions->len, ==, 3);
    g_assert_cmpstr (entry->file, ==, "t.py");
    g_assert_cmpint (entry->line, ==, 5);
    g_assert_cmpint (entry->calls, ==, 2);
    g_assert_cmpint (entry->own_ns, ==, 2000000);
    g_assert_cmpint (entry->cumulative_ns, ==, 5000000);
    g_assert_cmpstr (sleep->file, ==, "");
    g_assert_cmpint (sleep->line, ==, 0);
    g_assert_cmpuint (sleep->flags, ==, LOOM_FUNCTION_BUILTIN);
    g_assert_cmpstr (
      loom_python_profile_get_function (profile, loom_python_profile_get_callers (profile, work, &n)->caller)->name, ==,
      "main");
    g_assert_cmpint (profile->total_ns, ==, 6000000);
    g_assert_cmpint (profile->timer, ==, LOOM_TIMER_UNKNOWN);
  }
}

static LoomPythonProfile *
read_hex (const char *hex, LoomImportLog *log, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (; *hex != '\0'; hex += *hex == ' ' ? 1 : 2) {
    guint8 byte = *hex == ' ' ? 0 : (guint8) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));
    if (*hex != ' ')
      g_byte_array_append (bytes, &byte, 1);
  }
  g_autoptr (LoomPythonProfileBuilder) builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  if (!loom_cprofile_read (builder, (const char *) bytes->data, bytes->len, log, NULL, error))
    return NULL;
  return loom_python_profile_builder_finish (g_steal_pointer (&builder));
}

#define TEXT_A "7A 01 61 "
#define TEXT_F "7A 01 66 "
#define TEXT_G "7A 01 67 "
#define INT(n) "69 0" #n " 00 00 00 "
#define QUARTER "67 00 00 00 00 00 00 D0 3F "
#define HALF "67 00 00 00 00 00 00 E0 3F "
#define NOT_A_NUMBER "67 00 00 00 00 00 00 F8 7F "

/* §2 "Quirk": function tuples contain cc before nc, caller tuples contain nc before cc. Also tests a caller that has no
 * function entry. */
static void
test_quirk (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  g_autoptr (LoomPythonProfile) profile =
    read_hex ("7B 29 03 " TEXT_A INT (7) TEXT_F "29 05 " INT (2) INT (3) QUARTER HALF "7B 29 03 " TEXT_A INT (9) TEXT_G
              "29 04 " INT (3) INT (2) QUARTER HALF "30 30",
              log, NULL);
  guint32 f, g, n;
  const LoomPythonProfileFunction *entry = find (profile, "f", &f), *caller = find (profile, "g", &g);
  g_assert_cmpint (entry->primitive_calls, ==, 2);
  g_assert_cmpint (entry->calls, ==, 3);
  const LoomPythonProfileCall *call = loom_python_profile_get_callers (profile, f, &n);
  g_assert_cmpint (call->caller, ==, g);
  g_assert_cmpint (call->calls, ==, 3);
  g_assert_cmpint (call->primitive_calls, ==, 2);
  g_assert_cmpint (call->own_ns, ==, 250000000);
  g_assert_cmpint (call->cumulative_ns, ==, 500000000);
  g_assert_cmpint (caller->own_ns, ==, 0);
  g_assert_cmpuint (caller->flags, ==, LOOM_FUNCTION_CALLER);
  g_assert_cmpuint (entry->flags, ==, 0);
}

/* §2 "or a plain int = call count (pure-Python profiler)"; numbers can be int or float. */
static void
test_pure_python (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  g_autoptr (LoomPythonProfile) profile = read_hex ("7B 29 03 7A 00 " INT (0) TEXT_F "29 05 " QUARTER INT (3) INT (2)
                                                      INT (4) "7B 29 03 " TEXT_A INT (9) TEXT_G INT (6) "30 30",
                                                    log, NULL);
  guint32 f, n;
  const LoomPythonProfileFunction *entry = find (profile, "f", &f);
  g_assert_cmpstr (entry->file, ==, "");
  g_assert_cmpuint (entry->flags, ==, 0);
  g_assert_cmpint (entry->own_ns, ==, 2 * LOOM_NS_PER_S);
  const LoomPythonProfileCall *call = loom_python_profile_get_callers (profile, f, &n);
  g_assert_cmpint (call->calls, ==, 6);
  g_assert_cmpint (call->primitive_calls, ==, LOOM_CALLS_UNKNOWN);
  g_assert_cmpint (call->own_ns, ==, LOOM_TIME_NONE);
}

/* Edge case "NaN times": times that are not numbers. */
static void
test_nan (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  g_autoptr (LoomPythonProfile) profile =
    read_hex ("7B 29 03 " TEXT_A INT (7) TEXT_F "29 05 " INT (1) INT (1) NOT_A_NUMBER HALF "7B 30 30", log, NULL);
  g_assert_cmpint (find (profile, "f", NULL)->own_ns, ==, 0);
  g_assert_cmpuint (loom_import_log_get_n_problems (log), ==, 1);
  g_assert_cmpstr (loom_import_log_get_problem (log, 0)->code, ==, "odd-time");
}

/* Edge case "empty dict": a profile without functions. */
static void
test_empty (void)
{
  g_autoptr (LoomRun) run = load_case ("python-profiles-files/empty-dict.prof");
  g_assert_true (has_problem (only_source (run), "no-calls", "No calls recorded"));
  g_assert_false (only_source (run)->incomplete);
}

/* Edge case "truncated dump": an error states the offset, and nothing is shown. */
static void
test_cut (void)
{
  g_autoptr (LoomRun) run = load_case ("python-profiles-files/cut.prof");
  const LoomSource *source = only_source (run);
  g_assert_true (has_problem (source, "unreadable", "ends in the middle of a value"));
  g_assert_true (has_problem (source, "unreadable", "; nothing of this file is shown"));
  g_assert_cmpuint (loom_import_log_get_problem (source->log, 0)->offset, !=, LOOM_OFFSET_NONE);
  g_assert_null (source->profile);
  g_assert_true (source->incomplete);
  g_autofree char *bytes = loom_byte_source_dup_range (loom_source_get_file_text (source), 0, 2, NULL);
  g_assert_cmpmem (bytes, 2, "{\xA9", 2);
}

/* Each value of the wrong type is reported with its byte offset. */
static void
test_wrong_shapes (void)
{
  static const char *const dumps[] = {
    "7B 29 02 " TEXT_A INT (7) "29 00 30",                                             /* the key of a function has two
                                                                                        * items instead of three */
    "7B 29 03 " TEXT_A TEXT_A TEXT_F "29 05 " INT (1) INT (1) HALF HALF "7B 30 30",    /* the line number is a text */
    "7B 29 03 " TEXT_A INT (7) TEXT_F "29 04 " INT (1) INT (1) HALF HALF "30",         /* the value of a function has
                                                                                        * four items instead of five */
    "7B 29 03 " TEXT_A INT (7) TEXT_F "29 05 " INT (1) INT (1) TEXT_A HALF "7B 30 30", /* a time is a text */
    "7B 29 03 " TEXT_A INT (7) TEXT_F "29 05 4E " INT (1) HALF HALF "7B 30 30",        /* the number of calls is None */
    "7B 29 03 " TEXT_A INT (7) TEXT_F "29 05 " INT (1) INT (1) HALF HALF "29 00 30",   /* the callers are a tuple
                                                                                        * instead of a dict */
    "7B 29 03 " TEXT_A INT (7) TEXT_F "29 05 " INT (1) INT (1) HALF HALF "7B 29 03 " TEXT_A INT (7) TEXT_G TEXT_A
    "30 30",
  };
  for (guint i = 0; i < G_N_ELEMENTS (dumps); i++) {
    g_autoptr (LoomImportLog) log = loom_import_log_new ();
    g_autoptr (GError) error = NULL;
    g_assert_null (read_hex (dumps[i], log, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
    g_assert_true (g_str_has_prefix (error->message, "not a readable Python profile: "));
  }
}

/* --- paths ------------------------------------------------------------------------------------------------------------- */

/* §1 "Interval directory (current)" and "(mid-2020)": the information in the names of folders. */
static void
test_paths (void)
{
  static const struct {
    const char *path;
    gboolean good;
    gint64 first, last;
    LoomPythonProfileMode mode;
    gint rank;
    const char *node;
  } rows[] = {
    { "/r/framework/pytorch/cprofile/7-algo-2/train-9-stepstart-1932984100000000.5_train-9-stepend-1932984100000001/python_stats",
      TRUE, 9, 9, LOOM_MODE_TRAIN, 7, "algo-2" },
    { "/r/x/host/prestepzero-*-start-1_global-0-stepstart-2/python_stats", TRUE, -1, 0, LOOM_MODE_PRE_STEP_ZERO, -1,
      "host" },
    { "/r/x/host/prestepzero-%2a-start-1_posthookclose-%2A-end-2/python_stats", TRUE, -1, G_MAXINT64,
      LOOM_MODE_PRE_STEP_ZERO, -1, "host" },
    { "/r/x/host/posthookclose-1-start-1_train-1-end-2/python_stats", FALSE, 0, 0, 0, 0, NULL },
    { "/r/x/host/train-1-start-1_prestepzero-1-end-2/python_stats", FALSE, 0, 0, 0, 0, NULL },
    { "/r/x/host/train-1-start_train-1-end-2/python_stats", FALSE, 0, 0, 0, 0, NULL },
    { "/r/x/host/train-1-begin-1_train-1-end-2/python_stats", FALSE, 0, 0, 0, 0, NULL },
    { "/r/x/host/train-1-start-1_train-1-end-2_3/python_stats", FALSE, 0, 0, 0, 0, NULL },
    { "/r/framework/tensorflow/cProfile/20_10_151-algo-1_-1/python_stats", TRUE, -1, -1, LOOM_MODE_NONE, 151,
      "algo-1" },
    { "/r/cProfile/10_20_a_b_3/python_stats", TRUE, 3, 3, LOOM_MODE_NONE, -1, "a_b" },
    { "/r/cProfile/10_20_3/python_stats", FALSE, 0, 0, 0, 0, NULL },
    { "/tmp/a.prof", FALSE, 0, 0, 0, 0, NULL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    LoomPythonProfilePath parsed;
    loom_python_profile_path_parse (rows[i].path, &parsed);
    g_assert_cmpint (parsed.has_interval, ==, rows[i].good);
    if (rows[i].good) {
      g_assert_cmpint (parsed.start.step, ==, rows[i].first);
      g_assert_cmpint (parsed.end.step, ==, rows[i].last);
      g_assert_cmpint (parsed.start.mode, ==, rows[i].mode);
      g_assert_cmpint (parsed.rank, ==, rows[i].rank);
      g_assert_cmpstr (parsed.node, ==, rows[i].node);
      g_assert_cmpint (parsed.start.time_ns, <, parsed.end.time_ns);
    }
    loom_python_profile_path_clear (&parsed);
  }
}

/* §2 "The timer is not stored": asserts the timer of each step, which is the default one unless a configuration is
 * found. */
static void
check_timers (const char *folder, const LoomPythonProfileTimer *steps)
{
  g_autoptr (LoomRun) run = load (folder);
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 10);
  for (guint i = 0; i < 10; i++) {
    const LoomPythonProfile *profile = loom_run_get_source (run, i)->profile;
    gint64 step = profile->start.step;
    g_assert_cmpint (profile->timer, ==, step < 0 ? steps[3] : steps[step - 9]);
    g_assert_cmpstr (profile->framework, ==, "pytorch");
  }
}

static void
test_timers (void)
{
  static const LoomPythonProfileTimer by_default[] = { LOOM_TIMER_ELAPSED, LOOM_TIMER_CPU, LOOM_TIMER_OFF_CPU,
                                                       LOOM_TIMER_ELAPSED },
                                      configured[] = { LOOM_TIMER_CPU, LOOM_TIMER_CPU, LOOM_TIMER_CPU, LOOM_TIMER_CPU };
  g_autofree char *given = g_build_filename (cases_folder, "python-profiles-folder", NULL),
                  *folder = g_dir_make_tmp ("traceloom-XXXXXX", NULL),
                  *config = g_build_filename (folder, "profilerconfig.json", NULL),
                  *link = g_build_filename (folder, "framework", NULL),
                  *target = g_build_filename (given, "framework", NULL);
  check_timers (given, by_default);
  g_assert_true (g_file_set_contents (
    config,
    "{\"ProfilingParameters\": {\"PythonProfilingConfig\": \"{\\\"StartStep\\\": 9, \\\"cProfileTimer\\\": \\\"CPU_time\\\"}\"}}",
    -1, NULL));
  g_autoptr (GFile) file = g_file_new_for_path (link);
  g_assert_true (g_file_make_symbolic_link (file, target, NULL, NULL));
  check_timers (folder, configured);
  g_remove (link);
  g_remove (config);
  g_rmdir (folder);
}

/* Edge case "paths from other systems": paths of functions are texts that are not interpreted. */
static void
test_foreign_paths (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  g_autoptr (LoomPythonProfile) profile = read_hex (
    "7B 29 03 7A 06 43 3A 5C 61 2E 70 " INT (7) TEXT_F "29 05 " INT (1) INT (1) HALF HALF "7B 30 30", log, NULL);
  g_assert_cmpstr (find (profile, "f", NULL)->file, ==, "C:\\a.p");
}

/* Edge case "very many interval directories": their profiles are in one row in time order, and all dumps are kept even
 * if they are equal. */
static void
test_many (void)
{
  g_autofree char *folder = g_dir_make_tmp ("traceloom-XXXXXX", NULL);
  const guint n = 300;
  for (guint i = 0; i < n; i++) {
    g_autofree char *name =
      g_strdup_printf ("train-%u-stepstart-19329841%08u_train-%u-stepend-19329841%08u", i, i * 10, i, i * 10 + 9);
    g_autofree char *interval = g_build_filename (folder, "algo-1", name, NULL),
                    *path = g_build_filename (interval, "python_stats", NULL);
    g_assert_cmpint (g_mkdir_with_parents (interval, 0700), ==, 0);
    g_assert_true (g_file_set_contents (path, "{0", 2, NULL));
  }
  g_autoptr (LoomRun) run = load (folder);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, n);
  LoomTrace *trace = loom_run_get_trace (run, 0);
  g_assert_cmpuint (loom_trace_get_n_tracks (trace), ==, 1);
  g_assert_cmpuint (loom_trace_get_track (trace, 0)->n_rows, ==, 1);
  g_assert_cmpuint (loom_trace_get_track (trace, 0)->n_events, ==, n);
  for (guint i = 0; i < n; i++) {
    g_autofree char *interval = g_path_get_dirname (loom_run_get_source (run, i)->path);
    g_remove (loom_run_get_source (run, i)->path);
    g_rmdir (interval);
  }
  g_autofree char *node = g_build_filename (folder, "algo-1", NULL);
  g_rmdir (node);
  g_rmdir (folder);
}

/* --- pyinstrument ------------------------------------------------------------------------------------------------------ */

/* §5: a report in which the function run takes 0.4 s, of which 0.15 s are its self time. */
static void
test_report (void)
{
  g_autoptr (LoomRun) run = load_case ("python-profiles-pyinstrument/report.json");
  const LoomSource *source = only_source (run);
  const LoomPythonProfileFunction *entry = find (source->profile, "run", NULL);
  g_assert_cmpint (entry->cumulative_ns, ==, 400000000);
  g_assert_cmpint (entry->own_ns, ==, 50000000);
  g_assert_cmpint (source->profile->n_samples, ==, 390);
  g_assert_cmpint (source->profile->timer, ==, LOOM_TIMER_ELAPSED);
  g_assert_cmpint (source->profile->start.time_ns, ==, G_GINT64_CONSTANT (1932984100250000000));
  g_assert_cmpint (find (source->profile, "<module>", NULL)->line, ==, 0); /* edge case "line_no 0 or null": no line is
                                                                            * shown */
  g_assert_cmpint (find (source->profile, "[self]", NULL)->line, ==, 0);
}

/* Edge case "unknown fields": unknown fields of the document become facts of the source, those of a frame become
 * details of its span. */
static void
test_unknown_fields (void)
{
  g_autoptr (LoomRun) run = load_case ("python-profiles-pyinstrument/report.json");
  const LoomSource *source = only_source (run);
  gboolean found = FALSE;
  for (guint i = 0; i + 1 < source->facts->len; i += 2)
    found |= strcmp (source->facts->pdata[i], "target_description") == 0 &&
             strcmp (source->facts->pdata[i + 1], "\"step 9\"") == 0;
  g_assert_true (found);
  char text[1024] = "";
  g_assert_cmpint (loom_byte_source_read (source->text, 0, text, sizeof text - 1, NULL), >, 0);
  g_assert_nonnull (strstr (text, "\"group_id\":\"g1\""));
  g_assert_null (strstr (text, "await_time"));
}

/* §3 "Only {"root_frame": null}": a session without frames. */
static void
test_broken_session (void)
{
  LoomPyinstrument content;
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  g_assert_true (loom_pyinstrument_read (&content, "{\"root_frame\": null}", 20, log, NULL));
  g_assert_true (content.no_samples);
  g_assert_false (content.incomplete);
  loom_pyinstrument_clear (&content);
}

/* Tests a profile in a folder whose name does not encode an interval of steps or times, as the profiling container
 * writes it. The profile must be loaded and reported as “odd-interval”. */
static void
test_no_interval (void)
{
  g_autofree char *folder = g_dir_make_tmp ("traceloom-XXXXXX", NULL),
                  *interval = g_build_filename (folder, "train-9-stepstart-x", NULL),
                  *path = g_build_filename (interval, "python_stats", NULL),
                  *example = g_build_filename (cases_folder, "python-profiles-files", "example.prof", NULL);
  g_autofree char *bytes = NULL;
  gsize length;
  g_assert_true (g_file_get_contents (example, &bytes, &length, NULL));
  g_assert_cmpint (g_mkdir (interval, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  g_autoptr (LoomRun) run = load (path);
  g_assert_nonnull (only_source (run)->profile);
  g_assert_true (has_problem (only_source (run), "odd-interval", "not named after a time interval"));
  g_autoptr (LoomRun) plain = load (example);
  g_assert_false (has_problem (only_source (plain), "odd-interval", ""));
  g_remove (path);
  g_rmdir (interval);
  g_rmdir (folder);
}

/* A negative time is reported and treated as unknown; the frame and its children are not drawn, so that they do not
 * overlap a sibling. */
static void
test_negative_time (void)
{
  static const char text[] =
    "{\"start_time\": 1932984100, \"duration\": 3, \"root_frame\": {\"function\": \"top\", \"time\": 3, \"children\": ["
    "{\"function\": \"bad\", \"time\": -1, \"children\": [{\"function\": \"below\", \"time\": 1, \"children\": []}]}, "
    "{\"function\": \"good\", \"time\": 2, \"children\": []}]}}";
  g_autofree char *folder = g_dir_make_tmp ("traceloom-XXXXXX", NULL),
                  *path = g_build_filename (folder, "negative.json", NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (LoomRun) run = load (path);
  const LoomSource *source = only_source (run);
  guint32 n;
  const LoomPythonProfileFrame *frames = loom_python_profile_get_frames (source->profile, &n);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpint (frames[1].dur_ns, ==, 0);
  g_assert_cmpint (frames[3].start_ns, ==, 0);
  g_assert_cmpint (frames[3].dur_ns, ==, 2 * G_GINT64_CONSTANT (1000000000));
  g_assert_true (has_problem (source, "odd-time", "below zero"));
  g_assert_true (has_problem (source, "no-width", "only in the table"));
  g_assert_cmpuint (source->n_spans, ==, 2);
  g_remove (path);
  g_rmdir (folder);
}

/* §3 "Records are in time order": spans are nested; consecutive records with the same prefix of frames are merged, even
 * if the attributes of the frames differ. */
static void
test_session (void)
{
  g_autoptr (LoomRun) run = load_case ("python-profiles-pyinstrument/session.pyisession");
  const LoomPythonProfile *profile = only_source (run)->profile;
  guint32 n;
  const LoomPythonProfileFrame *frames = loom_python_profile_get_frames (profile, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpint (frames[0].dur_ns, ==, 400000000);
  g_assert_cmpint (frames[0].own_ns, ==, 50000000);
  g_assert_cmpint (frames[1].dur_ns, ==, 250000000);
  g_assert_cmpint (frames[2].start_ns, ==, 300000000);
  g_assert_cmpint (find (profile, "Loader.load", NULL)->line, ==, 9);
}

/* Tests frames without a name, and empty frames. */
static void
test_nameless (void)
{
  static const char text[] =
    "{\"frame_records\": [[[\"\", \"\\u0001cX\", \"\\u0000\", \"\\u0000f\\u0000x\"], 1], [[], 1], [[1], 2], [3]]}";
  LoomPyinstrument content;
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  g_assert_true (loom_pyinstrument_read (&content, text, strlen (text), log, NULL));
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (g_steal_pointer (&content.builder));
  guint32 n;
  loom_python_profile_get_frames (profile, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpuint (loom_import_log_get_n_problems (log), ==, 1);
  loom_pyinstrument_clear (&content);
}

/* Edge case "recursion depth of a pyinstrument tree > 10 000": the table of functions contains all levels; the timeline
 * shows only the first 4096 levels. */
static void
test_deep (void)
{
  const guint depth = 30000;
  g_autoptr (GString) text = g_string_new ("{\"start_time\": 1932984100, \"duration\": 1, \"root_frame\": ");
  for (guint i = 0; i < depth; i++)
    g_string_append_printf (text, "{\"function\": \"f%u\", \"time\": 1, \"children\": [", i);
  for (guint i = 0; i < depth; i++)
    g_string_append (text, "]}");
  g_string_append (text, "}");
  g_autofree char *folder = g_dir_make_tmp ("traceloom-XXXXXX", NULL),
                  *path = g_build_filename (folder, "deep.json", NULL);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  g_autoptr (LoomRun) run = load (path);
  const LoomSource *source = only_source (run);
  guint32 n;
  loom_python_profile_get_frames (source->profile, &n);
  g_assert_cmpuint (n, ==, depth);
  g_assert_cmpuint (source->n_spans, ==, LOOM_PYTHON_PROFILE_MAX_SHOWN_DEPTH);
  g_assert_true (has_problem (source, "deep-tree", "4,096"));
  g_assert_false (source->incomplete);
  g_remove (path);
  g_rmdir (folder);
}

/* If a report or a session of pyinstrument is truncated, the part before the cut is kept, wherever the cut is. */
static void
test_cut_pyinstrument (void)
{
  static const char *const files[] = { "python-profiles-pyinstrument/report.json",
                                       "python-profiles-pyinstrument/session.pyisession" };
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (cases_folder, files[i], NULL), *text = NULL;
    gsize length;
    guint32 before = 0, n;
    g_assert_true (g_file_get_contents (path, &text, &length, NULL));
    for (gsize cut = 0; cut < length; cut++) {
      LoomPyinstrument content;
      g_autofree char *copy = g_memdup2 (text, cut);
      g_autoptr (LoomImportLog) log = loom_import_log_new ();
      if (!loom_pyinstrument_read (&content, copy, cut, log, NULL))
        continue;
      g_assert_true (content.incomplete);
      g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (g_steal_pointer (&content.builder));
      loom_python_profile_get_frames (profile, &n);
      g_assert_cmpuint (n, >=, before);
      before = n;
      loom_pyinstrument_clear (&content);
    }
    g_assert_cmpuint (before, >=, 3);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  cases_folder = g_getenv ("LOOM_TEST_CASES");
  g_test_add_func ("/profiles/python-profiles/1 interval directories", test_paths);
  g_test_add_func ("/profiles/python-profiles/2 content", test_content);
  g_test_add_func ("/profiles/python-profiles/2 quirk", test_quirk);
  g_test_add_func ("/profiles/python-profiles/2 pure Python profiler", test_pure_python);
  g_test_add_func ("/profiles/python-profiles/2 timer", test_timers);
  g_test_add_func ("/profiles/wrong-shapes", test_wrong_shapes);
  g_test_add_func ("/profiles/python-profiles/3 report tree", test_report);
  g_test_add_func ("/profiles/python-profiles/3 session", test_session);
  g_test_add_func ("/profiles/python-profiles/3 broken session", test_broken_session);
  g_test_add_func ("/profiles/negative-time", test_negative_time);
  g_test_add_func ("/profiles/no-interval", test_no_interval);
  g_test_add_func ("/profiles/python-profiles/4 empty dict", test_empty);
  g_test_add_func ("/profiles/python-profiles/4 truncated dump", test_cut);
  g_test_add_func ("/profiles/python-profiles/4 paths from other systems", test_foreign_paths);
  g_test_add_func ("/profiles/python-profiles/4 NaN times", test_nan);
  g_test_add_func ("/profiles/python-profiles/4 recursion depth", test_deep);
  g_test_add_func ("/profiles/python-profiles/4 unknown fields", test_unknown_fields);
  g_test_add_func ("/profiles/python-profiles/4 very many interval directories", test_many);
  g_test_add_func ("/profiles/nameless", test_nameless);
  g_test_add_func ("/profiles/cut-pyinstrument", test_cut_pyinstrument);
  return g_test_run ();
}
