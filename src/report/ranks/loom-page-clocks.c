/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the table, the charts and the sentences about the clocks of a run. The sentences state how well each clock is
 * aligned, and how far apart events of different ranks must be for their order to be certain.
 */
#include "loom-page-clocks.h"

#include "loom-archive-path.h"
#include "loom-clock-order.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <math.h>

#define MIN_FOLDED 3 /* minimum number of clocks for a separate table, which is folded to one line */

enum {
  SOURCE,
  VERDICT,
  STATE,
  OFFSET,
  BY_HAND,
  MEASURED_ERROR,
  PAIRS,
  REJECTED,
  P95,
  /* this column and all columns after it are shown only in the details of the selected row, not in the table */
  DRIFT,
  MEASURED,
  DRIFT_ERROR,
  MEDIAN,
  MOST,
  BASIS,
  WHY,
};

static const LoomClockFit *
fit_of (LoomTimeline *timeline, guint clock)
{
  return loom_alignment_get (loom_timeline_get_alignment (timeline), clock);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static gboolean
has_times (const LoomSource *source)
{
  return source->start_ns != LOOM_TIME_NONE;
}

GArray *
loom_page_clocks_list (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  GArray *clocks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree gboolean *seen = g_new0 (gboolean, loom_run_get_n_clocks (run) + 1);
  for (gboolean compared = TRUE;; compared = FALSE) {
    for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
      guint clock = loom_run_get_clock_of_source (run, i);
      if (seen[clock] || !has_times (loom_run_get_source (run, i)) || (fit_of (timeline, clock)->pairs > 0) != compared)
        continue;
      seen[clock] = TRUE;
      g_array_append_val (clocks, clock);
    }
    if (!compared)
      return clocks;
  }
}

static gboolean
is_as_declared (const LoomClockFit *fit)
{
  return fit->pairs == 0 && !fit->placed && !fit->follows && fit->user_offset_ns == 0;
}

GArray *
loom_page_clocks_take_declared (LoomTimeline *timeline, GArray *clocks)
{
  GArray *declared = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = 0;
  for (guint i = 0; i < clocks->len; i++)
    n += is_as_declared (fit_of (timeline, g_array_index (clocks, guint, i)));
  if (n < MIN_FOLDED || n == clocks->len)
    return declared;
  for (guint i = 0; i < clocks->len;) {
    guint clock = g_array_index (clocks, guint, i);
    if (is_as_declared (fit_of (timeline, clock))) {
      g_array_append_val (declared, clock);
      g_array_remove_index (clocks, i);
    } else
      i++;
  }
  return declared;
}

typedef struct {
  const LoomSource *first; /* the first source that uses the clock; NULL: no source uses it */
  guint n;                 /* number of sources that use this clock */
  /* the name that the user gave to all sources of the clock; NULL: a source has no such name, or the names differ */
  const char *given;
  gboolean is_only_one; /* TRUE if no other clock belongs to the rank of `first` */
} Owner;

/* Returns an array indexed by the number of the clock: the sources that use it. Owned by the caller. O(sources). */
static Owner *
find_owners (LoomRun *run, const LoomSourceOverrides *names)
{
  Owner *owners = g_new0 (Owner, loom_run_get_n_clocks (run) + 1);
  g_autoptr (GHashTable) clock_of_rank = g_hash_table_new (NULL, NULL), shared = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    guint clock = loom_run_get_clock_of_source (run, i);
    gpointer rank = GINT_TO_POINTER (source->rank), other;
    if (!g_hash_table_lookup_extended (clock_of_rank, rank, NULL, &other))
      g_hash_table_insert (clock_of_rank, rank, GUINT_TO_POINTER (clock));
    else if (GPOINTER_TO_UINT (other) != clock)
      g_hash_table_add (shared, rank);
    if (!has_times (source))
      continue;
    const char *name = loom_source_overrides_get_name (names, source->path);
    owners[clock].first = owners[clock].first != NULL ? owners[clock].first : source;
    owners[clock].given = owners[clock].n == 0 || g_strcmp0 (owners[clock].given, name) == 0 ? name : NULL;
    owners[clock].n++;
  }
  for (guint i = 0; i < loom_run_get_n_clocks (run); i++)
    owners[i].is_only_one =
      owners[i].first == NULL || !g_hash_table_contains (shared, GINT_TO_POINTER (owners[i].first->rank));
  return owners;
}

