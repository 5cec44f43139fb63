/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the rule editor: errors are shown in their line while typing, the preview shows on the timeline where a rule
 * fires, examples can be opened, files are opened, saved and evaluated with the run, and unsaved changes are not lost
 * without a question.
 */
#include "fixture.h"
#include "loom-json-editor.h"
#include "loom-rule-editor.h"
#include "loom-rule-files.h"
#include "loom-window-private.h"

#include <string.h>

static LoomRuleEditor *
find_editor (void)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);
    if (LOOM_IS_RULE_EDITOR (window))
      return LOOM_RULE_EDITOR (window);
  }
  return NULL;
}

static AdwMessageDialog *
find_question (void)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);
    if (ADW_IS_MESSAGE_DIALOG (window))
      return ADW_MESSAGE_DIALOG (window);
  }
  return NULL;
}

static gboolean
is_previewed (gpointer editor)
{
  LoomRulePreview *preview = loom_rule_editor_get_preview (editor);
  return !loom_rule_editor_is_busy (editor) && !loom_rule_preview_is_working (preview) &&
         loom_rule_preview_get_findings (preview) != NULL;
}

static gboolean
is_idle (gpointer editor)
{
  return !loom_rule_editor_is_busy (editor);
}

static gboolean
is_gone (gpointer unused)
{
  return find_editor () == NULL;
}

static LoomRuleEditor *
open_editor (LoomWindow *window)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "edit-rules", NULL);
  LoomRuleEditor *editor = find_editor ();
  g_assert_nonnull (editor);
  return editor;
}

static LoomWindow *
open_sample (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return window;
}

static gpointer
part_of (gpointer widget, GType type, const char *name)
{
  return gtk_widget_get_template_child (widget, type, name);
}

static LoomJsonEditor *
text_of (gpointer editor)
{
  return part_of (editor, LOOM_TYPE_RULE_EDITOR, "text");
}

/* Returns the message that is shown below the text of the rule, or "". */
static const char *
message_of (gpointer editor)
{
  return gtk_label_get_text (part_of (text_of (editor), LOOM_TYPE_JSON_EDITOR, "message"));
}

/* Returns the file name that the title of the editor shows. */
static const char *
name_of_file (LoomRuleEditor *editor)
{
  return adw_window_title_get_subtitle (part_of (editor, LOOM_TYPE_RULE_EDITOR, "title"));
}

/* Returns the only row of the preview. */
static GtkListBoxRow *
row_of (LoomRulePreview *preview)
{
  return gtk_list_box_get_row_at_index (part_of (preview, LOOM_TYPE_RULE_PREVIEW, "list"), 0);
}

/* Replaces the text of the buffer, like typing. */
static void
type (LoomRuleEditor *editor, const char *text)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (loom_json_editor_get_view (text_of (editor))), text, -1);
}

/* Closes the editor without the question about unsaved changes. */
static void
drop (LoomRuleEditor *editor)
{
  gtk_window_destroy (GTK_WINDOW (editor));
  g_assert_true (fixture_wait (is_gone, NULL));
}

#define GOOD                                                                                                                 \
  "{\"traceloom-rules\":1,\"rules\":[{\"name\":\"Mine\",\"where\":{\"name\":\"gemm\"},\"window\":\"step\",\"per\":\"rank\"," \
  "\"statistic\":\"count\",\"above\":0,\"sentence\":\"{count} of {windows}\"}]}"

static gboolean
says_wrong (gpointer editor)
{
  return gtk_widget_has_css_class (part_of (text_of (editor), LOOM_TYPE_JSON_EDITOR, "status"), "error");
}

static gboolean
says_nothing_wrong (gpointer editor)
{
  return !says_wrong (editor) && is_previewed (editor);
}

