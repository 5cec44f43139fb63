/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-python-profile-item.h: makes the labels of Python profiles, and finds the HTML pages that belong to
 * them.
 */
#include "loom-python-profile-item.h"

#include "loom-archive-path.h"
#include "loom-locale-number.h"
#include "loom-natural-collate.h"

#include <glib/gi18n.h>
#include <inttypes.h>

G_DEFINE_FINAL_TYPE (LoomPythonProfileItem, loom_python_profile_item, G_TYPE_OBJECT)

const char *
loom_python_profile_item_describe_timer (LoomPythonProfileTimer timer)
{
  switch (timer) {
  case LOOM_TIMER_ELAPSED: return _ ("elapsed time");
  case LOOM_TIMER_CPU: return _ ("CPU time");
  case LOOM_TIMER_OFF_CPU: return _ ("off-CPU time");
  default: return _ ("unknown timer");
  }
}

static void
finalize (GObject *object)
{
  LoomPythonProfileItem *self = LOOM_PYTHON_PROFILE_ITEM (object);
  loom_python_profile_unref (self->profile);
  g_free (self->label);
  g_free (self->place);
  g_free (self->detail);
  g_free (self->path);
  g_free (self->page);
  G_OBJECT_CLASS (loom_python_profile_item_parent_class)->finalize (object);
}

static void
loom_python_profile_item_class_init (LoomPythonProfileItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_python_profile_item_init (LoomPythonProfileItem *self)
{
}

/* Returns a text that names the steps of a profile: "train 9", "train 9 – eval 10", "Before step 0" or "After train
 * 11". */
static char *
steps_of (const LoomPythonProfilePoint *start, const LoomPythonProfilePoint *end)
{
  const char *mode = loom_python_profile_mode_to_string (start->mode);
  if (start->step == LOOM_STEP_BEFORE_FIRST)
    return g_strdup (_ ("Before step 0"));
  if (start->mode == LOOM_MODE_NONE)
    return g_strdup_printf (_ ("Step %" PRId64), start->step);
  if (end->step == LOOM_STEP_AFTER_LAST)
    return g_strdup_printf (_ ("After %s %" PRId64), mode, start->step);
  if (start->mode == end->mode && start->step == end->step)
    return g_strdup_printf ("%s %" G_GINT64_FORMAT, mode, start->step);
  return g_strdup_printf ("%s %" G_GINT64_FORMAT " – %s %" G_GINT64_FORMAT, mode, start->step,
                          loom_python_profile_mode_to_string (end->mode), end->step);
}

/* Returns the name of the file. If the name is "python_stats…", which all profiles of one profiler have, the name of
 * the folder precedes it: "folder/python_stats". */
static char *
folder_and_name (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *parent = g_path_get_basename (folder),
                  *base = g_path_get_basename (path);
  g_autofree char *both =
    g_str_has_prefix (base, "python_stats") ? g_build_filename (parent, base, NULL) : g_strdup (base);
  return loom_archive_path_dup_printable (both);
}

char *
loom_python_profile_item_dup_label (const LoomSource *source, const char *given)
{
  const LoomPythonProfilePoint *start = &source->profile->start, *end = &source->profile->end;
  if (start->step == LOOM_STEP_NONE)
    return given != NULL ? g_strdup (given) : folder_and_name (source->path);
  g_autofree char *steps = steps_of (start, end);
  if (start->part == LOOM_PART_NONE || start->step == LOOM_STEP_BEFORE_FIRST || end->step == LOOM_STEP_AFTER_LAST)
    return g_steal_pointer (&steps);
  return g_strdup_printf ("%s · %s → %s", steps, loom_python_profile_step_part_to_string (start->part),
                          loom_python_profile_step_part_to_string (end->part));
}

/* Returns the node, the rank and the name that the user gave to the source, for example "algo-1 · rank 3 · the slow
 * one". */
static char *
place_of (const LoomSource *source, const char *given)
{
  g_autofree char *rank = source->rank >= 0 ? loom_rank_label_dup_words (source->format, source->rank) : NULL;
  const char *name =
    /* if the profile has no steps, its label already contains the name that the user gave */
    source->profile->start.step != LOOM_STEP_NONE ? given : NULL;
  const char *const parts[] = { source->node, rank, name };
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", parts[i]);
  return g_string_free (text, FALSE);
}

static char *
detail_of (const LoomSource *source, const char *place)
{
  GString *text = g_string_new (place);
  guint32 n_functions = source->profile->functions->len;
  g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "",
                          loom_python_profile_item_describe_timer (source->profile->timer));
  g_autofree char *n = loom_locale_number_group (n_functions);
  g_string_append (text, " · ");
  if (n_functions > 0)
    g_string_append_printf (text, ngettext ("%s function", "%s functions", n_functions), n);
  else
    g_string_append (text, source->profile->kind == LOOM_PYTHON_PROFILE_CPROFILE
                             ? _ ("no calls recorded")
                             : _ ("no samples (profiler session corrupted)"));
  return g_string_free (text, FALSE);
}