static char *
dup_owner_name (const Owner *owner)
{
  if (owner->first == NULL)
    return g_strdup ("");
  g_autofree char *base = g_path_get_basename (owner->first->path), *file = loom_archive_path_dup_printable (base);
  g_autofree char *rank =
    owner->first->rank >= 0 ? loom_rank_label_dup_words (owner->first->format, owner->first->rank) : NULL;
  if (rank != NULL && owner->is_only_one && owner->given == NULL)
    return g_steal_pointer (&rank);
  g_autofree char *files = owner->given != NULL ? g_strdup (owner->given)
                           : owner->n > 1       ? g_strdup_printf ("%s + %u", file, owner->n - 1)
                                                : g_strdup (file);
  return rank != NULL ? g_strdup_printf ("%s · %s", rank, files) : g_steal_pointer (&files);
}

char *
loom_page_clocks_dup_name (LoomTimeline *timeline, const LoomSourceOverrides *names, guint clock)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autofree Owner *owners = find_owners (run, names);
  return clock < loom_run_get_n_clocks (run) ? dup_owner_name (&owners[clock]) : g_strdup ("");
}

gboolean
loom_page_clocks_is_partial (LoomTimeline *timeline, const LoomClockFit *fit)
{
  return loom_timeline_get_alignment (timeline)->n_components > 1 && fit->component != LOOM_COMPONENT_NONE &&
         loom_clock_order_is_sure (fit);
}

static const char *
verdict_word (LoomTimeline *timeline, const LoomClockFit *fit)
{
  switch (fit->verdict) {
  case LOOM_FIT_QUALITY_GOOD:
    return loom_page_clocks_is_partial (timeline, fit) ? C_ ("verdict", "good in its group") : C_ ("verdict", "good");
  case LOOM_FIT_QUALITY_DOUBTFUL: return C_ ("verdict", "doubtful");
  case LOOM_FIT_QUALITY_REFUSED: return C_ ("verdict", "rejected");
  default: return C_ ("verdict", "declared");
  }
}

const char *
loom_page_clocks_describe_state (LoomClockState state)
{
  switch (state) {
  case LOOM_CLOCK_EXACT: return C_ ("clock", "stated in UTC");
  case LOOM_CLOCK_SYNCHRONISED: return C_ ("clock", "synchronized");
  case LOOM_CLOCK_DERIVED: return C_ ("clock", "derived");
  case LOOM_CLOCK_APPROXIMATE: return C_ ("clock", "approximate");
  default: return C_ ("clock", "none");
  }
}

const char *
loom_page_clocks_get_state_dot (LoomClockState state)
{
  switch (state) {
  case LOOM_CLOCK_EXACT:
  case LOOM_CLOCK_SYNCHRONISED: return "●";
  case LOOM_CLOCK_NONE: return "○";
  default: return "◐";
  }
}

/* Returns a text, without a full stop, about the quality of a clock's alignment and the reason for it. Owned by the
 * caller. */
static char *
dup_verdict (LoomTimeline *timeline, const LoomClockFit *fit)
{
  switch (fit->verdict) {
  case LOOM_FIT_QUALITY_GOOD:
    if (loom_page_clocks_is_partial (timeline, fit))
      return g_strdup_printf (
        /* Translators: the reason, as a clause */
        _ ("Alignment good within its group of clocks, which shares no events with other groups: %s"), fit->why);
    return g_strdup_printf (/* Translators: the reason, as a clause */ _ ("Alignment good: %s"), fit->why);
  case LOOM_FIT_QUALITY_DOUBTFUL:
    return g_strdup_printf (/* Translators: the reason, as a clause */ _ ("Alignment doubtful: %s"), fit->why);
  case LOOM_FIT_QUALITY_REFUSED:
    return g_strdup_printf (/* Translators: the reason, as a clause */ _ ("Alignment rejected: %s"), fit->why);
  default:
    return g_strdup (
      _ ("There is no other clock to compare this clock with; its times are used as the file states them"));
  }
}

