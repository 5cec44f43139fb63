/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the names of ranks, devices, files and steps that several pages of the analysis show, and finds the rows of the
 * timeline that belong to a rank.
 */
#include "loom-page-private.h"

#include "loom-archive-path.h"
#include "loom-list-separator.h"
#include "loom-step-index.h"
#include "loom-track-label.h"

#include <glib/gi18n.h>
#include <string.h>

/* a number in a file name with at least this many digits is a time since 1970, in s or a smaller unit */
#define MIN_TIMESTAMP_DIGITS 10
/* maximum number of sources whose names are shortened, because comparing more names would take too long */
#define MAX_COMPARED_SOURCES 256

char *
loom_page_device_name (const LoomPageInput *input, const char *host, const char *name)
{
  if (input->frame->n_hosts < 2 || host == NULL || host[0] == '\0')
    return g_strdup (name);
  return g_strdup_printf ("%s %s", host, name);
}

/* Returns the name that the user gave to all files of a rank; NULL if the files have no name, or different names. */
static const char *
given_of_rank (const LoomPageInput *input, const char *node, gint rank)
{
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  const char *given = NULL;
  gboolean first = TRUE;
  for (guint i = 0; input->names != NULL && i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    gboolean elsewhere = node != NULL && node[0] != '\0' && source->node != NULL && strcmp (source->node, node) != 0;
    if (source->rank != rank || elsewhere)
      continue;
    const char *name = loom_source_overrides_get_name (input->names, source->path);
    if (!first && g_strcmp0 (given, name) != 0)
      return NULL;
    given = name;
    first = FALSE;
  }
  return given;
}

/* Returns TRUE if the number of a rank is in fact the id of a process. Some file formats contain process ids instead of
 * ranks. In merged files, LoomWorker.is_process tells ranks and process ids apart. */
static gboolean
is_process (const LoomPageInput *input, const char *format, gint rank)
{
  const LoomWorker *workers = input->frame->workers;
  gboolean is = loom_rank_label_is_process (format, rank);
  for (guint i = 0; i < input->frame->n_workers && !is; i++)
    is = workers[i].rank == rank && workers[i].is_process;
  return is;
}

/* Returns the name of a rank, for example "rank 3" or "algo-1 rank 3 · the slow one". Owned by the caller. */
static char *
dup_rank_name (const LoomPageInput *input, const char *node, gint rank, gboolean process)
{
  const char *given = given_of_rank (input, node, rank);
  g_autofree char *number = g_strdup_printf (process ? _ ("process %d") : _ ("rank %d"), rank);
  g_autofree char *name = given != NULL ? g_strdup_printf ("%s · %s", number, given) : g_steal_pointer (&number);
  return loom_page_device_name (input, node, name);
}

char *
loom_page_worker_name (const LoomPageInput *input, guint worker)
{
  const LoomWorker *workers = input->frame->workers;
  if (worker >= input->frame->n_workers || workers[worker].rank < 0)
    return loom_track_label_dup_worker_words (input->frame, worker);
  return dup_rank_name (input, workers[worker].host, workers[worker].rank, workers[worker].is_process);
}

char *
loom_page_place_name (const LoomPageInput *input, const char *host, const char *device)
{
  const LoomWorker *workers = input->frame->workers;
  const GPtrArray *hosts = input->frame->hosts;
  guint own = 0;
  if (device[0] == '\0')
    return g_strdup (host);
  while (own < hosts->len && strcmp (hosts->pdata[own], host) != 0)
    own++;
  for (guint i = 0; own < hosts->len && i < input->frame->n_workers; i++)
    if (workers[i].host_id == own && g_strcmp0 (workers[i].display, device) == 0)
      return loom_page_worker_name (input, i);
  return g_str_has_prefix (device, host) ? g_strdup (device) : loom_page_device_name (input, host, device);
}

static char *
dup_file_name (const LoomPageInput *input, guint source)
{
  const char *own = loom_run_get_source (loom_timeline_get_run (input->frame->timeline), source)->path;
  const char *given = loom_source_overrides_get_name (input->names, own);
  g_autofree char *path = loom_archive_path_dup_shown (own);
  return given != NULL ? g_strdup (given) : g_path_get_basename (path);
}

/* Returns the part of a file name before the time of the recording: "worker0" for
 * "worker0.1623143089861.pt.trace.json". Returns the whole name if it contains no such time. Owned by the caller. */
static char *
dup_stem (const char *name)
{
  g_autofree char *stem = loom_archive_path_dup_stem (name);
  char *dot = strrchr (stem, '.');
  if (dot == NULL || dot == stem || strlen (dot + 1) < MIN_TIMESTAMP_DIGITS ||
      strspn (dot + 1, "0123456789") != strlen (dot + 1))
    return g_strdup (name);
  *dot = '\0';
  return g_steal_pointer (&stem);
}

/* Returns TRUE if no other source of the run has the short name `stem`. Returns FALSE without a comparison if there are
 * too many sources. */
