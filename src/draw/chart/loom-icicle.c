/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the boxes of an icicle chart from the call tree, paints them, and finds boxes for the pointer and for keys.
 */
#include "loom-icicle.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 1000 /* boxes narrower than 1/LEAST_SHARE of the chart's width do not count as visible */
#define GAP_PX 1.0
#define LABEL_PX 4.0
#define NARROW_PX 1.5 /* nodes with narrower boxes are drawn together with their neighbours, as one box */
#define RECURSIVE_ALPHA 0.55
#define NOT_FOUND_ALPHA 0.25 /* opacity of boxes whose function the search has not found */

LoomIcicle *
loom_icicle_new (void)
{
  LoomIcicle *icicle = g_new0 (LoomIcicle, 1);
  icicle->marks = g_array_new (FALSE, FALSE, sizeof (LoomIcicleBox));
  icicle->root = LOOM_FRAME_NONE;
  return icicle;
}

void
loom_icicle_free (LoomIcicle *icicle)
{
  if (icicle == NULL)
    return;
  loom_call_tree_unref (icicle->tree);
  g_free (icicle->colors);
  g_free (icicle->found);
  g_array_unref (icicle->marks);
  g_free (icicle);
}

/* Sets the colour of each function: the colour that spans with this name have on the timeline. */
static void
choose_colors (LoomIcicle *icicle)
{
  guint32 n = icicle->tree->n_functions;
  icicle->colors = g_new (guint8, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++) {
    const LoomCallFunction *function = &icicle->tree->functions[i];
    /* old versions of PyTorch write the markers of training steps with the category of operators */
    const char *category = strcmp (function->name, "ProfilerStep") == 0 ? "user_annotation" : function->category;
    icicle->colors[i] =
      (guint8) loom_theme_palette_index_of_name (function->name, category, function->text_hash, FALSE);
  }
  for (guint32 i = 0; i < icicle->tree->n_nodes; i++)
    if (icicle->tree->nodes[i].n_merged == 0)
      icicle->family_ns[loom_theme_family_of_index (icicle->colors[icicle->tree->nodes[i].function])] +=
        MAX (icicle->tree->nodes[i].dur_ns, 1);
}

void
loom_icicle_set_tree (LoomIcicle *icicle, LoomCallTree *tree)
{
  LoomCallTree *old = icicle->tree;
  icicle->tree = tree != NULL ? loom_call_tree_ref (tree) : NULL;
  loom_call_tree_unref (old);
  g_clear_pointer (&icicle->colors, g_free);
  g_clear_pointer (&icicle->found, g_free);
  memset (icicle->family_ns, 0, sizeof icicle->family_ns);
  if (tree != NULL)
    choose_colors (icicle);
  loom_icicle_set_root (icicle, LOOM_FRAME_NONE);
}

guint
loom_icicle_search (LoomIcicle *icicle, const char *needle)
{
  guint n_found = 0;
  g_clear_pointer (&icicle->found, g_free);
  if (icicle->tree == NULL || needle[0] == '\0')
    return 0;
  icicle->found = g_new0 (guint8, (gsize) icicle->tree->n_functions + 1);
  for (guint32 i = 0; i < icicle->tree->n_functions; i++) {
    g_autofree char *name = g_utf8_casefold (icicle->tree->functions[i].name, -1);
    icicle->found[i] = strstr (name, needle) != NULL;
  }
  for (guint32 i = 0; i < icicle->tree->n_nodes; i++)
    n_found += icicle->found[icicle->tree->nodes[i].function];
  return n_found;
}

void
loom_icicle_set_root (LoomIcicle *icicle, guint32 node)
{
  icicle->root = node;
  icicle->width_px = 0;
}

/* --- making the boxes --------------------------------------------------------------------------------------------- */

typedef struct {
  LoomIcicle *icicle;
  const LoomCallNode *nodes;
  gint64 origin_ns;
  double px_per_ns;
  GArray *last; /* guint, indexed by row: 1 + index in `marks` of the row's last box; 0: the row has no box yet */
} Build;

