/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-view-commands.h: after each change, compares the state of the timeline with its state before the
 * change, and adds undo steps.
 */
#include "loom-view-commands.h"

#include <glib/gi18n.h>

/* key for g_object_set_data(), with which the struct Changes of a timeline state is stored */
#define DATA "loom-view-changes"
#define ONE_STEP_US 500000 /* maximum time, in µs, between two changes that are combined into one undo step */
#define ONE_MOVE_US G_USEC_PER_SEC

/* The marks and rows of a timeline, to which an undo step returns. Immutable, ref-counted. */
typedef struct {
  LoomTimelineState *state; /* borrowed; lives longer than the undo step */
  GArray *marks;            /* LoomMarker: the user's marks */
  GVariant *rows;           /* result of loom_row_list_save() */
  char *filter;             /* the filter of the rows; "" if there is none */
} Arrangement;

/* A viewport to which an undo step returns. */
typedef struct {
  LoomTimelineState *state; /* borrowed; lives longer than the undo step */
  LoomViewport viewport;
} Place;

typedef struct {
  LoomTimelineState *state; /* borrowed, because `state` owns this struct */
  LoomViewAnimator *flight; /* moves the view of `state` in an animation; borrowed */
  LoomUndoStack *undo;
  void (*changed) (gpointer user_data);
  gpointer user_data;
  Arrangement *now;
  guint n_pauses;
  gint64 pushed_us, moved_us;
} Changes;

static gint64 (*clock_us) (void) = g_get_monotonic_time;

void
loom_view_commands_set_clock (gint64 (*now_us) (void))
{
  clock_us = now_us;
}

static const char *
filter_of (LoomTimelineState *state)
{
  return loom_row_list_get_filter (loom_timeline_state_get_row_list (state));
}

static Arrangement *
arrangement_new (LoomTimelineState *state)
{
  Arrangement *self = g_rc_box_new (Arrangement);
  guint n;
  const LoomMarker *marks = loom_timeline_state_get_marks (state, &n);
  self->state = state;
  self->filter = g_strdup (filter_of (state));
  self->marks = g_array_new (FALSE, FALSE, sizeof (LoomMarker));
  g_array_append_vals (self->marks, marks, n);
  self->rows = loom_row_list_save (loom_timeline_state_get_row_list (state));
  return self;
}

static void
arrangement_clear (gpointer data)
{
  Arrangement *self = data;
  g_array_unref (self->marks);
  g_variant_unref (self->rows);
  g_free (self->filter);
}

static void
arrangement_unref (gpointer arrangement)
{
  g_rc_box_release_full (arrangement, arrangement_clear);
}

/* Returns TRUE if the arrangement has exactly these marks. Labels are interned strings, so their pointers are
 * compared. */
static gboolean
has_marks (const Arrangement *self, const LoomMarker *marks, guint n)
{
  if (self->marks->len != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const LoomMarker *mark = &g_array_index (self->marks, LoomMarker, i);
    if (mark->time_ns != marks[i].time_ns || mark->label != marks[i].label || mark->temporary != marks[i].temporary)
      return FALSE;
  }
  return TRUE;
}

static void
put_back (const Arrangement *self)
{
  LoomTimelineState *state = self->state;
  loom_timeline_state_remove_marks (state, (LoomRange) { G_MININT64, G_MAXINT64 });
  for (guint i = 0; i < self->marks->len; i++) {
    const LoomMarker *mark = &g_array_index (self->marks, LoomMarker, i);
    if (mark->temporary)
      loom_timeline_state_toggle_mark (state, mark->time_ns, TRUE);
    else
      loom_timeline_state_add_mark (state, mark->time_ns, mark->label);
  }
  loom_row_list_restore (loom_timeline_state_get_row_list (state), self->rows);
  loom_timeline_state_rows_changed (state);
  if (!g_str_equal (filter_of (state), self->filter))
    loom_timeline_state_set_row_filter (state, self->filter);
}

static void
apply (gconstpointer arrangement, gpointer user_data)
{
  const Arrangement *self = arrangement;
  loom_view_commands_pause (self->state);
  put_back (self);
  loom_view_commands_resume (self->state);
}

static const LoomUndoKind kind = { apply, arrangement_unref, FALSE };

static void
push (Changes *self, const char *words)
{
  gint64 now_us = clock_us ();
  Arrangement *before = g_steal_pointer (&self->now);
  self->now = arrangement_new (self->state);
  if (now_us - self->pushed_us > ONE_STEP_US)
    loom_undo_stack_seal (self->undo);
  self->pushed_us = now_us;
  loom_undo_stack_push (self->undo, &kind, words, before, g_rc_box_acquire (self->now), TRUE);
  self->changed (self->user_data);
}

static void
settle (Changes *self)
{
  g_clear_pointer (&self->now, arrangement_unref);
  self->now = arrangement_new (self->state);
}

