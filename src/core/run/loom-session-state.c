/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-session-state.h: converts the state of a run to the members of a session, and back.
 */
#include "loom-session-state.h"

#include "loom-view-commands.h"

static LoomTimelineState *
state_of (LoomRunState *run)
{
  return loom_run_state_get_view (run);
}

static const char *const scope_words[LOOM_N_RANGE_SCOPES] = {
  [LOOM_RANGE_SCOPE_ALL] = "all",
  [LOOM_RANGE_SCOPE_LOOP] = "loop",
  [LOOM_RANGE_SCOPE_VISIBLE] = "visible",
  [LOOM_RANGE_SCOPE_SELECTION] = "selection",
};

/* Returns the scope (the range whose data the panels show) for a word of a session file. Older versions wrote no such
 * word, and newer versions may write unknown words; in both cases the panels show the whole run. */
static LoomRangeScope
scope_from_word (const char *word)
{
  for (LoomRangeScope scope = 0; scope < LOOM_N_RANGE_SCOPES; scope++)
    if (g_strcmp0 (word, scope_words[scope]) == 0)
      return scope;
  return LOOM_RANGE_SCOPE_ALL;
}

static void
collect_view (LoomSession *session, LoomTimelineState *state)
{
  const LoomViewport *viewport = loom_timeline_state_get_viewport (state);
  session->has_view = !loom_timeline_state_is_as_opened (state);
  session->view = (LoomRange) { viewport->begin_ns, viewport->end_ns };
  session->scroll_px = (gint64) viewport->scroll_px;
  session->selection = loom_timeline_state_get_range (state);
  guint n;
  const LoomMarker *marks = loom_timeline_state_get_marks (state, &n);
  for (guint i = 0; i < n; i++)
    if (!marks[i].temporary)
      loom_session_file_add_mark (session, marks[i].time_ns, marks[i].label);
}

static void
collect_chart (LoomSession *session, LoomQueryState *query)
{
  const char *kind = loom_query_chart_kind_to_word (loom_query_state_get_chart (query));
  if (kind != NULL)
    session->chart =
      (LoomSessionChart) { g_strdup (kind), g_strdup (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_X)),
                           g_strdup (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_Y)),
                           g_strdup (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_GROUP)) };
}

static void
apply_chart (const LoomSessionChart *chart, LoomQueryState *query)
{
  loom_query_state_set_chart_column (query, LOOM_QUERY_CHART_X, chart->x);
  loom_query_state_set_chart_column (query, LOOM_QUERY_CHART_Y, chart->y);
  loom_query_state_set_chart_column (query, LOOM_QUERY_CHART_GROUP, chart->group);
  loom_query_state_set_chart (query, loom_query_chart_kind_from_word (chart->kind));
}

static void
collect_queries (LoomSession *session, LoomSavedQueries *saved)
{
  for (guint i = 0; i < loom_saved_queries_get_n (saved); i++)
    loom_session_file_add_query (session, loom_saved_queries_get_name (saved, i),
                                 loom_saved_queries_get_text (saved, i));
}

/* Restores the saved queries. If the run was only loaded again, the queries that the user has saved meanwhile are
 * kept. */
static void
restore_queries (const LoomSession *session, LoomSavedQueries *saved)
{
  g_autofree char *chosen = g_strdup (loom_saved_queries_get_chosen (saved));
  for (guint i = 0; i < session->queries->len; i++) {
    const LoomSessionQuery *query = &g_array_index (session->queries, LoomSessionQuery, i);
    if (loom_saved_queries_find (saved, query->name) == NULL)
      loom_saved_queries_save (saved, query->name, query->query);
  }
  loom_saved_queries_choose (saved, chosen);
}

