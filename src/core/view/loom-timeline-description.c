/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-timeline-description.h: texts about spans, counters, ranges and the view.
 */
#include "loom-timeline-description.h"

#include "loom-collective-flows.h"
#include "loom-ellipsize.h"
#include "loom-lane-time.h"
#include "loom-locale-number.h"
#include "loom-si-format.h"
#include "loom-span-children.h"
#include "loom-track-label.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* maximum width, in characters, of two shares in one line, without the separator; the card is at most 64 characters
 * wide (ui/loom-hover-card.ui) */
#define MAX_SHARE_CHARS 56
#define LEAST_PERCENT 0.5 /* Shares of less than this percentage are omitted, because they would be written as 0 %. */
#define IDLE_FILL 0.005 /* lanes with a lower busy share are “idle” or “< 1 % busy” in descriptions, not “0 % busy” */

char *
loom_timeline_description_working (double fraction)
{
  return fraction < 0 ? g_strdup (_ ("Working…")) : g_strdup_printf (_ ("Working… %d %%"), (int) (100 * fraction));
}

char *
loom_timeline_description_value (double value, const char *unit)
{
  gboolean bytes = g_str_equal (unit, "B") || g_str_has_prefix (unit, "B/s");
  if (bytes && fabs (value) < 1e18) {
    g_autofree char *size = g_format_size ((guint64) fabs (value));
    return g_strconcat (value < 0 ? "−" : "", size, unit + 1, NULL);
  }
  const char *gap = *unit != '\0' ? " " : "";
  gboolean whole = fabs (value) < 1e15 && value == floor (value);
  g_autofree char *digits = whole ? g_strdup_printf ("%'.0f", value) : g_strdup_printf ("%'.6g", value);
  g_autofree char *number = loom_locale_number_typeset (digits);
  return g_strconcat (number, gap, unit, NULL);
}

static LoomTrace *
trace_of (LoomTimelineState *state, LoomSpanId span)
{
  return loom_run_get_trace (loom_timeline_get_run (loom_timeline_state_get_timeline (state)), span.trace);
}

static const LoomName *
name_of (LoomTimelineState *state, LoomSpanId span)
{
  LoomTrace *trace = trace_of (state, span);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span]);
}

const char *
loom_timeline_description_name (LoomTimelineState *state, LoomSpanId span)
{
  const char *text = name_of (state, span)->text;
  return *text != '\0' ? text : _ ("(no name)");
}

static void
append_title (GString *out, const char *title)
{
  g_autofree char *markup = loom_ellipsize_markup (title);
  g_string_append_printf (out, "<b>%s</b>", markup);
}

static void
append_line (GString *out, const char *text)
{
  g_autofree char *markup = loom_ellipsize_markup (text);
  g_string_append_printf (out, "\n%s", markup);
}

static void
append_dim_line (GString *out, const char *text)
{
  g_autofree char *markup = loom_ellipsize_markup (text);
  g_string_append_printf (out, "\n<span alpha=\"70%%\">%s</span>", markup);
}

static char *
reading_of (LoomTimelineState *state, gint64 time_ns)
{
  return loom_ruler_format (loom_timeline_state_get_timeline (state), loom_timeline_state_get_steps (state),
                            loom_timeline_state_get_reading (state), time_ns);
}

char *
loom_timeline_description_when (LoomTimelineState *state, LoomRange range)
{
  if (range.end_ns <= range.begin_ns || loom_timeline_state_get_timeline (state) == NULL)
    return g_strdup ("");
  gint64 length_ns = loom_time_sub (range.end_ns, range.begin_ns);
  g_autofree char *duration = loom_time_format_duration (length_ns),
                  *from = loom_ruler_format_near (loom_timeline_state_get_timeline (state),
                                                  loom_timeline_state_get_steps (state),
                                                  loom_timeline_state_get_reading (state), range.begin_ns, length_ns);
  return g_strdup_printf (_ ("%s starting at %s"), duration, from);
}

/* Formats a time in the unit of the ruler. If the ruler shows steps, the time is expressed in the steps of the span's
 * rank. */