/* For each entry: the text that is typed, the line that is marked, and the message. */
static void
test_messages (void)
{
  static const struct {
    const char *text;
    guint line;
    const char *message;
  } rows[] = {
    { "{ \"traceloom-rules\": 1,\n\n  \"rules\": 7 }", 3, "“rules” must be an array" },
    { "{ \"traceloom-rules\": 1,\n  \"rules\": [\n    { \"name\": \"A\",\n      \"abov\": 3 } ] }", 4,
      "“abov” is not a known member" },
    { "{ \"traceloom-rules\": 1,\n  \"rules\": [\n    { \"name\": \"A\", \"where\": {\n \"name\": \"(\" } } ] }", 3,
      "needs a “sentence”" },
    { "{ \"traceloom-rules\": 1,\n  \"rules\": [\n    { \"name\": \"A\", \"sentence\": \"x\", \"where\": {\n \"name\": \"(\" } } ] }",
      4, "is not a valid regular expression" },
    { "{ \"traceloom-rules\": 1,\n  \"rules\": [", 2, "" },
    { "{ \"traceloom-rules\": 1,\n  \"rules: [],\n  \"x\": 1\n\n}", 2,
      "" }, /* marks the line where the string begins, not the end of the text */
    { "{ \"traceloom-rules\": 1,\n  \"rules\": nil\n\n}", 2, "" },
  };
  LoomWindow *window = open_sample ();
  LoomRuleEditor *editor = open_editor (window);
  g_assert_true (fixture_wait (says_nothing_wrong, editor));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    type (editor, rows[i].text);
    g_assert_true (fixture_wait (says_wrong, editor));
    const char *said = message_of (editor);
    g_test_message ("row %u: %s", i, said);
    g_autofree char *line = g_strdup_printf ("Line %u: ", rows[i].line);
    g_assert_true (g_str_has_prefix (said, line));
    g_assert_nonnull (strstr (said, rows[i].message));
    type (editor, GOOD);
    g_assert_true (fixture_wait (says_nothing_wrong, editor));
  }
  drop (editor);
  fixture_close (window);
}

/* Asserts that every place at which the rule fires is inside one of the marked ranges, and that these are in ascending
 * order and do not touch. */
static void
assert_marked (LoomTimelineAnnotations *marks, const LoomRuleResult *result)
{
  LoomPaintOptions options = { 0 };
  g_autoptr (LoomRowList) rows = loom_row_list_new ();
  loom_timeline_annotations_fill_options (marks, rows, &options);
  g_assert_cmpuint (options.n_stretches, >, 0);
  for (guint i = 1; i < options.n_stretches; i++)
    g_assert_cmpint (options.stretches[i - 1].end_ns, <, options.stretches[i].begin_ns);
  for (guint i = 0, at = 0; i < result->marks->len; i++) {
    const LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, i);
    for (at = 0; at < options.n_stretches && options.stretches[at].end_ns <= mark->begin_ns; at++) {
    }
    g_assert_cmpuint (at, <, options.n_stretches);
    g_assert_cmpint (options.stretches[at].begin_ns, <=, mark->begin_ns);
    g_assert_cmpint (options.stretches[at].end_ns, >=, mark->end_ns);
  }
}

/* The ranges in which the rule fires are marked on the timeline until the editor is closed. */
static void
test_preview (void)
{
  LoomWindow *window = open_sample ();
  LoomRuleEditor *editor = open_editor (window);
  LoomRulePreview *preview = loom_rule_editor_get_preview (editor);
  g_assert_true (fixture_wait (says_nothing_wrong, editor));
  type (editor, "{");
  g_assert_true (fixture_wait (says_wrong, editor));
  type (editor, GOOD);
  g_assert_true (fixture_wait (says_nothing_wrong, editor));
  const LoomFinding *mine = loom_finding_row_get_finding (LOOM_FINDING_ROW (row_of (preview)));
  g_assert_cmpstr (mine->result->name, ==, "Mine");
  g_assert_cmpint (mine->result->status, ==, LOOM_RULE_FIRED);
  g_assert_cmpuint (mine->result->evidence->len, >, 0);
  g_autofree char *summary = g_strdup_printf ("1 of 1 rule fires · %u occurrences", mine->result->marks->len);
  g_assert_cmpstr (gtk_label_get_text (part_of (preview, LOOM_TYPE_RULE_PREVIEW, "summary")), ==, summary);
  LoomTimelineAnnotations *marks = loom_timeline_state_get_finding_marks (fixture_state (window));
  assert_marked (marks, mine->result);
  GtkWidget *row = GTK_WIDGET (row_of (preview));
  LoomRange meant = mine->range;
  g_signal_emit_by_name (gtk_widget_get_parent (row), "row-activated", row);
  g_assert_cmpint (loom_timeline_state_get_range (fixture_state (window)).begin_ns, ==, meant.begin_ns);
  drop (editor);
  g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks), ==, 0);
  fixture_close (window);
}

