/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-hovered-place.h: stores the hovered place, and finds the element of a page that matches it best.
 */
#include "loom-hovered-place.h"

#include <string.h>

struct _LoomHoveredPlace {
  GObject parent;
  LoomNavigationTarget *target; /* the hovered place; NULL: nothing is hovered */
  gconstpointer origin;         /* the object that set the target; only its address is used */
};

G_DEFINE_FINAL_TYPE (LoomHoveredPlace, loom_hovered_place, G_TYPE_OBJECT)

enum { PROP_0, PROP_TARGET, N_PROPS };
static GParamSpec *properties[N_PROPS];

/* --- setting and getting the hovered place ------------------------------------------------------------------------ */

static void
take_target (LoomHoveredPlace *self, LoomNavigationTarget *target, gconstpointer origin)
{
  g_autoptr (LoomNavigationTarget) old = self->target;
  self->target = target;
  self->origin = origin;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TARGET]);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boxed (value, LOOM_HOVERED_PLACE (object)->target);
}

static void
finalize (GObject *object)
{
  loom_navigation_target_free (LOOM_HOVERED_PLACE (object)->target);
  G_OBJECT_CLASS (loom_hovered_place_parent_class)->finalize (object);
}

static void
loom_hovered_place_class_init (LoomHoveredPlaceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_TARGET] = g_param_spec_boxed ("target", NULL, NULL, LOOM_TYPE_NAVIGATION_TARGET,
                                                G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_hovered_place_init (LoomHoveredPlace *self)
{
}

LoomHoveredPlace *
loom_hovered_place_new (void)
{
  return g_object_new (LOOM_TYPE_HOVERED_PLACE, NULL);
}

void
loom_hovered_place_set (LoomHoveredPlace *self, const LoomNavigationTarget *target, gconstpointer origin)
{
  g_return_if_fail (LOOM_IS_HOVERED_PLACE (self) && target != NULL && origin != NULL);
  take_target (self, loom_navigation_target_copy (target), origin);
}

void
loom_hovered_place_clear (LoomHoveredPlace *self, gconstpointer origin)
{
  g_return_if_fail (LOOM_IS_HOVERED_PLACE (self));
  if (self->target != NULL && (origin == NULL || origin == self->origin))
    take_target (self, NULL, NULL);
}

void
loom_hovered_place_set_pointer (LoomHoveredPlace *self, gint64 time_ns, const LoomTimelineRow *row, LoomSpanId span,
                                gconstpointer origin)
{
  LoomNavigationTarget target = { .spans = &span, .n_spans = loom_timeline_span_id_is_none (span) ? 0 : 1 };
  if (time_ns == LOOM_TIME_NONE && row == NULL) {
    loom_hovered_place_clear (self, origin);
    return;
  }
  if (time_ns != LOOM_TIME_NONE)
    target.range = (LoomRange) { time_ns, loom_time_add (time_ns, 1) };
  if (row != NULL && (row->rank >= 0 || row->n_tracks > 0)) {
    target.has_rank = TRUE;
    target.rank = row->rank;
    target.trace = row->n_tracks > 0 ? row->tracks[0].trace : G_MAXUINT32;
  }
  loom_hovered_place_set (self, &target, origin);
}

const LoomNavigationTarget *
loom_hovered_place_get_target (LoomHoveredPlace *self, gconstpointer viewer)
{
  return viewer == self->origin ? NULL : self->target;
}

/* --- ranks -------------------------------------------------------------------------------------------------------- */

static const LoomTrack *
track_of (LoomTimeline *timeline, LoomSpanId span)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  return loom_trace_get_track (trace, track);
}

gboolean
loom_hovered_place_get_rank (const LoomNavigationTarget *target, LoomTimeline *timeline, gint *rank, guint32 *trace)
{
  if (target->has_rank) {
    *rank = target->rank;
    *trace = target->trace;
    return TRUE;
  }
  if (target->n_spans != 1)
    return FALSE;
  *rank = track_of (timeline, target->spans[0])->rank;
  *trace = target->spans[0].trace;
  return TRUE;
}

/* --- comparing elements of a page with the hovered place ---------------------------------------------------------- */

/* The hovered place, with the properties by which it is compared with the elements of a page (parts of charts, rows of
 * tables). */
typedef struct {
  LoomTimeline *timeline;
  LoomRange page;
  gboolean has_time, has_rank;
  gint64 time_ns;
  gint rank;
  guint32 trace;
  LoomSpanId span;
  const char *name; /* name of the span at the place; NULL: no span */
} Pointed;