static char *
reading_of_span (LoomTimelineState *state, LoomSpanId span, gint64 time_ns)
{
  guint32 track, row;
  const LoomTrace *trace = trace_of (state, span);
  loom_trace_locate_span (trace, span.span, &track, &row);
  LoomTrackId id = { span.trace, track };
  return loom_ruler_format_for (loom_timeline_state_get_timeline (state), loom_timeline_state_get_steps (state),
                                loom_timeline_state_get_reading (state), &id, time_ns);
}

static void
append_span (GString *out, LoomTimelineState *state, LoomSpanId span)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), span, &start_ns, &end_ns);
  const LoomName *name = name_of (state, span);
  g_autofree char *duration = loom_time_format_exact (end_ns - start_ns);
  g_autofree char *line =
    *name->category != '\0' ? g_strdup_printf ("%s · %s", duration, name->category) : g_steal_pointer (&duration);
  append_line (out, line);
}

static void
append_start (GString *out, const char *start)
{
  g_autofree char *line = g_strdup_printf (_ ("Start %s"), start);
  append_dim_line (out, line);
}

/* Returns the step of the span's rank in which the span starts, and the time since the start of this step: "step 12 +
 * 3.4 ms". Owned by the caller. Returns NULL in three cases: the span starts in no step; the span is the step itself;
 * or the ruler shows steps, so that the description contains the step already. */
static char *
dup_step_of (LoomTimelineState *state, LoomSpanId span, gint64 start_ns)
{
  const LoomTrace *trace = trace_of (state, span);
  LoomSteps *steps = loom_timeline_state_get_steps (state);
  const LoomStep *step = NULL;
  guint32 track, row;
  if (steps == NULL || loom_timeline_state_get_reading (state) == LOOM_RULER_UNIT_STEP)
    return NULL;
  loom_trace_locate_span (trace, span.span, &track, &row);
  const LoomTrack *of = loom_trace_get_track (trace, track);
  /* if only one rank has steps, tracks without a rank are assumed to belong to this rank */
  if (!loom_steps_at_rank (steps, of->node, of->rank, of->format, start_ns, &step) && steps->n_ranks <= 1)
    step = loom_steps_at (steps, start_ns);
  if (step == NULL || start_ns >= step->end_ns || loom_timeline_span_id_equal (step->span, span))
    return NULL;
  LoomTrackId id = { span.trace, track };
  return loom_ruler_format_step (loom_timeline_state_get_timeline (state), steps, &id, start_ns);
}

/* Appends the start of a span, and the step in which it starts. */
static void
append_start_of_span (GString *out, LoomTimelineState *state, LoomSpanId span, gint64 start_ns, const char *start)
{
  g_autofree char *step = dup_step_of (state, span, start_ns);
  g_autofree char *text = step != NULL ? g_strdup_printf ("%s · %s", start, step) : g_strdup (start);
  append_start (out, text);
}

/* Appends the self time of the span, if it has children. */
static void
append_self (GString *out, LoomTimelineState *state, LoomSpanId span)
{
  const LoomTrace *trace = trace_of (state, span);
  gint64 self_ns = loom_span_children_self_ns (trace, span.span);
  if (self_ns < 0 || self_ns == loom_trace_get_spans (trace)->dur_ns[span.span])
    return;
  g_autofree char *self = loom_time_format_exact (self_ns);
  g_autofree char *line = g_strdup_printf (_ ("Self time %s"), self);
  append_line (out, line);
}

static gboolean
is_open (LoomTimelineState *state, LoomSpanId span)
{
  LoomRef ref = loom_trace_get_spans (trace_of (state, span))->ref[span.span];
  return ref != LOOM_REF_NONE && (loom_source_ref_flags (ref) & LOOM_REF_OPEN) != 0;
}

static void
append_path (GString *out, LoomTimelineState *state, LoomSpanId span)
{
  const LoomPathOverlay *path = loom_timeline_state_get_path (state);
  g_autofree char *words = path != NULL ? loom_path_overlay_dup_words (path, span) : NULL;
  if (words != NULL)
    append_dim_line (out, words);
}

