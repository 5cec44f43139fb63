/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-export-choice.h: keeps the file name, the layout and the compression of an export consistent, and
 * parses the times that the user types.
 */
#include "loom-export-choice.h"

#include <glib/gi18n.h>
#include <string.h>

/* --- names -------------------------------------------------------------------------------------------------------- */

gboolean
loom_export_choice_is_compressed (const char *name)
{
  return g_str_has_suffix (name, ".gz");
}

/* The kinds of files that an export writes, and the endings of their names. If a name has no known ending, the first
 * ending of the kind is appended to it. */
typedef enum { JSON, PERFETTO, SQLITE, N_KINDS } Kind;
static const char *const known_endings[N_KINDS][5] = {
  [JSON] = { ".json", ".json.gz", ".trace", ".trace.gz", NULL },
  [PERFETTO] = { ".pftrace", ".pftrace.gz", ".perfetto-trace", ".perfetto-trace.gz", NULL },
  [SQLITE] = { ".sqlite", ".sqlite3", ".db", NULL },
};

static Kind
get_kind (LoomExportLayout layout)
{
  return layout == LOOM_TRACE_EXPORT_PERFETTO ? PERFETTO : JSON;
}

/* Returns the kind of file that the ending of the name means; N_KINDS if it has no known ending. */
static Kind
find_kind (const char *name)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    for (guint i = 0; known_endings[kind][i] != NULL; i++)
      if (g_str_has_suffix (name, known_endings[kind][i]))
        return kind;
  return N_KINDS;
}

/* Returns TRUE if the name has an ending of this kind of file. Also returns TRUE if its only ending is ".gz" and files
 * of this kind can be compressed. */
static gboolean
has_ending (const char *name, Kind kind)
{
  Kind named = find_kind (name);
  return named == kind || (named == N_KINDS && kind != SQLITE && loom_export_choice_is_compressed (name));
}

/* Returns TRUE if the ending of the name says whether the file is compressed. The ending ".gz" says that the file is
 * compressed; the other known endings, such as ".json" and ".pftrace", say that it is not. */
static gboolean
tells_compression (const char *name)
{
  return loom_export_choice_is_compressed (name) || find_kind (name) < SQLITE;
}

static char *
dup_uncompressed (const char *name)
{
  return g_strndup (name, strlen (name) - (loom_export_choice_is_compressed (name) ? strlen (".gz") : 0));
}

char *
loom_export_choice_dup_path (const char *path, LoomExportLayout layout, gboolean compress)
{
  if (has_ending (path, get_kind (layout)))
    return g_strdup (path);
  g_autofree char *stem = dup_uncompressed (path);
  return g_strconcat (stem, known_endings[get_kind (layout)][0],
                      compress || loom_export_choice_is_compressed (path) ? ".gz" : "", NULL);
}

char *
loom_export_choice_dup_target (const LoomExportChoice *choice, const char *path)
{
  if (!choice->is_database)
    return loom_export_choice_dup_path (path, choice->layout, choice->compress);
  g_autofree char *stem = dup_uncompressed (path);
  return has_ending (path, SQLITE) ? g_strdup (path) : g_strconcat (stem, known_endings[SQLITE][0], NULL);
}

static void
take_name (LoomExportChoice *choice, char *name)
{
  g_free (choice->name);
  choice->name = name;
}

/* Suggests the file name "<name of the run>-<word>" with the ending of this kind of file, unless the user typed a
 * name. */
static void
suggest_name (LoomExportChoice *choice, const char *word, Kind kind)
{
  const char *end = choice->compress && kind != SQLITE ? ".gz" : "";
  if (!choice->is_named)
    take_name (choice, g_strconcat (choice->run_name, "-", word, known_endings[kind][0], end, NULL));
}

void
loom_export_choice_set_layout (LoomExportChoice *choice, LoomExportLayout layout)
{
  const char *word =
    loom_trace_export_layout_is_aligned (layout) ? "merged" : loom_trace_export_layout_to_string (layout);
  choice->layout = layout;
  choice->is_database = FALSE;
  suggest_name (choice, word, get_kind (layout));
}

void
loom_export_choice_set_database (LoomExportChoice *choice)
{
  choice->is_database = TRUE;
  suggest_name (choice, "merged", SQLITE);
}

