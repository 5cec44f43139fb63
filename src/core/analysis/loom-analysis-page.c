/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-analysis-page.h: when the range or the settings of the analysis change, a worker thread computes the
 * results of the page again.
 */
#include "loom-analysis-page.h"

#include "loom-timeline-description.h"

#include <glib/gi18n.h>

struct _LoomAnalysisPage {
  GObject parent;
  LoomAnalysisContext *analysis;
  const LoomPage *page;
  LoomDebouncedTask task;
  LoomPageContent *content; /* the results that the page shows; NULL if no run is open */
  char *summary;            /* the property "summary"; never NULL */
  gboolean is_wanted, is_working, is_outdated;
};

G_DEFINE_FINAL_TYPE (LoomAnalysisPage, loom_analysis_page, G_TYPE_OBJECT)

enum { PROP_0, PROP_CONTENT, PROP_SUMMARY, PROP_WORKING, N_PROPS };
static GParamSpec *properties[N_PROPS];

static LoomTimelineState *
view_of (LoomAnalysisPage *self)
{
  return loom_analysis_context_get_state (self->analysis);
}

/* --- summary and content of the page ------------------------------------------------------------------------------ */

static void
take_summary (LoomAnalysisPage *self, char *summary)
{
  g_free (self->summary);
  self->summary = summary;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARY]);
}

static void
set_content (LoomAnalysisPage *self, LoomPageContent *content)
{
  g_clear_pointer (&self->content, loom_page_content_unref);
  self->content = content;
  self->is_outdated = FALSE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CONTENT]);
}

/* Returns the summary of the page, for example "Selection: 1.24 s starting at +12.4 s · ProfilerStep spans". If the
 * range is a part of the run, the summary also says how spans at the ends of the range are counted. */
static char *
summarize (LoomAnalysisPage *self)
{
  LoomRange range = self->content->range;
  const char *sources = self->content->sources,
             *scope = loom_analysis_context_scope_get_title (loom_analysis_context_get_scope (self->analysis));
  g_autofree char *when = loom_timeline_description_when (view_of (self), range);
  if (when[0] == '\0')
    return g_strdup (sources);
  g_autofree char *named = g_strdup_printf (_ ("%s: %s"), scope, when);
  g_autofree char *text = sources[0] != '\0' ? g_strdup_printf ("%s · %s", named, sources) : g_strdup (named);
  return loom_analysis_page_is_part (self) ? g_strdup_printf ("%s\n%s", text, _ (loom_page_range_rule))
                                           : g_steal_pointer (&text);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

static void
show_work (gboolean working, gpointer page)
{
  LoomAnalysisPage *self = page;
  if (working)
    take_summary (self, loom_timeline_description_working (loom_debounced_task_get_fraction (&self->task)));
  if (self->is_working == working)
    return;
  self->is_working = working;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WORKING]);
}

static void
answered (gpointer page, gpointer content, const GError *error, gpointer question)
{
  LoomAnalysisPage *self = page;
  if (content == NULL)
    return; /* the timeline was closed while the results were computed */
  set_content (self, content);
  take_summary (self, summarize (self));
}

static void
start (LoomDebouncedTask *task, gpointer page)
{
  LoomAnalysisPage *self = page;
  loom_analysis_context_make (self->analysis, self->page, task);
}

static void
ask (LoomAnalysisPage *self)
{
  self->is_outdated = TRUE;
  if (!self->is_wanted)
    return;
  if (loom_timeline_state_get_timeline (view_of (self)) != NULL) {
    loom_debounced_task_ask (&self->task);
    return;
  }
  loom_debounced_task_stop (&self->task);
  set_content (self, NULL);
  take_summary (self, g_strdup (""));
}

void
loom_analysis_page_set_wanted (LoomAnalysisPage *self, gboolean wanted)
{
  self->is_wanted = wanted;
  if (!wanted)
    loom_debounced_task_stop (&self->task);
  else if (self->is_outdated)
    ask (self);
}

/* --- making, freeing and properties of the object ----------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomAnalysisPage *self = LOOM_ANALYSIS_PAGE (object);
  loom_debounced_task_stop (&self->task);
  g_clear_object (&self->analysis);
  G_OBJECT_CLASS (loom_analysis_page_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomAnalysisPage *self = LOOM_ANALYSIS_PAGE (object);
  g_clear_pointer (&self->content, loom_page_content_unref);
  g_free (self->summary);
  G_OBJECT_CLASS (loom_analysis_page_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomAnalysisPage *self = LOOM_ANALYSIS_PAGE (object);
  if (id == PROP_CONTENT)
    g_value_set_pointer (value, self->content);
  else if (id == PROP_SUMMARY)
    g_value_set_string (value, self->summary);
  else
    g_value_set_boolean (value, self->is_working);
}

static void
loom_analysis_page_class_init (LoomAnalysisPageClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_CONTENT] = g_param_spec_pointer ("content", NULL, NULL, flags);
  properties[PROP_SUMMARY] = g_param_spec_string ("summary", NULL, NULL, "", flags);
  properties[PROP_WORKING] = g_param_spec_boolean ("working", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_analysis_page_init (LoomAnalysisPage *self)
{
  self->is_outdated = TRUE;
  self->summary = g_strdup ("");
  loom_debounced_task_init (&self->task, start, answered, show_work, self);
}

LoomAnalysisPage *
loom_analysis_page_new (LoomAnalysisContext *analysis, const LoomPage *page)
{
  LoomAnalysisPage *self = g_object_new (LOOM_TYPE_ANALYSIS_PAGE, NULL);
  self->analysis = g_object_ref (analysis);
  self->page = page;
  g_signal_connect_object (analysis, "range-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  return self;
}

LoomPageContent *
loom_analysis_page_get_content (LoomAnalysisPage *self)
{
  return self->content;
}

const char *
loom_analysis_page_get_summary (LoomAnalysisPage *self)
{
  return self->summary;
}

gboolean
loom_analysis_page_is_working (LoomAnalysisPage *self)
{
  return self->is_working;
}

gboolean
loom_analysis_page_is_outdated (LoomAnalysisPage *self)
{
  return self->is_outdated;
}

gboolean
loom_analysis_page_is_part (LoomAnalysisPage *self)
{
  return self->content != NULL && loom_timeline_description_is_part (view_of (self), self->content->range);
}
