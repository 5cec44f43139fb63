/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the tables with the changes of steps, ranks, modules and names, and prints them.
 */
#include "loom-comparison-report.h"
#include "loom-comparison-ranks.h"
#include "loom-comparison-words.h"

#include <glib/gi18n.h>
#include <math.h>

#include "loom-cxx-name.h"
#include "loom-ellipsize.h"
#include "loom-json-util.h"
#include "loom-module-report.h"

#define MAX_TEXT_ROWS 20
#define MOST_TEXT_LETTERS 80 /* maximum length of a row's name in plain text, in characters */
/* A change of a part of a step is not shown (its cell stays empty) if it is less than this share of the longer median
 * step of the two runs. */
#define LEAST_OF_STEP 0.001

static const char *const parts[LOOM_STEP_BREAKDOWN_N_PARTS] = {
  [LOOM_STEP_BREAKDOWN_COMPUTE] = N_ ("Computing"),
  [LOOM_STEP_BREAKDOWN_RANK_WAIT] = N_ ("Waiting for other ranks"),
  [LOOM_STEP_BREAKDOWN_TRANSFER] = N_ ("Transferring"),
  [LOOM_STEP_BREAKDOWN_COPY] = N_ ("Copying"),
  [LOOM_STEP_BREAKDOWN_DATA_WAIT] = N_ ("Waiting for data"),
  [LOOM_STEP_BREAKDOWN_IDLE] = N_ ("Other idle time"),
};

/* --- page of the comparison --------------------------------------------------------------------------------------- */

static void
add_change_columns (LoomResultTable *table, const char *const names[2], glong max_letters)
{
  loom_result_table_set_bars (
    table, loom_result_table_add_column (table, C_ ("column", "Change"), "ns", _ ("Second run minus first run")),
    LOOM_RESULT_BARS_OF_CHANGES);
  for (guint i = 0; i < 2; i++) {
    g_autofree char *title = loom_ellipsize_middle (names[i], max_letters);
    loom_result_table_add_column (table, title, "ns", names[i]);
  }
}

static void
add_count_columns (LoomResultTable *table, const char *const names[2], glong max_letters)
{
  for (guint i = 0; i < 2; i++) {
    g_autofree char *name = loom_ellipsize_middle (names[i], max_letters);
    /* Translators: the title of a column; %s is the name of a run */
    g_autofree char *title = g_strdup_printf (_ ("Count, %s"), name);
    loom_result_table_add_column (table, title, "", names[i]);
  }
}

/* Returns a change of time per step, in ns. If the change is less than the share LEAST_OF_STEP of the longer median
 * step, returns NaN: the cell stays empty, so that larger changes are easy to see. */
static double
get_notable (const LoomRunComparison *comparison, double change_ns)
{
  double step_ns = MAX (comparison->breakdowns[0]->median_ns, comparison->breakdowns[1]->median_ns);
  return fabs (change_ns) < LEAST_OF_STEP * step_ns ? NAN : change_ns;
}

static void
set_change (LoomResultTable *table, double change_ns, double before_ns, double after_ns)
{
  loom_result_table_set_number (table, 1, change_ns);
  loom_result_table_set_number (table, 2, before_ns);
  loom_result_table_set_number (table, 3, after_ns);
}

/* Returns TRUE if at least one run spends time in this part of a step. The table has no rows for other parts. */
static gboolean
has_part (const LoomRunComparison *comparison, LoomStepBreakdownPart part)
{
  return comparison->typical[0].parts_ns[part] > 0 || comparison->typical[1].parts_ns[part] > 0;
}

/* Returns TRUE if a run has steps in which no work of devices was recorded. */
static gboolean
has_unrecorded (const LoomRunComparison *comparison)
{
  LoomStepBreakdown *const *breakdowns = comparison->breakdowns;
  return breakdowns[0]->n_recorded < breakdowns[0]->n_steps || breakdowns[1]->n_recorded < breakdowns[1]->n_steps;
}