char *
loom_page_clocks_dup_fit_quality (LoomTimeline *timeline, guint clock)
{
  const LoomClockFit *fit = fit_of (timeline, clock);
  g_autofree char *said = dup_verdict (timeline, fit);
  g_autofree char *first = loom_sentence_dup (said);
  GString *text = g_string_new (first);
  if (fit->placed)
    loom_sentence_append (
      text, _ ("Not aligned: the first event of this source was placed at the start of the other sources."));
  if (fit->user_offset_ns != 0) {
    g_autofree char *by = loom_time_format_exact (ABS (fit->user_offset_ns));
    g_autofree char *moved = g_strdup_printf (fit->user_offset_ns < 0 ? _ ("Moved manually by %s to an earlier time.")
                                                                      : _ ("Moved manually by %s to a later time."),
                                              by);
    loom_sentence_append (text, moved);
  }
  return g_string_free (text, FALSE);
}

/* --- sentence at the top of the page ------------------------------------------------------------------------------ */

typedef struct {
  guint n, n_sure, n_doubtful, n_unchecked;
  /* `apart_ns`: if two events of different clocks are at least this far apart, in ns, their order is certain. It is the
   * maximum of the uncertainties of the n_sure clocks. The uncertainty of a clock is the greater of two values: the
   * 95th percentile of its residuals, and the error of the line that converts the clock's times. `agree_ns`: the
   * maximum of the percentiles alone */
  double apart_ns, agree_ns;
} Certainty;

static Certainty
find_certainty (LoomTimeline *timeline, const GArray *clocks)
{
  Certainty certainty = { .n = clocks->len };
  for (guint i = 0; i < clocks->len; i++) {
    const LoomClockFit *fit = fit_of (timeline, g_array_index (clocks, guint, i));
    gboolean sure = loom_clock_order_is_sure (fit);
    certainty.n_sure += sure;
    certainty.n_unchecked += fit->pairs == 0;
    certainty.n_doubtful += !sure && fit->pairs > 0;
    if (!sure)
      continue;
    certainty.agree_ns = fmax (certainty.agree_ns, fit->residuals.p95_ns);
    certainty.apart_ns = fmax (certainty.apart_ns, fmax (fit->residuals.p95_ns, fit->line_error_ns));
  }
  return certainty;
}

static void
append_exceptions (GString *text, LoomTimeline *timeline, const Certainty *certainty)
{
  guint n_components = loom_timeline_get_alignment (timeline)->n_components;
  g_autofree char *doubtful = g_strdup_printf (
    ngettext (
      "%u of %u clocks contradicts the others or is not known precisely enough. Do not rely on the order of its events.",
      "%u of %u clocks contradict the others or are not known precisely enough. Do not rely on the order of their events.",
      certainty->n_doubtful),
    certainty->n_doubtful, certainty->n);
  g_autofree char *unchecked = g_strdup_printf (
    ngettext (
      "%u of %u clocks shares no events with the others and is used as its file declares it, so the order of its events cannot be checked.",
      "%u of %u clocks share no events with the others and are used as their files declare them, so the order of their events cannot be checked.",
      certainty->n_unchecked),
    certainty->n_unchecked, certainty->n);
  if (certainty->n_doubtful > 0)
    loom_sentence_append (text, doubtful);
  /* omit the sentence if there is only one clock, because a single clock cannot be checked */
  if (certainty->n_unchecked > 0 && certainty->n > 1)
    loom_sentence_append (text, unchecked);
  if (n_components > 1 && certainty->n_sure > 0)
    loom_sentence_append (text,
                          _ ("The order of events is not checked between groups of clocks that share no events."));
}

/* Returns the sentence at the top of the page for a timeline with one clock. The timeline of a merged file also has one
 * clock, although its events were recorded with several clocks. */
static char *
dup_answer_of_one_clock (LoomTimeline *timeline)
{
  gint64 error_ns;
  if (!loom_clock_order_is_merged (timeline, &error_ns))
    return g_strdup (_ ("There is one clock, so the order of events is as recorded."));
  if (error_ns <= 0)
    return g_strdup (
      _ ("The order of events of different ranks is as certain as it was when their files were merged."));
  g_autofree char *error = loom_time_format_duration (error_ns);
  return g_strdup_printf (
    _ ("The clocks of the ranks were aligned when their files were merged, some only to within %s."), error);
}

