/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Critical Path", which shows the chain of work that determined when the range ended, and how much time
 * would be saved if single kinds of this work were faster.
 */
#include "loom-page-private.h"

#include "loom-critical-path.h"
#include "loom-frame-collectives.h"
#include "loom-locale-number.h"
#include "loom-path-words.h"
#include "loom-recording-advice.h"
#include "loom-sentence.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>

#define MAX_NAMES 30
#define LEAST_PERCENT 0.1 /* minimum share of the path, in percent, for spans of one name to be listed */
#define MAX_STRETCHES 20
#define MAX_STEPS 24
#define MAX_RANKS 64
#define MAX_RANK_BARS 8
/* A kind of work has its own slice in the pie if it is at least this share of the path. All other kinds share one
 * slice. */
#define MIN_SLICE 0.005
/* Returns the colour that spans of this kind of work have on the timeline. */
static guint
get_color (LoomPathKind kind)
{
  switch (kind) {
  case LOOM_PATH_KIND_HOST: return loom_chart_work_color (LOOM_WORK_KIND_OPERATOR);
  case LOOM_PATH_KIND_DATA: return loom_chart_work_color (LOOM_WORK_KIND_DATA);
  case LOOM_PATH_KIND_LAUNCH: return loom_chart_work_color (LOOM_WORK_KIND_RUNTIME);
  case LOOM_PATH_KIND_COMPUTE: return loom_chart_work_color (LOOM_WORK_KIND_COMPUTE);
  case LOOM_PATH_KIND_MEMORY: return loom_chart_work_color (LOOM_WORK_KIND_MEMCPY);
  case LOOM_PATH_KIND_TRANSFER: return loom_chart_work_color (LOOM_WORK_KIND_COMMUNICATION);
  case LOOM_PATH_KIND_COMMUNICATION: return loom_chart_work_color (LOOM_WORK_KIND_COLLECTIVE);
  case LOOM_PATH_KIND_SYNC: return loom_chart_work_color (LOOM_WORK_KIND_SYNC);
  default: return LOOM_CHART_GREY;
  }
}

static double
get_percent (const LoomCriticalPath *path, gint64 part_ns)
{
  return loom_statistics_percent ((double) part_ns, (double) loom_critical_path_get_length (path));
}

static const LoomPathStretch *
get_stretch (const LoomCriticalPath *path, guint32 index)
{
  return &g_array_index (path->stretches, LoomPathStretch, index);
}

static void
set_stretch (LoomPageContent *sheet, guint element, const LoomPathStretch *stretch)
{
  guint n = loom_timeline_span_id_is_none (stretch->span) ? 0 : 1;
  loom_page_content_set_place (sheet, element, stretch->range, &stretch->span, n);
}

/* Targets of chart elements and table rows: the places on the timeline that they show when activated. Each target is a
 * group of segments of the critical path (LoomPathStretch): the spans of the group, and the range from its first to its
 * last segment. */
typedef struct {
  /* array indexed by group: ids (LoomSpanId) of the spans of its segments in order of time; if consecutive segments
   * have the same span, its id is stored once */
  GArray **spans;
  LoomRange *ranges;
  guint n;
} Places;

static Places
new_places (guint n)
{
  Places places = { g_new (GArray *, MAX (n, 1)), g_new0 (LoomRange, MAX (n, 1)), n };
  for (guint i = 0; i < n; i++)
    places.spans[i] = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  return places;
}

/* Adds the span of a segment of the path to the target of a group. Stores at most one span more than a target may have.
 * The surplus span shows set_places() that the group has too many spans. */
static void
add_place (Places *places, guint group, const LoomPathStretch *stretch)
{
  GArray *spans = places->spans[group];
  LoomRange *range = &places->ranges[group];
  *range = range->end_ns > range->begin_ns ? (LoomRange) { range->begin_ns, stretch->range.end_ns } : stretch->range;
  gboolean again =
    spans->len > 0 && loom_timeline_span_id_equal (g_array_index (spans, LoomSpanId, spans->len - 1), stretch->span);
  if (!loom_timeline_span_id_is_none (stretch->span) && !again && spans->len <= LOOM_NAVIGATION_TARGET_MAX_SPANS)
    g_array_append_val (spans, stretch->span);
}

