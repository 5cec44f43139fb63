/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-run-state.h"

struct _LoomRunState {
  GObject parent;
  LoomDocument *document;
  LoomTimelineState *view;
  LoomViewAnimator *flight;
  LoomAnalysisContext *analysis;
  char **pages; /* never NULL */
  char *page;
};

G_DEFINE_FINAL_TYPE (LoomRunState, loom_run_state, G_TYPE_OBJECT)

enum { PROP_0, PROP_PAGE, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
finalize (GObject *object)
{
  LoomRunState *self = LOOM_RUN_STATE (object);
  g_object_unref (self->analysis);
  g_object_unref (self->flight);
  g_object_unref (self->view);
  g_object_unref (self->document); /* its undo stack outlives the view */
  g_strfreev (self->pages);
  g_free (self->page);
  G_OBJECT_CLASS (loom_run_state_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, LOOM_RUN_STATE (object)->page);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  loom_run_state_set_page (LOOM_RUN_STATE (object), g_value_get_string (value));
}

static void
loom_run_state_class_init (LoomRunStateClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROP_PAGE] = g_param_spec_string ("page", NULL, NULL, NULL, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_run_state_init (LoomRunState *self)
{
  self->pages = g_new0 (char *, 1);
}

LoomRunState *
loom_run_state_new (LoomDocument *document)
{
  g_return_val_if_fail (LOOM_IS_DOCUMENT (document), NULL);
  LoomRunState *self = g_object_new (LOOM_TYPE_RUN_STATE, NULL);
  self->document = g_object_ref (document);
  self->view = loom_timeline_state_new ();
  self->flight = loom_view_animator_new (self->view);
  self->analysis = loom_analysis_context_new (self->view);
  loom_analysis_context_set_flight (self->analysis, self->flight);
  return self;
}

LoomDocument *
loom_run_state_get_document (LoomRunState *self)
{
  return self->document;
}

LoomAnalysisContext *
loom_run_state_get_analysis (LoomRunState *self)
{
  return self->analysis;
}

LoomTimelineState *
loom_run_state_get_view (LoomRunState *self)
{
  return self->view;
}

LoomViewAnimator *
loom_run_state_get_flight (LoomRunState *self)
{
  return self->flight;
}

LoomRunRules *
loom_run_state_get_rules (LoomRunState *self)
{
  return loom_analysis_context_get_rules (self->analysis);
}

void
loom_run_state_set_pages (LoomRunState *self, const char *const *names)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (self) && names != NULL);
  char **copy = g_strdupv ((char **) names);
  g_strfreev (self->pages);
  self->pages = copy;
}

gboolean
loom_run_state_has_page (LoomRunState *self, const char *name)
{
  return g_strv_contains ((const char *const *) self->pages, name);
}

void
loom_run_state_set_page (LoomRunState *self, const char *name)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (self));
  if (g_strcmp0 (name, self->page) == 0)
    return;
  char *copy = g_strdup (name);
  g_free (self->page);
  self->page = copy;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

const char *
loom_run_state_get_page (LoomRunState *self)
{
  return self->page;
}