/* Returns the title of the second row with a mean step time. This row contains the mean of those steps from which the
 * times of the parts were computed, so the times of the parts add up to this mean. */
static const char *
get_mean_name (const LoomRunComparison *comparison)
{
  if (has_unrecorded (comparison))
    return _ ("Mean of steps with device data, not counting outliers");
  return comparison->n_skipped[0] + comparison->n_skipped[1] > 0 ? _ ("Mean step, not counting long steps")
                                                                 : _ ("Mean step, not counting outliers");
}

/* Adds a row with the mean duration of all steps. The times of the parts of a step are means over fewer steps: those
 * that have device data and are not outliers. If the mean duration of these fewer steps is different, adds a second row
 * with it. The times of the parts add up to this second mean. */
static void
add_mean_rows (LoomResultTable *table, const LoomRunComparison *comparison)
{
  const double *all_ns = comparison->mean_step_ns;
  double normal_ns[2] = { 0 };
  for (guint i = 0; i < 2; i++)
    for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      normal_ns[i] += comparison->typical[i].parts_ns[part];
  /* TRUE if the two means differ by more than 1 ns in a run */
  gboolean differs = fabs (all_ns[0] - normal_ns[0]) > 1 || fabs (all_ns[1] - normal_ns[1]) > 1;
  loom_result_table_add_row (table, _ ("Mean step"));
  set_change (table, get_notable (comparison, all_ns[1] - all_ns[0]), all_ns[0], all_ns[1]);
  if (!differs)
    return;
  loom_result_table_add_row (table, get_mean_name (comparison));
  set_change (table, get_notable (comparison, normal_ns[1] - normal_ns[0]), normal_ns[0], normal_ns[1]);
}

/* Adds a row with the change of the time of all transfers. Unlike the part “transfer” of a step, this row includes
 * transfers during which the device also computes. */
static void
add_transfers_row (LoomResultTable *table, const LoomRunComparison *comparison)
{
  double before_ns = comparison->typical[0].transfers_ns, after_ns = comparison->typical[1].transfers_ns;
  if (!has_part (comparison, LOOM_STEP_BREAKDOWN_TRANSFER))
    return;
  loom_result_table_add_row (table, _ ("All transfers, including those during computation"));
  set_change (table, get_notable (comparison, after_ns - before_ns), before_ns, after_ns);
}

static LoomResultTable *
new_parts_table (const LoomRunComparison *comparison, const char *const names[2], glong max_letters)
{
  LoomResultTable *table = loom_result_table_new (_ ("Parts of a step, mean over all ranks"));
  const LoomStepBreakdown *before = comparison->breakdowns[0], *after = comparison->breakdowns[1];
  loom_result_table_add_column (table, C_ ("column", "Part"), NULL, "");
  add_change_columns (table, names, max_letters);
  for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++) {
    if (!has_part (comparison, part))
      continue;
    loom_result_table_add_row (table, _ (parts[part]));
    double before_ns = comparison->typical[0].parts_ns[part], after_ns = comparison->typical[1].parts_ns[part];
    set_change (table, get_notable (comparison, after_ns - before_ns), before_ns, after_ns);
  }
  add_transfers_row (table, comparison);
  loom_result_table_add_row (table, _ ("Median step"));
  set_change (table, get_notable (comparison, after->median_ns - before->median_ns), before->median_ns,
              after->median_ns);
  add_mean_rows (table, comparison);
  return table;
}

static double
get_transfer_change (const LoomRankChange *rank)
{
  return rank->typical[1].transfers_ns - rank->typical[0].transfers_ns;
}

static double
get_part_change (const LoomRankChange *rank, LoomStepBreakdownPart part)
{
  return rank->typical[1].parts_ns[part] - rank->typical[0].parts_ns[part];
}

/* Returns TRUE if the table needs a column for the time of all transfers, besides the column for exposed transfers
 * (those that computing does not hide). It needs this column if, on at least one rank, the time of all transfers
 * changes notably, and by a different amount than the time of exposed transfers. */
