/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the ticks of the ruler and their labels. A label is to the right of its tick. If the view is short and far
 * from zero, labels count from a round instant, which is shown in the corner to the left of the ruler. A label is then
 * "+50 µs" instead of a time with twelve digits.
 */
#include "loom-ruler.h"

#include "loom-time-bsearch.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* MIN_STEP_PX: minimum distance of ticks with labels. LABEL_GAP_PX: minimum gap between two labels. */
#define MIN_STEP_PX 72.0
#define LABEL_GAP_PX 10.0
#define MIN_MINOR_PX 7.0
#define MAX_TICKS 2000

#define DAY_NS (86400 * LOOM_NS_PER_S)

/* If ticks are less than BASE_STEP_NS apart and at least BASE_DISTANCE_NS from zero, their labels would have too many
 * digits. The labels then count from a base time, which the corner to the left of the ruler shows. */
#define BASE_STEP_NS LOOM_NS_PER_MS
#define BASE_DISTANCE_NS LOOM_NS_PER_S

/* If a time in view is at least this far from zero, and ticks are at least 1 s apart, labels show hours, minutes and
 * seconds. */
#define LONG_NS (1000 * LOOM_NS_PER_S)

/* distance in px from a tick to the left edge of its label */
#define LABEL_PX 4.0

/* Minimum mean width of the bands behind steps. Narrower bands would flicker, so they are not drawn. */
#define MIN_BAND_PX 24.0

/* MIN_TICK_PX: minimum distance of the ticks that show steps. INSIDE_STEP_PX: minimum distance of the ticks within a
 * step. */
#define MIN_TICK_PX 4.0
#define INSIDE_STEP_PX 90.0

LoomRuler *
loom_ruler_new (void)
{
  LoomRuler *ruler = g_new0 (LoomRuler, 1);
  ruler->ticks = g_array_new (FALSE, TRUE, sizeof (LoomTick));
  ruler->bands = g_array_new (FALSE, FALSE, sizeof (LoomStepBand));
  ruler->starts = g_array_new (FALSE, FALSE, sizeof (double));
  ruler->corner = g_strdup ("");
  return ruler;
}

void
loom_ruler_free (LoomRuler *ruler)
{
  if (ruler == NULL)
    return;
  g_array_unref (ruler->ticks);
  g_array_unref (ruler->bands);
  g_array_unref (ruler->starts);
  g_free (ruler->corner);
  g_free (ruler->base);
  g_free (ruler);
}

gint64
loom_ruler_nice_step (gint64 at_least_ns)
{
  static const gint64 minutes[] = { 1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440 };
  if (at_least_ns > 30 * LOOM_NS_PER_S)
    for (guint i = 0; i < G_N_ELEMENTS (minutes); i++)
      if (minutes[i] * 60 * LOOM_NS_PER_S >= at_least_ns)
        return minutes[i] * 60 * LOOM_NS_PER_S;
  if (at_least_ns > 20 * LOOM_NS_PER_S && at_least_ns <= 30 * LOOM_NS_PER_S)
    return 30 * LOOM_NS_PER_S;
  for (gint64 unit = at_least_ns > DAY_NS ? DAY_NS : 1; unit <= G_MAXINT64 / 10; unit *= 10)
    for (gint64 k = 1; k <= 5; k += k == 1 ? 1 : 3)
      if (unit * k >= at_least_ns)
        return unit * k;
  return G_MAXINT64 / 4;
}

/* Returns the distance between minor ticks, which have no labels. It is a round number that divides `step`, the
 * distance between ticks with labels. */
static gint64
minor_step (gint64 step)
{
  gint64 unit = 1;
  if (step >= DAY_NS)
    return step % (5 * DAY_NS) == 0 ? step / 5 : step % (2 * DAY_NS) == 0 ? step / 2 : step / 4;
  if (step >= 60 * LOOM_NS_PER_S)
    return step % (3 * 60 * LOOM_NS_PER_S) == 0 ? step / 3 : step % (5 * 60 * LOOM_NS_PER_S) == 0 ? step / 5 : step / 2;
  if (step == 30 * LOOM_NS_PER_S)
    return step / 3;
  while (unit <= step / 10)
    unit *= 10;
  return step / unit == 2 ? step / 4 : step / 5;
}