static gboolean
is_unique (const LoomPageInput *input, guint source, const char *stem)
{
  guint n = loom_run_get_n_sources (loom_timeline_get_run (input->frame->timeline));
  for (guint i = 0; i < n && n <= MAX_COMPARED_SOURCES; i++) {
    g_autofree char *name = i != source ? dup_file_name (input, i) : NULL,
                    *other = name != NULL ? dup_stem (name) : NULL;
    if (g_strcmp0 (other, stem) == 0)
      return FALSE;
  }
  return n <= MAX_COMPARED_SOURCES;
}

/* Returns the name of a source for a row: its short name, or its long name if another source has the same short name.
 * Owned by the caller. */
static char *
dup_row_name (const LoomPageInput *input, guint source)
{
  g_autofree char *name = dup_file_name (input, source), *stem = dup_stem (name);
  return is_unique (input, source, stem) ? g_steal_pointer (&stem) : g_steal_pointer (&name);
}

char *
loom_page_rank_name (const LoomPageInput *input, const char *node, gint rank, const guint *sources)
{
  const LoomSource *source = loom_run_get_source (loom_timeline_get_run (input->frame->timeline), sources[0]);
  return rank >= 0 ? dup_rank_name (input, node, rank, is_process (input, source->format, rank))
                   : dup_row_name (input, sources[0]);
}

/* Returns TRUE if the name contains only the number of the rank: no name of a node, and no name that the user gave. */
static gboolean
is_plain_name (const char *name, gint rank)
{
  g_autofree char *plain = g_strdup_printf (_ ("rank %d"), rank);
  return rank >= 0 && strcmp (name, plain) == 0;
}

char *
loom_page_join_ranks (const GPtrArray *names, const gint *ranks, guint n_most)
{
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < names->len; i++)
    if (is_plain_name (names->pdata[i], ranks[i]))
      g_ptr_array_add (numbers, g_strdup_printf ("%d", ranks[i]));
  if (names->len < 2 || numbers->len < names->len)
    return loom_list_separator_join_most (names, n_most);
  g_autofree char *list = loom_list_separator_join_most (numbers, n_most);
  return g_strdup_printf (ngettext ("rank %s", "ranks %s", names->len), list);
}

char *
loom_page_dup_share (const LoomPageInput *input, gint64 part_ns)
{
  LoomRange all = input->range;
  loom_timeline_get_extent (input->frame->timeline, &all);
  gboolean is_part = input->range.begin_ns > all.begin_ns || input->range.end_ns < all.end_ns;
  gint64 range_ns = loom_time_sub (MIN (input->range.end_ns, all.end_ns), MAX (input->range.begin_ns, all.begin_ns));
  /* one decimal, as in other sentences about late ranks */
  g_autofree char *percent = g_strdup_printf ("%.1f %%", loom_statistics_percent ((double) part_ns, (double) range_ns));
  return g_strdup_printf (/* Translators: a share of the time */
                          is_part ? _ ("%s of this range") : _ ("%s of the run"), percent);
}

void
loom_page_set_rank (LoomPageContent *sheet, const LoomPageInput *input, guint element, gint rank, const guint *sources)
{
  guint32 trace =
    rank >= 0 ? G_MAXUINT32 : loom_run_get_trace_of_source (loom_timeline_get_run (input->frame->timeline), sources[0]);
  loom_page_content_set_rank (sheet, element, rank, trace);
}

char *
loom_page_dup_files (const LoomPageInput *input, const guint *sources, guint n)
{
  return n == 1 ? dup_file_name (input, sources[0]) : g_strdup_printf (ngettext ("%u file", "%u files", n), n);
}

/* Returns the formats of the sources that have training steps, in the order in which the first step of each format
 * occurs in input->frame. The caller owns the array; the texts are static. */
static GPtrArray *
list_step_formats (const LoomPageInput *input)
{
  const LoomDataFrameRows *rows = &input->frame->rows;
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  GPtrArray *formats = g_ptr_array_new ();
  guint32 trace = G_MAXUINT32;
  for (guint32 i = 0; i < rows->n; i++) {
    if ((rows->flags[i] & LOOM_ROW_TRAIN) == 0 || rows->span[i].trace == trace)
      continue;
    trace = rows->span[i].trace;
    const char *format = loom_run_get_source (run, loom_run_get_first_source (run, trace))->format;
    if (!g_ptr_array_find_with_equal_func (formats, format, g_str_equal, NULL))
      g_ptr_array_add (formats, (gpointer) format);
  }
  return formats;
}

char *
loom_page_dup_steps (const LoomPageInput *input)
{
  g_autoptr (GPtrArray) formats = list_step_formats (input);
  LoomStepIndex steps;
  if (formats->len == 0)
    return NULL;
  g_ptr_array_add (formats, NULL);
  g_autofree char *kinds = g_strjoinv (loom_list_separator (), (char **) formats->pdata);
  loom_step_index_init (&steps, input->frame, LOOM_ROW_TRAIN);
  guint n = steps.n_steps, n_ranks = steps.n_ranks;
  loom_step_index_clear (&steps);
  if (n_ranks == 1)
    return g_strdup_printf (ngettext ("%u training step (%s)", "%u training steps (%s)", n), n, kinds);
  /* Translators: the second number is always more than 1. */
  return g_strdup_printf (ngettext ("%u training step of %u ranks (%s)", "%u training steps of %u ranks (%s)", n), n,
                          n_ranks, kinds);
}