void
loom_export_choice_set_name (LoomExportChoice *choice, const char *name)
{
  choice->is_named = TRUE;
  take_name (choice, g_strdup (name));
  if (!choice->is_database && tells_compression (name))
    choice->compress = loom_export_choice_is_compressed (name);
}

void
loom_export_choice_set_compress (LoomExportChoice *choice, gboolean compress)
{
  const char *name = choice->name;
  choice->compress = compress;
  if (!choice->is_database && tells_compression (name) && loom_export_choice_is_compressed (name) != compress)
    take_name (choice, compress ? g_strconcat (name, ".gz", NULL) : dup_uncompressed (name));
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

static char *
dup_time (const LoomExportChoice *choice, gint64 ns)
{
  return loom_time_format_exact (loom_time_sub (ns, choice->zero_ns));
}

LoomExportChoice *
loom_export_choice_new (LoomTimelineState *state, const char *run_name)
{
  LoomExportChoice *choice = g_new0 (LoomExportChoice, 1);
  LoomExportRange ranges[LOOM_N_EXPORT_RANGES];
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomRange range = loom_timeline_state_get_range (state);
  LoomSteps *steps = loom_timeline_state_get_steps (state);
  choice->run_name = g_strdup (run_name);
  choice->visible = (LoomRange) { view->begin_ns, view->end_ns };
  choice->prefers_selected = range.end_ns > range.begin_ns;
  if (!loom_timeline_state_get_selected_range (state, &choice->selected))
    choice->selected = (LoomRange) { 0, 0 };
  if (steps != NULL && loom_steps_get_numbers (steps, &choice->first_step, &choice->last_step))
    choice->steps = loom_steps_ref (steps);
  choice->compress = TRUE;
  choice->timeline = loom_timeline_ref (loom_timeline_state_get_timeline (state));
  choice->zero_ns = loom_ruler_get_zero (choice->timeline, loom_timeline_state_get_reading (state));
  choice->from = dup_time (choice, choice->visible.begin_ns);
  choice->to = dup_time (choice, choice->visible.end_ns);
  loom_export_choice_set_layout (choice, LOOM_TRACE_EXPORT_RANKS);
  loom_export_choice_list_ranges (choice, ranges);
  choice->range = ranges[0];
  return choice;
}

void
loom_export_choice_free (LoomExportChoice *choice)
{
  g_clear_pointer (&choice->steps, loom_steps_unref);
  loom_timeline_unref (choice->timeline);
  g_free (choice->from);
  g_free (choice->to);
  g_free (choice->sources);
  g_free (choice->run_name);
  g_free (choice->name);
  g_free (choice);
}

guint
loom_export_choice_list_ranges (const LoomExportChoice *choice, LoomExportRange ranges[LOOM_N_EXPORT_RANGES])
{
  guint n = 0;
  gboolean selected = choice->selected.end_ns > choice->selected.begin_ns;
  if (selected && choice->prefers_selected)
    ranges[n++] = LOOM_EXPORT_SELECTED;
  ranges[n++] = LOOM_EXPORT_ALL;
  ranges[n++] = LOOM_EXPORT_VISIBLE;
  if (selected && !choice->prefers_selected)
    ranges[n++] = LOOM_EXPORT_SELECTED;
  if (choice->steps != NULL)
    ranges[n++] = LOOM_EXPORT_STEPS;
  ranges[n++] = LOOM_EXPORT_TIMES;
  return n;
}

char *
loom_export_choice_dup_range_words (const LoomExportChoice *choice)
{
  switch (choice->is_database ? LOOM_EXPORT_ALL : choice->range) {
  case LOOM_EXPORT_VISIBLE:
    return loom_time_format_duration (loom_time_sub (choice->visible.end_ns, choice->visible.begin_ns));
  case LOOM_EXPORT_SELECTED:
    return loom_time_format_duration (loom_time_sub (choice->selected.end_ns, choice->selected.begin_ns));
  case LOOM_EXPORT_ALL: return g_strdup (_ ("The whole run"));
  case LOOM_EXPORT_STEPS:
  case LOOM_EXPORT_TIMES:
  default: return g_strdup ("");
  }
}

void
loom_export_choice_set_times (LoomExportChoice *choice, const char *from, const char *to)
{
  char *old_from = choice->from, *old_to = choice->to;
  choice->from = g_strdup (from);
  choice->to = g_strdup (to);
  g_free (old_from);
  g_free (old_to);
}

/* Parses a time that the user typed; it is relative to `zero_ns` of the choice. If the text is empty, the time is
 * `otherwise_ns`. Returns FALSE and sets `problem` to a sentence if the text is not a time. */
static gboolean
parse_time (const LoomExportChoice *choice, const char *text, gint64 otherwise_ns, gint64 *ns, char **problem)
{
  g_autofree char *typed = g_strstrip (g_strdup (text));
  *ns = otherwise_ns;
  if (*typed == '\0')
    return TRUE;
  if (!loom_time_parse_instant (typed, ns)) {
    *problem = g_strdup_printf (_ ("“%s” is not a time such as 1.5 s, 250 ms or 1:02.5."), typed);
    return FALSE;
  }
  *ns = loom_time_add (*ns, choice->zero_ns);
  return TRUE;
}

static gboolean
get_typed_range (const LoomExportChoice *choice, LoomRange *range, char **problem)
{
  LoomRange extent = { 0, 0 };
  loom_timeline_get_extent (choice->timeline, &extent);
  if (!parse_time (choice, choice->from, extent.begin_ns, &range->begin_ns, problem) ||
      !parse_time (choice, choice->to, extent.end_ns, &range->end_ns, problem))
    return FALSE;
  if (range->begin_ns <= range->end_ns)
    return TRUE;
  *problem = g_strdup (_ ("The range ends before it begins."));
  return FALSE;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static gboolean
ends_as_wanted (const char *path, char *const *endings)
{
  for (guint i = 0; endings[i] != NULL; i++)
    if (*endings[i] != '\0' && g_str_has_suffix (path, endings[i]))
      return TRUE;
  return FALSE;
}

void
loom_export_choice_set_endings (LoomExportChoice *choice, const char *endings)
{
  g_auto (GStrv) wanted = g_strsplit_set (endings, " ,;\t", -1);
  LoomRun *run = loom_timeline_get_run (choice->timeline);
  guint n = loom_run_get_n_sources (run);
  g_clear_pointer (&choice->sources, g_free);
  choice->n_sources = 0;
  if (endings[strspn (endings, " ,;\t")] == '\0')
    return;
  choice->sources = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    if (ends_as_wanted (loom_run_get_source (run, i)->path, wanted))
      choice->sources[choice->n_sources++] = i;
}

char *
loom_export_choice_dup_source_words (const LoomExportChoice *choice)
{
  guint n = loom_run_get_n_sources (loom_timeline_get_run (choice->timeline));
  if (choice->sources == NULL || choice->is_database)
    return g_strdup_printf (ngettext ("All of %u file", "All of %u files", n), n);
  return g_strdup_printf (ngettext ("%u of %u file", "%u of %u files", n), choice->n_sources, n);
}

/* --- options ------------------------------------------------------------------------------------------------------ */

gboolean
loom_export_choice_get_options (const LoomExportChoice *choice, LoomExportOptions *options, char **problem)
{
  *options = (LoomExportOptions) LOOM_EXPORT_OPTIONS_INIT;
  if (choice->is_database)
    return TRUE;
  options->layout = choice->layout;
  options->has_range = choice->range != LOOM_EXPORT_ALL;
  options->range = choice->range == LOOM_EXPORT_VISIBLE ? choice->visible : choice->selected;
  options->sources = choice->sources;
  options->n_sources = choice->n_sources;
  if (choice->sources != NULL && choice->n_sources == 0) {
    *problem = g_strdup (_ ("No file of the run has a name with this ending."));
    return FALSE;
  }
  if (choice->range == LOOM_EXPORT_TIMES)
    return get_typed_range (choice, &options->range, problem);
  if (choice->range != LOOM_EXPORT_STEPS)
    return TRUE;
  if (choice->first_step <= choice->last_step &&
      loom_steps_range_inclusive (choice->steps, choice->first_step, choice->last_step, &options->range))
    return TRUE;
  *problem = g_strdup (_ ("The run has no steps with these numbers."));
  return FALSE;
}