static void
collect_lanes (LoomSession *session, LoomQueryLanes *lanes)
{
  for (guint i = 0; i < loom_query_lanes_get_n (lanes); i++)
    loom_session_file_add_lane (session, loom_query_lanes_get_name (lanes, i), loom_query_lanes_get_text (lanes, i));
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
loom_session_state_collect (LoomRunState *run)
{
  LoomDocument *document = loom_run_state_get_document (run);
  LoomSession *session = loom_session_file_new ();
  const char *const *paths = loom_document_get_paths (document);
  for (guint i = 0; paths[i] != NULL; i++)
    loom_session_file_add_path (session, paths[i]);
  loom_clock_overrides_add (session->clocks, loom_document_get_clock_edits (document));
  loom_source_overrides_free (session->sources);
  session->sources = loom_source_overrides_copy (loom_document_get_source_edits (document));
  collect_view (session, state_of (run));
  g_autoptr (GVariant) rows = loom_row_list_save (loom_timeline_state_get_row_list (state_of (run)));
  if (g_variant_n_children (rows) > 0)
    session->rows = g_variant_print (rows, TRUE);
  LoomSpanColorMode look = loom_timeline_state_get_look (state_of (run));
  session->colors =
    look.color_by != LOOM_COLOR_BY_NAME ? g_strdup (loom_span_color_mode_color_word (look.color_by)) : NULL;
  session->arrows = look.all_flows;
  session->path = loom_path_display_get_shown (loom_run_state_get_path (run));
  session->query = loom_query_state_dup_own_text (loom_run_state_get_query (run));
  collect_chart (session, loom_run_state_get_query (run));
  collect_queries (session, loom_run_state_get_saved_queries (run));
  collect_lanes (session, loom_run_state_get_lanes (run));
  collect_dismissed (session, loom_run_rules_get_dismissed (loom_run_state_get_rules (run)));
  const char *const *rules = loom_run_rules_get_files (loom_run_state_get_rules (run));
  for (guint i = 0; rules[i] != NULL; i++)
    g_ptr_array_add (session->rule_files, g_strdup (rules[i]));
  session->panel = g_strdup (loom_run_state_get_page (run));
  session->range = g_strdup (scope_words[loom_analysis_context_get_scope (loom_run_state_get_analysis (run))]);
  return session;
}

static void
apply_rows (LoomTimelineState *state, const char *text)
{
  g_autoptr (GVariant) rows =
    text != NULL ? g_variant_parse (G_VARIANT_TYPE ("a{sa{sv}}"), text, NULL, NULL, NULL) : NULL;
  if (rows == NULL)
    return;
  loom_row_list_restore (loom_timeline_state_get_row_list (state), rows);
  loom_timeline_state_rows_changed (state);
}

static void
apply_rules (const LoomSession *session, LoomRunRules *rules)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  for (guint i = 0; i < session->rule_files->len; i++)
    g_ptr_array_add (paths, session->rule_files->pdata[i]);
  g_ptr_array_add (paths, NULL);
  loom_run_rules_set_files (rules, (const char *const *) paths->pdata);
}

/* Restores the lanes. If the run was only loaded again, the lanes that the user has added meanwhile are kept. */
static void
restore_lanes (const LoomSession *session, LoomQueryLanes *lanes)
{
  for (guint i = 0; loom_query_lanes_get_n (lanes) < session->lanes->len && i < session->lanes->len; i++) {
    const LoomSessionQuery *lane = &g_array_index (session->lanes, LoomSessionQuery, i);
    loom_query_lanes_restore (lanes, lane->name, lane->query);
  }
}

