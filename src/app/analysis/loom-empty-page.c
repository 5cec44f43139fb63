/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-empty-page.h"

#include "loom-bounded-text.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>

#define NOTE_CHARS 70 /* maximum width of a line, in characters */

gboolean
loom_empty_page_is (const LoomPageContent *sheet)
{
  for (guint i = 0; i < sheet->blocks->len; i++) {
    LoomBlockKind kind = loom_page_content_get_block (sheet, i)->kind;
    if (kind != LOOM_BLOCK_MISSING && (i == 0 || kind != LOOM_BLOCK_NOTE))
      return FALSE;
  }
  return sheet->blocks->len > 0;
}

GtkWidget *
loom_empty_page_new_button (GCallback clicked, gpointer data)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("Show _Whole Run"));
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pill");
  g_signal_connect_swapped (button, "clicked", clicked, data);
  return button;
}

GtkWidget *
loom_empty_page_put_button (GtkWidget *sentence, GtkWidget *button)
{
  if (button == NULL)
    return sentence;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_box_append (GTK_BOX (box), sentence);
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

GtkWidget *
loom_empty_page_new (const char *title, GtkWidget *button)
{
  GtkWidget *page = adw_status_page_new ();
  gtk_widget_add_css_class (page, "compact");
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "loom-analysis-symbolic");
  loom_empty_page_set_title (ADW_STATUS_PAGE (page), title);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), button);
  return page;
}

GtkWidget *
loom_empty_page_new_note (const char *text)
{
  g_autofree char *bound = loom_sentence_dup_bound (text);
  GtkWidget *label = loom_bounded_text_new_label (bound);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), NOTE_CHARS);
  gtk_widget_set_halign (label, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

void
loom_empty_page_set_title (AdwStatusPage *page, const char *title)
{
  g_autofree char *bound = loom_sentence_dup_bound (title);
  adw_status_page_set_title (page, bound);
}
