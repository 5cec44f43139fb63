/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports how the device time of each module of a neural network differs between two runs. Selects the modules that
 * the table of the report shows, and those that its sentence names; makes the table, the sentence, the notes and the
 * JSON. The interface is described in loom-module-report.h.
 */
#include "loom-module-report.h"

#include <glib/gi18n.h>
#include <math.h>

#include "loom-json-util.h"
#include "loom-time.h"

#define MOST_NAMED 3 /* maximum number of subtrees of modules that the sentence names */
/* maximum number of rows in JSON; a comparison with more rows is reduced to the rows that the table shows */
#define MOST_JSON_ROWS 20000
/* A module is a row of the table if its time is at least the share LEAST_TIME of the time of all kernels, or if its
 * time changes by at least the share LEAST_CHANGE of the time of all kernels. */
#define LEAST_TIME 0.01
#define LEAST_CHANGE 0.001
/* Shares of the change of the whole run. NAMED_SHARE: the sentence about modules is made only if the modules that it
 * names together cause at least this share. OUTSIDE_SHARE: the sentence mentions kernels outside of all modules only if
 * these kernels cause at least this share. */
#define NAMED_SHARE 0.5 /* minimum share of the change of the run that the named modules cause together */
#define OUTSIDE_SHARE 0.1
#define NONE LOOM_TREE_COMPARISON_NONE

static const char *const levels[] = { "modules", "python_functions", "operators" };
static const char *const phases[] = { "forward", "backward", "recomputed" };

/* --- rows --------------------------------------------------------------------------------------------------------- */

static double
get_whole (const LoomModuleComparison *modules)
{
  return MAX (modules->rows[0].time_ns[0], modules->rows[0].time_ns[1]);
}

static gboolean
is_in_both (const LoomModuleChange *row)
{
  return row->node[0] != NONE && row->node[1] != NONE;
}

/* Returns TRUE if the row is the root of a subtree that exists in only one of the two runs. */
static gboolean
is_unmatched_root (const LoomModuleComparison *modules, guint32 row)
{
  return row > 0 && !is_in_both (&modules->rows[row]) && is_in_both (&modules->rows[modules->rows[row].parent]);
}

/* Sets `shown` to TRUE for these rows, and for all modules that contain them:
 * - rows that explain the change (is_main);
 * - rows whose time changed by at least `change_ns`;
 * - rows with a time of at least `time_ns` in one of the runs;
 * - if `with_unmatched` is TRUE: the root of each subtree that only one of the runs has.
 * The first row (all kernels and copies) is always shown. Returns the number of rows that are shown. */
static guint
choose (const LoomModuleComparison *modules, double change_ns, double time_ns, gboolean with_unmatched, guint8 *shown)
{
  guint n = 0;
  memset (shown, 0, modules->n);
  for (guint32 i = modules->n; i-- > 0;) {
    const LoomModuleChange *row = &modules->rows[i];
    shown[i] = shown[i] || i == 0 || row->is_main || (with_unmatched && is_unmatched_root (modules, i)) ||
               fabs (loom_module_comparison_get_change (modules, i)) >= change_ns ||
               MAX (row->time_ns[0], row->time_ns[1]) >= time_ns;
    n += shown[i];
    if (shown[i] && i > 0)
      shown[row->parent] = TRUE;
  }
  return n;
}

gboolean
loom_module_report_has_table (const LoomRunComparison *comparison)
{
  return comparison->modules != NULL && get_whole (comparison->modules) > 0;
}

GArray *
loom_module_report_list_rows (const LoomRunComparison *comparison)
{
  const LoomModuleComparison *modules = comparison->modules;
  if (!loom_module_report_has_table (comparison))
    return NULL;
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *shown = g_new (guint8, modules->n);
  double least_ns = LEAST_CHANGE * get_whole (modules);
  guint n = choose (modules, least_ns, LEAST_TIME * get_whole (modules), TRUE, shown);
  for (; n > LOOM_MODULE_REPORT_MOST_ROWS && least_ns <= get_whole (modules); least_ns *= 2)
    n = choose (modules, least_ns, INFINITY, FALSE, shown);
  for (guint32 i = 0; i < modules->n; i++)
    if (shown[i])
      g_array_append_val (rows, i);
  return rows;
}

/* --- table -------------------------------------------------------------------------------------------------------- */

/* Returns the name of a row. If the module has different names in the two runs, returns both names. Owned by the
 * caller. */