static void
add_mark (Build *build, guint32 node, double x0, double x1)
{
  LoomIcicle *icicle = build->icicle;
  guint32 row = build->nodes[node].depth;
  LoomIcicleBox mark = { node, row, 1, icicle->colors[build->nodes[node].function], x0, x1 };
  if (build->last->len <= row)
    g_array_set_size (build->last, row + 1);
  guint last = g_array_index (build->last, guint, row);
  LoomIcicleBox *before = last > 0 ? &g_array_index (icicle->marks, LoomIcicleBox, last - 1) : NULL;
  if (before != NULL && x1 - x0 < NARROW_PX && before->x1 - before->x0 < 2 * NARROW_PX && x0 - before->x1 < NARROW_PX) {
    if (build->nodes[node].dur_ns > build->nodes[before->node].dur_ns) {
      before->node = node;
      before->color = mark.color;
    }
    before->x1 = x1;
    before->n_nodes++;
    return;
  }
  g_array_append_val (icicle->marks, mark);
  g_array_index (build->last, guint, row) = icicle->marks->len;
  icicle->n_rows = MAX (icicle->n_rows, row + 1);
}

/* Adds boxes for the nodes `first` … `end` − 1. Skips the descendants of nodes that are too narrow to distinguish. */
static void
add_nodes (Build *build, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end;) {
    const LoomCallNode *node = &build->nodes[i];
    double x0 = (double) (node->start_ns - build->origin_ns) * build->px_per_ns,
           x1 = x0 + (double) node->dur_ns * build->px_per_ns;
    if (node->dur_ns > 0)
      add_mark (build, i, x0, x1);
    i += x1 - x0 < NARROW_PX ? node->n_below + 1 : 1;
  }
}

static gint
compare_marks (gconstpointer a, gconstpointer b)
{
  const LoomIcicleBox *first = a, *second = b;
  if (first->row != second->row)
    return first->row < second->row ? -1 : 1;
  return first->x0 < second->x0 ? -1 : first->x0 > second->x0;
}

static void
build_marks (LoomIcicle *icicle, double width_px)
{
  Build build = { icicle, icicle->tree->nodes, 0, 0, g_array_new (FALSE, TRUE, sizeof (guint)) };
  gint64 width_ns = icicle->tree->width_ns;
  guint32 first = 0, end = icicle->tree->n_nodes;
  if (icicle->root < icicle->tree->n_nodes) {
    first = icicle->root;
    end = first + build.nodes[first].n_below + 1;
    build.origin_ns = build.nodes[first].start_ns;
    width_ns = build.nodes[first].dur_ns;
    for (guint32 up = build.nodes[first].parent; up != LOOM_FRAME_NONE; up = build.nodes[up].parent)
      add_mark (&build, up, 0, width_px);
  }
  build.px_per_ns = width_ns > 0 ? width_px / (double) width_ns : 0;
  add_nodes (&build, first, end);
  g_array_sort (icicle->marks, compare_marks);
  g_array_unref (build.last);
}

const LoomIcicleBox *
loom_icicle_get_marks (LoomIcicle *icicle, double width_px, guint *n)
{
  if (icicle->width_px != width_px && width_px > 0) {
    g_array_set_size (icicle->marks, 0);
    icicle->n_rows = 0;
    icicle->width_px = width_px;
    if (icicle->tree != NULL)
      build_marks (icicle, width_px);
  }
  *n = icicle->marks->len;
  return (const LoomIcicleBox *) (gpointer) icicle->marks->data;
}

double
loom_icicle_get_height_px (const LoomIcicle *icicle)
{
  return MAX (icicle->n_rows, 1) * LOOM_ICICLE_ROW_PX;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

double
loom_icicle_fit_height_px (const LoomCallTree *tree, double most_px, double share_px)
{
  guint32 deepest = 0, deepest_visible = 0;
  for (guint32 i = 0; i < tree->n_nodes; i++) {
    deepest = MAX (deepest, tree->nodes[i].depth);
    if (tree->nodes[i].dur_ns >= tree->width_ns / LEAST_SHARE)
      deepest_visible = MAX (deepest_visible, tree->nodes[i].depth);
  }
  double all_px = ((double) deepest + 1) * LOOM_ICICLE_ROW_PX + LOOM_ICICLE_LEGEND_PX,
         visible_px = ((double) deepest_visible + 1) * LOOM_ICICLE_ROW_PX + LOOM_ICICLE_LEGEND_PX;
  return MAX (MIN (visible_px, most_px), MIN (all_px, share_px));
}

guint32
loom_icicle_hit (const LoomIcicle *icicle, double x, double y)
{
  guint32 row = y >= 0 ? (guint32) (y / LOOM_ICICLE_ROW_PX) : G_MAXUINT32;
  guint low = 0, high = icicle->marks->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    const LoomIcicleBox *mark = &g_array_index (icicle->marks, LoomIcicleBox, middle);
    if (mark->row < row || (mark->row == row && MAX (mark->x1, mark->x0 + GAP_PX) <= x))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == icicle->marks->len)
    return LOOM_FRAME_NONE;
  const LoomIcicleBox *mark = &g_array_index (icicle->marks, LoomIcicleBox, low);
  return mark->row == row && mark->x0 <= x ? mark->node : LOOM_FRAME_NONE;
}