static gboolean
has_transfer_changes (const LoomRunComparison *comparison)
{
  gboolean has = FALSE;
  for (guint i = 0; i < comparison->n_ranks && !has; i++)
    has = !isnan (get_notable (comparison, get_transfer_change (&comparison->ranks[i]))) &&
          !isnan (get_notable (comparison, get_transfer_change (&comparison->ranks[i]) -
                                             get_part_change (&comparison->ranks[i], LOOM_STEP_BREAKDOWN_TRANSFER)));
  return has && has_part (comparison, LOOM_STEP_BREAKDOWN_TRANSFER);
}

static LoomResultTable *
new_ranks_table (const LoomRunComparison *comparison)
{
  const LoomRankChange *ranks = comparison->ranks;
  LoomResultTable *table = loom_result_table_new (_ ("Change per step by rank"));
  guint columns[LOOM_STEP_BREAKDOWN_N_PARTS];
  loom_comparison_ranks_add_columns (comparison, table);
  guint own = loom_result_table_add_column (table, C_ ("column", "Change of Own Work"), "ns",
                                            _ ("Change of all parts except waiting for other ranks and transferring"));
  for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    columns[part] = has_part (comparison, part) ? loom_result_table_add_column (table, _ (parts[part]), "ns", "") : 0;
  guint all = has_transfer_changes (comparison)
                ? loom_result_table_add_column (table, C_ ("column", "All Transfers"), "ns",
                                                _ ("Including transfers while the devices compute"))
                : 0;
  for (guint i = own; i < table->columns->len; i++)
    loom_result_table_set_bars (table, i, LOOM_RESULT_BARS_OF_CHANGES);
  for (guint i = 0; i < comparison->n_ranks; i++) {
    loom_comparison_ranks_add_row (comparison, table, &ranks[i]);
    loom_result_table_set_number (table, own, get_notable (comparison, ranks[i].own_ns));
    for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      if (columns[part] > 0)
        loom_result_table_set_number (table, columns[part],
                                      get_notable (comparison, get_part_change (&ranks[i], part)));
    if (all > 0)
      loom_result_table_set_number (table, all, get_notable (comparison, get_transfer_change (&ranks[i])));
  }
  return table;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Returns a table: name of spans → number of categories in which the name occurs. Owned by the caller. */
static GHashTable *
count_names (const LoomNameChange *const *changes, guint n)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++) {
    guint count = GPOINTER_TO_UINT (g_hash_table_lookup (names, changes[i]->name));
    g_hash_table_insert (names, (gpointer) changes[i]->name, GUINT_TO_POINTER (count + 1));
  }
  return names;
}

/* Returns the name of the spans whose time changes, followed by their category if the name occurs in several
 * categories. Owned by the caller. */
static char *
dup_name (const LoomNameChange *change, GHashTable *names)
{
  const char *name = *change->name != '\0' ? change->name : _ ("(no name)");
  if (GPOINTER_TO_UINT (g_hash_table_lookup (names, change->name)) < 2 || *change->category == '\0')
    return g_strdup (name);
  return g_strdup_printf ("%s · %s", name, change->category);
}

