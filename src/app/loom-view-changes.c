/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-view-changes.h"

#include <glib/gi18n.h>

#define DATA "loom-view-changes" /* of the view state */
#define ONE_STEP_US 500000       /* from one change to the next */

/* What is taken back and done again. */
typedef struct {
  LoomViewState *state; /* borrowed: it lives as long as anybody can take something back */
  GArray *marks;        /* LoomTimeMark */
  GVariant *rows;       /* loom_outline_save() */
} Arrangement;

typedef struct {
  LoomViewState *state; /* borrowed: it owns this */
  LoomUndo *undo;
  void (*changed) (gpointer user_data);
  gpointer user_data;
  Arrangement *now;
  guint n_pauses;
  gint64 pushed_us;
} Changes;

static Arrangement *
arrangement_new (LoomViewState *state)
{
  Arrangement *self = g_new (Arrangement, 1);
  guint n;
  const LoomTimeMark *marks = loom_view_state_get_marks (state, &n);
  self->state = state;
  self->marks = g_array_new (FALSE, FALSE, sizeof (LoomTimeMark));
  if (n > 0)
    g_array_append_vals (self->marks, marks, n);
  self->rows = g_variant_ref_sink (loom_outline_save (loom_view_state_get_outline (state)));
  return self;
}

static void
arrangement_free (gpointer data)
{
  Arrangement *self = data;
  g_array_unref (self->marks);
  g_variant_unref (self->rows);
  g_free (self);
}

static Arrangement *
arrangement_copy (const Arrangement *from)
{
  Arrangement *self = g_new (Arrangement, 1);
  self->state = from->state;
  self->marks = g_array_ref (from->marks);
  self->rows = g_variant_ref (from->rows);
  return self;
}

/* Labels are interned. */
static gboolean
has_marks (const Arrangement *self, const LoomTimeMark *marks, guint n)
{
  if (self->marks->len != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const LoomTimeMark *mark = &g_array_index (self->marks, LoomTimeMark, i);
    if (mark->time_ns != marks[i].time_ns || mark->label != marks[i].label || mark->temporary != marks[i].temporary)
      return FALSE;
  }
  return TRUE;
}

static void
put_back (const Arrangement *self)
{
  loom_view_state_remove_marks (self->state, (LoomRange) { G_MININT64, G_MAXINT64 });
  for (guint i = 0; i < self->marks->len; i++) {
    const LoomTimeMark *mark = &g_array_index (self->marks, LoomTimeMark, i);
    if (mark->temporary)
      loom_view_state_toggle_mark (self->state, mark->time_ns, TRUE);
    else
      loom_view_state_add_mark (self->state, mark->time_ns, mark->label);
  }
  loom_outline_restore (loom_view_state_get_outline (self->state), self->rows);
  loom_view_state_rows_changed (self->state);
}

static void
apply (gconstpointer arrangement, gpointer user_data)
{
  const Arrangement *self = arrangement;
  loom_view_changes_pause (self->state);
  put_back (self);
  loom_view_changes_resume (self->state);
}

static const LoomUndoKind kind = { apply, arrangement_free };

static void
push (Changes *self, const char *words)
{
  gint64 now_us = g_get_monotonic_time ();
  Arrangement *before = g_steal_pointer (&self->now);
  self->now = arrangement_new (self->state);
  if (now_us - self->pushed_us > ONE_STEP_US)
    loom_undo_seal (self->undo);
  self->pushed_us = now_us;
  loom_undo_push (self->undo, &kind, words, before, arrangement_copy (self->now), TRUE);
  self->changed (self->user_data);
}

static void
settle (Changes *self)
{
  g_clear_pointer (&self->now, arrangement_free);
  self->now = arrangement_new (self->state);
}

/* The pointer is part of the overlay too: this is asked with every move of it. */
static void
overlay_changed (Changes *self)
{
  guint n;
  const LoomTimeMark *marks = loom_view_state_get_marks (self->state, &n);
  if (self->n_pauses > 0 || has_marks (self->now, marks, n))
    return;
  if (loom_view_state_get_timeline (self->state) == NULL)
    settle (self);
  else
    push (self, _ ("Change Marks"));
}

static void
rows_changed (Changes *self)
{
  if (self->n_pauses > 0)
    return;
  g_autoptr (GVariant) rows = g_variant_ref_sink (loom_outline_save (loom_view_state_get_outline (self->state)));
  if (loom_view_state_get_timeline (self->state) == NULL)
    settle (self);
  else if (!g_variant_equal (rows, self->now->rows))
    push (self, _ ("Change Rows"));
}

static void
changes_free (gpointer changes)
{
  arrangement_free (((Changes *) changes)->now);
  g_free (changes);
}

void
loom_view_changes_watch (LoomViewState *state, LoomUndo *undo, void (*changed) (gpointer user_data), gpointer user_data)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (state) && undo != NULL && g_object_get_data (G_OBJECT (state), DATA) == NULL);
  Changes *self = g_new0 (Changes, 1);
  *self = (Changes) { .state = state, .undo = undo, .changed = changed, .user_data = user_data };
  settle (self);
  g_object_set_data_full (G_OBJECT (state), DATA, self, changes_free);
  g_signal_connect_swapped (state, "overlay-changed", G_CALLBACK (overlay_changed), self);
  g_signal_connect_swapped (state, "rows-changed", G_CALLBACK (rows_changed), self);
}

void
loom_view_changes_pause (LoomViewState *state)
{
  Changes *self = g_object_get_data (G_OBJECT (state), DATA);
  if (self != NULL)
    self->n_pauses++;
}

void
loom_view_changes_resume (LoomViewState *state)
{
  Changes *self = g_object_get_data (G_OBJECT (state), DATA);
  if (self == NULL || --self->n_pauses > 0)
    return;
  settle (self);
  self->changed (self->user_data);
}
