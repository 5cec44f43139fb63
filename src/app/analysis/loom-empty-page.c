/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-empty-page.h"

#include "loom-bounded-text.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>

/* Maximum width of a line, in characters. */
#define TITLE_CHARS 40
#define NOTE_CHARS 70

#define ICON_PX 96
#define EMPTY_PAGE_CLASS "empty-page"

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

static GtkWidget *
new_text (const char *text, int most_chars, const char *style)
{
  g_autofree char *bound = loom_sentence_dup_bound (text);
  GtkWidget *label = loom_bounded_text_new_label (bound);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), most_chars);
  gtk_widget_set_halign (label, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (label, style);
  return label;
}

GtkWidget *
loom_empty_page_new (const char *title, GtkWidget *button)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24),
            *image = gtk_image_new_from_icon_name ("loom-analysis-symbolic");
  gtk_widget_add_css_class (page, EMPTY_PAGE_CLASS);
  gtk_widget_add_css_class (image, "dim-label");
  gtk_image_set_pixel_size (GTK_IMAGE (image), ICON_PX);
  gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL, "", -1);
  gtk_box_append (GTK_BOX (page), image);
  gtk_box_append (GTK_BOX (page), new_text (title, TITLE_CHARS, "title-1"));
  if (button != NULL)
    gtk_box_append (GTK_BOX (page), button);
  return page;
}

GtkWidget *
loom_empty_page_new_note (const char *text)
{
  return new_text (text, NOTE_CHARS, "dim-label");
}

gboolean
loom_empty_page_is_title (GtkWidget *widget)
{
  return gtk_widget_has_css_class (widget, EMPTY_PAGE_CLASS);
}

void
loom_empty_page_set_title (GtkWidget *page, const char *title)
{
  g_autofree char *bound = loom_sentence_dup_bound (title);
  GtkWidget *label = gtk_widget_get_next_sibling (gtk_widget_get_first_child (page));
  loom_bounded_text_set_label (GTK_LABEL (label), bound);
}