gboolean
loom_ruler_can_show (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading)
{
  switch (reading) {
  case LOOM_RULER_UNIT_UTC:
  case LOOM_RULER_UNIT_LOCAL: return loom_timeline_is_anchored (timeline);
  case LOOM_RULER_UNIT_STEP: return steps != NULL && steps->n_reference > 0;
  case LOOM_RULER_UNIT_JOB: return loom_timeline_get_origin (timeline) != loom_timeline_get_start (timeline);
  default: return TRUE;
  }
}

gint64
loom_ruler_get_zero (const LoomTimeline *timeline, LoomRulerUnit reading)
{
  return reading == LOOM_RULER_UNIT_JOB ? loom_timeline_get_origin (timeline) : loom_timeline_get_start (timeline);
}

static gboolean
is_offset (LoomRulerUnit reading)
{
  return reading == LOOM_RULER_UNIT_SINCE_START || reading == LOOM_RULER_UNIT_JOB;
}

/* Returns the unit that the ruler actually shows: `reading`, or SINCE_START if the timeline has no times in the unit
 * `reading`. */
static LoomRulerUnit
effective_unit (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading)
{
  return loom_ruler_can_show (timeline, steps, reading) ? reading : LOOM_RULER_UNIT_SINCE_START;
}

/* Appends a tick; `label` NULL: a minor tick. The result is valid until the next tick is added. */
static LoomTick *
add_tick (LoomRuler *ruler, gint64 time_ns, double x, const char *label, LoomTextCache *text)
{
  LoomTick tick = { .x = x, .time_ns = time_ns, .major = label != NULL, .label_x = x + LABEL_PX };
  if (label != NULL) {
    g_strlcpy (tick.label, label, sizeof tick.label);
    tick.label_width = loom_text_cache_width (text, LOOM_TEXT_SMALL, tick.label);
  }
  g_array_append_val (ruler->ticks, tick);
  return &g_array_index (ruler->ticks, LoomTick, ruler->ticks->len - 1);
}

/* --- ticks at times --------------------------------------------------------------------------------------------- */

static guint
clock_digits (gint64 step_ns)
{
  guint digits = 0;
  for (gint64 unit = LOOM_NS_PER_S; unit > step_ns && digits < 9; unit /= 10)
    digits++;
  return digits > 0 && digits < 3 ? 3 : digits;
}

typedef struct {
  LoomRulerUnit reading;
  /* a time at which there is a tick; all ticks are at this time plus or minus a multiple of the distance between
   * ticks */
  gint64 zero_ns;
  gint64 base_ns; /* time from which labels count; LOOM_TIME_NONE: each label shows the full time */
  gboolean hours; /* TRUE: labels show hours, minutes and seconds */
  gboolean days;  /* TRUE: labels of wall-clock time include the date */
} Scale;

/* Returns the text for an offset from zero in a long run, in days, hours, minutes and seconds: "+1:23:20", "−2 d
 * 06:00:00", "+10 d". Owned by the caller. */
static char *
dup_long_offset (gint64 offset_ns)
{
  gint64 seconds = offset_ns / LOOM_NS_PER_S, s = ABS (seconds), days = s / 86400;
  const char *sign = offset_ns < 0 ? "−" : "+";
  if (days > 0 && s % 86400 == 0)
    return g_strdup_printf ("%s%" G_GINT64_FORMAT " d", sign, days);
  if (days > 0)
    return g_strdup_printf ("%s%" G_GINT64_FORMAT " d %02d:%02d:%02d", sign, days, (int) (s / 3600 % 24),
                            (int) (s / 60 % 60), (int) (s % 60));
  return g_strdup_printf ("%s%d:%02d:%02d", sign, (int) (s / 3600), (int) (s / 60 % 60), (int) (s % 60));
}

/* Returns a date and time such as "06-17 06:00", used if the view covers several days. `local`: in the local time zone,
 * else in UTC. Owned by the caller. */