static LoomResultTable *
new_names_table (const LoomRunComparison *comparison, const char *const names[2], glong max_letters)
{
  const LoomNameChange *const *changes = comparison->names;
  g_autoptr (GHashTable) counts = count_names (changes, comparison->n_names);
  LoomResultTable *table = loom_result_table_new (loom_run_comparison_has_steps (comparison)
                                                    ? _ ("Time per step by name, waits last, mean of all ranks")
                                                    : _ ("Time by name, waits last"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL,
                                _ ("Work first, then communication, waits and annotations, each by the size of the "
                                   "change. Double-click a row to go to its longest spans in both runs"));
  add_change_columns (table, names, max_letters);
  add_count_columns (table, names, max_letters);
  for (guint i = 0; i < comparison->n_names; i++) {
    double time_ns[2];
    g_autofree char *name = dup_name (changes[i], counts);
    loom_run_comparison_get_name_times (comparison, changes[i], time_ns);
    /* rows of waits get no bars: their large changes would make the bars of work very short */
    if (i > 0 && i == comparison->n_work_names)
      loom_result_table_end_bars (table);
    loom_result_table_add_row (table, name);
    set_change (table, time_ns[1] != time_ns[0] ? time_ns[1] - time_ns[0] : NAN, time_ns[0], time_ns[1]);
    for (guint k = 0; k < 2; k++)
      loom_result_table_set_number (table, 4 + k, (double) changes[i]->count[k]);
  }
  return table;
}

const char *
loom_comparison_report_get_names_note (const LoomRunComparison *comparison)
{
  if (!loom_run_comparison_has_steps (comparison))
    return _ ("The times of spans with the same name are added up even if they overlap.");
  return _ ("The times of spans with the same name are added up even if they overlap, so a name can take longer than a "
            "step.");
}

static LoomResultTable *
new_modules_table (const LoomRunComparison *comparison, const char *const names[2], glong max_letters)
{
  g_autofree char *first = loom_ellipsize_middle (names[0], max_letters);
  g_autofree char *second = loom_ellipsize_middle (names[1], max_letters);
  return loom_module_report_new_table (comparison, (const char *const[]) { first, second }, names);
}

static LoomResultTable *
new_table (const LoomRunComparison *comparison, const char *const names[2], LoomComparisonTable table,
           glong max_letters)
{
  switch (table) {
  case LOOM_COMPARISON_PARTS: return new_parts_table (comparison, names, max_letters);
  case LOOM_COMPARISON_RANKS: return new_ranks_table (comparison);
  case LOOM_COMPARISON_MODULES: return new_modules_table (comparison, names, max_letters);
  case LOOM_COMPARISON_NAMES:
  default: return new_names_table (comparison, names, max_letters);
  }
}

LoomResultTable *
loom_comparison_report_new_table (const LoomRunComparison *comparison, const char *const names[2],
                                  LoomComparisonTable table, glong max_letters)
{
  char *short_names[2];
  if (table < LOOM_COMPARISON_MODULES && !loom_run_comparison_has_steps (comparison))
    return NULL;
  loom_comparison_words_make_short_names (names, max_letters, short_names);
  LoomResultTable *made = new_table (comparison, (const char *const *) short_names, table, max_letters);
  g_free (short_names[0]);
  g_free (short_names[1]);
  return made;
}

LoomPageContent *
loom_comparison_report_new_front (const LoomRunComparison *comparison, const char *const names[2])
{
  LoomPageContent *page = loom_page_content_new ((LoomRange) { 0, 0 });
  g_auto (GStrv) notes = loom_comparison_words_dup_notes (comparison, names);
  for (guint i = 0; notes[i] != NULL; i++)
    loom_page_content_add_note (page, notes[i]);
  loom_page_content_add_facts (page, _ ("Runs"));
  loom_page_content_add_fact (page, C_ ("run", "Before"), names[0]);
  loom_page_content_add_fact (page, C_ ("run", "After"), names[1]);
  return page;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void
append_padded (GString *out, const char *text, glong width, gboolean to_right)
{
  int blanks = (int) MAX (width - g_utf8_strlen (text, -1), 0);
  g_string_append_printf (out, "  %*s%s%*s", to_right ? blanks : 0, "", text, to_right ? 0 : blanks, "");
}

/* Sets `shown` to TRUE for the rows of modules that explain the change (`is_main`), and for the rows of modules that
 * contain one of them. Sets it to FALSE for all other rows. If no module explains the change, does not change
 * `shown`. */
static void
mark_named (const LoomRunComparison *comparison, gboolean *shown)
{
  g_autoptr (GArray) listed = loom_module_report_list_rows (comparison);
  const LoomModuleChange *all = comparison->modules->rows;
  guint32 begin = G_MAXUINT32; /* the row that was marked last; the loop goes from the last row to the first */
  for (guint i = listed->len; i-- > 0 && comparison->modules->main->len > 0;) {
    guint32 row = g_array_index (listed, guint32, i);
    shown[i] = all[row].is_main || (row < begin && all[row].end > begin);
    begin = shown[i] ? row : begin;
  }
}

/* Returns the indices (guint) of the rows to show, at most MAX_TEXT_ROWS. In the table of names, skips names whose time
 * is the same in both runs. In a table of modules with more than MAX_TEXT_ROWS rows, shows only the modules that
 * explain the change, and the modules that contain them. Owned by the caller. */
static GArray *
choose_rows (const LoomRunComparison *comparison, const LoomResultTable *table, LoomComparisonTable kind)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree gboolean *shown = g_new0 (gboolean, table->n_rows);
  for (guint i = 0; i < table->n_rows; i++)
    shown[i] = kind != LOOM_COMPARISON_NAMES || !isnan (loom_result_table_get_number (table, i, 1));
  if (kind == LOOM_COMPARISON_MODULES && table->n_rows > MAX_TEXT_ROWS)
    mark_named (comparison, shown);
  for (guint i = 0; i < table->n_rows && rows->len < MAX_TEXT_ROWS; i++)
    if (shown[i])
      g_array_append_val (rows, i);
  return rows;
}

/* Returns the text of a cell. Names of kernels can have several hundred letters, so names are shortened. Owned by the
 * caller. */
static char *
dup_text (const LoomResultTable *table, guint row, guint column)
{
  g_autofree char *text = loom_result_table_dup_cell (table, row, column);
  if (column > 0 || g_utf8_strlen (text, -1) <= MOST_TEXT_LETTERS)
    return g_steal_pointer (&text);
  g_autofree char *name = loom_cxx_name_dup_short (text);
  return loom_ellipsize_middle (name, MOST_TEXT_LETTERS);
}

/* Returns the cells of a column as texts, preceded by the title of the column. Sets `width` to the length of the
 * longest text, in characters. Owned by the caller. */
static GPtrArray *
dup_column (const LoomResultTable *table, guint column, const GArray *rows, glong *width)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (cells, g_strdup (loom_result_table_get_column (table, column)->title));
  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (cells, dup_text (table, g_array_index (rows, guint, i), column));
  *width = 0;
  for (guint i = 0; i < cells->len; i++)
    *width = MAX (*width, g_utf8_strlen (cells->pdata[i], -1));
  return cells;
}

