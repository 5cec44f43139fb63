/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-render-context.h"

#include <string.h>

struct _LoomRenderContext {
  GObject parent;
  LoomTimelineState *state;
  LoomDrawList *list;
  LoomRuler *ruler;
  /* LoomFlowLine: all arrows in view; empty if the user has switched arrows off; updated together with `list` */
  GArray *flows;
  /* `text`: cache of text layouts with the desktop's text scaling; `plain_text`: cache without it */
  LoomTextCache *text, *plain_text;
  double scaling;
  LoomTheme theme;
  gboolean list_is_old;
  gboolean ruler_is_old;
};

G_DEFINE_FINAL_TYPE (LoomRenderContext, loom_render_context, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
finalize (GObject *object)
{
  LoomRenderContext *self = LOOM_RENDER_CONTEXT (object);
  g_signal_handlers_disconnect_by_data (self->state, self);
  g_object_unref (self->state);
  loom_draw_list_free (self->list);
  loom_ruler_free (self->ruler);
  g_array_unref (self->flows);
  loom_text_cache_free (self->text);
  loom_text_cache_free (self->plain_text);
  G_OBJECT_CLASS (loom_render_context_parent_class)->finalize (object);
}

static void
loom_render_context_class_init (LoomRenderContextClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_RENDER_CONTEXT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_render_context_init (LoomRenderContext *self)
{
  self->list = loom_draw_list_new ();
  self->ruler = loom_ruler_new ();
  self->text = loom_text_cache_new (NULL);
  self->flows = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  self->plain_text = loom_text_cache_new (NULL);
  self->scaling = 1;
  self->theme = *loom_theme_get (LOOM_THEME_LIGHT);
  self->list_is_old = self->ruler_is_old = TRUE;
}

static void
make_old (LoomRenderContext *self)
{
  self->list_is_old = self->ruler_is_old = TRUE;
}

LoomRenderContext *
loom_render_context_new (LoomTimelineState *state)
{
  LoomRenderContext *self = g_object_new (LOOM_TYPE_RENDER_CONTEXT, NULL);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "view-changed", G_CALLBACK (make_old), self);
  g_signal_connect_swapped (state, "rows-changed", G_CALLBACK (make_old), self);
  g_signal_connect_swapped (state, "facts-changed", G_CALLBACK (make_old), self);
  return self;
}

LoomTimelineState *
loom_render_context_get_state (LoomRenderContext *self)
{
  return self->state;
}

void
loom_render_context_set_theme (LoomRenderContext *self, LoomThemeKind kind, LoomColor accent, LoomColor background)
{
  LoomTheme before = self->theme;
  loom_theme_init_tinted (&self->theme, kind, accent, background);
  if (memcmp (&before, &self->theme, sizeof before) == 0)
    return;
  g_signal_emit (self, signals[CHANGED], 0);
}

const LoomTheme *
loom_render_context_get_theme (LoomRenderContext *self)
{
  return &self->theme;
}

void
loom_render_context_set_font (LoomRenderContext *self, const char *family, double scaling)
{
  loom_text_cache_set_font (self->text, family, scaling);
  loom_text_cache_set_font (self->plain_text, family, 1);
  self->scaling = scaling;
  make_old (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

const LoomDrawList *
loom_render_context_get_list (LoomRenderContext *self)
{
  if (self->list_is_old) {
    LoomSpanColorMode look = loom_timeline_state_get_look (self->state);
    LoomDrawOptions options = { .color_by = look.color_by,
                                .path = loom_timeline_state_get_path (self->state),
                                .data_waits = loom_timeline_state_get_data_waits (self->state),
                                .lane_shares = loom_timeline_state_get_lane_shares (self->state) };
    LoomCollectives *collectives = loom_timeline_state_get_collectives (self->state);
    if (loom_collectives_belong_to (collectives, loom_timeline_state_get_timeline (self->state)))
      options.collectives = collectives;
    options.hits = loom_timeline_state_get_hits (self->state, &options.n_hits);
    loom_draw_list_build (self->list, loom_timeline_state_get_row_list (self->state),
                          loom_timeline_state_get_viewport (self->state), &options);
    g_array_set_size (self->flows, 0);
    if (look.all_flows)
      loom_span_color_mode_collect_flows (self->list, self->flows);
    self->list_is_old = FALSE;
  }
  return self->list;
}

const LoomRuler *
loom_render_context_get_ruler (LoomRenderContext *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  if (self->ruler_is_old && timeline != NULL) {
    loom_ruler_update (self->ruler, timeline, loom_timeline_state_get_steps (self->state),
                       loom_timeline_state_get_viewport (self->state), loom_timeline_state_get_reading (self->state),
                       self->text);
    self->ruler_is_old = FALSE;
  }
  return self->ruler;
}

void
loom_render_context_init_options (LoomRenderContext *self, LoomPaintOptions *options, GtkWidget *widget)
{
  loom_timeline_painter_init_options (options, &self->theme, self->text);
  options->device_scale = gtk_widget_get_scale_factor (widget);
  loom_timeline_state_fill_options (self->state, options);
  loom_render_context_get_list (self);
  options->all_flows = (const LoomFlowLine *) (gpointer) self->flows->data;
  options->n_all_flows = self->flows->len;
}

LoomTextCache *
loom_render_context_get_text (LoomRenderContext *self)
{
  return self->text;
}

LoomTextCache *
loom_render_context_get_plain_text (LoomRenderContext *self)
{
  return self->plain_text;
}

double
loom_render_context_get_text_scaling (LoomRenderContext *self)
{
  return self->scaling;
}