static char *
dup_date (gint64 time_ns, gboolean local)
{
  gint64 seconds = time_ns / LOOM_NS_PER_S;
  g_autoptr (GDateTime) when =
    local ? g_date_time_new_from_unix_local (seconds) : g_date_time_new_from_unix_utc (seconds);
  return when != NULL
           ? g_date_time_format (when, /* Translators: month, day and time of a tick of the ruler */ _ ("%m-%d %H:%M"))
           : g_strdup ("");
}

static char *
dup_label (const Scale *scale, gint64 time_ns, gint64 step_ns)
{
  gint64 offset = loom_time_sub (time_ns, scale->zero_ns);
  if (scale->hours && offset != 0)
    return dup_long_offset (offset);
  if (scale->base_ns != LOOM_TIME_NONE)
    return loom_time_format_offset (loom_time_sub (time_ns, scale->base_ns), step_ns);
  if (is_offset (scale->reading))
    return loom_time_format_offset (loom_time_sub (time_ns, scale->zero_ns), step_ns);
  if (scale->days)
    return dup_date (time_ns, scale->reading == LOOM_RULER_UNIT_LOCAL);
  return loom_time_format_clock (time_ns, clock_digits (step_ns), scale->reading == LOOM_RULER_UNIT_LOCAL);
}

/* Returns the offset of local time from UTC at the given time, in ns; always whole seconds. */
static gint64
local_offset_ns (gint64 time_ns)
{
  g_autoptr (GDateTime) when = g_date_time_new_from_unix_local (time_ns / LOOM_NS_PER_S);
  return when != NULL ? g_date_time_get_utc_offset (when) * LOOM_NS_PER_US : 0;
}

static gint64
floor_to (gint64 time_ns, gint64 zero_ns, gint64 step_ns)
{
  gint64 distance = loom_time_sub (time_ns, zero_ns), rest = distance % step_ns;
  return loom_time_sub (time_ns, rest < 0 ? rest + step_ns : rest);
}

static Scale
choose_scale (const LoomTimeline *timeline, const LoomViewport *viewport, LoomRulerUnit reading, gint64 step_ns)
{
  Scale scale = { reading, 0, LOOM_TIME_NONE, FALSE, FALSE };
  if (is_offset (reading))
    scale.zero_ns = loom_ruler_get_zero (timeline, reading);
  else if (reading == LOOM_RULER_UNIT_LOCAL)
    scale.zero_ns = -local_offset_ns (viewport->begin_ns);
  scale.days = loom_viewport_get_range_ns (viewport) > DAY_NS && step_ns >= 60 * LOOM_NS_PER_S;
  gint64 distance = loom_time_sub (viewport->begin_ns, scale.zero_ns);
  gint64 furthest = MAX (ABS (distance / 2), ABS (loom_time_sub (viewport->end_ns, scale.zero_ns) / 2));
  scale.hours = is_offset (reading) && step_ns >= LOOM_NS_PER_S && furthest >= LONG_NS / 2;
  if (step_ns < BASE_STEP_NS && (distance >= BASE_DISTANCE_NS || distance <= -BASE_DISTANCE_NS))
    scale.base_ns =
      floor_to (viewport->begin_ns, scale.zero_ns, step_ns < LOOM_NS_PER_US ? LOOM_NS_PER_US : LOOM_NS_PER_MS);
  return scale;
}

static char *
dup_base (const Scale *scale)
{
  if (scale->base_ns == LOOM_TIME_NONE)
    return NULL;
  if (is_offset (scale->reading))
    return loom_time_format_offset (loom_time_sub (scale->base_ns, scale->zero_ns), LOOM_NS_PER_US);
  gboolean whole_ms = scale->base_ns % LOOM_NS_PER_MS == 0;
  return loom_time_format_clock (scale->base_ns, whole_ms ? 3 : 6, scale->reading == LOOM_RULER_UNIT_LOCAL);
}