static LoomPythonProfileItem *
choice_new (LoomTimeline *timeline, const LoomSourceOverrides *names, guint number)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomSource *source = loom_run_get_source (run, number);
  const LoomClockFit *fit =
    loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, number));
  gint64 start_ns = source->profile->start.time_ns, end_ns = source->profile->end.time_ns;
  LoomPythonProfileItem *self = g_object_new (LOOM_TYPE_PYTHON_PROFILE_ITEM, NULL);
  self->profile = loom_python_profile_ref (source->profile);
  const char *given = loom_source_overrides_get_name (names, source->path);
  self->label = loom_python_profile_item_dup_label (source, given);
  self->place = place_of (source, given);
  self->detail = detail_of (source, self->place);
  self->path = loom_archive_path_dup_printable (source->path);
  self->range = (LoomRange) { LOOM_TIME_NONE, LOOM_TIME_NONE };
  if (start_ns != LOOM_TIME_NONE)
    self->range =
      (LoomRange) { loom_clock_map_to_timeline (&fit->map, start_ns), loom_clock_map_to_timeline (&fit->map, end_ns) };
  return self;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const LoomPythonProfileItem *const *first = a, *const *second = b;
  if (((*first)->profile == NULL) != ((*second)->profile == NULL))
    return (*first)->profile == NULL ? 1 : -1;
  gint64 x = (*first)->range.begin_ns, y = (*second)->range.begin_ns;
  if (x != y)
    return x == LOOM_TIME_NONE ? 1 : y == LOOM_TIME_NONE ? -1 : x < y ? -1 : 1;
  return loom_natural_collate_compare ((*first)->path, (*second)->path);
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

/* Returns a table. Key: folder (char *); value: path (char *) of the HTML page of pyinstrument in this folder. The run
 * lists such pages among the files that were found but not loaded. */
static GHashTable *
find_pages (const LoomRun *run)
{
  GHashTable *pages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const char *path = loom_run_get_ignored (run, i)->path;
    if (g_str_has_suffix (path, "/python_stats.html"))
      g_hash_table_insert (pages, g_path_get_dirname (path), g_strdup (path));
  }
  return pages;
}

static void
take_page (LoomPythonProfileItem *self, GHashTable *pages, const char *source_path)
{
  g_autofree char *folder = g_path_get_dirname (source_path);
  gpointer key, page;
  if (!g_hash_table_steal_extended (pages, folder, &key, &page))
    return;
  g_free (key);
  self->page = page;
}

static LoomPythonProfileItem *
page_new (const char *folder, const char *page)
{
  g_autofree char *base = g_path_get_basename (folder);
  LoomPythonProfileItem *self = g_object_new (LOOM_TYPE_PYTHON_PROFILE_ITEM, NULL);
  self->label = loom_archive_path_dup_printable (base);
  self->place = g_strdup ("");
  self->detail = g_strdup (_ ("only an HTML page of pyinstrument"));
  self->path = loom_archive_path_dup_printable (page);
  self->page = g_strdup (page);
  self->range = (LoomRange) { LOOM_TIME_NONE, LOOM_TIME_NONE };
  return self;
}

static void
add_pages (GPtrArray *choices, GHashTable *pages)
{
  GHashTableIter iter;
  gpointer folder, page;
  g_hash_table_iter_init (&iter, pages);
  while (g_hash_table_iter_next (&iter, &folder, &page))
    g_ptr_array_add (choices, page_new (folder, page));
}

/* --- public ------------------------------------------------------------------------------------------------------- */

GPtrArray *
loom_python_profile_items_of (LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func (g_object_unref);
  LoomRun *run = timeline != NULL ? loom_timeline_get_run (timeline) : NULL;
  if (run == NULL)
    return choices;
  g_autoptr (GHashTable) pages = find_pages (run);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    if (loom_run_get_source (run, i)->profile == NULL)
      continue;
    LoomPythonProfileItem *choice = choice_new (timeline, names, i);
    take_page (choice, pages, loom_run_get_source (run, i)->path);
    g_ptr_array_add (choices, choice);
  }
  add_pages (choices, pages);
  g_ptr_array_sort (choices, compare);
  return choices;
}

char *
loom_python_profile_item_dup_whole_label (LoomPythonProfileItem *self)
{
  return *self->place != '\0' ? g_strdup_printf ("%s · %s", self->label, self->place) : g_strdup (self->label);
}