static gint
find_mark (const LoomIcicle *icicle, guint32 node)
{
  for (guint i = 0; i < icicle->marks->len; i++)
    if (g_array_index (icicle->marks, LoomIcicleBox, i).node == node)
      return (gint) i;
  return -1;
}

/* Returns the node of the first box in the row below `mark` that begins within the width of `mark`; the node of `mark`
 * itself if there is no such box. */
static guint32
first_below (const LoomIcicle *icicle, const LoomIcicleBox *mark)
{
  for (guint i = 0; i < icicle->marks->len; i++) {
    const LoomIcicleBox *below = &g_array_index (icicle->marks, LoomIcicleBox, i);
    if (below->row == mark->row + 1 && below->x0 >= mark->x0 - 1e-6 && below->x0 < mark->x1)
      return below->node;
  }
  return mark->node;
}

guint32
loom_icicle_step (const LoomIcicle *icicle, guint32 node, LoomIcicleStep step)
{
  gint at = find_mark (icicle, node);
  if (icicle->marks->len == 0)
    return LOOM_FRAME_NONE;
  if (at < 0)
    return g_array_index (icicle->marks, LoomIcicleBox, 0).node;
  const LoomIcicleBox *mark = &g_array_index (icicle->marks, LoomIcicleBox, at), *other = mark;
  if (step == LOOM_ICICLE_CALLER) {
    guint32 parent = icicle->tree->nodes[node].parent;
    return parent != LOOM_FRAME_NONE ? parent : node;
  }
  if (step == LOOM_ICICLE_CALLEE)
    return first_below (icicle, mark);
  if (step == LOOM_ICICLE_BEFORE && at > 0)
    other = mark - 1;
  if (step == LOOM_ICICLE_AFTER && (guint) at + 1 < icicle->marks->len)
    other = mark + 1;
  return other->row == mark->row ? other->node : node;
}

/* --- painting ----------------------------------------------------------------------------------------------------- */