/* How well an element of a page matches the hovered place, from the worst match to the best. */
typedef enum { FITS_NOT, FITS_RANK, FITS_TIME, FITS_NAME, FITS_SPAN } Fit;

static const char *
name_of (LoomTimeline *timeline, LoomSpanId span)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span])->text;
}

static gboolean
is_same_rank (const Pointed *pointed, gint rank, guint32 trace)
{
  return pointed->has_rank &&
         (rank >= 0 ? rank == pointed->rank : pointed->rank < 0 && trace == pointed->trace && trace != G_MAXUINT32);
}

static gboolean
contains_time (const Pointed *pointed, const LoomNavigationTarget *element)
{
  const LoomRange *range = &element->range;
  gboolean is_whole = range->begin_ns <= pointed->page.begin_ns && range->end_ns >= pointed->page.end_ns;
  if (!pointed->has_time || is_whole || pointed->time_ns < range->begin_ns || pointed->time_ns >= range->end_ns)
    return FALSE;
  for (guint i = 0; i < element->n_parts; i++)
    if (pointed->time_ns >= element->parts[i].begin_ns && pointed->time_ns < element->parts[i].end_ns)
      return TRUE;
  return element->n_parts == 0;
}

/* Returns FITS_TIME if the range of the element contains the hovered time, else FITS_NOT. An element that describes one
 * span of another rank does not match, even if that span was running at the hovered time. */
static Fit
fit_time (const Pointed *pointed, const LoomNavigationTarget *element)
{
  gint rank;
  guint32 trace;
  if (!contains_time (pointed, element))
    return FITS_NOT;
  if (pointed->has_rank && loom_hovered_place_get_rank (element, pointed->timeline, &rank, &trace) &&
      !is_same_rank (pointed, rank, trace))
    return FITS_NOT;
  return FITS_TIME;
}

static Fit
fit (const Pointed *pointed, const LoomNavigationTarget *element)
{
  if (element->same_name)
    return pointed->name != NULL && element->n_spans > 0 &&
               strcmp (pointed->name, name_of (pointed->timeline, element->spans[0])) == 0
             ? FITS_NAME
             : FITS_NOT;
  for (guint i = 0; pointed->name != NULL && i < element->n_spans; i++)
    if (loom_timeline_span_id_equal (pointed->span, element->spans[i]))
      return FITS_SPAN;
  if (!element->has_rank)
    return fit_time (pointed, element);
  if (!is_same_rank (pointed, element->rank, element->trace))
    return FITS_NOT;
  return contains_time (pointed, element) ? FITS_TIME : FITS_RANK;
}

static Pointed
point (const LoomNavigationTarget *target, LoomTimeline *timeline, LoomRange page)
{
  Pointed pointed = { .timeline = timeline, .page = page, .span = LOOM_SPAN_ID_NONE };
  pointed.has_time = target->range.end_ns > target->range.begin_ns;
  pointed.time_ns = target->range.begin_ns;
  pointed.has_rank = loom_hovered_place_get_rank (target, timeline, &pointed.rank, &pointed.trace);
  if (target->n_spans == 1) {
    pointed.span = target->spans[0];
    pointed.name = name_of (timeline, pointed.span);
  }
  return pointed;
}

static gint64
length_of (const LoomNavigationTarget *element)
{
  return loom_time_sub (element->range.end_ns, element->range.begin_ns);
}

guint
loom_hovered_place_find_element (const LoomNavigationTarget *target, LoomTimeline *timeline,
                                 const LoomPageContent *content, guint block)
{
  g_return_val_if_fail (target != NULL && timeline != NULL && content != NULL, G_MAXUINT);
  const GArray *places = loom_page_content_get_block (content, block)->places;
  Pointed pointed = point (target, timeline, content->range);
  const LoomNavigationTarget *best = NULL;
  Fit best_fit = FITS_NOT;
  for (guint i = 0; places != NULL && i < places->len; i++) {
    const LoomNavigationTarget *element = &g_array_index (places, LoomNavigationTarget, i);
    Fit fits = fit (&pointed, element);
    if (fits > best_fit || (fits == best_fit && fits == FITS_TIME && length_of (element) < length_of (best))) {
      best = element;
      best_fit = fits;
    }
  }
  return best != NULL ? (guint) (best - (const LoomNavigationTarget *) (gpointer) places->data) : G_MAXUINT;
}
