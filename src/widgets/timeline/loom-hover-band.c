/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-band.h"

#include "loom-finding-rows.h"
#include "loom-timeline-description.h"

#include <math.h>

#define MIN_PX 3.0    /* minimum width of a highlighted time range, in px */
#define BORDER_PX 2.0 /* width of the outline of a highlight, in px */
#define BAR_PX 4.0    /* width of the bar at the edge of a highlighted header, in px */
#define FILL_ALPHA 0.2

struct _LoomHoverBand {
  GtkWidget parent;
  LoomRenderContext *scene;
  /* widgets over which the band draws; borrowed; `tracks` and `headers` may be NULL */
  GtkWidget *overview, *tracks, *headers;
  /* The object whose targets are not highlighted: the argument `own` of loom_hover_band_set_scene(). Only the address
   * is used. */
  gconstpointer own;
  gboolean shows; /* TRUE if something was highlighted when the widget was drawn last */
};

G_DEFINE_FINAL_TYPE (LoomHoverBand, loom_hover_band, GTK_TYPE_WIDGET)

static LoomTimelineState *
state_of (LoomHoverBand *self)
{
  return loom_render_context_get_state (self->scene);
}

static LoomHoveredPlace *
hovered_of (LoomHoverBand *self)
{
  return loom_timeline_state_get_hovered_place (state_of (self));
}

static const LoomNavigationTarget *
target_of (LoomHoverBand *self)
{
  gboolean any = loom_timeline_state_get_timeline (state_of (self)) != NULL;
  return any ? loom_hovered_place_get_target (hovered_of (self), self->own) : NULL;
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

static GdkRGBA
rgba_of (LoomColor color, double alpha)
{
  return (GdkRGBA) { (float) (color >> 16 & 0xFF) / 255, (float) (color >> 8 & 0xFF) / 255,
                     (float) (color & 0xFF) / 255, (float) alpha };
}

static LoomColor
accent_of (LoomHoverBand *self)
{
  return loom_render_context_get_theme (self->scene)->role[LOOM_COLOR_ROLE_ACCENT];
}

static void
append_fill (LoomHoverBand *self, GtkSnapshot *shot, const graphene_rect_t *box, double alpha)
{
  GdkRGBA color = rgba_of (accent_of (self), alpha);
  gtk_snapshot_append_color (shot, &color, box);
}

static void
append_box (LoomHoverBand *self, GtkSnapshot *shot, const graphene_rect_t *box)
{
  GdkRGBA color = rgba_of (accent_of (self), 1);
  GskRoundedRect outline;
  gsk_rounded_rect_init_from_rect (&outline, box, 0);
  append_fill (self, shot, box, FILL_ALPHA);
  gtk_snapshot_append_border (shot, &outline, (float[4]) { BORDER_PX, BORDER_PX, BORDER_PX, BORDER_PX },
                              (GdkRGBA[4]) { color, color, color, color });
}

/* Appends a box from x0 to x1 (px in the area) that is at least MIN_PX wide. Skips a box that is outside of the area.
 * Skips a box that ends at or before `last`, the end of the previous box: thousands of ranges can share a pixel, and
 * one box for them is enough. */
static void
append_columns (LoomHoverBand *self, GtkSnapshot *shot, const graphene_rect_t *area, double x0, double x1, double *last)
{
  double width = MAX (x1 - x0, MIN_PX), begin = floor (x0 - (width - (x1 - x0)) / 2), end = ceil (begin + width);
  if (end < 0 || begin > area->size.width || end <= *last)
    return;
  *last = end;
  append_box (
    self, shot,
    &GRAPHENE_RECT_INIT (area->origin.x + (float) begin, area->origin.y, (float) (end - begin), area->size.height));
}

typedef double (*ToX) (LoomHoverBand *self, double width, gint64 time_ns);

static double
overview_x (LoomHoverBand *self, double width, gint64 time_ns)
{
  return loom_timeline_painter_overview_x (loom_timeline_state_get_overview (state_of (self)), width, time_ns);
}

static double
tracks_x (LoomHoverBand *self, double width, gint64 time_ns)
{
  return loom_viewport_x (loom_timeline_state_get_viewport (state_of (self)), time_ns);
}

static void
append_ranges (LoomHoverBand *self, GtkSnapshot *shot, const graphene_rect_t *area, const LoomNavigationTarget *target,
               ToX to_x)
{
  const LoomRange *ranges = target->n_parts > 0 ? target->parts : &target->range;
  double width = area->size.width, last = -G_MAXDOUBLE;
  for (guint i = 0; i < MAX (target->n_parts, 1); i++)
    append_columns (self, shot, area, to_x (self, width, ranges[i].begin_ns), to_x (self, width, ranges[i].end_ns),
                    &last);
}

/* Returns TRUE if the target has a range to highlight. A range as long as the run is not highlighted, because it would
 * give no information. */
static gboolean
has_range (LoomHoverBand *self, const LoomNavigationTarget *target)
{
  LoomRange range = target->range;
  return range.end_ns > range.begin_ns && loom_timeline_description_is_part (state_of (self), range);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static gboolean
find_device (LoomRowList *rows, const LoomNavigationTarget *target, guint *row)
{
  const LoomRuleOccurrence mark = { .host = target->node, .device = target->device, .span = LOOM_SPAN_ID_NONE };
  g_auto (GStrv) keys = loom_finding_rows_find (rows, &mark, 1);
  *row = keys[0] != NULL ? loom_row_list_find (rows, keys[0]) : G_MAXUINT;
  return *row != G_MAXUINT;
}

static gboolean
is_of_rank (const LoomTimelineRow *row, const LoomNavigationTarget *target)
{
  return target->rank >= 0 ? row->rank == target->rank
                           : row->rank < 0 && row->n_tracks > 0 && row->tracks[0].trace == target->trace;
}

/* Sets `first` and `last` to the first and the last row of the target's rank, without pinned rows. Returns FALSE if the
 * rank has only pinned rows, or no rows. */
static gboolean
find_rank (LoomRowList *rows, const LoomNavigationTarget *target, guint *first, guint *last)
{
  *first = *last = G_MAXUINT;
  for (guint i = loom_row_list_get_n_pinned (rows); i < loom_row_list_get_n_rows (rows); i++)
    if (is_of_rank (loom_row_list_get_row (rows, i), target)) {
      *first = MIN (*first, i);
      *last = i;
    }
  return *first != G_MAXUINT;
}

/* Sets `first` and `last` to the first and the last row of the target. If find_rank() finds rows of the target's rank,
 * these are the rows of the rank. Otherwise, if the target has a node, it is the row of its device or node. Otherwise,
 * if the target has exactly one span, it is the row of this span. Returns FALSE if the target has no rows, or if they
 * are not shown. */
static gboolean
find_rows (LoomHoverBand *self, const LoomNavigationTarget *target, guint *first, guint *last)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state_of (self));
  guint strip;
  *first = *last = G_MAXUINT;
  if (target->has_rank && find_rank (rows, target, first, last))
    return TRUE;
  if (target->node != NULL)
    find_device (rows, target, first);
  else if (target->n_spans == 1)
    loom_row_list_find_span (rows, target->spans[0], first, &strip);
  *last = *first;
  return *first != G_MAXUINT;
}