static char *
dup_name (const LoomModuleComparison *modules, guint32 at)
{
  const LoomModuleChange *row = &modules->rows[at];
  if (at == 0)
    return g_strdup (_ ("All kernels and copies"));
  const char *name = loom_module_comparison_get_node (modules, at)->name;
  if (!is_in_both (row) || g_str_equal (modules->trees[0]->nodes[row->node[0]].name, name))
    return g_strdup (*name != '\0' ? name : _ ("(no name)"));
  return g_strdup_printf ("%s → %s", modules->trees[0]->nodes[row->node[0]].name, name);
}

/* Returns the path of a row: the names of the modules that contain it, the outermost first, and then its own name.
 * Owned by the caller. */
static char *
dup_path (const LoomModuleComparison *modules, guint32 at)
{
  GString *path = g_string_new (NULL);
  for (; at != 0; at = modules->rows[at].parent) {
    g_autofree char *name = dup_name (modules, at);
    if (path->len > 0)
      g_string_prepend (path, " › ");
    g_string_prepend (path, name);
  }
  return g_string_free (path, FALSE);
}

static const char *
get_state (const LoomModuleChange *row)
{
  if (is_in_both (row))
    return "";
  return row->node[0] == NONE ? C_ ("module", "Added") : C_ ("module", "Removed");
}

static gboolean
has_phase (const LoomModuleComparison *modules, guint phase)
{
  return modules->rows[0].phase_ns[0][phase] > 0 || modules->rows[0].phase_ns[1][phase] > 0;
}

/* Adds one column for each phase (forward, backward, recomputed) if there are several. Sets columns[phase] to the
 * number of the column of the phase; 0: the phase has no column. */
static void
add_phase_columns (LoomResultTable *table, const LoomModuleComparison *modules, guint columns[LOOM_MODULE_N_PHASES])
{
  static const char *const titles[] = { NC_ ("column", "Change in Forward Pass"),
                                        NC_ ("column", "Change in Backward Pass"),
                                        NC_ ("column", "Change in Recomputation") };
  static const char *const words[] = { N_ ("Kernels that the module launches in the forward pass"),
                                       N_ ("Kernels of the backward pass of the module"),
                                       N_ ("Kernels of the forward pass that run again during the backward pass") };
  gboolean has_several =
    has_phase (modules, LOOM_MODULE_PHASE_BACKWARD) || has_phase (modules, LOOM_MODULE_PHASE_RECOMPUTED);
  for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++) {
    columns[phase] = 0;
    if (!has_several || !has_phase (modules, phase))
      continue;
    columns[phase] =
      loom_result_table_add_column (table, g_dpgettext2 (NULL, "column", titles[phase]), "ns", _ (words[phase]));
    loom_result_table_set_bars (table, columns[phase], LOOM_RESULT_BARS_OF_CHANGES);
  }
}

static const char *
get_title (const LoomModuleComparison *modules)
{
  static const char *const per_step[] = { N_ ("Device time per step by module, mean of all ranks"),
                                          N_ ("Device time per step by Python function, mean of all ranks"),
                                          N_ ("Device time per step by operator, mean of all ranks") };
  static const char *const in_total[] = { N_ ("Device time by module"), N_ ("Device time by Python function"),
                                          N_ ("Device time by operator") };
  return modules->is_per_step ? _ (per_step[modules->level]) : _ (in_total[modules->level]);
}

static void
add_row (LoomResultTable *table, const LoomModuleComparison *modules, guint32 at,
         const guint columns[LOOM_MODULE_N_PHASES])
{
  const LoomModuleChange *row = &modules->rows[at];
  g_autofree char *name = dup_name (modules, at), *path = dup_path (modules, at);
  double change_ns = loom_module_comparison_get_change (modules, at);
  guint column = 1;
  loom_result_table_add_row (table, name);
  loom_result_table_set_level (table, row->depth);
  loom_result_table_set_number (table, column++, change_ns != 0 ? change_ns : NAN);
  for (guint i = 0; i < 2; i++)
    loom_result_table_set_number (table, column++, row->node[i] != NONE ? row->time_ns[i] : NAN);
  loom_result_table_set_text (table, column++, get_state (row));
  for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++) {
    double phase_ns = row->phase_ns[1][phase] - row->phase_ns[0][phase];
    if (columns[phase] > 0)
      loom_result_table_set_number (table, column++, phase_ns != 0 ? phase_ns : NAN);
  }
  for (guint i = 0; i < 2; i++)
    loom_result_table_set_number (
      table, column++, at > 0 && row->node[i] != NONE ? (double) modules->trees[i]->nodes[row->node[i]].calls : NAN);
  loom_result_table_set_text (table, column, path);
}