static void
describe_span (GString *out, LoomTimelineState *state, const LoomDrawHit *hit)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), hit->span, &start_ns, &end_ns);
  g_autofree char *start = reading_of_span (state, hit->span, start_ns);
  append_title (out, loom_timeline_description_name (state, hit->span));
  if (hit->kind == LOOM_DRAW_HIT_INSTANT) {
    append_line (out, start);
    return;
  }
  append_span (out, state, hit->span);
  append_self (out, state, hit->span);
  append_start_of_span (out, state, hit->span, start_ns, start);
  g_autofree char *waits = loom_collective_flows_dup_words (loom_timeline_state_get_collectives (state),
                                                            loom_timeline_state_get_timeline (state), hit->span);
  if (waits != NULL)
    append_dim_line (out, waits);
  append_path (out, state, hit->span);
  if (hit->kind == LOOM_DRAW_HIT_SPAN && is_open (state, hit->span))
    append_dim_line (out, /* Translators: a span without an end */ _ ("unterminated"));
}

/* Returns TRUE if a span of a device is a wait, for example for other work, so that the device may be idle during the
 * span. */
static gboolean
is_wait_of_device (LoomTimelineState *state, LoomSpanId span)
{
  const LoomTrace *trace = trace_of (state, span);
  const LoomName *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span]);
  return loom_work_kind_classify (name->text, name->category, TRUE) == LOOM_WORK_KIND_NONE;
}

/* Returns TRUE if the span is on a device and is work, not a wait. Used for a pixel that contains several spans: on
 * devices, the longest work among them is drawn, so that a wait does not hide work. */
static gboolean
shows_work (LoomTimelineState *state, LoomSpanId span)
{
  const LoomTrace *trace = trace_of (state, span);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  return loom_trace_track_is_device (loom_trace_get_track (trace, track)) && !is_wait_of_device (state, span);
}

static void
describe_crowd (GString *out, LoomTimelineState *state, const LoomDrawHit *hit)
{
  describe_span (out, state, hit);
  g_autofree char *count = loom_locale_number_group (hit->count);
  g_autofree char *line = g_strdup_printf (
    shows_work (state, hit->span) ? /* Translators: one pixel shows %s spans of a device; the longest work of them is
                                     * drawn; waits are not work */
      ngettext ("longest work of %s span here", "longest work of %s spans here", hit->count)
                                  : ngettext ("longest of %s span here", "longest of %s spans here", hit->count),
    count);
  append_dim_line (out, line);
}

/* --- lane of a group ---------------------------------------------------------------------------------------------- */

static double
get_percent (gint64 part_ns, LoomRange range)
{
  return 100.0 * (double) part_ns / (double) (range.end_ns - range.begin_ns);
}

/* Returns the width of the last line of `text`, in characters; characters that are two columns wide count twice. */
static guint
get_last_width (const char *text)
{
  const char *line = strrchr (text, '\n');
  guint width = 0;
  for (const char *at = line != NULL ? line + 1 : text; *at != '\0'; at = g_utf8_next_char (at))
    width += g_unichar_iswide (g_utf8_get_char (at)) ? 2 : 1;
  return width;
}

/* Appends a share to a list such as "62 % computing · 38 % idle", unless it would be written as 0 %. Begins a new line
 * if the share does not fit in the current one, because the card ellipsizes lines. Takes ownership of `text`. */
static void
append_share (GString *list, double percent, char *text)
{
  gboolean fits = get_last_width (list->str) + get_last_width (text) < MAX_SHARE_CHARS;
  if (percent >= LEAST_PERCENT)
    g_string_append_printf (list, "%s%s", list->len == 0 ? "" : fits ? " · " : "\n", text);
  g_free (text);
}

static void
append_waits (GString *list, const LoomLaneTime *time, double percent)
{
  append_share (list, percent,
                time->wait_rank < 0 ? g_strdup_printf (_ ("%.0f %% waiting for other ranks"), percent)
                : time->waits_for_one
                  ? g_strdup_printf (/* Translators: the second number is the number of a rank */
                                     _ ("%.0f %% waiting for rank %d"), percent, time->wait_rank)
                  : g_strdup_printf (_ ("%.0f %% waiting, mostly for rank %d"), percent, time->wait_rank));
}

