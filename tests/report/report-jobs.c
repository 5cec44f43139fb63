/* SPDX-License-Identifier: Apache-2.0 */
#include "report-jobs.h"

#include <string.h>

/* Overwrites the time at which the report was made. */
static void
hide_time (char *json)
{
  static const char member[] = "\"computed\": \"";
  char *at = strstr (json, member);
  for (at = at != NULL ? at + strlen (member) : NULL; at != NULL && *at != '"'; at++)
    *at = '-';
}

JsonNode *
report_of (LoomTimeline *timeline, LoomNumberConvention numbers, char **text)
{
  LoomReportOptions options = { .numbers = numbers };
  GError *error = NULL;
  g_autoptr (LoomReport) report = loom_report_new (timeline, &options, NULL, &error);
  g_assert_no_error (error);
  JsonNode *root = loom_report_to_json (report, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *printed = loom_report_print_json (root); /* parsing it fails unless it is valid JSON */
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_assert_true (json_parser_load_from_data (parser, printed, -1, NULL));
  g_autofree char *parts = loom_report_dup_json (report, NULL, NULL); /* printed part by part */
  hide_time (parts);
  hide_time (printed);
  g_assert_cmpstr (parts, ==, printed);
  if (text != NULL)
    *text = loom_report_to_text (report, NULL, NULL);
  return root;
}

JsonNode *
intended (FakeJob *job, char **text)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  return report_of (timeline, LOOM_NUMBER_CONVENTION_INTENDED, text);
}

/* Returns a member by its path, such as "utilization.gpu.missing". */
JsonNode *
find (JsonNode *root, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, ".", -1);
  JsonNode *node = root;
  for (guint i = 0; names[i] != NULL && node != NULL; i++)
    node = JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_member (json_node_get_object (node), names[i]) : NULL;
  return node;
}

const char *
text_at (JsonNode *root, const char *path)
{
  JsonNode *node = find (root, path);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

gint64
int_at (JsonNode *root, const char *path)
{
  JsonNode *node = find (root, path);
  g_assert_nonnull (node);
  return json_node_get_int (node);
}

FakeJob *
whole_job (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 4; i++) {
    fake_job_step (job, 1, 0, i, 10 + 2 * i, 11 + 2 * i);
    fake_job_sample (job, 1, "gpu0", GPU, 9 + 3 * i, 5);
    fake_job_sample (job, 1, "cpu0", CPU, 9 + 3 * i, 95);
  }
  return job;
}

LoomPageContent *
page_of (LoomTimeline *timeline, const char *id)
{
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  LoomPageInput input = {
    .frame = frame, .phases = loom_job_phases_compute (frame), .range = { 0, 1 }, .thresholds = LOOM_THRESHOLDS
  };
  loom_timeline_get_extent (timeline, &input.range);
  return loom_page_find (id)->make (&input, NULL);
}

/* Returns TRUE if the page has a block of this kind whose text begins with `words`. */
gboolean
says (const LoomPageContent *sheet, LoomBlockKind kind, const char *words)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    if (block->kind == kind && g_str_has_prefix (block->text, words))
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if any table of the page has a row whose first cell begins with `words`. */
gboolean
says_row (const LoomPageContent *sheet, const char *words)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomResultTable *table = loom_page_content_get_block (sheet, i)->table;
    for (guint row = 0; table != NULL && row < table->n_rows; row++)
      if (g_str_has_prefix (loom_result_table_get_text (table, row, 0), words))
        return TRUE;
  }
  return FALSE;
}

const char *
fact (const LoomPageContent *sheet, const char *name)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    for (guint k = 0; block->facts != NULL && k < block->facts->len; k++)
      if (strcmp (g_array_index (block->facts, LoomKeyValue, k).name, name) == 0)
        return g_array_index (block->facts, LoomKeyValue, k).value;
  }
  return NULL;
}

/* Returns a job of which step 3 takes three times as long as the others, because loading data takes long. */
FakeJob *
slow_job (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 5; i++) {
    double begin = 10 + i + (i > 3 ? 2 : 0);
    fake_job_step (job, 1, 0, i, begin, begin + (i == 3 ? 3 : 1));
    fake_job_span (job, 1, 0, "Data", "load", begin + 0.25, begin + (i == 3 ? 2.5 : 0.5), "{}");
  }
  for (int i = 0; i < 12; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, 8.5 + i, i > 5 && i < 8 ? 5 : 95);
    fake_job_sample (job, 1, "cpu0", CPU, 8.5 + i, i > 5 && i < 8 ? 95 : 30);
  }
  return job;
}