/* Adds a row for the kernels that belong to no module. */
static void
add_outside_row (LoomResultTable *table, const LoomModuleComparison *modules)
{
  const LoomModuleChange *root = &modules->rows[0];
  double change_ns = root->self_ns[1] - root->self_ns[0];
  if (root->self_ns[0] == 0 && root->self_ns[1] == 0)
    return;
  loom_result_table_add_row (table, _ ("Kernels in none of these"));
  loom_result_table_set_level (table, 1);
  loom_result_table_set_number (table, 1, change_ns != 0 ? change_ns : NAN);
  for (guint i = 0; i < 2; i++)
    loom_result_table_set_number (table, 2 + i, root->self_ns[i]);
}

LoomResultTable *
loom_module_report_new_table (const LoomRunComparison *comparison, const char *const names[2],
                              const char *const tips[2])
{
  const LoomModuleComparison *modules = comparison->modules;
  g_autoptr (GArray) rows = loom_module_report_list_rows (comparison);
  if (rows == NULL)
    return NULL;
  LoomResultTable *table = loom_result_table_new (get_title (modules));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL,
                                _ ("Double-click a row to go to its longest spans in both runs"));
  guint column = loom_result_table_add_column (table, C_ ("column", "Change"), "ns", _ ("Second run minus first run"));
  loom_result_table_set_bars (table, column, LOOM_RESULT_BARS_OF_CHANGES);
  for (guint i = 0; i < 2; i++)
    loom_result_table_add_column (table, names[i], "ns", tips[i]);
  loom_result_table_add_column (table, C_ ("column", "Structure"), NULL,
                                _ ("Modules that exist in only one of the runs"));
  guint columns[LOOM_MODULE_N_PHASES];
  add_phase_columns (table, modules, columns);
  for (guint i = 0; i < 2; i++) {
    /* Translators: the title of a column; %s is the name of a run */
    g_autofree char *title = g_strdup_printf (_ ("Count, %s"), names[i]);
    loom_result_table_set_detail (table, loom_result_table_add_column (table, title, "", tips[i]));
  }
  loom_result_table_set_detail (
    table, loom_result_table_add_column (table, C_ ("column", "Path"), NULL, _ ("The modules around it")));
  for (guint i = 0; i < rows->len; i++)
    add_row (table, modules, g_array_index (rows, guint32, i), columns);
  add_outside_row (table, modules);
  return table;
}

/* --- sentences ---------------------------------------------------------------------------------------------------- */

static char *
dup_change (const LoomModuleComparison *modules, double change_ns)
{
  g_autofree char *length = loom_time_format_duration (llround (fabs (change_ns)));
  g_autofree char *change = g_strconcat (change_ns < 0 ? "−" : "+", length, NULL);
  return modules->is_per_step ? g_strdup_printf (_ ("%s per step"), change) : g_steal_pointer (&change);
}

/* Returns how much a subtree contributes to the change from the faster to the slower run: "Layer_3 costs +5.2 ms per
 * step (93 % of the change)". Owned by the caller. */
static char *
dup_part (const LoomModuleComparison *modules, guint32 at, double sign, const char *const names[2])
{
  const LoomModuleChange *row = &modules->rows[at];
  double share = loom_module_comparison_get_share (modules, at);
  g_autofree char *name = dup_name (modules, at);
  g_autofree char *change = dup_change (modules, sign * loom_module_comparison_get_change (modules, at)), *text = NULL;
  if (is_in_both (row))
    /* Translators: the name of a module, then "+5.2 ms per step" */
    text = g_strdup_printf (_ ("%s costs %s"), name, change);
  else
    /* Translators: the name of a module, the name of a run, then "+5.2 ms per step" */
    text = g_strdup_printf (_ ("%s is only in %s: %s"), name, names[row->node[0] == NONE], change);
  if (isnan (share) || share > 1.005)
    return g_steal_pointer (&text);
  /* Translators: "Layer_3 costs +5.2 ms per step", then a percentage. xgettext:no-c-format */
  return g_strdup_printf (_ ("%s (%.0f %% of the change)"), text, 100 * share);
}

static char *
dup_sentence (LoomModuleLevel level, const char *parts)
{
  switch (level) {
  case LOOM_MODULE_LEVEL_PYTHON:
    /* Translators: a list such as "forward costs +5.2 ms per step; backward costs +1 ms per step" */
    return g_strdup_printf (_ ("Device time by Python function: %s."), parts);
  case LOOM_MODULE_LEVEL_OPERATORS:
    /* Translators: a list such as "aten::mm costs +5.2 ms per step; aten::add costs +1 ms per step" */
    return g_strdup_printf (_ ("Device time by operator: %s."), parts);
  case LOOM_MODULE_LEVEL_MODULES:
  case LOOM_MODULE_N_LEVELS:
  default:
    /* Translators: a list such as "Layer_3 costs +5.2 ms per step; Layer_7 is only in slow.json: +1 ms per step" */
    return g_strdup_printf (_ ("Device time by module: %s."), parts);
  }
}

