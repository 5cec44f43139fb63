/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-adaptive-bin.h"

struct _LoomAdaptiveBin {
  GtkWidget parent;
  GtkWidget *roomy, *tight;
};

G_DEFINE_FINAL_TYPE (LoomAdaptiveBin, loom_adaptive_bin, GTK_TYPE_WIDGET)

/* Asks for the width of the tight child and the larger of both heights, so that the request does not depend on which
 * child is shown. */
static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  LoomAdaptiveBin *self = LOOM_ADAPTIVE_BIN (widget);
  int roomy_minimum, roomy_natural;
  gtk_widget_measure (self->roomy, orientation, -1, &roomy_minimum, &roomy_natural, NULL, NULL);
  gtk_widget_measure (self->tight, orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = MAX (*minimum, roomy_minimum);
  *natural = MAX (*natural, roomy_natural);
}

/* Both children are mapped first: assistive technology may press buttons of the hidden child, and only realized
 * widgets react. */
static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LoomAdaptiveBin *self = LOOM_ADAPTIVE_BIN (widget);
  int needed;
  gtk_widget_measure (self->roomy, GTK_ORIENTATION_HORIZONTAL, -1, &needed, NULL, NULL, NULL);
  gboolean fits = needed <= width;
  gtk_widget_set_child_visible (self->roomy, fits);
  gtk_widget_set_child_visible (self->tight, !fits);
  gtk_widget_allocate (fits ? self->roomy : self->tight, width, height, baseline, NULL);
}

static void
dispose (GObject *object)
{
  LoomAdaptiveBin *self = LOOM_ADAPTIVE_BIN (object);
  g_clear_pointer (&self->roomy, gtk_widget_unparent);
  g_clear_pointer (&self->tight, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_adaptive_bin_parent_class)->dispose (object);
}

static void
loom_adaptive_bin_class_init (LoomAdaptiveBinClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->measure = measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = size_allocate;
}

static void
loom_adaptive_bin_init (LoomAdaptiveBin *self)
{
}

GtkWidget *
loom_adaptive_bin_new (GtkWidget *roomy, GtkWidget *tight)
{
  LoomAdaptiveBin *self = g_object_new (LOOM_TYPE_ADAPTIVE_BIN, NULL);
  self->roomy = roomy;
  self->tight = tight;
  gtk_widget_set_parent (roomy, GTK_WIDGET (self));
  gtk_widget_set_parent (tight, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
