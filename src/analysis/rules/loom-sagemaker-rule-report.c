/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sagemaker-rule-report.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "loom-json-slice.h"
#include "loom-limits.h"

/* The folder into which the container with SageMaker's rules writes its reports. */
#define FOLDER "profiler-reports"
#define MAX_REPORTS 256

/* --- reading the reports ------------------------------------------------------------------------------------------ */

static gboolean
is_report (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *base = g_path_get_basename (folder);
  return strcmp (base, FOLDER) == 0 && g_str_has_suffix (path, ".json");
}

static gint64
int_member (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_int (node) : 0;
}

static void
take (LoomSagemakerRuleReport *report, JsonNode *root)
{
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  if (object == NULL || !json_object_has_member (object, "RuleTriggered")) {
    report->problem = g_strdup (_ ("the report does not say whether the rule fired"));
    return;
  }
  JsonNode *parameters = json_object_get_member (object, "RuleParameters"),
           *details = json_object_get_member (object, "Details");
  report->n_triggered = int_member (object, "RuleTriggered");
  report->n_violations = int_member (object, "Violations");
  report->n_datapoints = int_member (object, "Datapoints");
  if (parameters != NULL && JSON_NODE_HOLDS_VALUE (parameters) &&
      json_node_get_value_type (parameters) == G_TYPE_STRING) {
    g_free (report->parameters);
    report->parameters = g_utf8_make_valid (json_node_get_string (parameters), -1);
  }
  if (details != NULL && JSON_NODE_HOLDS_OBJECT (details)) {
    json_object_unref (report->details);
    report->details = json_object_ref (json_node_get_object (details));
  }
}

/* Reads a whole file of at most LOOM_LIMIT_SESSION_BYTES bytes. If the file is larger or cannot be read, returns NULL
 * and sets `problem` to a translated sentence. */
static char *
read_text (const char *path, gsize *length, char **problem)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info =
    g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, &error);
  char *text = NULL;
  if (info != NULL && (guint64) g_file_info_get_size (info) > LOOM_LIMIT_SESSION_BYTES)
    *problem = g_strdup (_ ("the report is too large"));
  else if (info == NULL || !g_file_load_contents (file, NULL, &text, length, NULL, &error))
    *problem = g_utf8_make_valid (error->message, -1);
  return text;
}

static LoomSagemakerRuleReport *
read_report (const char *path)
{
  LoomSagemakerRuleReport *report = g_new0 (LoomSagemakerRuleReport, 1);
  g_autofree char *base = g_path_get_basename (path);
  g_autoptr (JsonParser) parser = json_parser_new ();
  gsize length = 0;
  base[strlen (base) - strlen (".json")] = '\0';
  report->rule = g_utf8_make_valid (base, -1);
  report->path = g_strdup (path);
  report->parameters = g_strdup ("");
  report->details = json_object_new ();
  g_autofree char *text = read_text (path, &length, &report->problem);
  if (text != NULL && (!loom_json_slice_is_strict_document (text, length) ||
                       !json_parser_load_from_data (parser, text, (gssize) length, NULL)))
    report->problem = g_strdup (_ ("the report is not JSON"));
  else if (text != NULL)
    take (report, json_parser_get_root (parser));
  return report;
}

static int
compare_reports (gconstpointer a, gconstpointer b)
{
  const LoomSagemakerRuleReport *x = *(LoomSagemakerRuleReport *const *) a, *y = *(LoomSagemakerRuleReport *const *) b;
  int order = g_ascii_strcasecmp (x->rule, y->rule);
  return order != 0 ? order : strcmp (x->path, y->path);
}

GPtrArray *
loom_sagemaker_rule_reports_read (const LoomRun *run)
{
  GPtrArray *reports = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_sagemaker_rule_report_free);
  g_autoptr (GHashTable) seen =
    /* paths of the files read so far; needed because a file may be listed several times, for different reasons */
    g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < loom_run_get_n_ignored (run) && reports->len < MAX_REPORTS; i++) {
    const char *path = loom_run_get_ignored (run, i)->path;
    if (is_report (path) && g_hash_table_add (seen, (gpointer) path))
      g_ptr_array_add (reports, read_report (path));
  }
  g_ptr_array_sort (reports, compare_reports);
  return reports;
}

void
loom_sagemaker_rule_report_free (LoomSagemakerRuleReport *report)
{
  g_free (report->rule);
  g_free (report->path);
  g_free (report->problem);
  g_free (report->parameters);
  json_object_unref (report->details);
  g_free (report);
}

const LoomSagemakerRuleReport *
loom_sagemaker_rule_reports_find (const GPtrArray *reports, const char *rule)
{
  for (guint i = reports->len; i > 0; i--)
    if (g_ascii_strcasecmp (((const LoomSagemakerRuleReport *) reports->pdata[i - 1])->rule, rule) == 0)
      return reports->pdata[i - 1];
  return NULL;
}

/* --- comparison with the results of this program ------------------------------------------------------------------ */

