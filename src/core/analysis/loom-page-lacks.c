/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-lacks.h"

#include "loom-page.h"

struct _LoomPageLacks {
  GObject parent;
  LoomAnalysisContext *analysis;
  /* For each page, in the order of loom_pages_get(): a few words that name the missing data. NULL until the worker
   * thread has found the words. */
  const char **lacks;
  /* the words for the call tree, which is not in loom_pages_get(); NULL if the call tree lacks nothing */
  const char *of_calls;
  /* The timeline for which the words were requested last. It may have been freed, so only its address is used. */
  LoomTimeline *timeline;
  GCancellable *running; /* cancels the worker thread; NULL if it is not running */
};

G_DEFINE_FINAL_TYPE (LoomPageLacks, loom_page_lacks, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static LoomTimeline *
get_timeline (LoomPageLacks *self)
{
  return loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis));
}

static void
dispose (GObject *object)
{
  LoomPageLacks *self = LOOM_PAGE_LACKS (object);
  loom_worker_cancel (&self->running);
  g_clear_object (&self->analysis);
  G_OBJECT_CLASS (loom_page_lacks_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_free (LOOM_PAGE_LACKS (object)->lacks);
  G_OBJECT_CLASS (loom_page_lacks_parent_class)->finalize (object);
}

static void
loom_page_lacks_class_init (LoomPageLacksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_PAGE_LACKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_page_lacks_init (LoomPageLacks *self)
{
}

LoomPageLacks *
loom_page_lacks_new (LoomAnalysisContext *analysis)
{
  LoomPageLacks *self = g_object_new (LOOM_TYPE_PAGE_LACKS, NULL);
  self->analysis = g_object_ref (analysis);
  return self;
}

static void
found (gpointer owner, gpointer result, const GError *error, gpointer question)
{
  LoomPageLacks *self = owner;
  LoomTimeline *timeline = get_timeline (self);
  if (result == NULL || timeline == NULL) { /* the timeline was closed before the result was ready */
    g_free (result);
    self->timeline = NULL;
    return;
  }
  g_free (self->lacks);
  self->lacks = result;
  self->of_calls = loom_page_has_only_indexes (timeline) ? loom_page_get_lack_of_indexes () : NULL;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
loom_page_lacks_ask (LoomPageLacks *self)
{
  g_return_if_fail (LOOM_IS_PAGE_LACKS (self));
  LoomTimeline *timeline = get_timeline (self);
  if (timeline == NULL || timeline == self->timeline)
    return;
  self->timeline = timeline;
  loom_worker_cancel (&self->running);
  loom_analysis_context_find_lacks (self->analysis, &self->running, found, self);
}

const char *
loom_page_lacks_get (LoomPageLacks *self, const char *page)
{
  g_return_val_if_fail (LOOM_IS_PAGE_LACKS (self) && page != NULL, NULL);
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  if (g_str_equal (page, "calls"))
    return self->of_calls;
  for (guint i = 0; self->lacks != NULL && i < n; i++)
    if (g_str_equal (pages[i].id, page))
      return self->lacks[i];
  return NULL;
}