static gboolean
has_one_tab (gpointer window)
{
  return loom_window_get_n_tabs (window) == 1;
}

static guint
count_marks (LoomWindow *window, guint tab)
{
  LoomRunState *run = loom_tab_get_run_state (loom_window_get_nth_tab (window, tab));
  return loom_timeline_annotations_get_n_stretches (
    loom_timeline_state_get_finding_marks (loom_run_state_get_view (run)));
}

/* The preview evaluates the rule on the run of the tab from which the editor was opened last, even if another tab is
 * selected. If this run is closed, the preview uses another open run. */
static void
test_tabs (void)
{
  LoomWindow *window = open_sample ();
  LoomRuleEditor *editor = open_editor (window);
  g_action_group_activate_action (G_ACTION_GROUP (window), "new-tab", NULL);
  fixture_open (window, fixture_sample ());
  type (editor, "{");
  g_assert_true (fixture_wait (says_wrong, editor));
  type (editor, GOOD);
  g_assert_true (fixture_wait (says_nothing_wrong, editor));
  g_assert_cmpuint (count_marks (window, 0), >, 0);
  g_assert_cmpuint (count_marks (window, 1), ==, 0);
  GtkListBoxRow *row = row_of (loom_rule_editor_get_preview (editor));
  g_signal_emit_by_name (gtk_widget_get_parent (GTK_WIDGET (row)), "row-activated", row);
  g_assert_true (loom_window_get_tab (window) == loom_window_get_nth_tab (window, 0));
  g_action_group_activate_action (G_ACTION_GROUP (window), "next-tab", NULL);
  g_assert_true (open_editor (window) == editor);
  g_assert_cmpuint (count_marks (window, 0), ==, 0);
  g_assert_true (fixture_wait (is_previewed, editor));
  g_assert_cmpuint (count_marks (window, 1), >, 0);
  g_action_group_activate_action (G_ACTION_GROUP (window), "close-tab", NULL);
  g_assert_true (fixture_wait (has_one_tab, window));
  g_assert_true (fixture_wait (is_previewed, editor));
  g_assert_cmpuint (count_marks (window, 0), >, 0);
  drop (editor);
  fixture_close (window);
}

/* Returns TRUE if the findings have been evaluated, and contain a finding of the rule "Mine" exactly if `wanted` is
 * TRUE. */
static gboolean
is_found (LoomWindow *window, gboolean wanted)
{
  LoomFindingsState *state = loom_run_state_get_findings (loom_window_get_run_state (window));
  LoomFindings *findings = loom_findings_state_get_findings (state);
  gboolean found = FALSE;
  for (guint i = 0; findings != NULL && i < findings->n; i++)
    found |= g_str_equal (findings->all[i].result->name, "Mine");
  return !loom_findings_state_is_working (state) && findings != NULL && found == wanted;
}

static gboolean
has_finding (gpointer window)
{
  return is_found (window, TRUE);
}

static gboolean
has_no_finding (gpointer window)
{
  return is_found (window, FALSE);
}

static gboolean
has_session (gpointer window)
{
  return loom_run_session_get_path (loom_tab_get_session (loom_window_get_tab (window))) != NULL;
}