/* Returns TRUE if plain text shows a column. Plain text shows neither empty columns nor columns whose texts are only
 * needed as details of a row. */
static gboolean
shows_column (const LoomResultTable *table, guint column)
{
  gboolean is_detail_text =
    loom_result_table_get_column (table, column)->is_detail && !loom_result_table_is_number (table, column);
  return !is_detail_text && !loom_result_table_is_empty_column (table, column);
}

static void
append_table (GString *out, const LoomRunComparison *comparison, const LoomResultTable *table, LoomComparisonTable kind)
{
  guint n_columns = table->columns->len;
  g_autoptr (GArray) rows = choose_rows (comparison, table, kind);
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autofree glong *widths = g_new (glong, n_columns);
  g_string_append_printf (out, "\n%s\n", table->title);
  for (guint i = 0; i < n_columns; i++)
    g_ptr_array_add (columns, dup_column (table, i, rows, &widths[i]));
  for (guint row = 0; row <= rows->len; row++) {
    for (guint i = 0; i < n_columns; i++)
      if (shows_column (table, i))
        append_padded (out, ((GPtrArray *) columns->pdata[i])->pdata[row], widths[i],
                       loom_result_table_is_number (table, i));
    g_string_append_c (out, '\n');
  }
  if (rows->len < table->n_rows)
    g_string_append_printf (out, "  … and %u more\n", table->n_rows - rows->len);
}

