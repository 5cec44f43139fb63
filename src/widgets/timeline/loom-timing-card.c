/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timing-card.h"

#include "loom-bounded-text.h"
#include "loom-counter-description.h"
#include "loom-template.h"
#include "loom-timeline-description.h"
#include "loom-timing.h"

#include <glib/gi18n.h>

struct _LoomTimingCard {
  GtkWidget parent;
  LoomTimelineState *state;
  GtkLabel *label;
  /* The range that the text describes. If the pointer is between two marks, the range between these marks; otherwise,
   * the range between the last two marks. Empty if there are fewer than two marks. */
  LoomRange marks;
  double scroll_px;
};

G_DEFINE_FINAL_TYPE (LoomTimingCard, loom_timing_card, GTK_TYPE_WIDGET)

static gboolean
marks_around (LoomTimingCard *self, LoomRange *range)
{
  guint n;
  const LoomMarker *marks = loom_timeline_state_get_marks (self->state, &n);
  return loom_timing_between_marks (marks, n, loom_timeline_state_get_pointer (self->state)->time_ns, range);
}

static void
append (GString *text, const char *title, const LoomTiming *timing)
{
  g_autofree char *words = loom_timeline_description_for_timing (timing);
  g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", title, words);
}

static void
append_selection (LoomTimingCard *self, GString *text)
{
  guint n;
  const LoomSpanId *spans = loom_timeline_state_get_selected (self->state, &n);
  LoomRange range = loom_timeline_state_get_range (self->state);
  if (n == 0 && range.end_ns <= range.begin_ns)
    return;
  LoomTiming timing = n > 0 ? loom_timing_of_spans (loom_timeline_state_get_timeline (self->state), spans, n)
                            : loom_timing_of_range (self->state, range);
  append (text, _ ("Selection"), &timing);
}

static void
update (LoomTimingCard *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  self->marks = (LoomRange) { 0, 0 };
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  if (loom_timeline_state_get_timeline (self->state) != NULL) {
    append_selection (self, text);
    if (marks_around (self, &self->marks)) {
      LoomTiming timing = loom_timing_of_range (self->state, self->marks);
      append (text, _ ("Between marks"), &timing);
      g_autofree char *values = loom_counter_description_between (self->state, self->marks);
      if (values != NULL)
        g_string_append_printf (text, "\n%s", values);
    }
  }
  loom_bounded_text_set_label (self->label,
                               text->len > 0 ? text->str : _ ("Drag to select a range, or set two marks (M, Shift+M)"));
}

/* Updates the text after vertical scrolling, because other counters may now be visible. */
static void
view_changed (LoomTimingCard *self)
{
  double scroll_px = loom_timeline_state_get_viewport (self->state)->scroll_px;
  if (scroll_px != self->scroll_px && self->marks.end_ns > self->marks.begin_ns)
    update (self);
  self->scroll_px = scroll_px;
}

/* Updates the text if the pointer has moved past a mark. Does nothing while the pointer stays between the same two
 * marks. */
static void
overlay_changed (LoomTimingCard *self)
{
  LoomRange marks = { 0, 0 };
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  marks_around (self, &marks);
  if (marks.begin_ns != self->marks.begin_ns || marks.end_ns != self->marks.end_ns)
    update (self);
}

static void
dispose (GObject *object)
{
  LoomTimingCard *self = LOOM_TIMING_CARD (object);
  gtk_widget_dispose_template (GTK_WIDGET (self), LOOM_TYPE_TIMING_CARD);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (loom_timing_card_parent_class)->dispose (object);
}

static void
loom_timing_card_class_init (LoomTimingCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  loom_template_set (GTK_WIDGET_CLASS (klass), "loom-timing-card.ui");
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), LoomTimingCard, label);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "timingcard");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_STATUS);
}

static void
loom_timing_card_init (LoomTimingCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_timing_card_set_state (LoomTimingCard *self, LoomTimelineState *state)
{
  g_return_if_fail (LOOM_IS_TIMING_CARD (self) && self->state == NULL);
  self->state = g_object_ref (state);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "timeline-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "rows-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "view-changed", G_CALLBACK (view_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "overlay-changed", G_CALLBACK (overlay_changed), self, G_CONNECT_SWAPPED);
}

void
loom_timing_card_set_shown (LoomTimingCard *self, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (self), shown);
  update (self);
}