void
loom_session_state_apply (const LoomSession *session, LoomRunState *run)
{
  LoomRange selected;
  loom_view_commands_pause (state_of (run));
  apply_rows (state_of (run), session->rows);
  loom_timeline_state_set_look (
    state_of (run), (LoomSpanColorMode) { loom_span_color_mode_color_from_word (session->colors), session->arrows });
  for (guint i = 0; i < session->marks->len; i++) {
    const LoomSessionMarker *mark = &g_array_index (session->marks, LoomSessionMarker, i);
    loom_timeline_state_add_mark (state_of (run), mark->time_ns, mark->label);
  }
  if (!loom_timeline_state_get_selected_range (state_of (run), &selected) &&
      session->selection.end_ns > session->selection.begin_ns)
    loom_timeline_state_select_range (state_of (run), session->selection);
  loom_view_commands_resume (state_of (run));
  loom_run_rules_set_dismissed (loom_run_state_get_rules (run), session->dismissed);
  apply_rules (session, loom_run_state_get_rules (run));
  loom_query_state_restore_text (loom_run_state_get_query (run), session->query);
  apply_chart (&session->chart, loom_run_state_get_query (run));
  restore_queries (session, loom_run_state_get_saved_queries (run));
  restore_lanes (session, loom_run_state_get_lanes (run));
  if (loom_analysis_context_get_scope (loom_run_state_get_analysis (run)) == LOOM_RANGE_SCOPE_ALL)
    loom_analysis_context_set_scope (loom_run_state_get_analysis (run), scope_from_word (session->range));
  loom_path_display_set_shown (loom_run_state_get_path (run), session->path);
}

gboolean
loom_session_state_show_page (const LoomSession *session, LoomRunState *run)
{
  if (session->panel != NULL && !loom_run_state_has_page (run, session->panel))
    return FALSE;
  if (session->panel != NULL)
    loom_run_state_set_page (run, session->panel);
  return TRUE;
}

/* Sets the view. First stops a running animation of the view, which would otherwise move the view on to its own
 * target. */
static void
place (LoomRunState *run, const LoomViewport *viewport)
{
  loom_view_animator_stop (loom_run_state_get_flight (run));
  loom_timeline_state_set_viewport (state_of (run), viewport);
}

gboolean
loom_session_state_show_view (const LoomSession *session, LoomRunState *run)
{
  LoomTimelineState *state = state_of (run);
  LoomRange extent = loom_timeline_state_get_extent (state);
  if (!session->has_view || session->view.end_ns <= extent.begin_ns || session->view.begin_ns >= extent.end_ns)
    return FALSE;
  LoomViewport viewport = *loom_timeline_state_get_viewport (state);
  loom_viewport_fit_range (&viewport, extent, session->view, 0);
  viewport.scroll_px = (double) MAX (session->scroll_px, 0);
  place (run, &viewport);
  return TRUE;
}

void
loom_session_state_forget (LoomRunState *run)
{
  LoomTimelineState *state = state_of (run);
  g_autoptr (LoomRowList) fresh = loom_row_list_new ();
  g_autoptr (GVariant) rows = loom_row_list_save (fresh);
  loom_view_commands_pause (state);
  loom_timeline_state_set_row_filter (state, "");
  loom_row_list_restore (loom_timeline_state_get_row_list (state), rows);
  loom_timeline_state_rows_changed (state);
  loom_timeline_state_set_look (state, (LoomSpanColorMode) { 0 });
  loom_timeline_state_remove_marks (state, (LoomRange) { G_MININT64, G_MAXINT64 });
  /* an empty selected range also removes the marks on the rows of a finding */
  loom_timeline_state_select_range (state, (LoomRange) { 0, 0 });
  loom_view_commands_resume (state);
  loom_run_rules_set_dismissed (loom_run_state_get_rules (run), NULL);
  loom_run_rules_set_files (loom_run_state_get_rules (run), NULL);
  loom_query_state_restore_text (loom_run_state_get_query (run), NULL);
  apply_chart (&(LoomSessionChart) { 0 }, loom_run_state_get_query (run));
  loom_saved_queries_clear (loom_run_state_get_saved_queries (run));
  loom_query_lanes_clear (loom_run_state_get_lanes (run));
  loom_path_display_set_shown (loom_run_state_get_path (run), FALSE);
  loom_analysis_context_set_scope (loom_run_state_get_analysis (run), LOOM_RANGE_SCOPE_ALL);
  LoomViewport all = loom_timeline_state_fitted (state);
  place (run, &all);
}
