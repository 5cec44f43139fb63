/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-choice.h"

#include <glib/gi18n.h>
#include <string.h>

/* --- names ----------------------------------------------------------------------------------------------------------- */

/* File name endings that tell what is written. */
static gboolean
has_ending (const char *name)
{
  static const char *const endings[] = { ".json", ".trace", ".gz" };
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;
  return FALSE;
}

gboolean
loom_export_choice_is_compressed (const char *name)
{
  return g_str_has_suffix (name, ".gz");
}

char *
loom_export_choice_dup_path (const char *path, gboolean compress)
{
  return has_ending (path) ? g_strdup (path) : g_strconcat (path, compress ? ".json.gz" : ".json", NULL);
}

static void
take_name (LoomExportChoice *choice, char *name)
{
  g_free (choice->name);
  choice->name = name;
}

void
loom_export_choice_set_layout (LoomExportChoice *choice, LoomExportLayout layout)
{
  const char *kind = layout == LOOM_TRACE_EXPORT_RANKS ? "merged" : loom_trace_export_layout_to_string (layout);
  choice->layout = layout;
  if (!choice->is_named)
    take_name (choice, g_strdup_printf ("%s-%s.json%s", choice->run_name, kind, choice->compress ? ".gz" : ""));
}

void
loom_export_choice_set_name (LoomExportChoice *choice, const char *name)
{
  choice->is_named = TRUE;
  take_name (choice, g_strdup (name));
  if (has_ending (name))
    choice->compress = loom_export_choice_is_compressed (name);
}

void
loom_export_choice_set_compress (LoomExportChoice *choice, gboolean compress)
{
  const char *name = choice->name;
  choice->compress = compress;
  if (has_ending (name) && loom_export_choice_is_compressed (name) != compress)
    take_name (choice, compress ? g_strconcat (name, ".gz", NULL) : g_strndup (name, strlen (name) - strlen (".gz")));
}

/* --- ranges ---------------------------------------------------------------------------------------------------------- */

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
  loom_export_choice_set_layout (choice, LOOM_TRACE_EXPORT_RANKS);
  loom_export_choice_list_ranges (choice, ranges);
  choice->range = ranges[0];
  return choice;
}

void
loom_export_choice_free (LoomExportChoice *choice)
{
  g_clear_pointer (&choice->steps, loom_steps_unref);
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
  return n;
}

char *
loom_export_choice_dup_range_words (const LoomExportChoice *choice)
{
  switch (choice->range) {
  case LOOM_EXPORT_VISIBLE:
    return loom_time_format_duration (loom_time_sub (choice->visible.end_ns, choice->visible.begin_ns));
  case LOOM_EXPORT_SELECTED:
    return loom_time_format_duration (loom_time_sub (choice->selected.end_ns, choice->selected.begin_ns));
  case LOOM_EXPORT_ALL: return g_strdup (_ ("The whole run"));
  case LOOM_EXPORT_STEPS:
  default: return g_strdup ("");
  }
}

gboolean
loom_export_choice_get_options (const LoomExportChoice *choice, LoomExportOptions *options, char **problem)
{
  *options = (LoomExportOptions) LOOM_EXPORT_OPTIONS_INIT;
  options->layout = choice->layout;
  options->has_range = choice->range != LOOM_EXPORT_ALL;
  options->range = choice->range == LOOM_EXPORT_VISIBLE ? choice->visible : choice->selected;
  if (choice->range != LOOM_EXPORT_STEPS)
    return TRUE;
  if (choice->first_step <= choice->last_step &&
      loom_steps_range_inclusive (choice->steps, choice->first_step, choice->last_step, &options->range))
    return TRUE;
  *problem = g_strdup (_ ("There are no such steps."));
  return FALSE;
}