char *
loom_page_clocks_dup_answer (LoomTimeline *timeline, const GArray *clocks)
{
  const Certainty certainty = find_certainty (timeline, clocks);
  if (certainty.n < 2)
    return dup_answer_of_one_clock (timeline);
  if (certainty.n_sure == 0)
    return g_strdup (
      _ ("The order of events of different ranks cannot be trusted if they are only microseconds apart."));
  g_autoptr (LoomClockOrder) order = loom_clock_order_new (timeline);
  g_autofree char *apart = loom_time_format_duration ((gint64) ceil (certainty.apart_ns)),
                  *groups = loom_clock_order_dup_groups (order), *unknown = loom_clock_order_dup_unknown (order);
  g_autofree char *between = g_strdup_printf (
    _ (
      "The order of events of ranks in one group can be trusted if the events are more than %s apart; between the groups (%s), the order is not known."),
    apart, groups);
  g_autofree char *trusted =
    unknown != NULL || certainty.n_sure == certainty.n
      ? g_strdup_printf (_ ("The order of events of different ranks can be trusted if they are more than %s apart."),
                         apart)
      : g_strdup_printf (
          /* Translators: two numbers of clocks, and a duration */
          _ (
            "For %u of %u clocks, the order of events of different ranks can be trusted if they are more than %s apart; for the other clocks, the order is not known."),
          certainty.n_sure, certainty.n, apart);
  g_autofree char *except = g_strdup_printf (_ ("The order is not known for the events of %s."), unknown);
  GString *text = g_string_new (groups != NULL ? between : trusted);
  if (unknown != NULL)
    loom_sentence_append (text, except);
  return g_string_free (text, FALSE);
}

/* Appends a sentence that explains the time in the sentence at the top of the page: if two events are farther apart
 * than this time, their order is certain. The time follows from the residuals or, if the offset of a clock was measured
 * less precisely, from the error of this offset. */
static void
append_agreement (GString *text, const Certainty *certainty)
{
  g_autofree char *agree = loom_time_format_duration ((gint64) ceil (certainty->agree_ns)),
                  *apart = loom_time_format_duration ((gint64) ceil (certainty->apart_ns));
  g_autofree char *agreed =
    certainty->agree_ns <= 0
      ? g_strdup (_ ("Nearly all events that ranks share, such as collectives, agree to the nanosecond."))
      : g_strdup_printf (_ ("95 %% of the events that ranks share, such as collectives, agree within %s."), agree);
  g_autofree char *known = g_strdup_printf (_ ("With them, the offsets of all clocks are known to within %s."), apart);
  loom_sentence_append (text, agreed);
  if (certainty->apart_ns > certainty->agree_ns)
    loom_sentence_append (text, known);
}

char *
loom_page_clocks_dup_reason (LoomTimeline *timeline, const GArray *clocks)
{
  const Certainty certainty = find_certainty (timeline, clocks);
  GString *text = g_string_new (NULL);
  if (certainty.n_sure > 0)
    append_agreement (text, &certainty);
  append_exceptions (text, timeline, &certainty);
  return g_string_free (text, FALSE);
}

/* --- table of clocks ---------------------------------------------------------------------------------------------- */

static void
add_columns (LoomResultTable *table)
{
  loom_result_table_add_column (table, _ ("Source"), NULL, _ ("Files that share a clock are shown in one row"));
  loom_result_table_add_column (table, _ ("Verdict"), NULL,
                                _ ("Whether this clock agrees with the events shared between ranks"));
  loom_result_table_add_column (table, _ ("State"), NULL, _ ("Where the times of the clock come from"));
  loom_result_table_add_column (table, _ ("Offset"), "ns", _ ("Added to the source’s own times"));
  loom_result_table_add_column (table, _ ("Set Manually"), "ns", _ ("The part of the offset that was set manually"));
  loom_result_table_add_column (
    table, _ ("Measured ±"), "ns",
    /* xgettext:no-c-format */ _ ("With a probability of 95 %, the measured offset is off by no more than this"));
  loom_result_table_add_column (table, _ ("Pairs"), "", _ ("Number of events shared with other clocks"));
  loom_result_table_add_column (table, _ ("Rejected"), "", _ ("Pairs of events that contradict the others"));
  loom_result_table_add_column (
    table, /* xgettext:no-c-format */ _ ("95 % Within"), "ns",
    _ (
      "95 of 100 residuals of the clock in use are at most this large; for a refused clock, those of the rejected alignment"));
  loom_result_table_add_column (
    table, _ ("Drift (ppb)"), "",
    _ ("Nanoseconds per second by which the timeline runs faster than this clock; negative: slower"));
  loom_result_table_add_column (table, _ ("Measured"), "ns",
                                _ ("The offset computed from shared events, even if it is not applied"));
  loom_result_table_add_column (
    table, _ ("Drift ± (ppb)"), "",
    /* xgettext:no-c-format */ _ ("With a probability of 95 %, the measured drift is off by no more than this"));
  loom_result_table_add_column (table, _ ("Median Residual"), "ns",
                                _ ("Median of the absolute values of the residuals"));
  loom_result_table_add_column (table, _ ("Max Residual"), "ns", _ ("The largest residual that was not rejected"));
  loom_result_table_add_column (table, _ ("Basis"), NULL, _ ("Where the times of this source come from"));
  loom_result_table_add_column (table, _ ("Why"), NULL, _ ("The reason for the verdict"));
  for (guint i = DRIFT; i <= WHY; i++)
    loom_result_table_set_detail (table, i);
}

