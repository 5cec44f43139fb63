/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-session-state.h"

#include "loom-view-changes.h"

static LoomViewState *
state_of (LoomRunView *view)
{
  return loom_timeline_view_get_state (loom_run_view_get_timeline_view (view));
}

static void
collect_view (LoomSession *session, LoomViewState *state)
{
  const LoomViewport *viewport = loom_view_state_get_viewport (state);
  session->has_view = !loom_view_state_is_fitted (state);
  session->view = (LoomRange) { viewport->begin_ns, viewport->end_ns };
  session->scroll_px = (gint64) viewport->scroll_px;
  session->selection = loom_view_state_get_range (state);
  guint n;
  const LoomTimeMark *marks = loom_view_state_get_marks (state, &n);
  for (guint i = 0; i < n; i++)
    if (!marks[i].temporary)
      loom_session_add_mark (session, marks[i].time_ns, marks[i].label);
}

static void
collect_dismissed (LoomSession *session, GHashTable *dismissed)
{
  GHashTableIter iter;
  gpointer rule, note;
  g_hash_table_iter_init (&iter, dismissed);
  while (g_hash_table_iter_next (&iter, &rule, &note))
    g_hash_table_replace (session->dismissed, g_strdup (rule), g_strdup (note));
}

LoomSession *
loom_session_state_collect (LoomDocument *document, LoomRunView *view)
{
  LoomSession *session = loom_session_new ();
  const char *const *paths = loom_document_get_paths (document);
  for (guint i = 0; paths[i] != NULL; i++)
    loom_session_add_path (session, paths[i]);
  loom_clock_edits_add (session->clocks, loom_document_get_clock_edits (document));
  loom_source_edits_free (session->sources);
  session->sources = loom_source_edits_copy (loom_document_get_source_edits (document));
  collect_view (session, state_of (view));
  g_autoptr (GVariant) rows = loom_outline_save (loom_view_state_get_outline (state_of (view)));
  if (g_variant_n_children (rows) > 0)
    session->rows = g_variant_print (rows, TRUE);
  LoomSpanLook look = loom_view_state_get_look (state_of (view));
  session->colors = look.color_by != LOOM_COLOR_BY_NAME ? g_strdup (loom_span_look_color_word (look.color_by)) : NULL;
  session->arrows = look.all_flows;
  collect_dismissed (session, loom_findings_panel_get_dismissed (loom_panels_get_findings (loom_run_view_get_panels (view))));
  const char *const *rules = loom_findings_panel_get_rules (loom_panels_get_findings (loom_run_view_get_panels (view)));
  for (guint i = 0; rules[i] != NULL; i++)
    g_ptr_array_add (session->rule_files, g_strdup (rules[i]));
  session->panel = g_strdup (gtk_stack_get_visible_child_name (loom_panels_get_stack (loom_run_view_get_panels (view))));
  return session;
}

static void
apply_rows (LoomViewState *state, const char *text)
{
  g_autoptr (GVariant) rows = text != NULL ? g_variant_parse (G_VARIANT_TYPE ("a{sa{sv}}"), text, NULL, NULL, NULL) : NULL;
  if (rows == NULL)
    return;
  loom_outline_restore (loom_view_state_get_outline (state), rows);
  loom_view_state_rows_changed (state);
}

static void
apply_rules (const LoomSession *session, LoomFindingsPanel *panel)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  for (guint i = 0; i < session->rule_files->len; i++)
    g_ptr_array_add (paths, session->rule_files->pdata[i]);
  g_ptr_array_add (paths, NULL);
  loom_findings_panel_set_rules (panel, (const char *const *) paths->pdata);
}

void
loom_session_state_apply (const LoomSession *session, LoomRunView *view)
{
  loom_view_changes_pause (state_of (view));
  apply_rows (state_of (view), session->rows);
  loom_view_state_set_look (state_of (view), (LoomSpanLook) { loom_span_look_color_from_word (session->colors), session->arrows });
  for (guint i = 0; i < session->marks->len; i++) {
    const LoomSessionMark *mark = &g_array_index (session->marks, LoomSessionMark, i);
    loom_view_state_add_mark (state_of (view), mark->time_ns, mark->label);
  }
  if (session->selection.end_ns > session->selection.begin_ns)
    loom_view_state_select_range (state_of (view), session->selection);
  loom_view_changes_resume (state_of (view));
  loom_findings_panel_set_dismissed (loom_panels_get_findings (loom_run_view_get_panels (view)), session->dismissed);
  apply_rules (session, loom_panels_get_findings (loom_run_view_get_panels (view)));
}

gboolean
loom_session_state_show_page (const LoomSession *session, LoomRunView *view)
{
  GtkStack *panels = loom_panels_get_stack (loom_run_view_get_panels (view));
  GtkWidget *page = session->panel != NULL ? gtk_stack_get_child_by_name (panels, session->panel) : NULL;
  if (page == NULL)
    return TRUE;
  if (!gtk_stack_page_get_visible (gtk_stack_get_page (panels, page)))
    return FALSE;
  gtk_stack_set_visible_child_name (panels, session->panel);
  return TRUE;
}

/* A jump under way would go on to where the view was to be before. */
static void
place (LoomRunView *view, const LoomViewport *viewport)
{
  loom_flight_stop (loom_timeline_view_get_flight (loom_run_view_get_timeline_view (view)));
  loom_view_state_set_viewport (state_of (view), viewport);
}

gboolean
loom_session_state_show_view (const LoomSession *session, LoomRunView *view)
{
  LoomViewState *state = state_of (view);
  LoomRange extent = loom_view_state_get_extent (state);
  if (!session->has_view || session->view.end_ns <= extent.begin_ns || session->view.begin_ns >= extent.end_ns)
    return FALSE;
  LoomViewport viewport = *loom_view_state_get_viewport (state);
  loom_viewport_fit_range (&viewport, extent, session->view, 0);
  viewport.scroll_px = (double) MAX (session->scroll_px, 0);
  place (view, &viewport);
  return TRUE;
}

void
loom_session_state_forget (LoomRunView *view)
{
  LoomViewState *state = state_of (view);
  g_autoptr (LoomOutline) fresh = loom_outline_new ();
  g_autoptr (GVariant) rows = loom_outline_save (fresh);
  loom_view_changes_pause (state);
  loom_row_filter_set_text (loom_timeline_view_get_row_filter (loom_run_view_get_timeline_view (view)), "");
  loom_outline_restore (loom_view_state_get_outline (state), rows);
  loom_view_state_rows_changed (state);
  loom_view_state_set_look (state, (LoomSpanLook) { 0 });
  loom_view_state_remove_marks (state, (LoomRange) { G_MININT64, G_MAXINT64 });
  loom_view_state_select_range (state, (LoomRange) { 0, 0 }); /* rows that a finding marks too */
  loom_view_changes_resume (state);
  loom_findings_panel_set_dismissed (loom_panels_get_findings (loom_run_view_get_panels (view)), NULL);
  loom_findings_panel_set_rules (loom_panels_get_findings (loom_run_view_get_panels (view)), NULL);
  LoomViewport all = loom_view_state_fitted (state);
  place (view, &all);
}
