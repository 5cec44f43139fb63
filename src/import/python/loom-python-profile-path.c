/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the path of a Python profile in the folders that SageMaker creates (framework/…). The path states the interval
 * of the profile, the framework, the node and the rank. The interface is described in loom-python-profile-path.h.
 */
#include "loom-python-profile-path.h"

#include "loom-file-discovery.h"
#include "loom-parse-time.h"
#include "loom-regex.h"
#include "loom-sniff.h"
#include "loom-stream-reader.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#define DEFAULT_FIRST_STEP 9 /* number of the first of the three steps that SageMaker profiles by default */
#define MAX_CONFIG_BYTES (1u << 20)
#define MAX_FOLDERS_UP 8

void
loom_python_profile_path_clear (LoomPythonProfilePath *parsed)
{
  g_free (parsed->framework);
  g_free (parsed->node);
  g_free (parsed->folder);
  *parsed = (LoomPythonProfilePath) { .start = LOOM_PYTHON_PROFILE_POINT_NONE,
                                      .end = LOOM_PYTHON_PROFILE_POINT_NONE,
                                      .rank = -1 };
}

/* --- the interval in the name of a folder ------------------------------------------------------------------------- */

static gboolean
parse_us (const char *text, gint64 *time_ns)
{
  LoomExactTime time;
  if (text[0] == '\0' || !loom_parse_time_parse_us (text, strlen (text), &time))
    return FALSE;
  *time_ns = time.ns;
  return TRUE;
}

static gboolean
parse_step (const char *text, gint64 star, gint64 *step)
{
  if (strcmp (text, "*") == 0 || g_ascii_strcasecmp (text, "%2A") == 0) {
    *step = star;
    return TRUE;
  }
  return text[0] != '\0' && loom_parse_time_parse_int (text, strlen (text), step);
}

/* Parses the start or the end of an interval in the name of a folder: <mode>-<step>-<phase>-<µs>. `star`: number of the
 * step if the name has "*" in place of a number. Returns FALSE if the text has another form. */
static gboolean
parse_point (const char *text, gint64 star, LoomPythonProfilePoint *point)
{
  g_auto (GStrv) parts = g_strsplit (text, "-", -1);
  return g_strv_length (parts) == 4 && loom_python_profile_mode_from_string (parts[0], &point->mode) &&
         parse_step (parts[1], star, &point->step) &&
         loom_python_profile_step_part_from_string (parts[2], &point->part) && parse_us (parts[3], &point->time_ns);
}

static gboolean
parse_current (const char *name, LoomPythonProfilePath *parsed)
{
  g_auto (GStrv) halves = g_strsplit (name, "_", -1);
  return g_strv_length (halves) == 2 && parse_point (halves[0], LOOM_STEP_BEFORE_FIRST, &parsed->start) &&
         parse_point (halves[1], LOOM_STEP_AFTER_LAST, &parsed->end) &&
         parsed->start.mode != LOOM_MODE_POST_HOOK_CLOSE && parsed->end.mode != LOOM_MODE_PRE_STEP_ZERO;
}

/* Parses a folder name of summer 2020: <start µs>_<end µs>_<node>_<step>. The node may contain underscores. Returns
 * FALSE if the name has another form. */
static gboolean
parse_old (const char *name, LoomPythonProfilePath *parsed)
{
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);
  guint n = g_strv_length (parts);
  gint64 step;
  if (n < 4 || !parse_us (parts[0], &parsed->start.time_ns) || !parse_us (parts[1], &parsed->end.time_ns) ||
      !loom_parse_time_parse_int (parts[n - 1], strlen (parts[n - 1]), &step))
    return FALSE;
  g_autofree char *last = g_steal_pointer (&parts[n - 1]);
  g_autofree char *id = g_strjoinv ("_", parts + 2);
  parsed->start.step = parsed->end.step = step < 0 ? LOOM_STEP_BEFORE_FIRST : step;
  loom_sniff_smdebug_split_node (id, &parsed->rank, &parsed->node);
  return id[0] != '\0';
}

static void
order_ends (LoomPythonProfilePath *parsed)
{
  if (parsed->start.time_ns <= parsed->end.time_ns)
    return;
  gint64 swap_ns = parsed->start.time_ns;
  parsed->start.time_ns = parsed->end.time_ns;
  parsed->end.time_ns = swap_ns;
  parsed->swapped = TRUE;
}

/* Returns the folder `n` levels above the folder that contains the file; if `n` is 0, the folder that contains the
 * file. Owned by the caller. */
static char *
folder_above (const char *path, guint n)
{
  char *folder = g_path_get_dirname (path);
  for (; n > 0; n--) {
    char *above = g_path_get_dirname (folder);
    g_free (folder);
    folder = above;
  }
  return folder;
}

static void
take_framework (LoomPythonProfilePath *parsed, const char *profiler_folder)
{
  g_autofree char *above = g_path_get_dirname (profiler_folder), *top = g_path_get_dirname (above),
                  *top_name = g_path_get_basename (top);
  if (strcmp (top_name, "framework") == 0)
    parsed->framework = g_path_get_basename (above);
}

