/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-mark-popover.h"

#include "loom-popover-util.h"

#include <glib/gi18n.h>

#define WIDTH_CHARS 28

typedef struct {
  LoomTimelineState *state;
  gint64 time_ns;
} Note;

static void
note_free (gpointer note)
{
  g_object_unref (((Note *) note)->state);
  g_free (note);
}

static void
activated (GtkEntry *entry, GtkWidget *popover)
{
  Note *note = g_object_get_data (G_OBJECT (popover), "note");
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  loom_timeline_state_set_mark_label (note->state, note->time_ns, text);
  gtk_popover_popdown (GTK_POPOVER (popover));
}

static GtkWidget *
new_entry (const LoomMarker *mark)
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), WIDTH_CHARS);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Note on this mark"));
  gtk_editable_set_text (GTK_EDITABLE (entry), mark->label != NULL ? mark->label : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Note on this mark"), -1);
  return entry;
}

void
loom_mark_popover_popup (GtkWidget *widget, LoomTimelineState *state, gint64 time_ns, double x, double y)
{
  const LoomMarker *mark = loom_timeline_state_find_mark (state, time_ns, 0);
  if (mark == NULL)
    return;
  Note *note = g_new (Note, 1);
  *note = (Note) { g_object_ref (state), time_ns };
  GtkWidget *popover = gtk_popover_new (), *entry = new_entry (mark);
  g_object_set_data_full (G_OBJECT (popover), "note", note, note_free);
  g_signal_connect (entry, "activate", G_CALLBACK (activated), popover);
  gtk_popover_set_child (GTK_POPOVER (popover), entry);
  g_signal_connect_object (popover, "closed", G_CALLBACK (gtk_widget_grab_focus), widget, G_CONNECT_SWAPPED);
  loom_popover_util_show (popover, widget, x, y);
  gtk_widget_grab_focus (entry);
}