static char *
dup_corner (const Scale *scale, const char *base)
{
  const char *zone = scale->reading == LOOM_RULER_UNIT_UTC ? "UTC" : C_ ("reading", "local time");
  if (is_offset (scale->reading) && base == NULL)
    return g_strdup (scale->reading == LOOM_RULER_UNIT_JOB ? _ ("since job start") : _ ("since start"));
  if (is_offset (scale->reading))
    return g_strdup_printf (C_ ("ruler", "from %s"), base);
  return base != NULL ? g_strdup_printf (
                          /* Translators: the start of the ruler and its time zone: "from 2026-01-31 12:00 UTC" */
                          C_ ("ruler", "from %s %s"), base, zone)
                      : g_strdup (zone);
}

/* Returns the width of the wider one of the labels at both ends of the view. Any other label in the view is at most one
 * digit wider. */
static double
label_width (const Scale *scale, const LoomViewport *viewport, gint64 step_ns, LoomTextCache *text)
{
  double widest = 0;
  gint64 begin = floor_to (viewport->begin_ns, scale->zero_ns, step_ns);
  const gint64 samples[] = { begin, loom_time_add (begin, step_ns),
                             floor_to (viewport->end_ns, scale->zero_ns, step_ns) };
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++) {
    g_autofree char *label = dup_label (scale, samples[i], step_ns);
    widest = MAX (widest, loom_text_cache_width (text, LOOM_TEXT_SMALL, label));
  }
  return widest;
}

/* Adds ticks at multiples of `step_ns`. Returns FALSE if two labels would be closer than LABEL_GAP_PX. */
static gboolean
add_time_ticks (LoomRuler *ruler, const Scale *scale, const LoomViewport *viewport, gint64 step_ns, LoomTextCache *text)
{
  gint64 minor = minor_step (step_ns);
  double minor_px = (double) minor / loom_viewport_get_ns_per_px (viewport), free_from = -G_MAXDOUBLE;
  gint64 stride = minor > 0 && minor_px >= MIN_MINOR_PX ? minor : step_ns;
  g_array_set_size (ruler->ticks, 0);
  gint64 at = floor_to (viewport->begin_ns, scale->zero_ns, step_ns);
  for (guint i = 0; at <= viewport->end_ns && i < MAX_TICKS; i++, at = loom_time_add (at, stride)) {
    gboolean major = loom_time_sub (at, scale->zero_ns) % step_ns == 0;
    g_autofree char *label = major ? dup_label (scale, at, step_ns) : NULL;
    const LoomTick *tick = add_tick (ruler, at, loom_viewport_x (viewport, at), label, text);
    if (major && tick->label_x < free_from)
      return FALSE;
    if (major)
      free_from = tick->label_x + tick->label_width + LABEL_GAP_PX;
  }
  return TRUE;
}

static void
update_time (LoomRuler *ruler, const LoomTimeline *timeline, const LoomViewport *viewport, LoomRulerUnit reading,
             LoomTextCache *text)
{
  double ns_per_px = loom_viewport_get_ns_per_px (viewport);
  gint64 step = loom_ruler_nice_step ((gint64) ceil (MIN_STEP_PX * ns_per_px));
  Scale scale = choose_scale (timeline, viewport, reading, step);
  while ((double) step < (label_width (&scale, viewport, step, text) + LABEL_GAP_PX) * ns_per_px ||
         !add_time_ticks (ruler, &scale, viewport, step, text)) {
    step = loom_ruler_nice_step (step + 1);
    scale = choose_scale (timeline, viewport, reading, step);
  }
  ruler->base = dup_base (&scale);
  ruler->corner = dup_corner (&scale, ruler->base);
}

/* --- steps: a tick at every 1st, 2nd, 5th … step with its number; inside wide steps, the time since their start --- */

static gint64
begin_at (gconstpointer steps, guint32 at)
{
  return ((const LoomStep *) steps)[at].begin_ns;
}

/* Returns the index of the first step that begins at or after the time; `n` if there is none. */
static guint
first_from (const LoomStep *steps, guint n, gint64 time_ns)
{
  return loom_time_bsearch_by (begin_at, steps, 0, n, time_ns);
}

static void
format_step (const LoomStep *step, char *label, gsize size)
{
  if (step->number >= 0)
    g_snprintf (label, size, _ ("step %" PRId64), step->number);
  else
    g_strlcpy (label, C_ ("ruler", "step"), size);
}

