/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the critical path by kind of work, rank, step and name as JSON and as text.
 */
#include "loom-path-section.h"

#include "loom-report-private.h"
#include "loom-span-analysis.h"

/* Maximum number of names in the report as text; the JSON document lists all names. */
#define N_NAMES 10

static void
build_savings (JsonBuilder *builder, const gint64 *saving_ns)
{
  loom_json_util_add_int (builder, "saved_if_faster_ns", saving_ns[LOOM_PATH_CHANGE_FASTER]);
  loom_json_util_add_int (builder, "saved_if_free_ns", saving_ns[LOOM_PATH_CHANGE_FREE]);
}

static void
build_kinds (JsonBuilder *builder, const LoomCriticalPath *path)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "kinds");
  for (guint i = 0; i < LOOM_N_PATH_KINDS; i++) {
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "kind", loom_critical_path_kind_to_string (i));
    loom_json_util_add_int (builder, "path_ns", path->kinds_ns[i]);
    build_savings (builder, path->kind_saving_ns[i]);
  }
}

static void
build_ranks (JsonBuilder *builder, const LoomCriticalPath *path)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < path->ranks->len; i++) {
    const LoomPathRank *rank = &g_array_index (path->ranks, LoomPathRank, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_report_add_rank (builder, rank->rank, FALSE);
    loom_json_util_add_int (builder, "path_ns", rank->path_ns);
  }
}

static void
build_step (JsonBuilder *builder, const LoomPathStep *step)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "step", step->number);
  loom_json_util_add_int (builder, "begin_rank", step->begin_rank);
  loom_json_util_add_int (builder, "end_rank", step->end_rank);
  loom_json_util_add_int (builder, "begin_ns", step->range.begin_ns);
  loom_json_util_add_int (builder, "end_ns", step->range.end_ns);
  g_auto (LoomJsonScope) kinds = loom_json_util_open_object (builder, "kinds_ns");
  for (guint i = 0; i < LOOM_N_PATH_KINDS; i++)
    loom_json_util_add_int (builder, loom_critical_path_kind_to_string (i), step->kinds_ns[i]);
}

static void
build_steps (JsonBuilder *builder, const LoomCriticalPath *path)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "steps");
  for (guint i = 0; i < path->steps->len; i++)
    build_step (builder, &g_array_index (path->steps, LoomPathStep, i));
}

static void
build_name (JsonBuilder *builder, const LoomPathName *name)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", name->name);
  loom_json_util_add_text (builder, "kind", loom_critical_path_kind_to_string (name->kind));
  loom_json_util_add_int (builder, "stretches", (gint64) name->n);
  loom_json_util_add_int (builder, "path_ns", name->path_ns);
  if (!name->is_known)
    return;
  build_savings (builder, name->saving_ns);
  if (name->slack_ns >= 0)
    loom_json_util_add_int (builder, "mean_slack_ns", name->slack_ns);
}

static void
build_names (JsonBuilder *builder, const LoomCriticalPath *path)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "names");
  for (guint i = 0; i < path->names->len; i++)
    build_name (builder, &g_array_index (path->names, LoomPathName, i));
}

static void
build_shares (JsonBuilder *builder, const char *member, const char *what, const GArray *shares)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, member);
  for (guint i = 0; i < shares->len; i++) {
    const LoomPathShare *share = &g_array_index (shares, LoomPathShare, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, what, share->name);
    loom_json_util_add_int (builder, "path_ns", share->path_ns);
    if (share->is_known)
      build_savings (builder, share->saving_ns);
  }
}