char *
loom_page_clocks_dup_details (const LoomResultTable *table, guint row)
{
  GString *text = g_string_new (NULL);
  for (guint i = DRIFT; i < WHY; i++) {
    g_autofree char *cell = loom_result_table_dup_cell (table, row, i);
    gboolean is_zero = loom_result_table_is_number (table, i) && loom_result_table_get_number (table, row, i) == 0;
    if (is_zero || g_str_equal (cell, "–") || cell[0] == '\0')
      continue;
    g_string_append_printf (text, "%s%s %s", text->len > 0 ? " · " : "", loom_result_table_get_column (table, i)->title,
                            cell);
  }
  return g_string_free (text, FALSE);
}

/* Returns the drift in ppb. If it is at least 100 ppb, rounds it to a whole number, because decimals would suggest more
 * precision than the fit has. */
static double
drift_ppb (const LoomClockFit *fit)
{
  double ppb = (double) fit->map.drift_ppt / 1000.0;
  return fabs (ppb) < 100 ? ppb : round (ppb);
}

static void
add_row (LoomResultTable *table, LoomTimeline *timeline, const Owner *owners, guint clock)
{
  const LoomClockFit *fit = fit_of (timeline, clock);
  g_autofree char *name = dup_owner_name (&owners[clock]);
  loom_result_table_add_row (table, name);
  loom_result_table_set_text (table, VERDICT, verdict_word (timeline, fit));
  loom_result_table_set_text (table, STATE,
                              fit->placed   ? _ ("not aligned")
                              : fit->fitted ? C_ ("clock", "aligned")
                                            : loom_page_clocks_describe_state (fit->state));
  loom_result_table_set_text (table, BASIS, loom_declared_clock_describe_basis (fit->basis));
  loom_result_table_set_text (table, WHY, fit->why);
  loom_result_table_set_number (table, OFFSET, (double) fit->map.offset_ns);
  loom_result_table_set_number (table, DRIFT, drift_ppb (fit));
  loom_result_table_set_number (table, BY_HAND, fit->user_offset_ns != 0 ? (double) fit->user_offset_ns : NAN);
  if (fit->pairs == 0)
    return;
  loom_result_table_set_number (table, MEASURED, (double) fit->line.offset_ns);
  loom_result_table_set_number (table, MEASURED_ERROR, fit->line_error_ns >= 0 ? fit->line_error_ns : NAN);
  loom_result_table_set_number (table, DRIFT_ERROR, fit->line_drift_error_ppb >= 0 ? fit->line_drift_error_ppb : NAN);
  loom_result_table_set_number (table, PAIRS, fit->pairs);
  loom_result_table_set_number (table, REJECTED, fit->rejected);
  loom_result_table_set_number (table, MEDIAN, fit->residuals.median_ns);
  loom_result_table_set_number (table, P95, fit->residuals.p95_ns);
  loom_result_table_set_number (table, MOST, fit->residuals.max_ns);
}