/* Appends a list of the shares of `range` in which a lane computes, transfers, waits, copies or is idle. `data_ns`: the
 * part of the idle time in which the training loop waits for data. */
static void
append_shares (GString *out, const LoomLaneTime *time, gint64 data_ns, LoomRange range)
{
  g_autoptr (GString) list = g_string_new (NULL);
  double compute = get_percent (time->compute_ns, range), transfer = get_percent (time->transfer_ns, range),
         copy = get_percent (time->copy_ns, range), other = get_percent (time->other_ns, range),
         data = get_percent (data_ns, range), idle = get_percent (time->idle_ns - data_ns, range);
  append_share (list, compute, g_strdup_printf (_ ("%.0f %% computing"), compute));
  append_share (list, transfer,
                time->knows_waits ? g_strdup_printf (_ ("%.0f %% transferring"), transfer)
                                  : g_strdup_printf (_ ("%.0f %% communicating"), transfer));
  append_waits (list, time, get_percent (time->wait_ns, range));
  append_share (list, copy, g_strdup_printf (_ ("%.0f %% copying"), copy));
  append_share (list, other, g_strdup_printf (_ ("%.0f %% other work"), other));
  append_share (list, data, g_strdup_printf (_ ("%.0f %% waiting for data"), data));
  append_share (list, idle, g_strdup_printf (_ ("%.0f %% idle"), idle));
  append_line (out, list->str);
}

/* Returns the time in ns, within the range, in which the training loop of the row's rank waits for data; 0 if this is
 * not known. */
static gint64
get_data_wait (LoomTimelineState *state, const LoomTimelineRow *row, LoomRange range)
{
  const LoomDataWaits *waits = loom_timeline_state_get_data_waits (state);
  const LoomDataRank *rank =
    waits != NULL && row->rank >= 0 ? loom_data_waits_find_rank (waits, row->node, row->rank) : NULL;
  return rank != NULL ? loom_data_waits_sum_in_range (rank, range) : 0;
}

/* Appends how the device of a lane spends the time of the column under the pointer. Returns FALSE if this is not known,
 * for example because the lane is of a host or of several devices. */
static gboolean
append_lane_time (GString *out, LoomTimelineState *state, const LoomTimelineRow *row, LoomRange range)
{
  LoomLaneTime time;
  if (!loom_lane_time_measure (loom_timeline_state_get_timeline (state), row->tracks, row->n_tracks,
                               loom_timeline_state_get_collectives (state), range, &time))
    return FALSE;
  append_shares (out, &time, MIN (get_data_wait (state, row, range), time.idle_ns), range);
  return TRUE;
}

static void
append_busy (GString *out, LoomTimelineState *state, const LoomDrawHit *hit)
{
  gboolean has_span = !loom_timeline_span_id_is_none (hit->span),
           waits = has_span && hit->fill < IDLE_FILL && is_wait_of_device (state, hit->span);
  g_autofree char *busy = waits ? g_strdup (/* Translators: a device that does no work */ _ ("idle"))
                          : has_span && hit->fill < IDLE_FILL ? g_strdup (_ ("< 1 % busy"))
                                                              : g_strdup_printf (_ ("%.0f %% busy"), hit->fill * 100);
  append_line (out, busy);
}

/* Appends a line about the longest span of the bar under the pointer. `has_shares`: TRUE if the card already lists the
 * shares of all bars of the lane. If `has_shares` is TRUE and the bar takes less than half of the time, the line is
 * only the name of the span. Otherwise, if the span is a wait and the bar is nearly empty, the line says that the lane
 * waits in this span. In all other cases, the line says that the lane mostly contains this span. */
static void
append_longest (GString *out, LoomTimelineState *state, const LoomDrawHit *hit, gboolean has_shares)
{
  const char *name = loom_timeline_description_name (state, hit->span);
  if (has_shares && hit->fill < 0.5) {
    append_dim_line (out, name);
    return;
  }
  gboolean waits = hit->fill < IDLE_FILL && is_wait_of_device (state, hit->span);
  g_autofree char *of = g_strdup_printf (
    waits ?
          /* Translators: below "85 % busy" in the card of a device or rank; %s is the name of a span */
      _ ("waits in %s")
          :
          /* Translators: below "85 % busy" in the card of a device or rank; %s is the name of the span that
           * takes most of the time */
      _ ("mostly %s"),
    name);
  append_dim_line (out, of);
}