void
loom_path_section_build (const LoomCriticalPath *path, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "critical_path");
  loom_report_add_missing (builder, loom_critical_path_get_missing (path));
  loom_report_add_advice (builder, loom_critical_path_get_advice (path));
  loom_json_util_add_int (builder, "begin_ns", path->range.begin_ns);
  loom_json_util_add_int (builder, "length_ns", loom_critical_path_get_length (path));
  loom_json_util_add_int (builder, "joins", (gint64) path->n_joins);
  loom_json_util_add_int (builder, "unjoined", (gint64) path->n_unjoined);
  loom_json_util_add_int (builder, "inferred_waits", (gint64) path->n_inferred);
  loom_json_util_add_int (builder, "earlier_recordings", path->n_earlier);
  build_kinds (builder, path);
  build_ranks (builder, path);
  build_steps (builder, path);
  build_names (builder, path);
  build_shares (builder, "axes", "axis", path->axes);
  build_shares (builder, "modules", "module", path->modules);
}

static void
write_name (const LoomCriticalPath *path, const LoomPathName *name, GString *out)
{
  static const char *const words[LOOM_N_PATH_KINDS] = {
    [LOOM_PATH_KIND_LAUNCH] = "launch of ", [LOOM_PATH_KIND_PAUSE] = "pause before "
  };
  g_autofree char *time = loom_time_format_duration (name->path_ns), *shown = loom_span_analysis_dup_name (name->name);
  g_string_append_printf (
    out, "  %5.1f %%  %s, %s%s", 100 * (double) name->path_ns / (double) loom_critical_path_get_length (path), time,
    words[name->kind] != NULL ? words[name->kind] : "", shown[0] != '\0' ? shown : "between spans");
  if (name->is_known) {
    g_autofree char *faster = loom_time_format_duration (name->saving_ns[LOOM_PATH_CHANGE_FASTER]),
                    *free = loom_time_format_duration (name->saving_ns[LOOM_PATH_CHANGE_FREE]);
    g_string_append_printf (out, "; 20 %% faster saves %s, free saves %s", faster, free);
  }
  g_string_append_c (out, '\n');
}

static void
write_shares (const LoomCriticalPath *path, const GArray *shares, const char *prefix, const char *suffix, GString *out)
{
  for (guint i = 0; i < MIN (shares->len, N_NAMES); i++) {
    const LoomPathShare *share = &g_array_index (shares, LoomPathShare, i);
    g_autofree char *time = loom_time_format_duration (share->path_ns),
                    *shown = loom_span_analysis_dup_name (share->name),
                    *faster = loom_time_format_duration (share->saving_ns[LOOM_PATH_CHANGE_FASTER]),
                    *free = loom_time_format_duration (share->saving_ns[LOOM_PATH_CHANGE_FREE]);
    if (share->path_ns > 0)
      g_string_append_printf (out, "  %5.1f %%  %s, %s%s%s; 20 %% faster saves %s, free saves %s\n",
                              100 * (double) share->path_ns / (double) loom_critical_path_get_length (path), time,
                              prefix, shown, suffix, faster, free);
  }
}

void
loom_path_section_write (const LoomCriticalPath *path, GString *out)
{
  const char *missing = loom_critical_path_get_missing (path);
  g_string_append (out, "\nCritical path\n");
  if (missing != NULL || path->stretches->len == 0) {
    loom_report_write_missing (out, missing != NULL ? missing : "There is none in this range.",
                               loom_critical_path_get_advice (path));
    return;
  }
  g_autofree char *time = loom_time_format_duration (loom_critical_path_get_length (path));
  g_string_append_printf (out, "  %s:", time);
  for (guint i = 0, n = 0; i < LOOM_N_PATH_KINDS; i++)
    if (path->kinds_ns[i] > 0)
      g_string_append_printf (out, "%s %.1f %% %s", n++ > 0 ? "," : "",
                              100 * (double) path->kinds_ns[i] / (double) loom_critical_path_get_length (path),
                              loom_critical_path_kind_to_string (i));
  g_string_append_c (out, '\n');
  if (path->n_earlier > 0)
    g_string_append_printf (out, "  Recordings that end before the path begins, and that it does not contain: %u\n",
                            path->n_earlier);
  for (guint i = 0; i < MIN (path->names->len, N_NAMES); i++)
    write_name (path, &g_array_index (path->names, LoomPathName, i), out);
  write_shares (path, path->axes, "", " transfers", out);
  write_shares (path, path->modules, "modules ", "", out);
}