/* Called when a mark or the cursor may have changed; both are drawn on top of the rows. If a mark has changed, adds
 * an undo step. Must be fast, because the cursor changes each time the mouse pointer moves. */
static void
overlay_changed (Changes *self)
{
  guint n;
  const LoomMarker *marks = loom_timeline_state_get_marks (self->state, &n);
  if (self->n_pauses > 0 || has_marks (self->now, marks, n))
    return;
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    settle (self);
  else
    push (self, _ ("Change Marks"));
}

/* Returns TRUE if the two saved states of the rows are equal. Compares one row after the other. This is fast,
 * because unchanged rows have the same GVariant in both states; serialising all rows would take long. */
static gboolean
are_same_rows (GVariant *a, GVariant *b)
{
  gsize n = g_variant_n_children (a);
  gboolean same = a == b || n == g_variant_n_children (b);
  for (gsize i = 0; a != b && i < n && same; i++) {
    g_autoptr (GVariant) x = g_variant_get_child_value (a, i), y = g_variant_get_child_value (b, i);
    same = x == y || g_variant_equal (x, y);
  }
  return same;
}

static void
rows_changed (Changes *self)
{
  if (self->n_pauses > 0)
    return;
  g_autoptr (GVariant) rows = loom_row_list_save (loom_timeline_state_get_row_list (self->state));
  gboolean same = are_same_rows (rows, self->now->rows);
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    settle (self);
  else if (!same || !g_str_equal (filter_of (self->state), self->now->filter))
    push (self, _ ("Change Rows"));
}

/* --- undo steps for moves of the view ----------------------------------------------------------------------------- */

/* Moves the view to a saved viewport. Keeps the present width and height of the view. */
static void
go_back (gconstpointer place, gpointer user_data)
{
  const Place *self = place;
  const LoomViewport *now = loom_timeline_state_get_viewport (self->state);
  Changes *changes = g_object_get_data (G_OBJECT (self->state), DATA);
  LoomViewport target = self->viewport;
  target.width_px = now->width_px;
  target.height_px = now->height_px;
  loom_view_animator_go_back (changes->flight, &target);
  changes->changed (changes->user_data);
}

static const LoomUndoKind place_kind = { go_back, g_free, TRUE };

static Place *
place_new (LoomTimelineState *state, const LoomViewport *viewport)
{
  Place *self = g_new (Place, 1);
  *self = (Place) { state, *viewport };
  return self;
}

/* Adds an undo step for a move of the view. Called for each frame of an animation. Calls with at most ONE_MOVE_US
 * between them make only one step. */
static void
view_moved (const LoomViewport *before, gpointer user_data)
{
  Changes *self = user_data;
  gint64 now_us = clock_us ();
  if (now_us - self->moved_us > ONE_MOVE_US)
    loom_undo_stack_seal (self->undo);
  self->moved_us = now_us;
  Place *from = place_new (self->state, before),
        *to = place_new (self->state, loom_timeline_state_get_viewport (self->state));
  if (loom_undo_stack_push (self->undo, &place_kind, _ ("Change View"), from, to, TRUE))
    self->changed (self->user_data);
}

/* --- watching ----------------------------------------------------------------------------------------------------- */

static void
changes_free (gpointer changes)
{
  Changes *self = changes;
  arrangement_unref (self->now);
  g_free (self);
}

void
loom_view_commands_watch (LoomTimelineState *state, LoomViewAnimator *flight, LoomUndoStack *undo,
                          void (*changed) (gpointer user_data), gpointer user_data)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (state) && LOOM_IS_VIEW_ANIMATOR (flight) && undo != NULL &&
                    g_object_get_data (G_OBJECT (state), DATA) == NULL);
  Changes *self = g_new0 (Changes, 1);
  *self = (Changes) { .state = state, .flight = flight, .undo = undo, .changed = changed, .user_data = user_data };
  settle (self);
  g_object_set_data_full (G_OBJECT (state), DATA, self, changes_free);
  g_signal_connect_swapped (state, "overlay-changed", G_CALLBACK (overlay_changed), self);
  g_signal_connect_swapped (state, "rows-changed", G_CALLBACK (rows_changed), self);
  loom_view_animator_watch (flight, view_moved, self);
}

void
loom_view_commands_unwatch (LoomTimelineState *state)
{
  Changes *self = g_object_get_data (G_OBJECT (state), DATA);
  g_signal_handlers_disconnect_by_data (state, self);
  loom_view_animator_watch (self->flight, NULL, NULL);
  g_object_set_data (G_OBJECT (state), DATA, NULL);
}

void
loom_view_commands_pause (LoomTimelineState *state)
{
  Changes *self = g_object_get_data (G_OBJECT (state), DATA);
  if (self != NULL)
    self->n_pauses++;
}

void
loom_view_commands_resume (LoomTimelineState *state)
{
  Changes *self = g_object_get_data (G_OBJECT (state), DATA);
  if (self == NULL || --self->n_pauses > 0)
    return;
  settle (self);
  self->changed (self->user_data);
}