/* Appends the range of time that the column of the lane shows, and the longest span of the bar under the pointer. If
 * this span belongs to a collective, also says for which rank the rank of the lane waits. */
static void
append_column (GString *out, LoomTimelineState *state, const LoomDrawHit *hit, gboolean has_shares)
{
  if (loom_timeline_span_id_is_none (hit->span))
    return;
  g_autofree char *when = loom_timeline_description_when (state, (LoomRange) { hit->begin_ns, hit->end_ns }),
                  *words = loom_collective_flows_dup_words (loom_timeline_state_get_collectives (state),
                                                            loom_timeline_state_get_timeline (state), hit->span);
  append_dim_line (out, when);
  append_longest (out, state, hit, has_shares);
  if (words != NULL)
    append_dim_line (out, words);
}

static void
describe_group (GString *out, LoomTimelineState *state, const LoomDrawHit *hit)
{
  const LoomTimelineRow *row = loom_row_list_get_row (loom_timeline_state_get_row_list (state), hit->row);
  append_title (out, row->label);
  gboolean has_shares = append_lane_time (out, state, row, (LoomRange) { hit->begin_ns, hit->end_ns });
  if (!has_shares)
    append_busy (out, state, hit);
  append_column (out, state, hit, has_shares);
  if (row->note.text != NULL) /* the lane may be too narrow for its note, so the card shows the whole note */
    append_line (out, row->note.text);
  if (!loom_timeline_span_id_is_none (hit->span) && row->folded)
    append_dim_line (out, _ ("Press E or double-click to expand this row"));
}

/* Returns the exact value of the counter under the pointer; if the counter shows differences, positive values are
 * written with a plus sign. */
static char *
value_of (const LoomTimelineRow *row, const LoomDrawHit *hit)
{
  const LoomCounterPart *part = &row->parts[row->series[hit->series].part];
  g_autofree char *value = loom_timeline_description_value (hit->value, part->unit);
  return g_strconcat (part->mode.quantity == LOOM_QUANTITY_DIFFERENCE && hit->value > 0 ? "+" : "", value, NULL);
}

static void
describe_counter (GString *out, LoomTimelineState *state, const LoomDrawHit *hit)
{
  const LoomTimelineRow *row = loom_row_list_get_row (loom_timeline_state_get_row_list (state), hit->row);
  append_title (out, row->label);
  const char *series = hit->series < row->n_series ? row->series[hit->series].label : "";
  g_autofree char *value = isnan (hit->value) ? g_strdup (_ ("no value")) : value_of (row, hit);
  g_autofree char *line = row->n_series > 1 ? g_strdup_printf ("%s  %s", series, value) : g_strdup (value);
  append_line (out, line);
  g_autofree char *at = reading_of (state, hit->begin_ns);
  append_dim_line (out, at);
}

