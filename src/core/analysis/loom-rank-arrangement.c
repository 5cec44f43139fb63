/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-rank-arrangement.h: worker threads find the parallelism axes and compare the ranks. Then the rows of
 * the timeline are changed.
 */
#include "loom-rank-arrangement.h"

#include "loom-axis-order.h"
#include "loom-worker.h"

struct _LoomRankArrangement {
  GObject parent;
  LoomTimelineState *view;
  LoomParallelAxes *axes;       /* the axes along which ranks can be sorted; NULL until they are known */
  LoomCollectives *collectives; /* the collectives from which the axes were found */
  guint known;                  /* value of the property "axes" at the last "notify::axes" */
  gboolean folded;              /* value of the property "folded" at the last "notify::folded" */
  /* TRUE after the user has requested to fold the ranks, until the ranks have been compared. If the collectives
   * change before that, the comparison starts again. */
  gboolean wants_folded;
  GCancellable *finding, *comparing;
};

G_DEFINE_FINAL_TYPE (LoomRankArrangement, loom_rank_arrangement, G_TYPE_OBJECT)

enum { PROP_0, PROP_AXES, PROP_FOLDED, N_PROPS };
static GParamSpec *properties[N_PROPS];

enum { NONE_ALIKE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- axes --------------------------------------------------------------------------------------------------------- */

static void
take_axes (LoomRankArrangement *self, LoomParallelAxes *axes)
{
  guint known = 0;
  g_clear_pointer (&self->axes, loom_parallel_axes_free);
  self->axes = axes;
  for (guint i = LOOM_PARALLEL_AXIS_TENSOR; axes != NULL && i < LOOM_N_PARALLEL_AXES; i++)
    known |= loom_axis_order_is_known (axes, i) ? 1u << i : 0;
  if (known == self->known)
    return;
  self->known = known;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AXES]);
}

static gpointer
find_axes (gpointer collectives, GCancellable *cancellable, GError **error)
{
  return loom_parallel_axes_new (collectives, cancellable);
}

static void
found_axes (gpointer self, gpointer result, const GError *error, gpointer collectives)
{
  take_axes (self, result);
}

static void compare_ranks (LoomRankArrangement *self);

/* Called when the collectives of the view have changed. Cancels a running comparison of ranks, because it uses the
 * old collectives. If the ranks shall still be folded, starts a new comparison as soon as the view has new
 * collectives. */
static void
facts_changed (LoomRankArrangement *self)
{
  LoomCollectives *collectives = loom_timeline_state_get_collectives (self->view);
  static const LoomWorkerKind kind = { find_axes, (GDestroyNotify) loom_collectives_unref,
                                       (GDestroyNotify) loom_parallel_axes_free };
  if (collectives == self->collectives)
    return;
  loom_worker_cancel (&self->finding);
  loom_worker_cancel (&self->comparing);
  take_axes (self, NULL);
  g_clear_pointer (&self->collectives, loom_collectives_unref);
  if (collectives == NULL)
    return;
  if (collectives->n > 0) {
    self->collectives = loom_collectives_ref (collectives);
    loom_worker_start (&self->finding, &kind, loom_collectives_ref (collectives), found_axes, self);
  }
  if (self->wants_folded)
    compare_ranks (self);
}

gboolean
loom_rank_arrangement_can_sort (LoomRankArrangement *self, LoomParallelAxis axis)
{
  g_return_val_if_fail (LOOM_IS_RANK_ARRANGEMENT (self) && axis < LOOM_N_PARALLEL_AXES, FALSE);
  return (self->known & (1u << axis)) != 0;
}

void
loom_rank_arrangement_sort (LoomRankArrangement *self, LoomParallelAxis axis)
{
  if (!loom_rank_arrangement_can_sort (self, axis))
    return;
  g_autoptr (GArray) ranks = loom_axis_order_new (self->axes, axis);
  loom_row_list_order_ranks (loom_timeline_state_get_row_list (self->view), (const gint *) (gpointer) ranks->data,
                             ranks->len);
  loom_timeline_state_rows_changed (self->view);
}