static gint64
nice_stride (gint64 at_least)
{
  for (gint64 unit = 1;; unit *= 10)
    for (gint64 k = 1; k <= 5; k += k == 1 ? 1 : 3)
      if (unit * k >= at_least)
        return unit * k;
}

/* Adds ticks within a training step. Their labels show the time since the start of the step. A label is omitted if it
 * would touch the label of this step or of the next one. `until_ns`: start of the next step. `free_from`: x of the
 * right end of the label of this step, plus a gap. */
static void
add_inside (LoomRuler *ruler, const LoomViewport *viewport, const LoomStep *step, gint64 until_ns, double free_from,
            LoomTextCache *text)
{
  gint64 stride = loom_ruler_nice_step ((gint64) (INSIDE_STEP_PX * loom_viewport_get_ns_per_px (viewport)));
  gint64 skipped = MAX (loom_time_sub (viewport->begin_ns, step->begin_ns) / stride, 0);
  double limit = loom_viewport_x (viewport, until_ns);
  for (gint64 k = skipped + 1;; k++) {
    gint64 at = loom_time_add (step->begin_ns, k * stride);
    double x = loom_viewport_x (viewport, at);
    if (at >= until_ns || x > viewport->width_px)
      return;
    g_autofree char *label = loom_time_format_offset (k * stride, stride);
    double width = loom_text_cache_width (text, LOOM_TEXT_SMALL, label);
    gboolean room = x + LABEL_PX >= free_from && x + LABEL_PX + width + LABEL_GAP_PX <= limit;
    add_tick (ruler, at, x, room ? label : NULL, text);
    if (room)
      free_from = x + LABEL_PX + width + LABEL_GAP_PX;
  }
}

/* Returns the first step of the reference rank (LoomSteps.reference) if the corner to the left of the ruler must name
 * this rank. This is necessary if several ranks have steps, because the ruler shows the steps of only one rank. NULL:
 * only one rank has steps, or the number of the reference rank is unknown. */
static const LoomStep *
named_reference (const LoomSteps *steps)
{
  const LoomStep *reference = steps->reference;
  return steps->n_reference > 0 && reference->rank >= 0 && steps->n_ranks > 1 ? reference : NULL;
}

static void
name_steps (LoomRuler *ruler, const LoomSteps *steps)
{
  const LoomStep *reference = named_reference (steps);
  ruler->base = reference != NULL ? loom_rank_label_dup_words (reference->format, reference->rank) : NULL;
  ruler->corner = ruler->base != NULL
                    ? g_strdup_printf (/* Translators: %s is “rank 3” or “process 812” */ _ ("step of %s"), ruler->base)
                    : g_strdup (C_ ("ruler", "step"));
}

static void
update_steps (LoomRuler *ruler, const LoomSteps *all, const LoomViewport *viewport, LoomTextCache *text)
{
  const LoomStep *steps = all->reference;
  guint first = first_from (steps, all->n_reference, viewport->begin_ns),
        end = first_from (steps, all->n_reference, viewport->end_ns);
  first = first > 0 ? first - 1 : 0;
  double px = (double) viewport->width_px / MAX (end - first, 1);
  double label_px = loom_text_cache_width (text, LOOM_TEXT_SMALL, "step 00000") + LABEL_GAP_PX;
  gint64 stride = nice_stride ((gint64) ceil (label_px / px));
  double free_from = -G_MAXDOUBLE, tick_from = -G_MAXDOUBLE;
  for (guint i = first; i < end; i++) {
    char label[48];
    double x = loom_viewport_x (viewport, steps[i].begin_ns), label_x = MAX (x, 0) + LABEL_PX;
    gint64 until = i + 1 < all->n_reference ? steps[i + 1].begin_ns : G_MAXINT64;
    double next_x = i + 1 < end ? loom_viewport_x (viewport, until) : viewport->width_px * 2;
    format_step (&steps[i], label, sizeof label);
    double width = loom_text_cache_width (text, LOOM_TEXT_SMALL, label);
    gboolean room = label_x >= free_from && (x >= 0 || label_x + width + LABEL_GAP_PX <= next_x);
    gboolean major = room && (stride == 1 || steps[i].number % stride == 0);
    if (!major && x < tick_from)
      continue;
    LoomTick *tick = add_tick (ruler, steps[i].begin_ns, x, major ? label : NULL, text);
    tick_from = x + MIN_TICK_PX;
    if (!major)
      continue;
    tick->label_x = label_x;
    free_from = label_x + width + LABEL_GAP_PX;
    if (next_x - x > 2 * INSIDE_STEP_PX)
      add_inside (ruler, viewport, &steps[i], until, free_from, text);
    if (next_x - x > 2 * INSIDE_STEP_PX)
      free_from = next_x;
  }
  name_steps (ruler, all);
}