void
loom_python_profile_path_parse (const char *path, LoomPythonProfilePath *parsed)
{
  *parsed = (LoomPythonProfilePath) { .start = LOOM_PYTHON_PROFILE_POINT_NONE,
                                      .end = LOOM_PYTHON_PROFILE_POINT_NONE,
                                      .rank = -1 };
  g_autofree char *real = g_canonicalize_filename (path, NULL), *interval = folder_above (real, 0),
                  *above = folder_above (real, 1), *name = g_path_get_basename (interval);
  if (parse_current (name, parsed)) {
    g_autofree char *id = g_path_get_basename (above), *profiler = folder_above (real, 2);
    loom_sniff_smdebug_split_node (id, &parsed->rank, &parsed->node);
    parsed->has_interval = TRUE;
    take_framework (parsed, profiler);
  } else {
    loom_python_profile_path_clear (parsed);
    parsed->has_interval = parse_old (name, parsed);
    if (!parsed->has_interval)
      loom_python_profile_path_clear (parsed);
    else
      take_framework (parsed, above);
  }
  if (!parsed->has_interval)
    return;
  order_ends (parsed);
  parsed->folder = g_steal_pointer (&above);
}

/* --- the timer, from a configuration ------------------------------------------------------------------------------ */

/* Returns the text of a profiler configuration; NULL if the file does not exist or is too large. Owned by the
 * caller. */
static char *
dup_config (const char *path, GHashTable *configs)
{
  const LoomFoundFile *file = configs != NULL ? g_hash_table_lookup (configs, path) : NULL;
  g_autoptr (LoomStreamReader) reader =
    loom_stream_reader_new_from (path, file != NULL ? file->origin : NULL, NULL, NULL);
  if (reader == NULL)
    return NULL;
  g_autofree char *text = g_malloc (MAX_CONFIG_BYTES + 1);
  gsize n = 0;
  gssize more = 1;
  while (n < MAX_CONFIG_BYTES && (more = loom_stream_reader_read (reader, text + n, MAX_CONFIG_BYTES - n, NULL)) > 0)
    n += (gsize) more;
  text[n] = '\0';
  return more == 0 ? g_steal_pointer (&text) : NULL;
}

/* Returns the name of the timer in a profiler configuration, in lower case. Case is ignored, because SageMaker's
 * container converts the whole text to lower case before reading it. The name is inside a JSON object that is itself
 * a string in the JSON text. Owned by the caller. */
static char *
timer_in_config (const char *folder, GHashTable *configs)
{
  g_autofree char *path = g_build_filename (folder, "profilerconfig.json", NULL), *text = dup_config (path, configs);
  if (text == NULL)
    return NULL;
  static gsize kept;
  const GRegex *regex =
    loom_regex_get (&kept, "cprofiletimer\\\\*[\"']\\s*:\\s*\\\\*[\"']([a-z_]+)", G_REGEX_CASELESS | G_REGEX_RAW);
  g_autoptr (GMatchInfo) match = NULL;
  if (!g_regex_match (regex, text, 0, &match))
    return NULL;
  g_autofree char *word = g_match_info_fetch (match, 1);
  return g_ascii_strdown (word, -1);
}

static char *
find_config_timer (const char *path, GHashTable *configs)
{
  g_autofree char *real = g_canonicalize_filename (path, NULL);
  for (guint i = 0; i < MAX_FOLDERS_UP; i++) {
    g_autofree char *folder = folder_above (real, i);
    char *timer = timer_in_config (folder, configs);
    if (timer != NULL || strcmp (folder, G_DIR_SEPARATOR_S) == 0)
      return timer;
  }
  return NULL;
}

static LoomPythonProfileTimer
default_timer (const LoomPythonProfilePath *parsed)
{
  if (parsed->start.step == DEFAULT_FIRST_STEP + 1)
    return LOOM_TIMER_CPU;
  return parsed->start.step == DEFAULT_FIRST_STEP + 2 ? LOOM_TIMER_OFF_CPU : LOOM_TIMER_ELAPSED;
}

LoomPythonProfileTimer
loom_python_profile_path_timer (const char *path, const LoomPythonProfilePath *parsed, gboolean default_steps,
                                GHashTable *configs, const char **basis)
{
  static const struct {
    const char *word;
    LoomPythonProfileTimer timer;
  } words[] = {
    { "total_time", LOOM_TIMER_ELAPSED },   { "cpu_time", LOOM_TIMER_CPU },
    { "off_cpu_time", LOOM_TIMER_OFF_CPU }, { "cpu", LOOM_TIMER_CPU },
    { "off_cpu", LOOM_TIMER_OFF_CPU },
  };
  g_autofree char *configured = parsed->has_interval ? find_config_timer (path, configs) : NULL;
  *basis = "profilerconfig.json";
  for (guint i = 0; configured != NULL && i < G_N_ELEMENTS (words); i++)
    if (strcmp (configured, words[i].word) == 0)
      return words[i].timer;
  if (g_strcmp0 (configured, "default") == 0)
    return default_timer (parsed);
  *basis = !parsed->has_interval ? N_ ("not stored in the file")
           : default_steps
             ? N_ ("inferred: each of the three steps that are profiled by default uses a different timer")
             : N_ ("assumed: the usual timer of the profiler");
  if (!parsed->has_interval)
    return LOOM_TIMER_UNKNOWN;
  return default_steps ? default_timer (parsed) : LOOM_TIMER_ELAPSED;
}

/* --- the name of an interval -------------------------------------------------------------------------------------- */

char *
loom_python_profile_path_dup_name (const LoomPythonProfilePath *parsed)
{
  if (!parsed->has_interval)
    return g_strdup ("profile");
  if (parsed->start.part == LOOM_PART_NONE)
    return g_strdup (parsed->start.step < 0 ? "before step 0" : "step");
  return g_strdup_printf (
    "%s → %s",
    parsed->start.mode == LOOM_MODE_PRE_STEP_ZERO ? "before step 0"
                                                  : loom_python_profile_step_part_to_string (parsed->start.part),
    parsed->end.mode == LOOM_MODE_POST_HOOK_CLOSE ? "end of the job"
                                                  : loom_python_profile_step_part_to_string (parsed->end.part));
}