/* Returns how much the time of the kernels outside of all modules changes, in ns. */
static double
get_outside_change (const LoomModuleComparison *modules)
{
  return modules->rows[0].self_ns[1] - modules->rows[0].self_ns[0];
}

/* Returns TRUE if the named subtrees (LoomModuleComparison.main) explain the change of the run: the first of them
 * changed by a notable time, and all of them together cause at least NAMED_SHARE of the change. Returns FALSE if the
 * cause is outside of the modules, for example a slow link: a sentence about modules would then be misleading. */
static gboolean
is_explained (const LoomModuleComparison *modules)
{
  double named_ns = 0;
  for (guint i = 0; i < modules->main->len; i++)
    named_ns += loom_module_comparison_get_change (modules, g_array_index (modules->main, guint32, i));
  /* the first named subtree must not be the root, which represents the whole run: a sentence which says that the whole
   * run explains the change would be useless */
  return modules->main->len > 0 && g_array_index (modules->main, guint32, 0) != 0 &&
         fabs (loom_module_comparison_get_change (modules, g_array_index (modules->main, guint32, 0))) >=
           LOOM_MODULE_COMPARISON_LEAST * get_whole (modules) &&
         fabs (named_ns) >= NAMED_SHARE * fabs (loom_module_comparison_get_change (modules, 0));
}

char *
loom_module_report_dup_sentence (const LoomRunComparison *comparison, const char *const names[2])
{
  const LoomModuleComparison *modules = comparison->modules;
  double sign = loom_run_comparison_get_slower (comparison) == 0 ? -1 : 1;
  if (modules == NULL || !is_explained (modules))
    return NULL;
  g_autoptr (GString) parts = g_string_new (NULL);
  for (guint i = 0; i < modules->main->len && i < MOST_NAMED; i++) {
    g_autofree char *part = dup_part (modules, g_array_index (modules->main, guint32, i), sign, names);
    g_string_append_printf (parts, "%s%s", i > 0 ? "; " : "", part);
  }
  if (fabs (get_outside_change (modules)) >= OUTSIDE_SHARE * fabs (loom_module_comparison_get_change (modules, 0))) {
    g_autofree char *change = dup_change (modules, sign * get_outside_change (modules));
    g_string_append (parts, "; ");
    /* Translators: part of a list; "+5.2 ms per step" */
    g_string_append_printf (parts, _ ("outside of all of them %s"), change);
  }
  return dup_sentence (modules->level, parts->str);
}

static const char *
get_level_note (const LoomModuleComparison *modules)
{
  switch (modules->level) {
  case LOOM_MODULE_LEVEL_PYTHON:
    return _ ("The runs have no modules in common, so Python functions are compared; the kernels of the backward pass "
              "belong to none. PyTorch records modules with with_modules=True.");
  case LOOM_MODULE_LEVEL_OPERATORS:
    return _ ("The runs have no modules and no Python functions in common, so operators are compared. PyTorch records "
              "modules with with_modules=True.");
  case LOOM_MODULE_LEVEL_MODULES:
  case LOOM_MODULE_N_LEVELS:
  default:
    return _ ("A kernel counts for the innermost module around its launch. Kernels of the backward pass count for the "
              "module whose forward pass they belong to.");
  }
}