/* --- ranks with the same work ------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomCollectives *collectives;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_collectives_unref (input->collectives);
  g_free (input);
}

static gpointer
compare (Input *input, GCancellable *cancellable, GError **error)
{
  LoomRange extent;
  g_autoptr (LoomParallelAxes) axes = loom_parallel_axes_new (input->collectives, cancellable);
  if (axes == NULL || !loom_timeline_get_extent (input->timeline, &extent))
    return NULL;
  extent.end_ns = loom_time_add (extent.end_ns, 1);
  g_autoptr (LoomRankBreakdown) times = loom_rank_breakdown_new (input->timeline, extent, cancellable);
  return times != NULL ? loom_axis_order_find_alike (axes, input->collectives, times) : NULL;
}

static void
fold (LoomRankArrangement *self, const GArray *alike)
{
  g_autofree gint *ranks = g_new0 (gint, alike->len + 1), *others = g_new0 (gint, alike->len + 1);
  for (guint i = 0; i < alike->len; i++) {
    ranks[i] = g_array_index (alike, LoomAlikeRank, i).rank;
    others[i] = g_array_index (alike, LoomAlikeRank, i).representative;
  }
  loom_row_list_fold_alike (loom_timeline_state_get_row_list (self->view), ranks, others, alike->len);
  loom_timeline_state_rows_changed (self->view);
}

static void
compared (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomRankArrangement *self = owner;
  g_autoptr (GArray) alike = result;
  self->wants_folded = FALSE;
  if (alike != NULL && alike->len > 0)
    fold (self, alike);
  else
    g_signal_emit (self, signals[NONE_ALIKE], 0);
}

/* Starts comparing the ranks if the collectives of the view are known. If the run has no collectives, the comparison
 * ends at once, with no ranks found. */
static void
compare_ranks (LoomRankArrangement *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->view);
  LoomCollectives *collectives = loom_timeline_state_get_collectives (self->view);
  static const LoomWorkerKind kind = { (LoomWorkerFunc) compare, (GDestroyNotify) input_free,
                                       (GDestroyNotify) g_array_unref };
  if (timeline != NULL && self->collectives != NULL)
    loom_worker_start (
      &self->comparing, &kind,
      LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), loom_collectives_ref (self->collectives)), compared,
      self);
  else if (collectives != NULL && collectives->n == 0)
    compared (self, NULL, NULL, NULL);
}

void
loom_rank_arrangement_set_folded (LoomRankArrangement *self, gboolean folded)
{
  g_return_if_fail (LOOM_IS_RANK_ARRANGEMENT (self));
  self->wants_folded = folded;
  loom_worker_cancel (&self->comparing);
  if (folded) {
    compare_ranks (self);
    return;
  }
  loom_row_list_fold_alike (loom_timeline_state_get_row_list (self->view), NULL, NULL, 0);
  loom_timeline_state_rows_changed (self->view);
}

gboolean
loom_rank_arrangement_get_folded (LoomRankArrangement *self)
{
  g_return_val_if_fail (LOOM_IS_RANK_ARRANGEMENT (self), FALSE);
  return self->folded;
}

gboolean
loom_rank_arrangement_is_busy (LoomRankArrangement *self)
{
  g_return_val_if_fail (LOOM_IS_RANK_ARRANGEMENT (self), FALSE);
  return self->finding != NULL || self->comparing != NULL;
}

static void
rows_changed (LoomRankArrangement *self)
{
  gboolean folded = loom_row_list_get_n_alike (loom_timeline_state_get_row_list (self->view)) > 0;
  if (folded == self->folded)
    return;
  self->folded = folded;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLDED]);
}

/* --- GObject class and public functions --------------------------------------------------------------------------- */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomRankArrangement *self = LOOM_RANK_ARRANGEMENT (object);
  if (id == PROP_AXES)
    g_value_set_uint (value, self->known);
  else
    g_value_set_boolean (value, self->folded);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  loom_rank_arrangement_set_folded (LOOM_RANK_ARRANGEMENT (object), g_value_get_boolean (value));
}

static void
finalize (GObject *object)
{
  LoomRankArrangement *self = LOOM_RANK_ARRANGEMENT (object);
  loom_worker_cancel (&self->finding);
  loom_worker_cancel (&self->comparing);
  g_signal_handlers_disconnect_by_data (self->view, self);
  g_clear_pointer (&self->axes, loom_parallel_axes_free);
  g_clear_pointer (&self->collectives, loom_collectives_unref);
  g_object_unref (self->view);
  G_OBJECT_CLASS (loom_rank_arrangement_parent_class)->finalize (object);
}

static void
loom_rank_arrangement_class_init (LoomRankArrangementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  object_class->finalize = finalize;
  properties[PROP_AXES] =
    g_param_spec_uint ("axes", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_FOLDED] = g_param_spec_boolean ("folded", NULL, NULL, FALSE,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[NONE_ALIKE] =
    g_signal_new ("none-alike", LOOM_TYPE_RANK_ARRANGEMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_rank_arrangement_init (LoomRankArrangement *self)
{
}

LoomRankArrangement *
loom_rank_arrangement_new (LoomTimelineState *view)
{
  g_return_val_if_fail (LOOM_IS_TIMELINE_STATE (view), NULL);
  LoomRankArrangement *self = g_object_new (LOOM_TYPE_RANK_ARRANGEMENT, NULL);
  self->view = g_object_ref (view);
  g_signal_connect_swapped (view, "facts-changed", G_CALLBACK (facts_changed), self);
  g_signal_connect_swapped (view, "rows-changed", G_CALLBACK (rows_changed), self);
  return self;
}