/* Makes the spans of a group the target of an element: the place on the timeline that the element shows when activated.
 * If the group has no spans, or too many for a target, the target is the segment `longest` instead. */
static void
set_places (LoomPageContent *sheet, guint element, const Places *places, guint group, const LoomPathStretch *longest)
{
  GArray *spans = places->spans[group];
  if (spans->len > 0 && spans->len <= LOOM_NAVIGATION_TARGET_MAX_SPANS)
    loom_page_content_set_place (sheet, element, places->ranges[group], (const LoomSpanId *) (gpointer) spans->data,
                                 spans->len);
  else if (longest != NULL)
    set_stretch (sheet, element, longest);
}

static void
clear_places (Places *places)
{
  for (guint i = 0; i < places->n; i++)
    g_array_unref (places->spans[i]);
  g_free (places->spans);
  g_free (places->ranges);
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static void
add_notes (LoomPageContent *sheet, LoomRun *run, const LoomCriticalPath *path)
{
  if (path->n_inferred > 0) {
    g_autofree char *n = loom_locale_number_group (path->n_inferred),
                    *text = g_strdup_printf (
                      ngettext ("%s wait for a device is inferred from times, because the files do not record it.",
                                "%s waits for devices are inferred from times, because the files do not record them.",
                                (gulong) path->n_inferred),
                      n);
    gboolean is_pytorch = loom_recording_advice_find_recorder (run) == LOOM_RECORDER_PYTORCH;
    g_autofree char *all =
      loom_sentence_join (text, is_pytorch ? _ ("PyTorch records waits with enable_cuda_sync_events=True.") : NULL);
    loom_page_content_add_note (sheet, all);
  }
  if (path->n_earlier > 0) {
    g_autofree char *text = g_strdup_printf (
      ngettext (
        "The path does not contain %u recording, which ends before the path begins. To see its path, select its range.",
        "The path does not contain %u recordings, which end before the path begins. To see their paths, select their ranges.",
        path->n_earlier),
      path->n_earlier);
    loom_page_content_add_note (sheet, text);
  }
  if (path->n_unjoined > 0) {
    g_autofree char *
      n = loom_locale_number_group (path->n_unjoined),
     *text = g_strdup_printf (
       ngettext (
         "In %s case, a rank left a collective before the last rank entered it; the rank then counts as not having waited. If there are many such cases, the clocks are not aligned well enough.",
         "In %s cases, a rank left a collective before the last rank entered it; the rank then counts as not having waited. If there are many such cases, the clocks are not aligned well enough.",
         (gulong) path->n_unjoined),
       n);
    loom_page_content_add_note (sheet, text);
  }
}

/* --- kinds of work and steps -------------------------------------------------------------------------------------- */

/* Returns the longest segment of the path that is work of the given kind; NULL if the path has no such segment. */
static const LoomPathStretch *
find_longest (const LoomCriticalPath *path, LoomPathKind kind)
{
  const LoomPathStretch *longest = NULL;
  for (guint i = 0; i < path->names->len; i++) {
    const LoomPathName *name = &g_array_index (path->names, LoomPathName, i);
    const LoomPathStretch *own = get_stretch (path, name->longest);
    if (name->kind == kind &&
        (longest == NULL || own->range.end_ns - own->range.begin_ns > longest->range.end_ns - longest->range.begin_ns))
      longest = own;
  }
  return longest;
}

static int
compare_kinds (gconstpointer a, gconstpointer b, gpointer path)
{
  gint64 x = ((const LoomCriticalPath *) path)->kinds_ns[*(const guint *) a],
         y = ((const LoomCriticalPath *) path)->kinds_ns[*(const guint *) b];
  return x != y ? (x > y ? -1 : 1) : *(const guint *) a < *(const guint *) b ? -1 : 1;
}

/* Sets `kinds` to the kinds of work that are on the path, the one with most time first. Returns their number. */
static guint
sort_kinds (const LoomCriticalPath *path, guint *kinds)
{
  guint n = 0;
  for (guint i = 0; i < LOOM_N_PATH_KINDS; i++)
    if (path->kinds_ns[i] > 0)
      kinds[n++] = i;
  g_qsort_with_data (kinds, (gint) n, sizeof *kinds, compare_kinds, (gpointer) path);
  return n;
}

/* Adds a pie of the kinds of work on the path. Kinds with less than MIN_SLICE of the path share one slice. */
static void
add_kinds (LoomPageContent *sheet, const LoomCriticalPath *path)
{
  LoomChart *chart = loom_chart_new_pie (_ ("Critical path by kind of work"), "ns", NULL);
  guint kinds[LOOM_N_PATH_KINDS], n = sort_kinds (path, kinds), n_slices = 0;
  double rest = 0, least = MIN_SLICE * (double) loom_critical_path_get_length (path);
  for (guint i = 0; i < n; i++)
    if ((double) path->kinds_ns[kinds[i]] >= least)
      loom_chart_add_slice (chart, loom_path_words_get_kind (kinds[n_slices++]), (double) path->kinds_ns[kinds[i]],
                            get_color (kinds[i]));
    else
      rest += (double) path->kinds_ns[kinds[i]];
  if (rest > 0)
    loom_chart_add_slice (chart, C_ ("chart", "others"), rest, LOOM_CHART_GREY);
  loom_page_content_take_chart (sheet, chart, FALSE);
  Places places = new_places (LOOM_N_PATH_KINDS);
  for (guint32 i = 0; i < path->stretches->len; i++)
    add_place (&places, get_stretch (path, i)->kind, get_stretch (path, i));
  for (guint i = 0; i < n_slices; i++)
    set_places (sheet, i, &places, kinds[i], find_longest (path, kinds[i]));
  clear_places (&places);
  if (rest > 0)
    loom_page_content_set_place (sheet, n_slices, path->range, NULL, 0);
}

/* Adds a series for each kind of work that occurs in at least one step; other kinds are not in the legend. Sets `kinds`
 * to the kinds that occur, and returns their number. */
static guint
add_series (LoomChart *chart, const LoomCriticalPath *path, guint n_steps, guint *kinds)
{
  guint n = 0;
  for (guint k = 0; k < LOOM_N_PATH_KINDS; k++) {
    gint64 most_ns = 0;
    for (guint i = 0; i < n_steps; i++)
      most_ns = MAX (most_ns, g_array_index (path->steps, LoomPathStep, i).kinds_ns[k]);
    if (most_ns > 0)
      kinds[n++] = k;
  }
  for (guint i = 0; i < n; i++)
    loom_chart_add_bar_series (chart, loom_path_words_get_kind (kinds[i]), get_color (kinds[i]));
  return n;
}

static void
add_steps (LoomPageContent *sheet, const LoomCriticalPath *path)
{
  guint n = MIN (path->steps->len, MAX_STEPS), kinds[LOOM_N_PATH_KINDS];
  if (n < 2)
    return;
  LoomChart *chart = loom_chart_new_bars (_ ("Critical path of each step"), "ns", TRUE);
  guint n_kinds = add_series (chart, path, n, kinds);
  for (guint i = 0; i < n; i++) {
    const LoomPathStep *step = &g_array_index (path->steps, LoomPathStep, i);
    g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, step->number),
                    *name = g_strdup_printf (_ ("step %s"), number);
    double values[LOOM_N_PATH_KINDS];
    for (guint k = 0; k < n_kinds; k++)
      values[k] = (double) step->kinds_ns[kinds[k]];
    loom_chart_add_bar_group (chart, name, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < n * n_kinds; i++)
    loom_page_content_set_place (sheet, i, g_array_index (path->steps, LoomPathStep, i / n_kinds).range, NULL, 0);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static void
add_name (LoomResultTable *table, const LoomCriticalPath *path, const LoomPathName *name)
{
  loom_result_table_add_row (table, name->name[0] != '\0' ? name->name : C_ ("critical path", "between spans"));
  loom_result_table_set_text (table, 1, loom_path_words_get_kind (name->kind));
  loom_result_table_set_number (table, 2, (double) name->path_ns);
  loom_result_table_set_number (table, 3, get_percent (path, name->path_ns));
  if (name->is_known) {
    loom_result_table_set_number (table, 4, (double) name->saving_ns[LOOM_PATH_CHANGE_FASTER]);
    loom_result_table_set_number (table, 5, (double) name->saving_ns[LOOM_PATH_CHANGE_FREE]);
    if (name->slack_ns >= 0)
      loom_result_table_set_number (table, 6, (double) name->slack_ns);
  }
  loom_result_table_set_number (table, 7, (double) name->n);
}

static void
add_saving_columns (LoomResultTable *table)
{
  loom_result_table_add_column (
    table, C_ ("column", "Saved at −20 %"), "ns",
    _ (
      "How much earlier the range would end if this work took a fifth less time. The savings of several rows cannot be added together."));
  loom_result_table_add_column (
    table, C_ ("column", "Saved If Removed"), "ns",
    _ (
      "How much earlier the range would end without this work. This is less than the time of the work if other work becomes critical first."));
}

/* Returns the number of names in the tables: the number of names with at least LEAST_PERCENT of the path; 1 if there
 * are no such names. */
static guint
count_names (const LoomCriticalPath *path)
{
  guint n = 1;
  while (n < path->names->len &&
         get_percent (path, g_array_index (path->names, LoomPathName, n).path_ns) >= LEAST_PERCENT)
    n++;
  return MIN (n, path->names->len);
}

static void
add_names (LoomPageContent *sheet, const LoomCriticalPath *path)
{
  guint n = MIN (count_names (path), MAX_NAMES);
  LoomResultTable *table = loom_result_table_new (_ ("Critical path by name"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL,
                                /* xgettext:no-c-format */ _ ("Names with at least 0.1 % of the path"));
  loom_result_table_add_column (table, C_ ("column", "Kind"), NULL, NULL);
  guint order = loom_result_table_add_column (table, C_ ("column", "Time on Path"), "ns", NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Share of Path"), NULL);
  add_saving_columns (table);
  guint slack = loom_result_table_add_column (
    table, C_ ("column", "Mean Slack"), "ns",
    _ (
      "Slack: how long work with this name could be delayed without delaying the end of the range, whether or not it is on the path"));
  /* hide this column on the screen, so that the long names of kernels have more space */
  loom_result_table_set_detail (table, slack);
  loom_result_table_add_column (table, C_ ("column", "Pieces"), "", _ ("Number of pieces of the critical path"));
  loom_result_table_set_order (table, order, TRUE);
  for (guint i = 0; i < n; i++)
    add_name (table, path, &g_array_index (path->names, LoomPathName, i));
  loom_page_content_take_table (sheet, table);
  Places places = new_places (n);
  for (guint32 i = 0; i < path->stretches->len; i++)
    if (get_stretch (path, i)->name < n)
      add_place (&places, get_stretch (path, i)->name, get_stretch (path, i));
  for (guint i = 0; i < n; i++)
    set_places (sheet, i, &places, i, get_stretch (path, g_array_index (path->names, LoomPathName, i).longest));
  clear_places (&places);
}

/* --- axes and modules --------------------------------------------------------------------------------------------- */

/* Adds a table with a row for each element of `shares`, which are shares of the path. `what`: title of the first
 * column; `about`: explanation of this column. */
static void
add_shares (LoomPageContent *sheet, const LoomCriticalPath *path, const GArray *shares, const char *title,
            const char *what, const char *about)
{
  guint n = MIN (shares->len, MAX_NAMES);
  if (n == 0)
    return;
  LoomResultTable *table = loom_result_table_new (title);
  loom_result_table_add_column (table, what, NULL, about);
  guint order = loom_result_table_add_column (table, C_ ("column", "Time on Path"), "ns", NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Share of Path"), NULL);
  add_saving_columns (table);
  loom_result_table_set_order (table, order, TRUE);
  for (guint i = 0; i < n; i++) {
    const LoomPathShare *share = &g_array_index (shares, LoomPathShare, i);
    loom_result_table_add_row (table, shares == path->axes ? loom_page_get_axis_name (share->axis) : share->name);
    loom_result_table_set_number (table, 1, (double) share->path_ns);
    loom_result_table_set_number (table, 2, get_percent (path, share->path_ns));
    for (guint k = 0; k < LOOM_N_PATH_CHANGES && share->is_known; k++)
      loom_result_table_set_number (table, 3 + k, (double) share->saving_ns[k]);
  }
  loom_page_content_take_table (sheet, table);
  loom_page_content_set_places (sheet, n, path->range);
}

static void
add_axes (LoomPageContent *sheet, const LoomCriticalPath *path)
{
  add_shares (sheet, path, path->axes, _ ("Critical path by parallel axis"), C_ ("column", "Axis"),
              _ ("The transfers of the collectives and messages in all groups of this axis, without waiting"));
}

static void
add_modules (LoomPageContent *sheet, const LoomCriticalPath *path)
{
  add_shares (
    sheet, path, path->modules, _ ("Critical path by module"), C_ ("column", "Module"),
    _ (
      "The work that all modules of this class launched, and the time of these modules on the host; modules inside them are included. The backward pass is included if the files link it to the forward pass."));
}

/* --- ranks and longest segments of the path ----------------------------------------------------------------------- */

static char *
dup_rank_words (const LoomPathRank *rank)
{
  return rank->rank >= 0 ? g_strdup_printf (_ ("rank %d"), rank->rank) : g_strdup (_ ("unknown rank"));
}

/* Sets the targets of the first `n` elements of the last block: the places on the timeline that they show when
 * activated. The target of element i is the rows of the rank path->ranks[i] in the range of the path. */
static void
set_ranks (LoomPageContent *sheet, const LoomCriticalPath *path, guint n)
{
  for (guint i = 0; i < n; i++) {
    loom_page_content_set_place (sheet, i, path->range, NULL, 0);
    loom_page_content_set_rank (sheet, i, g_array_index (path->ranks, LoomPathRank, i).rank, G_MAXUINT32);
  }
}

/* Adds bars for the ranks with the largest shares of the path. The bars are shown beside the pie of the kinds of
 * work. */
static void
add_rank_bars (LoomPageContent *sheet, const LoomCriticalPath *path)
{
  guint n = MIN (path->ranks->len, MAX_RANK_BARS);
  if (n < 2)
    return;
  LoomChart *chart = loom_chart_new_bars (_ ("Critical path by rank"), "%", FALSE);
  loom_chart_add_bar_series (chart, "", 0);
  for (guint i = 0; i < n; i++) {
    const LoomPathRank *rank = &g_array_index (path->ranks, LoomPathRank, i);
    g_autofree char *name = dup_rank_words (rank);
    double share = get_percent (path, rank->path_ns);
    loom_chart_add_bar_group (chart, name, &share);
  }
  loom_page_content_take_chart (sheet, chart, FALSE);
  set_ranks (sheet, path, n);
}

static void
add_ranks (LoomPageContent *sheet, const LoomPageInput *input, const LoomCriticalPath *path)
{
  guint n = MIN (path->ranks->len, MAX_RANKS);
  if (n < 2)
    return;
  LoomResultTable *table = loom_result_table_new (_ ("Critical path by rank"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  guint order = loom_result_table_add_column (table, C_ ("column", "Time on Path"), "ns", NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Share of Path"), NULL);
  loom_result_table_set_order (table, order, TRUE);
  for (guint i = 0; i < n; i++) {
    const LoomPathRank *rank = &g_array_index (path->ranks, LoomPathRank, i);
    g_autofree char *name = dup_rank_words (rank);
    loom_result_table_add_row (table, name);
    loom_result_table_set_number (table, 1, (double) rank->path_ns);
    loom_result_table_set_number (table, 2, get_percent (path, rank->path_ns));
  }
  loom_page_content_take_table (sheet, table);
  set_ranks (sheet, path, n);
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const LoomPathStretch *x = *(const LoomPathStretch *const *) a, *y = *(const LoomPathStretch *const *) b;
  gint64 own = x->range.end_ns - x->range.begin_ns, other = y->range.end_ns - y->range.begin_ns;
  if (own != other)
    return own > other ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Returns the longest segment of the path for each name, but at most MAX_STRETCHES of these segments; longest first.
 * Sorts only one segment per name, because there are far more segments than names. */
static GPtrArray *
find_longest_stretches (const LoomCriticalPath *path)
{
  GPtrArray *found = g_ptr_array_new ();
  for (guint i = 0; i < count_names (path); i++)
    g_ptr_array_add (found, (gpointer) get_stretch (path, g_array_index (path->names, LoomPathName, i).longest));
  g_ptr_array_sort (found, compare_lengths);
  g_ptr_array_set_size (found, (int) MIN (found->len, MAX_STRETCHES));
  return found;
}

static void
add_stretch (LoomResultTable *table, const LoomPageInput *input, const LoomPathStretch *stretch)
{
  LoomTimeline *timeline = input->frame->timeline;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), stretch->span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, stretch->span.span, &track, &row);
  const LoomTrack *own = loom_trace_get_track (trace, track);
  guint source = loom_run_get_first_source (loom_timeline_get_run (timeline), stretch->span.trace) + own->source;
  g_autofree char *rank = loom_page_rank_name (input, own->node, own->rank, &source);
  loom_result_table_add_row (
    table, loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[stretch->span.span])->text);
  loom_result_table_set_text (table, 1, loom_path_words_get_kind (stretch->kind));
  loom_result_table_set_number (table, 2, (double) (stretch->range.end_ns - stretch->range.begin_ns));
  loom_result_table_set_text (table, 3, rank);
  loom_result_table_set_number (table, 4, (double) (stretch->range.begin_ns - loom_page_get_zero (input)));
}

static void
add_stretches (LoomPageContent *sheet, const LoomPageInput *input, const LoomCriticalPath *path)
{
  g_autoptr (GPtrArray) found = find_longest_stretches (path);
  LoomResultTable *table = loom_result_table_new (_ ("Longest pieces of the critical path, one for each name"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Kind"), NULL, NULL);
  guint order = loom_result_table_add_column (table, C_ ("column", "Length"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Start"), "time", _ ("Time since the start of the run"));
  loom_result_table_set_order (table, order, TRUE);
  for (guint i = 0; i < found->len;) {
    if (!loom_timeline_span_id_is_none (((const LoomPathStretch *) found->pdata[i])->span))
      add_stretch (table, input, found->pdata[i++]);
    else
      g_ptr_array_remove_index (found, i);
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < found->len; i++)
    set_stretch (sheet, i, found->pdata[i]);
}

/* --- page of the critical path ------------------------------------------------------------------------------------ */

static void
add_words (LoomPageContent *sheet, const LoomCriticalPath *path, LoomCollectives *collectives,
           GCancellable *cancellable)
{
  g_autoptr (LoomPathWords) words = loom_path_words_new (path, collectives, cancellable);
  loom_page_content_add_answer (sheet, words->answer);
  if (words->is_in_answer)
    loom_page_content_set_tooltip (sheet, words->full_name);
  if (words->note[0] == '\0')
    return;
  loom_page_content_add_note (sheet, words->note);
  if (!words->is_in_answer)
    loom_page_content_set_tooltip (sheet, words->full_name);
}

static void
fill (LoomPageContent *sheet, const LoomPageInput *input, const LoomCriticalPath *path, LoomCollectives *collectives,
      GCancellable *cancellable)
{
  const char *missing = loom_critical_path_get_missing (path);
  if (missing != NULL || path->stretches->len == 0) {
    loom_page_add_missing (sheet, missing != NULL ? missing : _ ("There is no critical path in this range."),
                           loom_critical_path_get_advice (path));
    return;
  }
  add_words (sheet, path, collectives, cancellable);
  add_notes (sheet, loom_timeline_get_run (input->frame->timeline), path);
  add_kinds (sheet, path);
  add_rank_bars (sheet, path);
  add_names (sheet, path);
  add_axes (sheet, path);
  add_modules (sheet, path);
  add_ranks (sheet, input, path);
  add_steps (sheet, path);
  add_stretches (sheet, input, path);
}

LoomPageContent *
loom_page_path (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomTimeline *timeline = input->frame->timeline;
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, cancellable);
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  g_autoptr (LoomCriticalPath) path =
    steps != NULL && collectives != NULL
      ? loom_critical_path_new (timeline, input->range, collectives, steps, cancellable)
      : NULL;
  loom_page_count_part (input, cancellable);
  if (path == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  fill (sheet, input, path, collectives, cancellable);
  return loom_page_finish (sheet, cancellable);
}