/* A saved rule file is evaluated with the run, and a saved session contains it. */
static void
test_saved (void)
{
  LoomWindow *window = open_sample ();
  LoomRunRules *rules = loom_run_state_get_rules (loom_window_get_run_state (window));
  LoomRuleEditor *editor = open_editor (window);
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "mine.json", NULL),
                  *session = g_build_filename (folder, "s.traceloom", NULL);
  g_autofree char *text = NULL;
  type (editor, GOOD);
  g_assert_true (loom_rule_editor_is_changed (editor));
  loom_rule_editor_save (editor, path);
  g_assert_true (fixture_wait (is_idle, editor));
  g_assert_false (loom_rule_editor_is_changed (editor));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, GOOD);
  g_assert_true (fixture_wait (has_finding, window));
  g_assert_cmpstr (loom_run_rules_get_files (rules)[0], ==, path);
  type (editor, GOOD " ");
  loom_rule_editor_save (editor, path); /* unlike an export, the editor may overwrite a rule file that is in use */
  g_assert_true (fixture_wait (is_idle, editor));
  g_assert_false (loom_rule_editor_is_changed (editor));
  loom_run_session_save (loom_tab_get_session (loom_window_get_tab (window)), session);
  loom_run_rules_set_files (rules, NULL);
  g_assert_true (fixture_wait (has_no_finding, window));
  g_assert_true (fixture_wait (has_session, window));
  loom_run_session_discard (
    loom_tab_get_session (loom_window_get_tab (window))); /* discards the unsaved changes of the session, so that
                                                           * closing asks no question */
  drop (editor);
  fixture_close (window);
  window = fixture_window ();
  fixture_open (window, session);
  g_assert_true (fixture_wait (has_finding, window));
  fixture_close (window);
}

static void
open_path (LoomRuleEditor *editor, const char *path)
{
  loom_rule_editor_open (editor, path);
  g_assert_true (fixture_wait (is_idle, editor));
}

/* An example opens as the text of a new, unsaved file. */
static void
check_example (LoomRuleEditor *editor)
{
  g_auto (GStrv) paths = loom_rule_files_list_examples ();
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (paths[0], &text, NULL, NULL));
  loom_rule_editor_start_from (editor, paths[0]);
  g_assert_true (fixture_wait (is_idle, editor));
  g_autofree char *shown = loom_json_editor_dup_text (text_of (editor));
  g_assert_cmpstr (shown, ==, text);
  g_assert_cmpstr (name_of_file (editor), ==, "New rules");
  g_assert_cmpstr (message_of (editor), ==, "1 rule, no errors");
}

/* A file that cannot be opened leaves the text unchanged; closing with unsaved changes asks. */
static void
test_kept (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *good = fixture_file (folder, "good.json", GOOD),
                  *bytes = fixture_file (folder, "bytes.json", "{ \"\xff\" }");
  g_autofree char *missing = g_build_filename (folder, "missing.json", NULL);
  LoomWindow *window = fixture_window ();
  LoomRuleEditor *editor = open_editor (window);
  check_example (editor);
  open_path (editor, good);
  open_path (editor, bytes);
  open_path (editor, missing);
  g_assert_cmpstr (name_of_file (editor), ==, "good.json");
  gtk_window_close (GTK_WINDOW (editor));
  g_assert_true (fixture_wait (is_gone, NULL));
  editor = open_editor (window);
  open_path (editor, good);
  type (editor, "{}");
  gtk_window_close (GTK_WINDOW (window));
  g_assert_nonnull (find_question ());
  adw_message_dialog_response (find_question (), "cancel");
  fixture_spin (20);
  g_assert_true (find_editor () == editor && gtk_widget_get_mapped (GTK_WIDGET (window)));
  g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window))), "quit", NULL);
  g_assert_nonnull (find_question ());
  adw_message_dialog_response (find_question (), "cancel");
  fixture_spin (20);
  g_assert_true (find_editor () == editor && gtk_widget_get_mapped (GTK_WIDGET (window)));
  gtk_window_close (GTK_WINDOW (editor));
  adw_message_dialog_response (find_question (), "save");
  g_assert_true (fixture_wait (is_gone, NULL));
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (good, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "{}");
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/rule-editor/messages", test_messages);
  g_test_add_func ("/rule-editor/preview", test_preview);
  g_test_add_func ("/rule-editor/tabs", test_tabs);
  g_test_add_func ("/rule-editor/saved", test_saved);
  g_test_add_func ("/rule-editor/kept", test_kept);
  return fixture_run ();
}
