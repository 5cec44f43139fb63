/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the alignment of each clock as JSON and as text.
 */
#include "loom-alignment-section.h"

#include <math.h>

#include "loom-archive-path.h"
#include "loom-json-util.h"
#include "loom-locale.h"
#include "loom-page-clocks.h"
#include "loom-rank-label.h"
#include "loom-run-info.h"

static const LoomClockFit *
fit_of (LoomTimeline *timeline, guint source)
{
  return loom_alignment_get (loom_timeline_get_alignment (timeline),
                             loom_run_get_clock_of_source (loom_timeline_get_run (timeline), source));
}

static void
add_component (JsonBuilder *builder, LoomTimeline *timeline, guint component)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
  for (guint i = 0; i < loom_run_get_n_sources (loom_timeline_get_run (timeline)); i++)
    if (fit_of (timeline, i)->component == component)
      json_builder_add_int_value (builder, i);
}

JsonNode *
loom_alignment_section_to_json (LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "sources");
  json_builder_begin_array (builder);
  for (guint i = 0; i < loom_run_get_n_sources (loom_timeline_get_run (timeline)); i++)
    loom_run_info_build_source (builder, timeline, names, i, TRUE);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "components");
  json_builder_begin_array (builder);
  for (guint i = 0; i < loom_timeline_get_alignment (timeline)->n_components; i++)
    add_component (builder, timeline, i);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static char *
format_ns (double ns)
{
  return loom_time_format_duration (fabs (ns) < 9e18 ? llround (ns) : G_MAXINT64);
}

static void
append_residuals (GString *out, const char *what, const LoomFitResiduals *residuals)
{
  g_autofree char *median = format_ns (residuals->median_ns), *p95 = format_ns (residuals->p95_ns),
                  *most = format_ns (residuals->max_ns);
  g_string_append_printf (out, "    %-8s median %s, 95 of 100 within %s, at most %s\n", what, median, p95, most);
}

/* Appends the offset and the drift of a clock. They were computed from events that were recorded with this clock and
 * also with another clock. The number after ± is half the width of a 95 % confidence interval. */
static void
append_measured (GString *out, const LoomClockFit *fit)
{
  char digits[2][G_ASCII_DTOSTR_BUF_SIZE];
  if (fit->line_error_ns < 0)
    return;
  g_autofree char *offset = loom_time_format_duration (ABS (fit->line.offset_ns)),
                  *error = format_ns (fit->line_error_ns);
  g_string_append_printf (out, "    measured %s %s ± %s", offset, fit->line.offset_ns < 0 ? "earlier" : "later", error);
  if (fit->line_drift_error_ppb >= 0)
    g_string_append_printf (
      out, ", drift %s ± %s ppb",
      g_ascii_formatd (digits[0], sizeof digits[0], "%.1f", (double) fit->line.drift_ppt / 1000.0),
      g_ascii_formatd (digits[1], sizeof digits[1], "%.3g", fit->line_drift_error_ppb));
  g_string_append (out, " (95 %)\n");
}

/* Appends the node and the rank of a source, unless they are unknown. */
static void
append_place (GString *out, const LoomSource *source, const LoomSourceOverrides *names)
{
  if (source->node != NULL && source->node[0] != '\0' && loom_source_overrides_says_node (names, source->path)) {
    g_autofree char *node = loom_archive_path_dup_printable (source->node);
    g_string_append_printf (out, "    node     %s\n", node);
  }
  if (source->rank >= 0)
    g_string_append_printf (out, "    %-8s %d\n",
                            loom_rank_label_is_process (source->format, source->rank) ? "process" : "rank",
                            source->rank);
}

/* Appends how well the alignment of a clock fits the pairs of events from which it was computed. In a pair, the same
 * event was recorded with this clock and with another clock. The clock must have such pairs. */
static void
append_pairs (GString *out, const LoomClockFit *fit)
{
  append_measured (out, fit);
  g_string_append_printf (out, "    pairs    %u, %u rejected\n", fit->pairs, fit->rejected);
  if (fit->fitted || fit->verdict == LOOM_FIT_QUALITY_REFUSED)
    append_residuals (out, "before", &fit->declared_residuals);
  append_residuals (out,
                    fit->fitted                                ? "after"
                    : fit->verdict == LOOM_FIT_QUALITY_REFUSED ? "refused"
                                                               : "as is",
                    &fit->residuals);
}

static void
append_source (GString *out, LoomTimeline *timeline, const LoomSourceOverrides *names, guint number)
{
  const LoomSource *source = loom_run_get_source (loom_timeline_get_run (timeline), number);
  const LoomClockFit *fit = fit_of (timeline, number);
  g_autofree char *path = loom_archive_path_dup_shown (source->path);
  const char *name = loom_source_overrides_get_name (names, source->path);
  g_autofree char *shown = loom_archive_path_dup_printable (name != NULL ? name : "");
  g_string_append_printf (out, "%3u %s\n", number, path);
  if (name != NULL)
    g_string_append_printf (out, "    name     %s\n", shown);
  append_place (out, source, names);
  g_string_append (out, "    clock    ");
  loom_run_info_append_clock (out, fit, TRUE);
  g_string_append_c (out, '\n');
  g_string_append_printf (out, "    verdict  %s%s%s%s\n", loom_fit_quality_to_string (fit->verdict),
                          loom_page_clocks_is_partial (timeline, fit) ? " in its group" : "",
                          fit->why[0] != '\0' ? ": " : "", fit->why);
  if (fit->pairs > 0)
    append_pairs (out, fit);
}

static void
append_component (GString *out, LoomTimeline *timeline, guint component)
{
  const char *separator = "";
  for (guint i = 0; i < loom_run_get_n_sources (loom_timeline_get_run (timeline)); i++) {
    if (fit_of (timeline, i)->component != component)
      continue;
    g_string_append_printf (out, "%s%u", separator, i);
    separator = ", ";
  }
  g_string_append_c (out, '\n');
}

/* Appends the sentence, in English, that states how far apart two events of different ranks must be for their order to
 * be certain (loom_page_clocks_dup_answer()). */
static void
append_answer (GString *out, LoomTimeline *timeline)
{
  locale_t own = loom_locale_begin_english ();
  g_autoptr (GArray) clocks = loom_page_clocks_list (timeline);
  g_autofree char *answer = loom_page_clocks_dup_answer (timeline, clocks);
  loom_locale_end_english (own);
  g_string_append_printf (out, "\n%s\n", answer);
}

char *
loom_alignment_section_to_text (LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  guint n_components = loom_timeline_get_alignment (timeline)->n_components;
  g_autofree char *summary = loom_run_info_summarise (timeline);
  GString *out = g_string_new (summary);
  append_answer (out, timeline);
  g_string_append (out, "\nSources\n");
  for (guint i = 0; i < loom_run_get_n_sources (loom_timeline_get_run (timeline)); i++)
    append_source (out, timeline, names, i);
  g_string_append (out, n_components > 0 ? "\nRun together\n" : "\nNothing connects these sources\n");
  for (guint i = 0; i < n_components; i++) {
    g_string_append (out, "    sources ");
    append_component (out, timeline, i);
  }
  return g_string_free (out, FALSE);
}
