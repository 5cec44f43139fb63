/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws text and lines on cairo's PDF surface with Pango, and counts pages.
 */
#include "loom-pdf-page.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>

#include "loom-ellipsize.h"
#include "loom-error.h"

#define INK 0xFF1D1D20u

#define FOOT_Y (LOOM_PDF_PAGE_HEIGHT - 44.0)

static cairo_status_t
append_bytes (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

void
loom_pdf_page_init (LoomPdfPage *page, gboolean dry, guint n_pages, const char *foot)
{
  *page = (LoomPdfPage) { .number = 1, .n_pages = n_pages, .foot = foot, .y = LOOM_PDF_PAGE_TOP };
  page->bytes = dry ? NULL : g_byte_array_new ();
  page->surface = cairo_pdf_surface_create_for_stream (dry ? NULL : append_bytes, page->bytes, LOOM_PDF_PAGE_WIDTH,
                                                       LOOM_PDF_PAGE_HEIGHT);
  cairo_pdf_surface_set_metadata (page->surface, CAIRO_PDF_METADATA_TITLE, foot);
  cairo_pdf_surface_set_metadata (page->surface, CAIRO_PDF_METADATA_CREATOR, "Traceloom");
  page->cr = cairo_create (page->surface);
  page->layout = pango_cairo_create_layout (page->cr);
  pango_layout_set_wrap (page->layout, PANGO_WRAP_WORD_CHAR);
  PangoAttrList *attributes = pango_attr_list_new ();
  /* Pango must not add hyphens where it breaks a name, because they would look like a part of the name. */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  pango_layout_set_attributes (page->layout, attributes);
  pango_attr_list_unref (attributes);
}

static void
set_text (LoomPdfPage *page, const char *text, double width, const LoomPdfStyle *style)
{
  PangoFontDescription *font = pango_font_description_new ();
  pango_font_description_set_family_static (font, "Sans");
  pango_font_description_set_absolute_size (font, style->size * PANGO_SCALE);
  pango_font_description_set_weight (font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (page->layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (page->layout, width < 0 ? -1 : (int) (width * PANGO_SCALE));
  pango_layout_set_ellipsize (page->layout, style->max_lines > 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  pango_layout_set_height (page->layout, style->max_lines > 0 ? -(int) style->max_lines : -1);
  pango_layout_set_alignment (page->layout, style->right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  /* Only the visible beginning of the text is laid out, because laying out a name of 60,000 letters would take
   * minutes. */
  g_autofree char *cut = loom_ellipsize_shown (text);
  pango_layout_set_text (page->layout, cut, -1);
}

double
loom_pdf_page_measure (LoomPdfPage *page, const char *text, double width, const LoomPdfStyle *style)
{
  int height;
  set_text (page, text, width, style);
  pango_layout_get_size (page->layout, NULL, &height);
  return (double) height / PANGO_SCALE;
}

double
loom_pdf_page_natural_width (LoomPdfPage *page, const char *text, const LoomPdfStyle *style)
{
  int width;
  const LoomPdfStyle free_style = { .size = style->size, .bold = style->bold };
  set_text (page, text, -1, &free_style);
  pango_layout_get_size (page->layout, &width, NULL);
  return (double) width / PANGO_SCALE;
}

void
loom_pdf_page_put (LoomPdfPage *page, const char *text, double x, double y, double width, const LoomPdfStyle *style)
{
  if (page->bytes == NULL)
    return;
  set_text (page, text, width, style);
  loom_color_set_source (page->cr, style->color != 0 ? style->color : INK);
  cairo_move_to (page->cr, x, y);
  pango_cairo_show_layout (page->cr, page->layout);
}

void
loom_pdf_page_rule (LoomPdfPage *page, double y, LoomColor color)
{
  if (page->bytes == NULL)
    return;
  loom_color_set_source (page->cr, color);
  cairo_set_line_width (page->cr, 0.5);
  cairo_move_to (page->cr, LOOM_PDF_PAGE_MARGIN, y);
  cairo_line_to (page->cr, LOOM_PDF_PAGE_WIDTH - LOOM_PDF_PAGE_MARGIN, y);
  cairo_stroke (page->cr);
}

static void
draw_foot (LoomPdfPage *page)
{
  const LoomPdfStyle left = { .size = 8, .max_lines = 1, .color = LOOM_PDF_PAGE_DIM },
                     right = { .size = 8, .right = TRUE, .color = LOOM_PDF_PAGE_DIM };
  g_autofree char *number = g_strdup_printf (_ ("Page %u of %u"), page->number, page->n_pages);
  loom_pdf_page_put (page, page->foot, LOOM_PDF_PAGE_MARGIN, FOOT_Y, LOOM_PDF_PAGE_ROOM - 100, &left);
  loom_pdf_page_put (page, number, LOOM_PDF_PAGE_MARGIN, FOOT_Y, LOOM_PDF_PAGE_ROOM, &right);
}

gboolean
loom_pdf_page_need (LoomPdfPage *page, double height)
{
  if (page->y + height <= LOOM_PDF_PAGE_BOTTOM || page->y <= LOOM_PDF_PAGE_TOP)
    return FALSE;
  draw_foot (page);
  if (page->bytes != NULL)
    cairo_show_page (page->cr);
  page->number++;
  page->y = LOOM_PDF_PAGE_TOP;
  return TRUE;
}

GBytes *
loom_pdf_page_finish (LoomPdfPage *page, GError **error)
{
  draw_foot (page);
  cairo_status_t status = cairo_status (page->cr);
  g_object_unref (page->layout);
  cairo_destroy (page->cr);
  cairo_surface_finish (page->surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (page->surface);
  cairo_surface_destroy (page->surface);
  if (page->bytes == NULL)
    return NULL;
  GBytes *result = g_byte_array_free_to_bytes (g_steal_pointer (&page->bytes));
  if (status == CAIRO_STATUS_SUCCESS)
    return result;
  g_bytes_unref (result);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, "Could not draw the report: %s", cairo_status_to_string (status));
  return NULL;
}