char **
loom_module_report_dup_notes (const LoomRunComparison *comparison, const char *const names[2])
{
  const LoomModuleComparison *modules = comparison->modules;
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();
  if (loom_module_report_has_table (comparison))
    g_ptr_array_add (notes, g_strdup (get_level_note (modules)));
  for (guint i = 0; modules != NULL && i < 2; i++) {
    const LoomModuleTree *tree = modules->trees[i];
    if (tree->n_unlinked == 0)
      continue;
    g_autofree char *length = loom_time_format_duration (tree->unlinked_ns);
    guint n = (guint) MIN (tree->n_unlinked, G_MAXUINT);
    g_ptr_array_add (
      notes, g_strdup_printf (
               /* Translators: the name of a run, a number, a time */
               ngettext ("In %s, the launch of %u kernel or copy is not recorded (%s); it is in no row.",
                         "In %s, the launches of %u kernels and copies are not recorded (%s); they are in no row.", n),
               names[i], n, length));
  }
  if (modules != NULL && modules->is_cut)
    g_ptr_array_add (notes,
                     g_strdup (_ ("The runs have so many different calls that not all are compared one by one.")));
  g_ptr_array_add (notes, NULL);
  return (char **) g_ptr_array_steal (notes, NULL);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void
build_pair (JsonBuilder *builder, const char *name, const LoomModuleChange *row, const double values[2])
{
  loom_json_util_begin_array (builder, name);
  for (guint i = 0; i < 2; i++) {
    if (row->node[i] != NONE)
      json_builder_add_double_value (builder, values[i]);
    else
      json_builder_add_null_value (builder);
  }
  json_builder_end_array (builder);
}

static void
build_row (const LoomModuleComparison *modules, guint32 at, const guint32 *places, JsonBuilder *builder)
{
  const LoomModuleChange *row = &modules->rows[at];
  json_builder_begin_object (builder);
  loom_json_util_begin_array (builder, "name");
  for (guint i = 0; i < 2; i++) {
    if (row->node[i] != NONE)
      json_builder_add_string_value (builder, modules->trees[i]->nodes[row->node[i]].name);
    else
      json_builder_add_null_value (builder);
  }
  json_builder_end_array (builder);
  loom_json_util_add_int_if (builder, "parent", at > 0, at > 0 ? places[row->parent] : 0);
  loom_json_util_begin_array (builder, "calls");
  for (guint i = 0; i < 2; i++)
    json_builder_add_int_value (builder,
                                row->node[i] != NONE ? (gint64) modules->trees[i]->nodes[row->node[i]].calls : 0);
  json_builder_end_array (builder);
  build_pair (builder, "device_ns", row, row->time_ns);
  build_pair (builder, "device_self_ns", row, row->self_ns);
  for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++) {
    g_autofree char *name = g_strdup_printf ("%s_ns", phases[phase]);
    const double values[] = { row->phase_ns[0][phase], row->phase_ns[1][phase] };
    build_pair (builder, name, row, values);
  }
  loom_json_util_add_double (builder, "change_ns", loom_module_comparison_get_change (modules, at));
  json_builder_end_object (builder);
}

/* Returns the rows (guint32) that JSON contains: all rows if there are at most MOST_JSON_ROWS; otherwise only the rows
 * of the table. Owned by the caller. */
static GArray *
list_json_rows (const LoomRunComparison *comparison)
{
  const LoomModuleComparison *modules = comparison->modules;
  GArray *rows = modules->n > MOST_JSON_ROWS ? loom_module_report_list_rows (comparison) : NULL;
  if (rows != NULL)
    return rows;
  rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < MIN (modules->n, MOST_JSON_ROWS); i++)
    g_array_append_val (rows, i);
  return rows;
}

static void
build_rows (const LoomRunComparison *comparison, JsonBuilder *builder)
{
  const LoomModuleComparison *modules = comparison->modules;
  g_autoptr (GArray) rows = list_json_rows (comparison);
  g_autofree guint32 *places = g_new0 (guint32, modules->n); /* array indexed by row: index of the row in the JSON
                                                              * output */
  for (guint i = 0; i < rows->len; i++)
    places[g_array_index (rows, guint32, i)] = i;
  loom_json_util_begin_array (builder, "main");
  for (guint i = 0; i < modules->main->len; i++)
    json_builder_add_int_value (builder, places[g_array_index (modules->main, guint32, i)]);
  json_builder_end_array (builder);
  loom_json_util_add_int (builder, "n_rows", modules->n);
  loom_json_util_begin_array (builder, "rows");
  for (guint i = 0; i < rows->len; i++)
    build_row (modules, g_array_index (rows, guint32, i), places, builder);
  json_builder_end_array (builder);
}

void
loom_module_report_build (const LoomRunComparison *comparison, JsonBuilder *builder)
{
  const LoomModuleComparison *modules = comparison->modules;
  json_builder_set_member_name (builder, "modules");
  if (modules == NULL) {
    json_builder_add_null_value (builder);
    return;
  }
  json_builder_begin_object (builder);
  loom_json_util_add_text (builder, "level", levels[modules->level]);
  json_builder_set_member_name (builder, "per_step");
  json_builder_add_boolean_value (builder, modules->is_per_step);
  const guint64 unlinked[] = { modules->trees[0]->n_unlinked, modules->trees[1]->n_unlinked };
  loom_json_util_add_counts (builder, "n_unlinked", unlinked, 2);
  json_builder_set_member_name (builder, "is_cut");
  json_builder_add_boolean_value (builder, modules->is_cut);
  build_rows (comparison, builder);
  json_builder_end_object (builder);
}
