/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli render`: draws the timeline, or a range of it, to a PNG, SVG or PDF file. The picture
 * looks like the timeline in the window.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-bottlenecks.h"
#include "loom-cli.h"
#include "loom-json-util.h"
#include "loom-query-answer.h"
#include "loom-query-library.h"
#include "loom-timeline-image.h"

#define DEFAULT_WIDTH 1600
#define DEFAULT_HEIGHT 900
#define MAX_PIXELS 32767

typedef struct {
  char *output;
  char *size_word;
  char *theme_word;
  char **lane_names;
  GPtrArray *lanes; /* LoomNamedQuery: queries whose results are drawn as lanes */
  gint64 width, height;
  gboolean is_dark, has_path;
} RenderOptions;

/* Prints how many rows of the timeline were omitted because the picture is not high enough. */
static void
tell_cut (const RenderOptions *own, const LoomTimelineImageFit *fit)
{
  if (fit->n_cut == 0)
    return;
  const char *rows = fit->n_rows == 1 ? "row lies" : fit->n_cut == 1 ? "rows lies" : "rows lie";
  if (fit->whole_height_px <= MAX_PIXELS)
    loom_cli_message ("%u of %u %s below the end of the image; --size %dx%d shows all", fit->n_cut, fit->n_rows, rows,
                      (int) own->width, fit->whole_height_px);
  else
    loom_cli_message (
      "%u of %u %s below the end of the image, and %d pixels would be needed for all: an image has %d at most",
      fit->n_cut, fit->n_rows, rows, fit->whole_height_px, MAX_PIXELS);
}

static LoomExitStatus
print_result (LoomCliJob *job, const RenderOptions *own, const LoomTimelineImageFit *fit)
{
  JsonBuilder *builder = json_builder_new ();
  json_builder_begin_object (builder);
  loom_json_util_add_path (builder, "path", own->output);
  loom_json_util_add_int (builder, "width", own->width);
  loom_json_util_add_int (builder, "height", own->height);
  loom_json_util_add_int (builder, "n_rows", fit->n_rows);
  loom_json_util_add_int (builder, "n_rows_cut", fit->n_cut);
  loom_json_util_add_int (builder, "height_of_all", fit->whole_height_px);
  loom_json_util_add_bool (builder, "incomplete", job->incomplete);
  json_builder_end_object (builder);
  return loom_cli_job_print_json (job, builder);
}

/* Returns the times of bottlenecks in the whole run (gint64, ns on the timeline). Uses the default limits of the
 * window. Owned by the caller. */
static GArray *
find_bottlenecks (LoomTimeline *timeline)
{
  if (!loom_bottlenecks_have_metrics (timeline))
    return g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  return loom_bottlenecks_find_times (frame, &phases, LOOM_BOTTLENECK_LIMITS);
}

/* Returns the critical path of a range; if `range` is NULL, that of the whole run. If no option and no session requests
 * the path, returns NULL. If the path cannot be computed, prints a message and returns NULL. */
static LoomPathOverlay *
find_path (const LoomCliJob *job, const RenderOptions *own, const LoomRange *range)
{
  LoomRange whole = { 0, 0 };
  const char *missing = NULL;
  if (!own->has_path && !job->has_path)
    return NULL;
  loom_timeline_get_extent (job->timeline, &whole);
  LoomPathOverlay *path =
    loom_path_overlay_new_of_range (job->timeline, range != NULL ? *range : whole, NULL, &missing);
  if (path == NULL)
    loom_cli_message ("without the critical path: %s", missing);
  return path;
}

/* Runs a query, and returns its rows as a lane of the timeline. On failure, returns NULL and sets `error`. */
static LoomResultLane *
make_lane (LoomQueryRun *run, const LoomNamedQuery *query, GError **error)
{
  g_autoptr (LoomQueryAnswer) answer =
    loom_query_answer_new (run, query->sql, (const char *const *) query->defaults, LOOM_QUERY_ANSWER_MOST, NULL, error);
  LoomResultLane *lane = answer != NULL ? loom_query_answer_make_lane (answer) : NULL;
  if (answer != NULL && lane == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                 answer->table->n_rows == 0
                   ? "the query “%s” has no rows"
                   : "the rows of the query “%s” do not give a lane: they have no id of a span, "
                     "no start and duration, and no time and number",
                 query->name);
  return lane;
}

/* Appends the lanes that are named on the command line (LoomTimelineImageLane; `lane` is an owned reference). If a
 * lane cannot be drawn, prints a message and omits it. */
static void
add_lanes (const LoomCliJob *job, const RenderOptions *own, GArray *lanes)
{
  g_autoptr (LoomQueryRun) run = own->lanes->len > 0 ? loom_query_run_new (job->timeline) : NULL;
  for (guint i = 0; i < own->lanes->len; i++) {
    g_autoptr (GError) error = NULL;
    const LoomNamedQuery *query = own->lanes->pdata[i];
    LoomTimelineImageLane lane = { query->title, make_lane (run, query, &error), lanes->len };
    if (lane.lane == NULL) {
      loom_cli_message ("without a lane: %s", error->message);
      continue;
    }
    if (loom_result_lane_is_cut (lane.lane))
      loom_cli_message ("the lane “%s” shows only the first %d rows", query->name, LOOM_QUERY_ANSWER_MOST);
    if (loom_result_lane_is_series_cut (lane.lane))
      loom_cli_message ("the lane “%s” shows only the first %d series", query->name, LOOM_RESULT_LANE_MOST_SERIES);
    g_array_append_val (lanes, lane);
  }
}

static void
clear_lane (gpointer data)
{
  loom_result_lane_unref ((LoomResultLane *) ((LoomTimelineImageLane *) data)->lane);
}

/* Limits the range to the run, because the picture ends where the run ends. */
static void
limit_to_run (LoomTimeline *timeline, LoomRange *range)
{
  LoomRange extent;
  if (!loom_timeline_get_extent (timeline, &extent))
    return;
  range->begin_ns = MAX (range->begin_ns, extent.begin_ns);
  range->end_ns = MIN (range->end_ns, extent.end_ns);
}

/* Writes the picture of a range; if `range` is NULL, of the whole run. */
static gboolean
write_picture (LoomCliJob *job, const RenderOptions *own, const LoomRange *range, LoomTimelineImageFit *fit,
               GError **error)
{
  g_autoptr (GArray) bottlenecks = find_bottlenecks (job->timeline);
  g_autoptr (LoomPathOverlay) path = find_path (job, own, range);
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (LoomTimelineImageLane));
  g_array_set_clear_func (lanes, clear_lane);
  add_lanes (job, own, lanes);
  const LoomTimelineImageExtras extras = {
    .rows = job->rows,
    .names = job->edits,
    .bottlenecks_ns = (const gint64 *) (gpointer) bottlenecks->data,
    .n_bottlenecks = bottlenecks->len,
    .path = path,
    .lanes = (const LoomTimelineImageLane *) (gpointer) lanes->data,
    .n_lanes = lanes->len,
  };
  return loom_timeline_image_to_file (job->timeline, own->output, (int) own->width, (int) own->height,
                                      own->is_dark ? LOOM_THEME_DARK : LOOM_THEME_LIGHT, range, &extras, fit, error);
}

static LoomExitStatus
run_render (LoomCliJob *job, gpointer data)
{
  const RenderOptions *own = data;
  LoomRange range;
  LoomTimelineImageFit fit;
  gboolean has_range;
  GError *error = NULL;
  if (!loom_cli_job_get_range (job, FALSE, &has_range, &range, &error))
    return loom_cli_job_fail (job, error);
  if (has_range && !loom_cli_job_touches (job, &range))
    return LOOM_EXIT_STATUS_FAILED;
  if (has_range)
    limit_to_run (job->timeline, &range);
  if (!write_picture (job, own, has_range ? &range : NULL, &fit, &error))
    return loom_cli_job_fail (job, error);
  if (loom_cli_options_wants_result (&job->options, own->output))
    return print_result (job, own, &fit);
  if (!job->options.quiet)
    tell_cut (own, &fit);
  return loom_cli_job_finish (job);
}

/* Parses a number without a sign at `*text`, and sets `*text` to the end of its digits. Returns 0 if there are no
 * digits. If the number does not fit in a gint64, returns a number that the caller rejects as too large. */
static gint64
parse_side (const char **text)
{
  char *end = (char *) *text;
  gint64 side = g_ascii_isdigit (**text) ? g_ascii_strtoll (*text, &end, 10) : 0;
  *text = end;
  return side;
}

static gboolean
check_size (RenderOptions *own)
{
  own->width = DEFAULT_WIDTH;
  own->height = DEFAULT_HEIGHT;
  if (own->size_word == NULL)
    return TRUE;
  const char *text = own->size_word;
  own->width = parse_side (&text);
  gboolean good = *text++ == 'x';
  own->height = good ? parse_side (&text) : 0;
  if (!good || *text != '\0' || own->width <= 0 || own->height <= 0)
    return loom_cli_usage_error ("render", "--size is WIDTHxHEIGHT in pixels, such as 1600x900, not “%s”",
                                 own->size_word);
  return (own->width <= MAX_PIXELS && own->height <= MAX_PIXELS) ||
         loom_cli_usage_error ("render", "--size is %dx%d at most, not “%s”", MAX_PIXELS, MAX_PIXELS, own->size_word);
}

static gboolean
check_output (const RenderOptions *own)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };
  g_autofree char *lower = own->output != NULL ? g_ascii_strdown (own->output, -1) : NULL;
  for (guint i = 0; lower != NULL && i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  if (own->output == NULL)
    return loom_cli_usage_error ("render", "say where to with -o FILE.png, FILE.svg or FILE.pdf");
  g_autofree char *shown = loom_archive_path_dup_printable (own->output);
  return loom_cli_usage_error ("render", "The file name “%s” must end in .png, .svg or .pdf", shown);
}

/* Finds the queries of the lanes by their names. If a name is unknown, prints a message and returns FALSE, as for a
 * wrong option. */
static gboolean
check_lanes (RenderOptions *own)
{
  for (guint i = 0; own->lane_names != NULL && own->lane_names[i] != NULL; i++) {
    LoomNamedQuery *query = loom_query_library_find (own->lane_names[i]);
    if (query == NULL)
      return loom_cli_usage_error ("render", "there is no query “%s”; “traceloom-cli query --list” shows their names",
                                   own->lane_names[i]);
    g_ptr_array_add (own->lanes, query);
  }
  return TRUE;
}

static LoomExitStatus
check (LoomCliJob *job, gpointer data)
{
  RenderOptions *own = data;
  job->output = own->output;
  gboolean good = check_output (own) && check_size (own) && check_lanes (own) &&
                  loom_cli_options_parse_word ("render", "--theme", own->theme_word, "light", "dark", &own->is_dark);
  return good ? LOOM_EXIT_STATUS_DONE : LOOM_EXIT_STATUS_USAGE;
}

LoomExitStatus
loom_cli_render (int argc, char **argv)
{
  static const LoomCliVerb verb = { "-o FILE", N_ ("Draws the timeline as the window does."), TRUE, check, run_render };
  LoomCliJob job = { .writes = TRUE, .options.writes_result = TRUE };
  RenderOptions own = { .lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_query_library_free_query) };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.output, N_ ("The image to write: .png, .svg or .pdf"), "FILE" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &own.size_word, N_ ("Size in pixels (default: 1600x900)"), "WxH" },
    { "theme", 0, 0, G_OPTION_ARG_STRING, &own.theme_word, N_ ("Color style: light (default) or dark"), "WORD" },
    { "critical-path", 0, 0, G_OPTION_ARG_NONE, &own.has_path,
      N_ ("Mark the critical path that leads to the end of the range, and dim the rest"), NULL },
    { "lane", 0, 0, G_OPTION_ARG_STRING_ARRAY, &own.lane_names,
      N_ ("Show the rows of a named query above the timeline, for example launch-queue (repeatable)"), "NAME" },
    { NULL }
  };
  LoomExitStatus status = loom_cli_job_run (&job, &verb, entries, &own, argc, argv);
  g_free (own.output);
  g_free (own.size_word);
  g_free (own.theme_word);
  g_strfreev (own.lane_names);
  g_ptr_array_unref (own.lanes);
  return status;
}
