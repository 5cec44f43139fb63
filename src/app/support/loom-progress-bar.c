/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-progress-bar.h"

#include "loom-bounded-text.h"
#include "loom-locale-number.h"

#include <glib/gi18n.h>

#define POLL_MS 100

/* The bar is shown as soon as the progress has been polled this number of times. For shorter work, it stays hidden:
 * showing and hiding it would move the content of the window down and up again. */
#define LEAST_POLLS 2

struct _LoomProgressBar {
  AdwBin parent;
  GtkRevealer *revealer;
  GtkLabel *what;
  GtkLabel *left;
  GtkButton *cancel;
  GtkProgressBar *bar;
  LoomProgress *progress;
  LoomProgressKind work;
  guint poll_id;
  guint n_polls;
};

G_DEFINE_FINAL_TYPE (LoomProgressBar, loom_progress_bar, ADW_TYPE_BIN)

enum { CANCEL, N_SIGNALS };
static guint signals[N_SIGNALS];

static char *
what_text (LoomProgressKind work, const char *name)
{
  gboolean named = name != NULL && *name != '\0' && !g_str_equal (name, ".");
  if (work == LOOM_PROGRESS_KIND_SAVING)
    return named ? g_strdup_printf (
                     /* Translators: %s is the name of a file */
                     _ ("Saving %s"), name)
                 : g_strdup (_ ("Saving…"));
  return named ? g_strdup_printf (
                   /* Translators: %s is the name of a file */
                   _ ("Reading %s"), name)
               : g_strdup (_ ("Reading…"));
}

static void
show_label (LoomProgressBar *self)
{
  g_autofree char *label = loom_progress_dup_label (self->progress);
  g_autofree char *base = label != NULL ? g_path_get_basename (label) : NULL;
  g_autofree char *shown = what_text (self->work, base);
  loom_bounded_text_set_label (self->what, shown);
  loom_bounded_text_set_tip (GTK_WIDGET (self->what), label);
}

static void
show_amount (LoomProgressBar *self)
{
  guint64 total = loom_progress_get_total (self->progress), done = loom_progress_get_done (self->progress);
  if (total == 0 || self->work == LOOM_PROGRESS_KIND_RANGE) {
    gtk_label_set_text (self->left, "");
    gtk_progress_bar_pulse (self->bar);
    return;
  }
  guint64 rest = total > done ? total - done : 0;
  gboolean bytes = self->work == LOOM_PROGRESS_KIND_READING;
  g_autofree char *rest_text = bytes ? g_format_size (rest) : loom_locale_number_group (rest);
  g_autofree char *total_text = bytes ? g_format_size (total) : loom_locale_number_group (total);
  g_autofree char *text = bytes ? g_strdup_printf (/* Translators: amounts of data, such as "120 MB of 234 MB left" */
                                                   _ ("%s of %s left"), rest_text, total_text)
                                /* Translators: numbers of events, such as "1,200 of 5,000 events left" */
                                : g_strdup_printf (_ ("%s of %s events left"), rest_text, total_text);
  loom_bounded_text_set_label (self->left, text);
  gtk_progress_bar_set_fraction (self->bar, CLAMP ((double) done / (double) total, 0, 1));
}

static gboolean
poll (gpointer user_data)
{
  LoomProgressBar *self = user_data;
  show_label (self);
  show_amount (self);
  gtk_revealer_set_reveal_child (self->revealer, self->n_polls++ >= LEAST_POLLS);
  return G_SOURCE_CONTINUE;
}

static void
cancel_clicked (LoomProgressBar *self)
{
  gtk_widget_set_sensitive (GTK_WIDGET (self->cancel), FALSE);
  g_signal_emit (self, signals[CANCEL], 0);
}

static void
dispose (GObject *object)
{
  LoomProgressBar *self = LOOM_PROGRESS_BAR (object);
  g_clear_handle_id (&self->poll_id, g_source_remove);
  g_clear_pointer (&self->progress, loom_progress_unref);
  G_OBJECT_CLASS (loom_progress_bar_parent_class)->dispose (object);
}

static void
loom_progress_bar_class_init (LoomProgressBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[CANCEL] =
    g_signal_new ("cancel", LOOM_TYPE_PROGRESS_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-progress-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomProgressBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, LoomProgressBar, what);
  gtk_widget_class_bind_template_child (widget_class, LoomProgressBar, left);
  gtk_widget_class_bind_template_child (widget_class, LoomProgressBar, cancel);
  gtk_widget_class_bind_template_child (widget_class, LoomProgressBar, bar);
}

static void
loom_progress_bar_init (LoomProgressBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (cancel_clicked), self);
}

void
loom_progress_bar_follow (LoomProgressBar *self, LoomProgress *progress, LoomProgressKind work)
{
  g_clear_handle_id (&self->poll_id, g_source_remove);
  g_clear_pointer (&self->progress, loom_progress_unref);
  self->work = work;
  self->n_polls = 0;
  if (progress == NULL) {
    gtk_revealer_set_reveal_child (self->revealer, FALSE);
    return;
  }
  self->progress = loom_progress_ref (progress);
  gtk_widget_set_sensitive (GTK_WIDGET (self->cancel), TRUE);
  gtk_progress_bar_set_fraction (self->bar, 0);
  poll (self);
  self->poll_id = g_timeout_add (POLL_MS, poll, self);
}