/* --- ticks in any unit ------------------------------------------------------------------------------------------- */

/* Removes labels that would extend beyond an edge of the view; their ticks stay. */
static void
drop_cut_labels (LoomRuler *ruler, double width_px)
{
  for (guint i = 0; i < ruler->ticks->len; i++) {
    LoomTick *tick = &g_array_index (ruler->ticks, LoomTick, i);
    if (tick->label_x < 0 || tick->label_x + tick->label_width > width_px)
      tick->label[0] = '\0';
  }
}

/* Finds the starts of the training steps in view, and makes a band for every other step. Which steps have a band does
 * not depend on the view, so bands do not change places when the view moves. */
static void
update_bands (LoomRuler *ruler, const LoomSteps *all, const LoomViewport *viewport)
{
  g_array_set_size (ruler->bands, 0);
  g_array_set_size (ruler->starts, 0);
  if (all == NULL || all->n_reference < 2)
    return;
  const LoomStep *steps = all->reference;
  guint first = first_from (steps, all->n_reference, viewport->begin_ns),
        end = first_from (steps, all->n_reference, viewport->end_ns);
  first = first > 0 ? first - 1 : 0;
  if (end <= first)
    return;
  double span_px =
    loom_viewport_x (viewport, steps[end - 1].end_ns) - loom_viewport_x (viewport, steps[first].begin_ns);
  if (span_px < MIN_BAND_PX * (end - first))
    return;
  for (guint i = first; i < end; i++) {
    double x = loom_viewport_x (viewport, steps[i].begin_ns);
    if (x >= 0 && x < viewport->width_px)
      g_array_append_val (ruler->starts, x);
  }
  for (guint i = first | 1; i < end; i += 2) {
    gint64 until = i + 1 < all->n_reference ? MIN (steps[i].end_ns, steps[i + 1].begin_ns) : steps[i].end_ns;
    LoomStepBand band = { loom_viewport_x (viewport, steps[i].begin_ns), loom_viewport_x (viewport, until) };
    g_array_append_val (ruler->bands, band);
  }
}

void
loom_ruler_update (LoomRuler *ruler, const LoomTimeline *timeline, const LoomSteps *steps, const LoomViewport *viewport,
                   LoomRulerUnit reading, LoomTextCache *text)
{
  g_return_if_fail (ruler != NULL && timeline != NULL && viewport != NULL && text != NULL);
  g_array_set_size (ruler->ticks, 0);
  g_clear_pointer (&ruler->corner, g_free);
  g_clear_pointer (&ruler->base, g_free);
  reading = effective_unit (timeline, steps, reading);
  if (reading == LOOM_RULER_UNIT_STEP)
    update_steps (ruler, steps, viewport, text);
  else
    update_time (ruler, timeline, viewport, reading, text);
  drop_cut_labels (ruler, viewport->width_px);
  update_bands (ruler, steps, viewport);
}

const LoomTick *
loom_ruler_get_ticks (const LoomRuler *ruler, guint *n)
{
  *n = ruler->ticks->len;
  return (const LoomTick *) (gpointer) ruler->ticks->data;
}

/* --- instants as text --------------------------------------------------------------------------------------------- */

static gboolean
find_own_step (const LoomTimeline *timeline, const LoomSteps *steps, const LoomTrackId *id, gint64 time_ns,
               const LoomStep **step)
{
  if (id == NULL)
    return FALSE;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), id->trace);
  const LoomTrack *track = loom_trace_get_track (trace, id->track);
  const char *format = track->format;
  return loom_steps_at_rank (steps, track->node, track->rank, format, time_ns, step);
}