char *
loom_timeline_description_for_hit (LoomTimelineState *state, const LoomDrawHit *hit)
{
  g_autoptr (GString) out = g_string_new (NULL);
  switch (hit->kind) {
  case LOOM_DRAW_HIT_SPAN:
  case LOOM_DRAW_HIT_INSTANT: describe_span (out, state, hit); break;
  case LOOM_DRAW_HIT_DENSE: describe_crowd (out, state, hit); break;
  case LOOM_DRAW_HIT_GROUP: describe_group (out, state, hit); break;
  case LOOM_DRAW_HIT_COUNTER: describe_counter (out, state, hit); break;
  default: return NULL;
  }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

#define LEAST_GROUPED 999.5

static guint64
round_to_three_digits (double value)
{
  double place = pow (10, floor (log10 (value)) - 2);
  return (guint64) (round (value / place) * place);
}

char *
loom_timeline_description_for_rate (const LoomTiming *timing)
{
  gint64 period_ns = loom_timing_get_period_ns (timing);
  if (period_ns <= 0)
    return NULL;
  double per_second = loom_timing_get_frequency_hz (timing);
  g_autofree char *rate = per_second < LEAST_GROUPED ? loom_si_format_value (per_second, "")
                                                     : loom_locale_number_group (round_to_three_digits (per_second));
  g_autofree char *period = loom_time_format_duration (period_ns);
  /* Translators: how often spans start, for example "3,410 spans/s, one every 293 µs" */
  return g_strdup_printf (_ ("%s spans/s, one every %s"), rate, period);
}

static char *
count_of (const LoomTiming *timing)
{
  g_autofree char *count = loom_locale_number_group (timing->count);
  return g_strdup_printf (ngettext ("%s span", "%s spans", timing->count), count);
}

char *
loom_timeline_description_for_timing (const LoomTiming *timing)
{
  g_autofree char *duration = loom_time_format_exact (timing->duration_ns);
  g_autofree char *count = count_of (timing);
  g_autofree char *rate = loom_timeline_description_for_rate (timing);
  return g_strjoin (" · ", duration, count, rate, NULL);
}

char *
loom_timeline_description_for_range (LoomTimelineState *state, LoomRange range)
{
  g_autoptr (GString) out = g_string_new (NULL);
  LoomTiming timing = loom_timing_of_range (state, range);
  g_autofree char *duration = loom_time_format_exact (timing.duration_ns);
  g_autofree char *count = count_of (&timing);
  g_autofree char *rate = loom_timeline_description_for_rate (&timing);
  g_autofree char *start = reading_of (state, range.begin_ns);
  append_title (out, duration);
  append_line (out, count);
  if (rate != NULL)
    append_line (out, rate);
  append_start (out, start);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
loom_timeline_description_for_box (LoomTimelineState *state, const LoomVisibleBox *box)
{
  g_autoptr (GString) out = g_string_new (NULL);
  LoomTiming timing = { .count = loom_visible_spans_count (state, box) };
  g_autofree char *duration = loom_time_format_exact (loom_time_sub (box->range.end_ns, box->range.begin_ns));
  g_autofree char *count = count_of (&timing);
  g_autofree char *start = reading_of (state, box->range.begin_ns);
  append_title (out, count);
  append_line (out, duration);
  append_start (out, start);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* Returns the path of the span's track, for example "rank 3 › python › main". */
static char *
place_of (LoomTimelineState *state, LoomSpanId span)
{
  const LoomTrace *trace =
    loom_run_get_trace (loom_timeline_get_run (loom_timeline_state_get_timeline (state)), span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  return loom_track_label_dup_path (trace, loom_trace_get_track (trace, track),
                                    loom_row_list_get_names (loom_timeline_state_get_row_list (state)));
}

gboolean
loom_timeline_description_is_part (LoomTimelineState *state, LoomRange range)
{
  LoomRange all = loom_timeline_state_get_extent (state);
  return range.begin_ns > all.begin_ns || range.end_ns < all.end_ns;
}

char *
loom_timeline_description_for_view (LoomTimelineState *state)
{
  if (loom_timeline_state_get_timeline (state) == NULL)
    return g_strdup (_ ("Nothing is open."));
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  g_autofree char *from = reading_of (state, view->begin_ns);
  g_autofree char *width = loom_time_format_duration (loom_viewport_get_range_ns (view));
  g_autofree char *shown = g_strdup_printf (_ ("Showing %s from %s."), width, from);
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  if (loom_timeline_span_id_is_none (lead))
    return g_steal_pointer (&shown);
  gint64 start_ns, end_ns;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), lead, &start_ns, &end_ns);
  g_autofree char *duration = loom_time_format_duration (end_ns - start_ns), *start = reading_of (state, start_ns),
                  *place = place_of (state, lead);
  /* Translators: name of a span, its duration, its rank and track, its start; then a sentence about the view */
  return g_strdup_printf (_ ("Selected: %s, %s, on %s, starts at %s. %s"), loom_timeline_description_name (state, lead),
                          duration, place, start, shown);
}
