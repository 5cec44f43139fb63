/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the texts that a screen reader announces when a load has ended or the findings have changed
 * (loom-run-announcer.h).
 */
#include "loom-run-announcer.h"

#include "loom-load-error.h"
#include "loom-locale-number.h"

#include <glib/gi18n.h>

struct _LoomRunAnnouncer {
  GObject parent;
  LoomRunState *run;
  gboolean was_loading;
  guint n_findings; /* number of findings that was announced last; G_MAXUINT: none was announced yet */
  char *text;
};

G_DEFINE_FINAL_TYPE (LoomRunAnnouncer, loom_run_announcer, G_TYPE_OBJECT)

enum { PROP_0, PROP_TEXT, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
take_text (LoomRunAnnouncer *self, char *text)
{
  g_free (self->text);
  self->text = text;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

static char *
dup_loaded (LoomDocument *document)
{
  LoomRun *run = loom_document_get_run (document);
  if (loom_document_get_timeline (document) == NULL || run == NULL)
    return g_strdup (_ ("Nothing could be loaded"));
  guint64 n_spans = loom_document_count_spans (document);
  guint n_problems = loom_load_error_count (run);
  g_autofree char *count = loom_locale_number_group (n_spans);
  g_autofree char *spans = g_strdup_printf (ngettext ("%s span", "%s spans", n_spans), count);
  g_autofree char *problems = g_strdup_printf (ngettext ("%u problem", "%u problems", n_problems), n_problems);
  /* Translators: announced by screen readers: "Run loaded: 12,345 spans, 2 problems" */
  return g_strdup_printf (_ ("Run loaded: %s, %s"), spans, problems);
}

static void
loading_changed (LoomRunAnnouncer *self)
{
  LoomDocument *document = loom_run_state_get_document (self->run);
  gboolean loads = loom_document_is_loading (document), ended = self->was_loading && !loads;
  self->was_loading = loads;
  if (loads)
    self->n_findings = G_MAXUINT;
  if (ended && !loom_document_is_quiet (document))
    take_text (self, dup_loaded (document));
}

static void
findings_changed (LoomRunAnnouncer *self)
{
  LoomFindingsState *findings = loom_run_state_get_findings (self->run);
  guint n = loom_findings_state_count (findings);
  if (loom_findings_state_get_findings (findings) == NULL || n == self->n_findings)
    return;
  self->n_findings = n;
  take_text (self, g_strdup_printf (ngettext ("%u finding", "%u findings", n), n));
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, LOOM_RUN_ANNOUNCER (object)->text);
}

static void
finalize (GObject *object)
{
  LoomRunAnnouncer *self = LOOM_RUN_ANNOUNCER (object);
  g_object_unref (self->run);
  g_free (self->text);
  G_OBJECT_CLASS (loom_run_announcer_parent_class)->finalize (object);
}

static void
loom_run_announcer_class_init (LoomRunAnnouncerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_TEXT] =
    g_param_spec_string ("text", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_run_announcer_init (LoomRunAnnouncer *self)
{
  self->text = g_strdup ("");
  self->n_findings = G_MAXUINT;
}

LoomRunAnnouncer *
loom_run_announcer_new (LoomRunState *run)
{
  g_return_val_if_fail (LOOM_IS_RUN_STATE (run), NULL);
  LoomRunAnnouncer *self = g_object_new (LOOM_TYPE_RUN_ANNOUNCER, NULL);
  self->run = g_object_ref (run);
  self->was_loading = loom_document_is_loading (loom_run_state_get_document (run));
  g_signal_connect_object (loom_run_state_get_document (run), "loading-changed", G_CALLBACK (loading_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_run_state_get_findings (run), "notify::findings", G_CALLBACK (findings_changed), self,
                           G_CONNECT_SWAPPED);
  return self;
}

const char *
loom_run_announcer_get_text (LoomRunAnnouncer *self)
{
  return self->text;
}