/* Hides the column of offsets if all offsets are 0, and the column of rejected pairs if no pair was rejected. */
static void
hide_zeros (LoomResultTable *table, LoomTimeline *timeline, const GArray *clocks)
{
  gboolean is_moved = FALSE, is_rejected = FALSE;
  for (guint i = 0; i < clocks->len; i++) {
    const LoomClockFit *fit = fit_of (timeline, g_array_index (clocks, guint, i));
    is_moved |= fit->map.offset_ns != 0;
    is_rejected |= fit->rejected > 0;
  }
  if (!is_moved)
    loom_result_table_set_detail (table, OFFSET);
  if (!is_rejected)
    loom_result_table_set_detail (table, REJECTED);
}

LoomResultTable *
loom_page_clocks_new_table (LoomTimeline *timeline, const LoomSourceOverrides *names, const GArray *clocks)
{
  LoomResultTable *table = loom_result_table_new (_ ("Clocks"));
  g_autofree Owner *owners = find_owners (loom_timeline_get_run (timeline), names);
  add_columns (table);
  for (guint i = 0; i < clocks->len; i++)
    add_row (table, timeline, owners, g_array_index (clocks, guint, i));
  hide_zeros (table, timeline, clocks);
  return table;
}

/* --- charts ------------------------------------------------------------------------------------------------------- */

typedef gint64 (*ValueFunc) (const LoomProofPoint *point);

static gint64
value_in_force (const LoomProofPoint *point)
{
  return point->in_force_ns;
}

static gint64
value_declared (const LoomProofPoint *point)
{
  return point->declared_ns;
}

static gint64
value_of_line (const LoomProofPoint *point)
{
  return point->line_ns;
}

/* Adds a line to the chart for the elements of `points` whose member `rejected` equals the argument `rejected`. Adds
 * nothing if there are no such elements. */
static void
add_points (LoomChart *chart, const char *label, guint color, gint64 zero_ns, const GArray *points, ValueFunc value,
            gboolean rejected)
{
  gboolean begun = FALSE;
  for (guint i = 0; i < points->len; i++) {
    const LoomProofPoint *point = &g_array_index (points, LoomProofPoint, i);
    if (point->rejected != rejected || value (point) == LOOM_TIME_NONE)
      continue;
    if (!begun)
      loom_chart_add_line (chart, label, color);
    begun = TRUE;
    loom_chart_add_point (chart, (double) loom_time_sub (point->at_ns, zero_ns), (double) value (point), rejected);
  }
}

/* Returns TRUE if the value is 0 for all pairs of events. A chart is then omitted: it would only be a line at 0, and
 * the sentence about the clock already says so. */
static gboolean
is_exact (const GArray *points, ValueFunc value)
{
  for (guint i = 0; i < points->len; i++)
    if (value (&g_array_index (points, LoomProofPoint, i)) != 0)
      return FALSE;
  return TRUE;
}

LoomChart *
loom_page_clocks_new_residuals (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns)
{
  gboolean refused = fit_of (timeline, clock)->verdict == LOOM_FIT_QUALITY_REFUSED;
  ValueFunc value = refused ? value_of_line : value_in_force;
  if (is_exact (points, value))
    return NULL;
  LoomChart *chart =
    loom_chart_new_dots (refused ? _ ("Residuals of the rejected alignment") : _ ("Residuals"), "", "ns", "ns");
  add_points (chart, C_ ("pairs", "used"), 0, zero_ns, points, value, FALSE);
  add_points (chart, C_ ("pairs", "rejected"), LOOM_CHART_ALARM, zero_ns, points, value, TRUE);
  return chart;
}

static gboolean
any_differs (const GArray *points)
{
  for (guint i = 0; i < points->len; i++) {
    const LoomProofPoint *point = &g_array_index (points, LoomProofPoint, i);
    if (point->declared_ns != LOOM_TIME_NONE && point->declared_ns != point->in_force_ns)
      return TRUE;
  }
  return FALSE;
}

LoomChart *
loom_page_clocks_new_overlay (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns)
{
  if (!any_differs (points))
    return NULL;
  LoomChart *chart =
    loom_chart_new_dots (_ ("End times compared with other clocks, before and after alignment"), "", "ns", "ns");
  add_points (chart, C_ ("clock", "as declared in the file"), LOOM_CHART_GREY, zero_ns, points, value_declared, FALSE);
  add_points (chart, C_ ("clock", "in use"), 0, zero_ns, points, value_in_force, FALSE);
  return chart;
}
