/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pdf-page.h"

#include "loom-ellipsize.h"
#include "loom-error.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>

#define FOOT_Y (LOOM_PDF_PAGE_HEIGHT - 44.0)
#define INK 0xFF1D1D20u
#define DIM 0xFF5E5E66u

static cairo_status_t
append_bytes (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

void
loom_pdf_page_init (LoomPdfPage *paper, gboolean dry, guint n_pages, const char *foot)
{
  *paper = (LoomPdfPage) { .page = 1, .n_pages = n_pages, .foot = foot, .y = LOOM_PDF_PAGE_TOP };
  paper->bytes = dry ? NULL : g_byte_array_new ();
  paper->surface = cairo_pdf_surface_create_for_stream (dry ? NULL : append_bytes, paper->bytes, LOOM_PDF_PAGE_WIDTH,
                                                        LOOM_PDF_PAGE_HEIGHT);
  cairo_pdf_surface_set_metadata (paper->surface, CAIRO_PDF_METADATA_TITLE, foot);
  cairo_pdf_surface_set_metadata (paper->surface, CAIRO_PDF_METADATA_CREATOR, "Traceloom");
  paper->cr = cairo_create (paper->surface);
  paper->layout = pango_cairo_create_layout (paper->cr);
  pango_layout_set_wrap (paper->layout, PANGO_WRAP_WORD_CHAR);
  PangoAttrList *attributes = pango_attr_list_new ();
  /* no hyphens besides those that the name contains */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  pango_layout_set_attributes (paper->layout, attributes);
  pango_attr_list_unref (attributes);
}

static void
set_text (LoomPdfPage *paper, const char *text, double width, const LoomPdfPageStyle *style)
{
  PangoFontDescription *font = pango_font_description_new ();
  pango_font_description_set_family_static (font, "Sans");
  pango_font_description_set_absolute_size (font, style->size * PANGO_SCALE);
  pango_font_description_set_weight (font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (paper->layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (paper->layout, width < 0 ? -1 : (int) (width * PANGO_SCALE));
  pango_layout_set_ellipsize (paper->layout, style->max_lines > 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  pango_layout_set_height (paper->layout, style->max_lines > 0 ? -(int) style->max_lines : -1);
  pango_layout_set_alignment (paper->layout, style->right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  g_autofree char *cut = loom_ellipsize_shown (text); /* laying out a name of 60,000 letters would take minutes */
  pango_layout_set_text (paper->layout, cut, -1);
}

double
loom_pdf_page_measure (LoomPdfPage *paper, const char *text, double width, const LoomPdfPageStyle *style)
{
  int height;
  set_text (paper, text, width, style);
  pango_layout_get_size (paper->layout, NULL, &height);
  return (double) height / PANGO_SCALE;
}

double
loom_pdf_page_natural_width (LoomPdfPage *paper, const char *text, const LoomPdfPageStyle *style)
{
  int width;
  const LoomPdfPageStyle free_style = { .size = style->size, .bold = style->bold };
  set_text (paper, text, -1, &free_style);
  pango_layout_get_size (paper->layout, &width, NULL);
  return (double) width / PANGO_SCALE;
}

void
loom_pdf_page_text (LoomPdfPage *paper, const char *text, double x, double y, double width,
                    const LoomPdfPageStyle *style)
{
  if (paper->bytes == NULL)
    return;
  set_text (paper, text, width, style);
  loom_color_set_source (paper->cr, style->color != 0 ? style->color : INK);
  cairo_move_to (paper->cr, x, y);
  pango_cairo_show_layout (paper->cr, paper->layout);
}

void
loom_pdf_page_rule (LoomPdfPage *paper, double y, LoomColor color)
{
  if (paper->bytes == NULL)
    return;
  loom_color_set_source (paper->cr, color);
  cairo_set_line_width (paper->cr, 0.5);
  cairo_move_to (paper->cr, LOOM_PDF_PAGE_MARGIN, y);
  cairo_line_to (paper->cr, LOOM_PDF_PAGE_WIDTH - LOOM_PDF_PAGE_MARGIN, y);
  cairo_stroke (paper->cr);
}

static void
draw_foot (LoomPdfPage *paper)
{
  const LoomPdfPageStyle left = { .size = 8, .max_lines = 1, .color = DIM },
                         right = { .size = 8, .right = TRUE, .color = DIM };
  g_autofree char *number = g_strdup_printf (_ ("Page %u of %u"), paper->page, paper->n_pages);
  loom_pdf_page_text (paper, paper->foot, LOOM_PDF_PAGE_MARGIN, FOOT_Y, LOOM_PDF_PAGE_ROOM - 100, &left);
  loom_pdf_page_text (paper, number, LOOM_PDF_PAGE_MARGIN, FOOT_Y, LOOM_PDF_PAGE_ROOM, &right);
}

gboolean
loom_pdf_page_need (LoomPdfPage *paper, double height)
{
  if (paper->y + height <= LOOM_PDF_PAGE_BOTTOM || paper->y <= LOOM_PDF_PAGE_TOP)
    return FALSE;
  draw_foot (paper);
  if (paper->bytes != NULL)
    cairo_show_page (paper->cr);
  paper->page++;
  paper->y = LOOM_PDF_PAGE_TOP;
  return TRUE;
}

GBytes *
loom_pdf_page_finish (LoomPdfPage *paper, GError **error)
{
  draw_foot (paper);
  cairo_status_t status = cairo_status (paper->cr);
  g_object_unref (paper->layout);
  cairo_destroy (paper->cr);
  cairo_surface_finish (paper->surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (paper->surface);
  cairo_surface_destroy (paper->surface);
  if (paper->bytes == NULL)
    return NULL;
  GBytes *result = g_byte_array_free_to_bytes (g_steal_pointer (&paper->bytes));
  if (status == CAIRO_STATUS_SUCCESS)
    return result;
  g_bytes_unref (result);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, "Could not draw the report: %s", cairo_status_to_string (status));
  return NULL;
}