static LoomColor
fill_of (const LoomIcicle *icicle, const LoomIcicleBox *mark, const LoomTheme *theme)
{
  LoomColor color = theme->span[mark->color];
  const LoomCallNode *node = &icicle->tree->nodes[mark->node];
  if (mark->n_nodes > 1 || node->n_merged > 0)
    return theme->role[LOOM_COLOR_ROLE_NEUTRAL_SOFT];
  if (icicle->found != NULL && !icicle->found[node->function])
    return loom_color_over (loom_color_with_alpha (color, NOT_FOUND_ALPHA), theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  if (node->recursive)
    return loom_color_over (loom_color_with_alpha (color, RECURSIVE_ALPHA), theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  return color;
}

static void
paint_box (cairo_t *cr, const LoomIcicle *icicle, const LoomIcicleBox *mark, const LoomTheme *theme)
{
  double x0 = floor (mark->x0), x1 = floor (mark->x1);
  loom_color_fill_rectangle (cr, fill_of (icicle, mark, theme), x0, mark->row * LOOM_ICICLE_ROW_PX,
                             MAX (x1 - x0 - GAP_PX, 1), LOOM_ICICLE_ROW_PX - GAP_PX);
}

static void
paint_label (cairo_t *cr, const LoomIcicle *icicle, const LoomIcicleBox *mark, const LoomIcicleOptions *options)
{
  double room = mark->x1 - mark->x0 - 2 * LABEL_PX,
         middle = mark->row * LOOM_ICICLE_ROW_PX + (LOOM_ICICLE_ROW_PX - GAP_PX) / 2;
  if (mark->n_nodes > 1 || room < loom_text_cache_minimum (options->text, LOOM_TEXT_SPAN))
    return;
  guint32 function = icicle->tree->nodes[mark->node].function;
  LoomColor color = loom_theme_text_on (options->theme, fill_of (icicle, mark, options->theme));
  loom_text_cache_paint (options->text, cr, LOOM_TEXT_SPAN, icicle->tree->functions[function].name, mark->x0 + LABEL_PX,
                         middle, room, color);
}

static void
paint_outline (cairo_t *cr, const LoomIcicle *icicle, const LoomIcicleBox *mark, const LoomIcicleOptions *options)
{
  gboolean selected = mark->node == options->selected, hover = mark->node == options->hover;
  gboolean same = options->selected_function != G_MAXUINT32 && mark->n_nodes == 1 &&
                  icicle->tree->nodes[mark->node].function == options->selected_function;
  if (!selected && !hover && !same)
    return;
  double width = selected ? 2 : 1, inset = width / 2, x0 = floor (mark->x0),
         x1 = MAX (floor (mark->x1) - GAP_PX, x0 + 3);
  loom_color_set_source (
    cr, options->theme->role[selected || same ? LOOM_COLOR_ROLE_SELECTED_OUTLINE : LOOM_COLOR_ROLE_HOVER_OUTLINE]);
  cairo_set_line_width (cr, width);
  cairo_rectangle (cr, x0 + inset, mark->row * LOOM_ICICLE_ROW_PX + inset, x1 - x0 - width,
                   LOOM_ICICLE_ROW_PX - GAP_PX - width);
  cairo_stroke (cr);
}

void
loom_icicle_paint (cairo_t *cr, const LoomIcicle *icicle, double width_px, double height_px,
                   const LoomIcicleOptions *options)
{
  g_return_if_fail (cr != NULL && icicle != NULL && options != NULL && options->theme != NULL && options->text != NULL);
  const LoomIcicleBox *marks = (const LoomIcicleBox *) (gpointer) icicle->marks->data;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width_px, height_px);
  loom_color_set_source (cr, options->theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  cairo_fill (cr);
  for (guint i = 0; i < icicle->marks->len; i++)
    paint_box (cr, icicle, &marks[i], options->theme);
  loom_text_cache_begin (options->text, cr);
  for (guint i = 0; i < icicle->marks->len; i++)
    paint_label (cr, icicle, &marks[i], options);
  loom_text_cache_end (options->text);
  for (guint i = 0; i < icicle->marks->len; i++)
    paint_outline (cr, icicle, &marks[i], options);
  cairo_restore (cr);
}

/* --- legend ------------------------------------------------------------------------------------------------------- */

#define SWATCH_PX 10.0
#define SWATCH_GAP_PX 5.0
#define KEY_GAP_PX 14.0

gboolean
loom_icicle_has_legend (const LoomIcicle *icicle)
{
  g_return_val_if_fail (icicle != NULL, FALSE);
  guint n = 0;
  for (guint i = 0; i < LOOM_N_FAMILIES; i++)
    n += icicle->family_ns[i] > 0;
  return n > 1;
}

/* Returns the family of work whose boxes have the largest total width, except the families in `done` (a set of bits 1
 * << LoomWorkFamily); LOOM_N_FAMILIES: all families are done. */
static guint
find_next_family (const LoomIcicle *icicle, guint done)
{
  guint next = LOOM_N_FAMILIES;
  for (guint i = 0; i < LOOM_N_FAMILIES; i++)
    if (icicle->family_ns[i] > 0 && (done & 1u << i) == 0 &&
        (next == LOOM_N_FAMILIES || icicle->family_ns[i] > icicle->family_ns[next]))
      next = i;
  return next;
}

void
loom_icicle_paint_legend (cairo_t *cr, const LoomIcicle *icicle, double width_px, const LoomIcicleOptions *options)
{
  g_return_if_fail (cr != NULL && icicle != NULL && options != NULL && options->theme != NULL && options->text != NULL);
  double x = 0, middle = LOOM_ICICLE_LEGEND_PX / 2;
  guint done = 0;
  for (guint family; (family = find_next_family (icicle, done)) < LOOM_N_FAMILIES; done |= 1u << family) {
    const char *title = loom_theme_family_title (family);
    double text_x = x + SWATCH_PX + SWATCH_GAP_PX,
           end = text_x + loom_text_cache_width (options->text, LOOM_TEXT_SPAN, title);
    if (end > width_px)
      return;
    loom_color_fill_rectangle (cr, loom_theme_family_color (options->theme, family), x, floor (middle - SWATCH_PX / 2),
                               SWATCH_PX, SWATCH_PX);
    loom_text_cache_paint (options->text, cr, LOOM_TEXT_SPAN, title, text_x, middle, -1,
                           options->theme->role[LOOM_COLOR_ROLE_TEXT]);
    x = end + KEY_GAP_PX;
  }
}
