/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli rules`: evaluates the profiler rules and custom rules for a run.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-builtin-rules.h"
#include "loom-cli.h"
#include "loom-custom-rule-evaluate.h"
#include "loom-error.h"
#include "loom-rule-files.h"
#include "loom-run-info.h"
#include "loom-sagemaker-rule-report.h"

typedef struct {
  char **names;
  char *file;
  gboolean fail_on_findings;
  char **own_files;
  /* the custom rules: for each rule file, a GPtrArray of LoomCustomRule; first the given files, then the files that
   * come with the program */
  GPtrArray *own;
  LoomRuleParameters *settings;
  GPtrArray *unknown; /* char *: names of rules that do not exist */
} Wishes;

/* --- parameters --------------------------------------------------------------------------------------------------- */

static gboolean
read_parameters (LoomCliJob *job, Wishes *wishes, GError **error)
{
  if (wishes->file == NULL)
    return TRUE;
  loom_cli_job_hold (job, wishes->file);
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  if (!loom_rule_parameters_read_file (wishes->settings, wishes->file, warnings, wishes->unknown, error))
    return FALSE;
  for (guint i = 0; !job->options.quiet && i < warnings->len; i++)
    loom_cli_message ("%s: %s", wishes->file, (const char *) warnings->pdata[i]);
  return TRUE;
}

/* Applies the given parameters to the custom rules of a file that was just read. */
static void
set_parameters (LoomCliJob *job, Wishes *wishes, GPtrArray *rules)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  loom_custom_rules_set_parameters (rules, wishes->settings, warnings);
  for (guint i = 0; !job->options.quiet && i < warnings->len; i++)
    loom_cli_message ("%s: %s", wishes->file, (const char *) warnings->pdata[i]);
  for (guint i = wishes->unknown->len; i-- > 0;)
    for (guint k = 0; k < rules->len; k++)
      if (g_ascii_strcasecmp (wishes->unknown->pdata[i], ((const LoomCustomRule *) rules->pdata[k])->name) == 0) {
        g_ptr_array_remove_index (wishes->unknown, i);
        break;
      }
}

static gboolean
has_own (const Wishes *wishes, const char *name)
{
  for (guint i = 0; i < wishes->own->len; i++) {
    const GPtrArray *rules = wishes->own->pdata[i];
    for (guint k = 0; k < rules->len; k++)
      if (g_ascii_strcasecmp (((const LoomCustomRule *) rules->pdata[k])->name, name) == 0)
        return TRUE;
  }
  return FALSE;
}

static gboolean
read_own_file (LoomCliJob *job, Wishes *wishes, const char *path, GError **error)
{
  loom_cli_job_hold (job, path);
  g_autoptr (GPtrArray) own = loom_custom_rules_read (path, error);
  for (guint k = 0; own != NULL && k < own->len; k++) {
    const char *name = ((const LoomCustomRule *) own->pdata[k])->name;
    if (has_own (wishes, name)) {
      g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "%s: there are two rules “%s”", path, name);
      return FALSE;
    }
  }
  if (own == NULL) {
    loom_cli_set_failed_file (path);
    return FALSE;
  }
  set_parameters (job, wishes, own);
  g_ptr_array_add (wishes->own, g_steal_pointer (&own));
  return TRUE;
}

/* Reads the .json files of a folder in the order of their names. Ignores folders inside it. */
static gboolean
read_own_folder (LoomCliJob *job, Wishes *wishes, const char *folder, GError **error)
{
  g_auto (GStrv) paths = loom_rule_files_list (folder);
  if (paths[0] == NULL)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "%s: no rules are in this folder; their files end in .json",
                 folder);
  for (guint i = 0; paths[i] != NULL; i++)
    if (!read_own_file (job, wishes, paths[i], error))
      return FALSE;
  return paths[0] != NULL;
}

static gboolean
read_own (LoomCliJob *job, Wishes *wishes, GError **error)
{
  for (guint i = 0; wishes->own_files != NULL && wishes->own_files[i] != NULL; i++) {
    const char *path = wishes->own_files[i];
    if (!(g_file_test (path, G_FILE_TEST_IS_DIR) ? read_own_folder : read_own_file) (job, wishes, path, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_wanted (const Wishes *wishes, const char *rule)
{
  if (wishes->names == NULL)
    return TRUE;
  for (guint i = 0; wishes->names[i] != NULL; i++)
    if (g_ascii_strcasecmp (wishes->names[i], rule) == 0)
      return TRUE;
  return FALSE;
}

/* Adds the custom rules that come with the program; the report and the window use them, too. Skips a rule if the
 * given files contain a rule with the same name. */
static gboolean
read_shipped (LoomCliJob *job, Wishes *wishes, GError **error)
{
  g_auto (GStrv) paths = loom_rule_files_list_examples ();
  for (guint i = 0; paths[i] != NULL; i++) {
    g_autoptr (GPtrArray) rules = loom_custom_rules_read (paths[i], error);
    if (rules == NULL) {
      loom_cli_set_failed_file (paths[i]);
      return FALSE;
    }
    for (guint k = rules->len; k-- > 0;) {
      const char *name = ((const LoomCustomRule *) rules->pdata[k])->name;
      if (has_own (wishes, name))
        g_ptr_array_remove_index (rules, k);
    }
    if (rules->len == 0)
      continue;
    set_parameters (job, wishes, rules);
    g_ptr_array_add (wishes->own, g_steal_pointer (&rules));
  }
  return TRUE;
}

/* --- evaluation --------------------------------------------------------------------------------------------------- */

static LoomDataFrame *
frame_of (LoomCliJob *job, GCancellable *cancellable, GError **error)
{
  gboolean has_range;
  LoomRange range;
  if (!loom_cli_job_get_range (job, FALSE, &has_range, &range, error))
    return NULL;
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (job->timeline, LOOM_NUMBER_CONVENTION_INTENDED, cancellable);
  if (frame == NULL) {
    g_cancellable_set_error_if_cancelled (cancellable, error);
    return NULL;
  }
  if (!has_range)
    return g_steal_pointer (&frame);
  g_autoptr (LoomDataFrame) part = loom_data_frame_new_in_range (frame, range.begin_ns, range.end_ns);
  return job->has_steps ? loom_data_frame_new_with_steps (part, &job->steps) : g_steal_pointer (&part);
}

static void
add_unknown (JsonObject *object, const char *name)
{
  g_autofree char *sentence = g_strdup_printf ("there is no rule “%s”; it was not evaluated", name);
  JsonObject *rule = json_object_new ();
  json_object_set_string_member (rule, "Status", loom_rule_result_status_to_string (LOOM_RULE_NOT_APPLICABLE));
  json_object_set_string_member (rule, "Sentence", sentence);
  json_object_set_object_member (object, name, rule);
}

/* Returns the result of a rule as JSON. If SageMaker evaluated the rule during the training job, the JSON includes
 * the report that SageMaker wrote. */
static JsonNode *
to_json (const LoomRuleResult *result, const GPtrArray *reports)
{
  JsonNode *node = loom_rule_result_to_json (result);
  const LoomSagemakerRuleReport *report = loom_sagemaker_rule_reports_find (reports, result->name);
  if (report != NULL)
    json_object_set_member (json_node_get_object (node), "Report", loom_sagemaker_rule_report_to_json (report, result));
  return node;
}

static void
print_report (GString *out, const LoomRuleResult *result, const GPtrArray *reports)
{
  const LoomSagemakerRuleReport *report = loom_sagemaker_rule_reports_find (reports, result->name);
  if (report == NULL)
    return;
  g_autofree char *said = loom_sagemaker_rule_report_describe (report);
  g_auto (GStrv) differences = loom_sagemaker_rule_report_compare (report, result);
  g_autofree char *list = g_strjoinv ("; ", differences);
  g_string_append_printf (out, "%-24s %-16s the job’s own report: %s%s%s\n", "", "", said, list[0] != '\0' ? "; " : "",
                          list);
}

static char *
print_json (const Wishes *wishes, GPtrArray *results, const GPtrArray *reports)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), object);
  for (guint i = 0; i < results->len; i++)
    if (is_wanted (wishes, ((const LoomRuleResult *) results->pdata[i])->name))
      json_object_set_member (object, ((const LoomRuleResult *) results->pdata[i])->name,
                              to_json (results->pdata[i], reports));
  for (guint i = 0; i < wishes->unknown->len; i++)
    add_unknown (object, wishes->unknown->pdata[i]);
  return loom_run_info_print_json (root);
}

static char *
print_text (const Wishes *wishes, GPtrArray *results, const GPtrArray *reports)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < results->len; i++) {
    const LoomRuleResult *result = results->pdata[i];
    if (!is_wanted (wishes, result->name))
      continue;
    g_string_append_printf (out, "%-24s %-16s %s\n", result->name, loom_rule_result_status_to_string (result->status),
                            result->sentence);
    print_report (out, result, reports);
  }
  for (guint i = 0; i < wishes->unknown->len; i++)
    g_string_append_printf (out, "%-24s %-16s there is no rule of that name; it was not evaluated\n",
                            (const char *) wishes->unknown->pdata[i], "not applicable");
  return g_string_free (out, FALSE);
}

static gboolean
has_finding (const Wishes *wishes, GPtrArray *results)
{
  for (guint i = 0; i < results->len; i++)
    if (is_wanted (wishes, ((const LoomRuleResult *) results->pdata[i])->name) &&
        ((const LoomRuleResult *) results->pdata[i])->status == LOOM_RULE_FIRED)
      return TRUE;
  return FALSE;
}

/* Returns the rules of a file that the options select. The caller owns the array; the rules are borrowed. */
static GPtrArray *
list_wanted (const Wishes *wishes, const GPtrArray *rules)
{
  GPtrArray *wanted = g_ptr_array_new ();
  for (guint i = 0; i < rules->len; i++)
    if (is_wanted (wishes, ((const LoomCustomRule *) rules->pdata[i])->name))
      g_ptr_array_add (wanted, rules->pdata[i]);
  return wanted;
}

/* Evaluates the rules that the options select. Returns the results; NULL only when cancelled. */
static GPtrArray *
evaluate (const Wishes *wishes, LoomDataFrame *frame, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) results = loom_builtin_rules_evaluate (frame, wishes->settings, cancellable);
  for (guint i = 0; results != NULL && i < wishes->own->len; i++) {
    g_autoptr (GPtrArray) wanted = list_wanted (wishes, wishes->own->pdata[i]);
    if (!loom_custom_rule_evaluate_all (frame, wanted, results, cancellable))
      return NULL;
  }
  return g_steal_pointer (&results);
}

static LoomExitStatus
run (LoomCliJob *job, gpointer own)
{
  const Wishes *wishes = own;
  GError *error = NULL;
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Evaluating");
  GCancellable *cancellable = loom_progress_get_cancellable (progress);
  g_autoptr (LoomDataFrame) frame = frame_of (job, cancellable, &error);
  if (frame == NULL)
    return loom_cli_job_fail (job, error);
  g_autoptr (GPtrArray) results = evaluate (wishes, frame, cancellable);
  if (results == NULL) {
    g_cancellable_set_error_if_cancelled (cancellable, &error);
    return loom_cli_job_fail (job, error);
  }
  g_autoptr (GPtrArray) reports = loom_sagemaker_rule_reports_read (loom_timeline_get_run (job->timeline));
  loom_cli_watch_clear (job->watch);
  LoomExitStatus status = loom_cli_job_print (job, job->options.json ? print_json (wishes, results, reports)
                                                                     : print_text (wishes, results, reports));
  return wishes->fail_on_findings && status != LOOM_EXIT_STATUS_FAILED && has_finding (wishes, results)
           ? LOOM_EXIT_STATUS_FINDINGS
           : status;
}

/* Returns the names of all rules: first those of the program, then those in files. Owned by the caller. */
static char *
list_names (const Wishes *wishes)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < LOOM_N_RULES; i++)
    g_ptr_array_add (names, (gpointer) loom_rule_parameters_rules[i].name);
  for (guint i = 0; i < wishes->own->len; i++) {
    const GPtrArray *rules = wishes->own->pdata[i];
    for (guint k = 0; k < rules->len; k++)
      g_ptr_array_add (names, ((const LoomCustomRule *) rules->pdata[k])->name);
  }
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

static LoomExitStatus
check_names (const Wishes *wishes)
{
  for (guint i = 0; wishes->names != NULL && wishes->names[i] != NULL; i++) {
    if (loom_rule_parameters_find (wishes->names[i]) >= 0 || has_own (wishes, wishes->names[i]))
      continue;
    g_autofree char *list = list_names (wishes);
    loom_cli_usage_error ("rules", "there is no rule “%s”; the rules are %s", wishes->names[i], list);
    return LOOM_EXIT_STATUS_USAGE;
  }
  return LOOM_EXIT_STATUS_DONE;
}

static LoomExitStatus
check (LoomCliJob *job, gpointer own)
{
  GError *error = NULL;
  if (!read_parameters (job, own, &error) || !read_own (job, own, &error) || !read_shipped (job, own, &error))
    return loom_cli_job_fail (job, error);
  return check_names (own);
}

LoomExitStatus
loom_cli_rules (int argc, char **argv)
{
  static const LoomCliVerb verb = { NULL, N_ ("Evaluates SageMaker’s profiler rules, and those of Traceloom."), TRUE,
                                    check, run };
  LoomCliJob job = { 0 };
  g_autoptr (LoomRuleParameters) settings = loom_rule_parameters_new ();
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) own = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  Wishes wishes = { .settings = settings, .unknown = unknown, .own = own };
  const GOptionEntry entries[] = {
    { "rule", 0, 0, G_OPTION_ARG_STRING_ARRAY, &wishes.names, N_ ("Evaluate only this rule (repeatable)"), "NAME" },
    { "parameters", 0, 0, G_OPTION_ARG_FILENAME, &wishes.file, N_ ("JSON file with parameters of rules"), "FILE" },
    { "rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &wishes.own_files,
      N_ ("JSON file with rules of your own, or a folder of such files (repeatable)"), "PATH" },
    { "fail-on-findings", 0, 0, G_OPTION_ARG_NONE, &wishes.fail_on_findings, N_ ("Exit with status 4 if a rule fired"),
      NULL },
    { NULL }
  };
  LoomExitStatus status = loom_cli_job_run (&job, &verb, entries, &wishes, argc, argv);
  g_strfreev (wishes.names);
  g_strfreev (wishes.own_files);
  g_free (wishes.file);
  return status;
}
