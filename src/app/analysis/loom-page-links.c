/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-links.h"

#include "loom-bounded-text.h"
#include "loom-ellipsize.h"
#include "loom-page-index.h"

#include <glib/gi18n.h>
#include <string.h>

/* Quotation marks in all languages of the program, and the spaces that may be between a mark and the quoted text. */
static const char *const opening[] = { "“", "„", "«", "「", "\"" }, *const closing[] = { "”", "“", "»", "」", "\"" },
                         *const spaces[] = { "\u00a0", "\u202f", " " };

/* Searches `texts` for the first text with which `at` begins. Returns the length of this text; 0 if there is none. */
static gsize
skip_one (const char *at, const char *const *texts, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_has_prefix (at, texts[i]))
      return strlen (texts[i]);
  return 0;
}

/* Returns the page whose title begins at `at` and is followed by a closing quotation mark, and sets `length` to the
 * length of the title. Returns NULL if there is no such page. */
static const LoomPageIndex *
find_page (const char *at, gsize *length)
{
  guint n;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++) {
    const char *title = _ (pages[i].title);
    if (strcmp (pages[i].view, "analysis") != 0 || !g_str_has_prefix (at, title))
      continue;
    const char *after = at + strlen (title);
    after += skip_one (after, spaces, G_N_ELEMENTS (spaces));
    *length = strlen (title);
    if (skip_one (after, closing, G_N_ELEMENTS (closing)) > 0)
      return &pages[i];
  }
  return NULL;
}

static void
append_escaped (GString *markup, const char *text, gsize length)
{
  g_autofree char *escaped = g_markup_escape_text (text, (gssize) length);
  g_string_append (markup, escaped);
}

/* Appends the opening quotation mark at `at`. If the title of a page follows the quotation mark, also appends the
 * title, as a link. `mark`: length of the quotation mark in bytes. Returns how many bytes of `at` were appended. */
static gsize
append_quote (GString *markup, const char *at, gsize mark, guint *n_links)
{
  gsize length, begin = mark + skip_one (at + mark, spaces, G_N_ELEMENTS (spaces));
  const LoomPageIndex *page = find_page (at + begin, &length);
  append_escaped (markup, at, begin);
  if (page == NULL)
    return begin;
  g_string_append_printf (markup, "<a href=\"%s\">", page->name);
  append_escaped (markup, at + begin, length);
  g_string_append (markup, "</a>");
  (*n_links)++;
  return begin + length;
}

char *
loom_page_links_dup_markup (const char *text)
{
  g_autoptr (GString) markup = g_string_new (NULL);
  guint n_links = 0;
  for (const char *at = text; *at != '\0';) {
    gsize mark = skip_one (at, opening, G_N_ELEMENTS (opening)), length = (gsize) (g_utf8_next_char (at) - at);
    if (mark > 0)
      length = append_quote (markup, at, mark, &n_links);
    else
      append_escaped (markup, at, length);
    at += length;
  }
  return n_links > 0 ? g_strdup (markup->str) : NULL;
}

static gboolean
link_activated (GtkLabel *label, const char *name)
{
  gtk_widget_activate_action (GTK_WIDGET (label), "win.show-page", "s", name);
  return TRUE;
}

void
loom_page_links_set_label (GtkLabel *label, const char *text)
{
  g_autofree char *markup = strlen (text) <= LOOM_SHOWN_LETTERS ? loom_page_links_dup_markup (text) : NULL;
  loom_bounded_text_set_label (label, text);
  gtk_widget_remove_css_class (GTK_WIDGET (label), "with-links");
  if (markup == NULL)
    return;
  gtk_widget_add_css_class (GTK_WIDGET (label), "with-links");
  gtk_label_set_markup (label, markup);
  g_signal_handlers_disconnect_by_func (label, link_activated, NULL);
  g_signal_connect (label, "activate-link", G_CALLBACK (link_activated), NULL);
}
