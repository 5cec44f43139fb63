/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-launch-queue-display.h: checks whether the run has launches, and adds or removes the lane with the
 * launch queues.
 */
#include "loom-launch-queue-display.h"

#include "loom-query-library.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>

struct _LoomLaunchQueueDisplay {
  GObject parent;
  LoomQueryLanes *lanes;
  LoomNamedQuery *query; /* the named query "launch-queue"; NULL: this query is not installed */
  gboolean has_launches;
  gboolean was_shown, was_possible; /* values of the properties "shown" and "possible" when they were last notified */
};

G_DEFINE_FINAL_TYPE (LoomLaunchQueueDisplay, loom_launch_queue_display, G_TYPE_OBJECT)

enum { PROP_0, PROP_SHOWN, PROP_POSSIBLE, N_PROPS };
static GParamSpec *properties[N_PROPS];

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* Returns TRUE if a span of the row was launched, that is, if an arrow of the trace ends at one of its spans. */
static gboolean
is_row_launched (const LoomTrace *trace, const LoomRow *row)
{
  guint32 n;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n);
  const guint32 *by_target = loom_trace_get_arrows_by_target (trace);
  guint32 low = 0, high = n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (arrows[by_target[middle]].to >= row->first)
      high = middle;
    else
      low = middle + 1;
  }
  return low < n && arrows[by_target[low]].to - row->first < row->n;
}

static gboolean
is_track_launched (const LoomTrace *trace, const LoomTrack *track)
{
  for (guint32 i = 0; i < track->n_rows; i++)
    if (is_row_launched (trace, loom_trace_get_row (trace, track->first_row + i)))
      return TRUE;
  return FALSE;
}

static gboolean
has_launches (const LoomTimeline *timeline)
{
  const LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    guint32 n_arrows;
    const LoomTrace *trace = loom_run_get_trace (run, i);
    loom_trace_get_arrows (trace, &n_arrows); /* a trace that was read from an index has no arrows, so its many tracks
                                               * need not be searched */
    for (guint t = 0; n_arrows > 0 && t < loom_trace_get_n_tracks (trace); t++)
      if (loom_trace_track_is_device (loom_trace_get_track (trace, t)) &&
          is_track_launched (trace, loom_trace_get_track (trace, t)))
        return TRUE;
  }
  return FALSE;
}

/* --- lane with the query ------------------------------------------------------------------------------------------ */

/* Returns TRUE if the text is the query "launch-queue" of any version of the program: a session contains the text of
 * the version that saved it. Only the titles are compared, ignoring case, because versions differ in the case of the
 * title. */
static gboolean
is_query (const LoomLaunchQueueDisplay *self, const char *text)
{
  g_autofree char *title = loom_query_library_dup_title (text);
  return title != NULL && g_ascii_strcasecmp (title, self->query->title) == 0;
}

/* Returns the index of the lane that shows the query "launch-queue", whatever the name of the lane; G_MAXUINT: no lane
 * shows it. */
static guint
find_lane (LoomLaunchQueueDisplay *self)
{
  for (guint i = 0; self->query != NULL && i < loom_query_lanes_get_n (self->lanes); i++)
    if (is_query (self, loom_query_lanes_get_text (self->lanes, i)))
      return i;
  return G_MAXUINT;
}

gboolean
loom_launch_queue_display_get_shown (LoomLaunchQueueDisplay *self)
{
  return find_lane (self) != G_MAXUINT;
}

gboolean
loom_launch_queue_display_is_possible (LoomLaunchQueueDisplay *self)
{
  return loom_launch_queue_display_get_shown (self) ||
         (self->query != NULL && self->has_launches && loom_query_lanes_get_n (self->lanes) < LOOM_QUERY_LANES_MOST);
}

void
loom_launch_queue_display_set_shown (LoomLaunchQueueDisplay *self, gboolean shown)
{
  guint lane = find_lane (self);
  if (!loom_launch_queue_display_is_possible (self) || shown == (lane != G_MAXUINT))
    return;
  if (shown)
    loom_query_lanes_add (self->lanes, _ ("Launch Queue"), self->query->sql);
  else
    loom_query_lanes_remove (self->lanes, lane);
}

static void
update (LoomLaunchQueueDisplay *self)
{
  gboolean shown = loom_launch_queue_display_get_shown (self), possible = loom_launch_queue_display_is_possible (self);
  if (possible != self->was_possible) {
    self->was_possible = possible;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_POSSIBLE]);
  }
  if (shown != self->was_shown) {
    self->was_shown = shown;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOWN]);
  }
}

void
loom_launch_queue_display_set_timeline (LoomLaunchQueueDisplay *self, LoomTimeline *timeline)
{
  self->has_launches = timeline != NULL && has_launches (timeline);
  update (self);
}

/* --- creating and freeing the object ------------------------------------------------------------------------------ */

static void
finalize (GObject *object)
{
  LoomLaunchQueueDisplay *self = LOOM_LAUNCH_QUEUE_DISPLAY (object);
  g_signal_handlers_disconnect_by_data (self->lanes, self);
  g_object_unref (self->lanes);
  loom_query_library_free_query (self->query);
  G_OBJECT_CLASS (loom_launch_queue_display_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomLaunchQueueDisplay *self = LOOM_LAUNCH_QUEUE_DISPLAY (object);
  g_value_set_boolean (value, id == PROP_SHOWN ? loom_launch_queue_display_get_shown (self)
                                               : loom_launch_queue_display_is_possible (self));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  loom_launch_queue_display_set_shown (LOOM_LAUNCH_QUEUE_DISPLAY (object), g_value_get_boolean (value));
}

static void
loom_launch_queue_display_class_init (LoomLaunchQueueDisplayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->finalize = finalize;
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  properties[PROP_SHOWN] = g_param_spec_boolean ("shown", NULL, NULL, FALSE,
                                                 G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_POSSIBLE] =
    g_param_spec_boolean ("possible", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
loom_launch_queue_display_init (LoomLaunchQueueDisplay *self)
{
}

LoomLaunchQueueDisplay *
loom_launch_queue_display_new (LoomQueryLanes *lanes)
{
  LoomLaunchQueueDisplay *self = g_object_new (LOOM_TYPE_LAUNCH_QUEUE_DISPLAY, NULL);
  self->lanes = g_object_ref (lanes);
  self->query = loom_query_library_find ("launch-queue");
  g_signal_connect_swapped (lanes, "changed", G_CALLBACK (update), self);
  return self;
}