static gboolean
is_training (const LoomStep *step)
{
  return step->mode == LOOM_STEP_TRAIN || step->mode == LOOM_STEP_GLOBAL;
}

char *
loom_ruler_format_step (const LoomTimeline *timeline, const LoomSteps *steps, const LoomTrackId *track, gint64 time_ns)
{
  const LoomStep *step = NULL;
  char label[48];
  if (steps == NULL)
    return NULL;
  gboolean own = find_own_step (timeline, steps, track, time_ns, &step);
  if (!own)
    step = loom_steps_at (steps, time_ns);
  if (step == NULL)
    return NULL;
  format_step (step, label, sizeof label);
  gint64 offset_ns = loom_time_sub (time_ns, step->begin_ns);
  g_autofree char *exact = loom_time_format_exact (offset_ns);
  g_autofree char *offset = offset_ns != 0 ? g_strconcat (" + ", exact, NULL) : g_strdup ("");
  g_autofree char *mode =
    is_training (step) ? g_strdup ("") : g_strdup_printf ("%s ", loom_step_mode_to_string (step->mode));
  g_autofree char *text = g_strdup_printf ("%s%s%s", mode, label, offset);
  g_autofree char *rank = loom_rank_label_dup_words (step->format, step->rank);
  return own || named_reference (steps) == NULL
           ? g_steal_pointer (&text)
           : g_strdup_printf (/* Translators: a step, and “rank 3” */ _ ("%s (%s)"), text, rank);
}

char *
loom_ruler_format_for (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                       const LoomTrackId *track, gint64 time_ns)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  reading = effective_unit (timeline, steps, reading);
  if (reading == LOOM_RULER_UNIT_UTC || reading == LOOM_RULER_UNIT_LOCAL) {
    g_autofree char *clock = loom_time_format_clock (time_ns, 9, reading == LOOM_RULER_UNIT_LOCAL);
    return reading == LOOM_RULER_UNIT_UTC ? g_strconcat (clock, " UTC", NULL) : g_steal_pointer (&clock);
  }
  g_autofree char *step =
    reading == LOOM_RULER_UNIT_STEP ? loom_ruler_format_step (timeline, steps, track, time_ns) : NULL;
  if (step != NULL)
    return g_steal_pointer (&step);
  gint64 offset_ns = loom_time_sub (time_ns, loom_ruler_get_zero (timeline, reading));
  if (offset_ns == 0)
    return g_strdup (_ ("0 s"));
  g_autofree char *offset = loom_time_format_exact (offset_ns);
  return offset_ns < 0 ? g_steal_pointer (&offset) : g_strconcat ("+", offset, NULL);
}

char *
loom_ruler_format_near (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading, gint64 time_ns,
                        gint64 length_ns)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  gint64 offset_ns = loom_time_sub (time_ns, loom_ruler_get_zero (timeline, effective_unit (timeline, steps, reading)));
  gint64 step_ns = 1;
  if (!is_offset (effective_unit (timeline, steps, reading)) || offset_ns == 0)
    return loom_ruler_format (timeline, steps, reading, time_ns);
  while (step_ns <= length_ns / 10000)
    step_ns *= 10;
  return loom_time_format_offset (offset_ns, step_ns);
}

char *
loom_ruler_format_in_column (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                             const LoomTrackId *track, gint64 time_ns, guint digits, gint64 extent_ns)
{
  g_return_val_if_fail (timeline != NULL && digits <= 9, NULL);
  reading = effective_unit (timeline, steps, reading);
  if (!is_offset (reading))
    return loom_ruler_format_for (timeline, steps, reading, track, time_ns);
  gint64 offset_ns = loom_time_sub (time_ns, loom_ruler_get_zero (timeline, reading));
  return loom_time_format_instant_in_column (offset_ns, digits, extent_ns);
}

char *
loom_ruler_format (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading, gint64 time_ns)
{
  return loom_ruler_format_for (timeline, steps, reading, NULL, time_ns);
}