static void
append_notes (GString *out, const LoomRunComparison *comparison, const char *const names[2], LoomComparisonTable table)
{
  if (table == LOOM_COMPARISON_NAMES)
    g_string_append_printf (out, "  %s\n", loom_comparison_report_get_names_note (comparison));
  if (table != LOOM_COMPARISON_MODULES)
    return;
  g_auto (GStrv) notes = loom_module_report_dup_notes (comparison, names);
  for (guint i = 0; notes[i] != NULL; i++)
    g_string_append_printf (out, "  %s\n", notes[i]);
}

char *
loom_comparison_report_to_text (const LoomRunComparison *comparison, const char *const names[2])
{
  g_autofree char *headline = loom_comparison_words_dup_headline (comparison, names);
  g_auto (GStrv) notes = loom_comparison_words_dup_notes (comparison, names);
  GString *out = g_string_new (headline);
  g_string_append_c (out, '\n');
  for (guint i = 0; notes[i] != NULL; i++)
    g_string_append_printf (out, "%s\n", notes[i]);
  g_string_append_printf (out, "\n%s: %s\n%s: %s\n", C_ ("run", "Before"), names[0], C_ ("run", "After"), names[1]);
  for (LoomComparisonTable i = 0; i <= LOOM_COMPARISON_NAMES; i++) {
    g_autoptr (LoomResultTable) table = loom_comparison_report_new_table (comparison, names, i, G_MAXLONG);
    if (table == NULL)
      continue;
    append_table (out, comparison, table, i);
    append_notes (out, comparison, names, i);
  }
  return g_string_free (out, FALSE);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void
build_parts (JsonBuilder *builder, const char *name, const double *mean_ns)
{
  loom_json_util_begin_object (builder, name);
  for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    loom_json_util_add_double (builder, loom_step_breakdown_part_to_string (part), mean_ns[part]);
  json_builder_end_object (builder);
}

static void
build_long_steps (const GArray *steps, JsonBuilder *builder)
{
  loom_json_util_begin_array (builder, "long_steps");
  for (guint i = 0; i < steps->len; i++) {
    const LoomLongStep *step = &g_array_index (steps, LoomLongStep, i);
    json_builder_begin_object (builder);
    loom_json_util_add_int (builder, "step", step->step);
    loom_json_util_add_double (builder, "length_ns", step->length_ns);
    loom_json_util_add_double (builder, "typical_ns", step->typical_ns);
    loom_comparison_ranks_build_rank (builder, step->rank, step->is_process);
    loom_json_util_add_text (builder, "part",
                             step->part < LOOM_STEP_BREAKDOWN_N_PARTS ? loom_step_breakdown_part_to_string (step->part)
                                                                      : NULL);
    loom_json_util_add_double (builder, "part_ns", step->part_ns);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

/* Adds the long steps that make one run slower than the other. */
static void
build_main_steps (const LoomRunComparison *comparison, JsonBuilder *builder)
{
  const GArray *steps = loom_run_comparison_is_by_long_steps (comparison)
                          ? comparison->long_steps[loom_run_comparison_get_slower (comparison)]
                          : NULL;
  loom_json_util_begin_array (builder, "main_steps");
  for (guint i = 0; steps != NULL && i < steps->len; i++)
    json_builder_add_int_value (builder, g_array_index (steps, LoomLongStep, i).step);
  json_builder_end_array (builder);
}

static void
build_run (const LoomRunComparison *comparison, guint which, const char *name, JsonBuilder *builder)
{
  const LoomStepBreakdown *breakdown = comparison->breakdowns[which];
  guint n_steps = breakdown->n_steps;
  json_builder_begin_object (builder);
  loom_json_util_add_text (builder, "name", name);
  loom_json_util_add_int (builder, "n_steps", n_steps);
  loom_json_util_add_int (builder, "n_recorded_steps", breakdown->n_recorded);
  loom_json_util_add_double_if (builder, "median_step_ns", n_steps > 0, breakdown->median_ns);
  loom_json_util_add_double_if (builder, "mean_step_ns", n_steps > 0, comparison->mean_step_ns[which]);
  build_parts (builder, "mean_ns", comparison->typical[which].parts_ns);
  loom_json_util_add_double (builder, "all_transfers_ns", comparison->typical[which].transfers_ns);
  build_long_steps (comparison->long_steps[which], builder);
  json_builder_end_object (builder);
}

static void
build_ranks (const LoomRunComparison *comparison, JsonBuilder *builder)
{
  const LoomRankChange *ranks = comparison->ranks;
  loom_json_util_begin_array (builder, "ranks");
  for (guint i = 0; i < comparison->n_ranks; i++) {
    json_builder_begin_object (builder);
    loom_json_util_add_text (builder, "node", ranks[i].node);
    loom_comparison_ranks_build_rank (builder, ranks[i].rank, ranks[i].is_process);
    loom_json_util_add_double (builder, "own_change_ns", ranks[i].own_ns);
    build_parts (builder, "first_ns", ranks[i].typical[0].parts_ns);
    build_parts (builder, "second_ns", ranks[i].typical[1].parts_ns);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
build_per_step (JsonBuilder *builder, const LoomNameChange *change)
{
  loom_json_util_begin_array (builder, "per_step_ns");
  for (guint k = 0; k < 2; k++)
    json_builder_add_double_value (builder, change->per_step_ns[k]);
  json_builder_end_array (builder);
}

static void
build_names (const LoomRunComparison *comparison, JsonBuilder *builder)
{
  const LoomNameChange *const *changes = comparison->names;
  loom_json_util_begin_array (builder, "names");
  for (guint i = 0; i < comparison->n_names; i++) {
    const LoomNameChange *change = changes[i];
    json_builder_begin_object (builder);
    loom_json_util_add_text (builder, "name", change->name);
    loom_json_util_add_text (builder, "category", change->category);
    loom_json_util_add_text (builder, "kind", loom_work_kind_to_string (change->work));
    loom_json_util_add_counts (builder, "count", change->count, 2);
    loom_json_util_begin_array (builder, "total_ns");
    for (guint k = 0; k < 2; k++)
      json_builder_add_int_value (builder, change->in_range_ns[k]);
    json_builder_end_array (builder);
    if (loom_run_comparison_has_steps (comparison))
      build_per_step (builder, change);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

JsonNode *
loom_comparison_report_to_json (const LoomRunComparison *comparison, const char *const names[2])
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *headline = loom_comparison_words_dup_headline (comparison, names);
  g_auto (GStrv) notes = loom_comparison_words_dup_notes (comparison, names);
  gboolean has_steps = loom_run_comparison_has_steps (comparison);
  json_builder_begin_object (builder);
  loom_json_util_add_text (builder, "headline", headline);
  loom_json_util_begin_array (builder, "runs");
  for (guint i = 0; i < 2; i++)
    build_run (comparison, i, names[i], builder);
  json_builder_end_array (builder);
  loom_json_util_begin_array (builder, "notes");
  for (guint i = 0; notes[i] != NULL; i++)
    json_builder_add_string_value (builder, notes[i]);
  json_builder_end_array (builder);
  loom_json_util_add_text (builder, "judged_by",
                           !has_steps || comparison->is_mixed ? NULL : (comparison->by_mean ? "mean" : "median"));
  loom_json_util_add_text (
    builder, "main_part",
    has_steps ? loom_step_breakdown_part_to_string (loom_run_comparison_find_main_part (comparison)) : NULL);
  loom_comparison_ranks_build_main (comparison, builder);
  build_main_steps (comparison, builder);
  loom_json_util_add_text (builder, "steps_matched_by",
                           !has_steps ? NULL : (comparison->by_position ? "position" : "number"));
  build_ranks (comparison, builder);
  build_names (comparison, builder);
  loom_module_report_build (comparison, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