/* Returns the rectangle of the rows `first` to `last`, limited to the visible part of the area and as wide as the
 * area. */
static graphene_rect_t
box_of_rows (LoomHoverBand *self, const graphene_rect_t *area, guint first, guint last)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state_of (self));
  double scroll_px = loom_timeline_state_get_viewport (state_of (self))->scroll_px, height = area->size.height;
  double top = loom_row_list_row_top (rows, first, scroll_px);
  double bottom = loom_row_list_row_top (rows, last, scroll_px) + loom_row_list_get_row (rows, last)->height;
  top = CLAMP (top, 0, height);
  bottom = CLAMP (bottom, top, height);
  return GRAPHENE_RECT_INIT (area->origin.x, area->origin.y + (float) top, area->size.width, (float) (bottom - top));
}

static void
append_headers (LoomHoverBand *self, GtkSnapshot *shot, guint first, guint last)
{
  graphene_rect_t area;
  if (!gtk_widget_compute_bounds (self->headers, GTK_WIDGET (self), &area))
    return;
  graphene_rect_t box = box_of_rows (self, &area, first, last), bar = box;
  bar.size.width = BAR_PX;
  append_fill (self, shot, &box, FILL_ALPHA);
  append_fill (self, shot, &bar, 1);
}

/* --- drawing the highlights, and creating and freeing the widget -------------------------------------------------- */

static void
append_tracks (LoomHoverBand *self, GtkSnapshot *shot, const LoomNavigationTarget *target)
{
  graphene_rect_t area;
  guint first, last;
  if (!gtk_widget_compute_bounds (self->tracks, GTK_WIDGET (self), &area))
    return;
  gboolean any = find_rows (self, target, &first, &last);
  graphene_rect_t box = any ? box_of_rows (self, &area, first, last) : area;
  gtk_snapshot_push_clip (shot, &area);
  if (has_range (self, target) && box.size.height > 0)
    append_ranges (self, shot, &box, target, tracks_x);
  gtk_snapshot_pop (shot);
  if (any)
    append_headers (self, shot, first, last);
}

static void
append_overview (LoomHoverBand *self, GtkSnapshot *shot, const LoomNavigationTarget *target)
{
  graphene_rect_t area;
  if (!has_range (self, target) || loom_timeline_state_get_overview (state_of (self)) == NULL ||
      !gtk_widget_compute_bounds (self->overview, GTK_WIDGET (self), &area))
    return;
  gtk_snapshot_push_clip (shot, &area);
  append_ranges (self, shot, &area, target, overview_x);
  gtk_snapshot_pop (shot);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *shot)
{
  LoomHoverBand *self = LOOM_HOVER_BAND (widget);
  const LoomNavigationTarget *target = self->scene != NULL ? target_of (self) : NULL;
  self->shows = target != NULL;
  if (target == NULL)
    return;
  if (loom_hovered_place_get_target (hovered_of (self), self->overview) != NULL)
    append_overview (self, shot, target);
  if (self->tracks != NULL)
    append_tracks (self, shot, target);
}

static void
update (LoomHoverBand *self)
{
  if (self->shows || target_of (self) != NULL)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
dispose (GObject *object)
{
  g_clear_object (&LOOM_HOVER_BAND (object)->scene);
  G_OBJECT_CLASS (loom_hover_band_parent_class)->dispose (object);
}

static void
loom_hover_band_class_init (LoomHoverBandClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
loom_hover_band_init (LoomHoverBand *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
}

void
loom_hover_band_set_scene (LoomHoverBand *self, LoomRenderContext *scene, GtkWidget *overview, GtkWidget *tracks,
                           GtkWidget *headers, gconstpointer own)
{
  static const char *const moving[] = { "view-changed", "rows-changed", "facts-changed" };
  g_return_if_fail (LOOM_IS_HOVER_BAND (self) && self->scene == NULL);
  self->scene = g_object_ref (scene);
  self->overview = overview;
  self->tracks = tracks;
  self->headers = headers;
  self->own = own;
  for (guint i = 0; i < G_N_ELEMENTS (moving); i++)
    g_signal_connect_object (state_of (self), moving[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (hovered_of (self), "notify::target", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}