char *
loom_sagemaker_rule_report_describe (const LoomSagemakerRuleReport *report)
{
  if (report->problem != NULL)
    return g_strdup_printf (
      /* Translators: %s is the reason */
      _ ("cannot be read: %s"), report->problem);
  g_autofree char *fired =
    report->n_triggered > 0
      ? g_strdup_printf (ngettext ("fired %u time", "fired %u times", (gulong) report->n_triggered),
                         (guint) report->n_triggered)
      : g_strdup (_ ("did not fire"));
  if (report->n_datapoints <= 0)
    return g_steal_pointer (&fired);
  return g_strdup_printf (
    /* Translators: %s is "fired 3 times" or "did not fire" */
    _ ("%s, %u of %u data points beyond the limit"), fired, (guint) report->n_violations, (guint) report->n_datapoints);
}

static char *
parameter_of (const char *parameters, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (parameters, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    char *colon = strchr (lines[i], ':');
    if (colon == NULL)
      continue;
    *colon = '\0';
    if (g_ascii_strcasecmp (g_strstrip (lines[i]), name) == 0)
      return g_strdup (g_strstrip (colon + 1));
  }
  return NULL;
}

/* Returns TRUE if two values of a parameter are equal. If both are numbers, compares the numbers, so that 50 equals
 * 50.0. */
static gboolean
is_same_value (const char *a, const char *b)
{
  char *end_a, *end_b;
  double x = g_ascii_strtod (a, &end_a), y = g_ascii_strtod (b, &end_b);
  if (end_a != a && end_b != b && *end_a == '\0' && *end_b == '\0')
    return x == y;
  return g_ascii_strcasecmp (a, b) == 0;
}

static void
compare_parameters (GPtrArray *differences, const LoomSagemakerRuleReport *report, const LoomRuleResult *result)
{
  g_auto (GStrv) lines = g_strsplit (result->parameters != NULL ? result->parameters : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    char *colon = strchr (lines[i], ':');
    if (colon == NULL)
      continue;
    *colon = '\0';
    g_autofree char *there = parameter_of (report->parameters, lines[i]);
    if (there != NULL && !is_same_value (there, colon + 1))
      g_ptr_array_add (differences,
                       g_strdup_printf (
                         /* Translators: the name of a parameter of a rule, and its two values */
                         _ ("%s was %s in the job’s report and is %s in Traceloom"), lines[i], there, colon + 1));
  }
}

/* Compares the numbers of violations and data points. Does nothing if the rule was not evaluated in this program. */
static void
compare_counts (GPtrArray *differences, const LoomSagemakerRuleReport *report, const LoomRuleResult *result)
{
  if (result->status > LOOM_RULE_PASSED)
    return;
  if (report->n_violations != (gint64) result->n_violations)
    g_ptr_array_add (differences,
                     g_strdup_printf (_ ("values beyond the limit: %u in the job’s report, %u in Traceloom"),
                                      (guint) report->n_violations, (guint) result->n_violations));
  if (report->n_datapoints != (gint64) result->n_datapoints)
    g_ptr_array_add (differences, g_strdup_printf (_ ("values examined: %u in the job’s report, %u in Traceloom"),
                                                   (guint) report->n_datapoints, (guint) result->n_datapoints));
}

char **
loom_sagemaker_rule_report_compare (const LoomSagemakerRuleReport *report, const LoomRuleResult *result)
{
  GPtrArray *differences = g_ptr_array_new ();
  gboolean fired = result->status == LOOM_RULE_FIRED;
  if (report->problem == NULL && (report->n_triggered > 0) != fired)
    g_ptr_array_add (differences,
                     g_strdup (fired ? _ ("the rule fires in Traceloom, but did not fire in the job’s report")
                                     : _ ("the rule fired in the job’s report, but does not fire in Traceloom")));
  if (report->problem == NULL) {
    compare_counts (differences, report, result);
    compare_parameters (differences, report, result);
  }
  g_ptr_array_add (differences, NULL);
  return (char **) g_ptr_array_free (differences, FALSE);
}

JsonNode *
loom_sagemaker_rule_report_to_json (const LoomSagemakerRuleReport *report, const LoomRuleResult *result)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *path = g_filename_display_name (report->path);
  json_object_set_string_member (object, "path", path);
  if (report->problem != NULL) {
    json_object_set_string_member (object, "problem", report->problem);
    return json_node_init_object (json_node_alloc (), object);
  }
  json_object_set_int_member (object, "RuleTriggered", report->n_triggered);
  json_object_set_int_member (object, "Violations", report->n_violations);
  json_object_set_int_member (object, "Datapoints", report->n_datapoints);
  if (result != NULL) {
    JsonArray *array = json_array_new ();
    g_auto (GStrv) differences = loom_sagemaker_rule_report_compare (report, result);
    for (guint i = 0; differences[i] != NULL; i++)
      json_array_add_string_element (array, differences[i]);
    json_object_set_array_member (object, "Differences", array);
  }
  return json_node_init_object (json_node_alloc (), object);
}
