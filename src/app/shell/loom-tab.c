/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-tab.h"

#include "loom-bounded-text.h"
#include "loom-clock-commands.h"
#include "loom-crash-handler.h"
#include "loom-ellipsize.h"
#include "loom-hang-bar.h"
#include "loom-lazy-page.h"
#include "loom-load-error.h"
#include "loom-load-timing.h"
#include "loom-locale-number.h"
#include "loom-location-consent-dialog.h"
#include "loom-progress-bar.h"
#include "loom-recent-runs.h"
#include "loom-run-announcer.h"
#include "loom-sentence.h"
#include "loom-task-notification.h"
#include "loom-welcome.h"

#include <glib/gi18n.h>
#include <string.h>

#define TOLD_S 5
#define STEP_TOLD_S 3
#define FIT "fit" /* key of the toast that says that clocks were aligned; its button undoes the alignment */

struct _LoomTab {
  GtkWidget parent;
  AdwToastOverlay *toasts;
  GtkLabel *announcement; /* invisible label whose text screen readers read out */
  LoomRunAnnouncer *announcer;
  LoomProgressBar *load_bar;
  GtkInfoBar *trouble_bar;
  GtkLabel *trouble_label;
  GtkWidget *trouble_details;
  LoomHangBar *hang_bar;
  GtkStack *pages;
  GtkSpinner *spinner;
  AdwStatusPage *nothing;
  GtkWidget *nothing_details;
  LoomRunPage *run_view; /* page that shows the run; NULL until it is needed for the first time */
  LoomDocument *document;
  LoomRunState *run;
  LoomRunSession *session;
  /* A task that lasts while files are loaded; NULL at other times. It prevents the machine from being suspended, and
   * notifies the user at its end if the window is not active (loom-task-notification.h). */
  LoomTaskNotification *unseen;
};

G_DEFINE_FINAL_TYPE (LoomTab, loom_tab, GTK_TYPE_WIDGET)

enum { CHANGED, RUN_VIEW_MADE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
tell_changed (LoomTab *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

char *
loom_tab_dup_name (LoomTab *self)
{
  return loom_document_dup_name (self->document);
}

/* Sets `extent` to the extent of the timeline. Returns FALSE if there is no timeline, or if no data in it have a
 * time, as in some Python profiles. */
static gboolean
get_extent (LoomTab *self, LoomRange *extent)
{
  LoomTimeline *timeline = loom_document_get_timeline (self->document);
  return timeline != NULL && loom_timeline_get_extent (timeline, extent);
}

char *
loom_tab_dup_title (LoomTab *self)
{
  g_autofree char *name = loom_tab_dup_name (self);
  LoomRange extent;
  if (loom_document_get_timeline (self->document) == NULL)
    return g_strdup ("");
  guint n_ranks = loom_document_count_ranks (self->document);
  g_autofree char *ranks = g_strdup_printf (ngettext ("%u rank", "%u ranks", n_ranks), n_ranks);
  return n_ranks > 0 && get_extent (self, &extent) ? g_strdup_printf ("%s · %s", name, ranks) : g_steal_pointer (&name);
}

char *
loom_tab_dup_subtitle (LoomTab *self)
{
  LoomTimeline *timeline = loom_document_get_timeline (self->document);
  LoomRange extent;
  if (timeline == NULL)
    return g_strdup ("");
  guint n_sources = loom_run_get_n_sources (loom_timeline_get_run (timeline));
  if (!get_extent (self, &extent))
    return g_strdup_printf (ngettext ("%u source without timestamps", "%u sources without timestamps", n_sources),
                            n_sources);
  guint64 n_spans = loom_document_count_spans (self->document);
  g_autofree char *count = loom_locale_number_group (n_spans);
  g_autofree char *spans = g_strdup_printf (ngettext ("%s span", "%s spans", n_spans), count);
  g_autofree char *duration = loom_time_format_duration (loom_time_sub (extent.end_ns, extent.begin_ns));
  return g_strdup_printf ("%s · %s", spans, duration);
}

/* --- pages and load errors ---------------------------------------------------------------------------------------- */

static void
show_page (LoomTab *self)
{
  const char *page = loom_run_session_get_stage (self->session),
             *before = gtk_stack_get_visible_child_name (self->pages);
  gboolean run = g_str_equal (page, "run");
  if (run)
    loom_tab_get_run_view (self);
  /* show a run without a fade, because a fade paints the timeline twice per frame */
  gtk_stack_set_visible_child_full (self->pages, page,
                                    run ? GTK_STACK_TRANSITION_TYPE_NONE : GTK_STACK_TRANSITION_TYPE_CROSSFADE);
  gtk_spinner_set_spinning (self->spinner, g_str_equal (page, "reading"));
  if (run && g_strcmp0 (before, page) != 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_grab_focus (GTK_WIDGET (self->run_view));
}

void
loom_tab_show_load_error (LoomTab *self, GtkMessageType type, const char *title, const char *body, gboolean has_details)
{
  g_autofree char *text = loom_sentence_dup_advised (title, body);
  loom_bounded_text_set_label (self->trouble_label, text);
  gtk_info_bar_set_message_type (self->trouble_bar, type);
  gtk_widget_set_visible (self->trouble_details, has_details);
  gtk_info_bar_set_revealed (self->trouble_bar, TRUE);
}

void
loom_tab_hide_load_error (LoomTab *self)
{
  gtk_info_bar_set_revealed (self->trouble_bar, FALSE);
}

static void
show_trouble (LoomTab *self)
{
  LoomLoadError trouble;
  loom_load_error_find (self->document, &trouble);
  if (trouble.kind == LOOM_LOAD_ERROR_NOTHING) {
    g_autofree char *body = trouble.body != NULL ? loom_ellipsize_markup (trouble.body) : NULL;
    adw_status_page_set_title (self->nothing, trouble.title);
    adw_status_page_set_description (self->nothing, body);
    gtk_widget_set_visible (self->nothing_details, trouble.has_details);
  } else if (trouble.kind == LOOM_LOAD_ERROR_PARTLY)
    loom_tab_show_load_error (self, GTK_MESSAGE_WARNING, trouble.title, trouble.body, trouble.has_details);
  loom_load_error_clear (&trouble);
}

void
loom_tab_show_toast (LoomTab *self, const char *key, const LoomToast *toast)
{
  AdwToastOverlay *over_timeline = self->run_view != NULL ? loom_run_page_get_toasts (self->run_view) : NULL;
  loom_toasts_show (G_OBJECT (self), key, over_timeline != NULL ? over_timeline : self->toasts, toast, NULL);
}

void
loom_tab_tell_step (LoomTab *self, const char *text)
{
  g_return_if_fail (LOOM_IS_TAB (self) && text != NULL);
  g_autofree char *escaped = loom_ellipsize_markup (text);
  const LoomToast toast = { .title = escaped, .seconds = STEP_TOLD_S };
  loom_tab_show_toast (self, "step", &toast);
}

/* --- clock fits --------------------------------------------------------------------------------------------------- */

static void
clocks_fitted (LoomTab *self, guint n, gint64 most_ns)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%u clock aligned", "%u clocks aligned", n), n);
  const LoomToast toast = { text, _ ("_Undo"), "win.use-declared-clocks", TOLD_S };
  loom_tab_show_toast (self, FIT, &toast);
}

/* Called when the clock fit is no longer used. If the toast that announced the fit is still visible, replaces its text
 * by the reason. */
static void
take_fit_back (LoomTab *self)
{
  gboolean open = loom_document_get_timeline (self->document) != NULL;
  loom_toasts_take_back (G_OBJECT (self), FIT,
                         open ? _ ("Clocks are used as declared in the files") : _ ("The run was closed"));
}

static void
clocks_refused (LoomTab *self, guint n)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%u clock disagrees with the others and was not changed",
                                                     "%u clocks disagree with the others and were not changed", n),
                                           n);
  const LoomToast toast = { text, _ ("_Show Page"), "win.show-clocks", TOLD_S };
  loom_tab_show_toast (self, "refused", &toast);
}

static void
runs_differ (LoomTab *self, const char *text)
{
  loom_tab_show_load_error (self, GTK_MESSAGE_WARNING, text, NULL, FALSE);
}

/* --- the session -------------------------------------------------------------------------------------------------- */

static void
restored (LoomTab *self)
{
  const LoomToast toast = { _ ("View restored"), _ ("_Reset View"), "win.forget-view", 0 };
  loom_tab_show_toast (self, "restored", &toast);
}

static void
session_failed (LoomTab *self, const char *what, const char *advice)
{
  loom_tab_show_load_error (self, GTK_MESSAGE_ERROR, what, advice, FALSE);
}

static void
session_saved (LoomTab *self, gboolean done)
{
  if (!done)
    return;
  g_autofree char *base = g_path_get_basename (loom_run_session_get_path (self->session));
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *escaped = loom_ellipsize_markup (name);
  g_autofree char *text = g_strdup_printf (_ ("Session saved as “%s”"), escaped);
  const LoomToast toast = { .title = text };
  loom_tab_show_toast (self, "saved", &toast);
}

typedef struct {
  LoomRunSession *session;
  guint number;
} Asked;

static void
asked_free (gpointer data)
{
  g_object_unref (((Asked *) data)->session);
  g_free (data);
}

static void
locations_answered (gpointer data, gboolean may_fetch)
{
  const Asked *asked = data;
  loom_run_session_answer_locations (asked->session, asked->number, may_fetch);
}

static void
asks_locations (LoomTab *self, const char *const *locations, guint number)
{
  const Asked asked = { g_object_ref (self->session), number };
  loom_location_consent_dialog_ask (GTK_WIDGET (self), locations, locations_answered, g_memdup2 (&asked, sizeof asked),
                                    asked_free);
}

/* --- the document ------------------------------------------------------------------------------------------------- */

static void
timeline_changed (LoomTab *self)
{
  gint64 most_ns;
  if (loom_clock_commands_count_fitted (self->document, &most_ns) == 0)
    take_fit_back (self);
  show_page (self);
}

static void
remember (LoomTab *self)
{
  const char *session[] = { loom_run_session_get_path (self->session), NULL };
  loom_recent_runs_add (session[0] != NULL ? session : loom_document_get_paths (self->document));
}

static void
tell_loaded (LoomTab *self)
{
  g_autofree char *name = loom_tab_dup_name (self);
  gboolean shows = loom_document_get_timeline (self->document) != NULL;
  loom_task_notification_end (g_steal_pointer (&self->unseen), shows ? _ ("Run loaded") : _ ("Nothing could be loaded"),
                              name);
}

static void
loading_ended (LoomTab *self)
{
  tell_loaded (self);
  show_trouble (self);
  if (loom_document_get_timeline (self->document) != NULL)
    remember (self);
}

static void
loading_changed (LoomTab *self)
{
  gboolean loading = loom_document_is_loading (self->document);
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  if (loom_document_is_quiet (self->document))
    return;
  loom_crash_handler_note (loading ? "began to read files" : "ended to read files");
  loom_progress_bar_follow (self->load_bar, loom_document_get_progress (self->document), LOOM_PROGRESS_KIND_READING);
  if (loading) {
    loom_tab_hide_load_error (self);
    if (self->unseen == NULL && GTK_IS_WINDOW (window))
      self->unseen = loom_task_notification_begin (GTK_WINDOW (window), NULL);
  } else
    loading_ended (self);
  show_page (self);
}

static void
cancel_loading (LoomTab *self)
{
  loom_document_cancel (self->document);
}

/* --- closing and making a tab ------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomTab *self = LOOM_TAB (object);
  if (self->session != NULL) {
    g_signal_handlers_disconnect_by_data (self->session, self);
    g_signal_handlers_disconnect_by_data (self->document, self);
    g_signal_handlers_disconnect_by_data (self->announcer, self);
    loom_run_session_close (self->session);
  }
  loom_task_notification_end (g_steal_pointer (&self->unseen), NULL, NULL);
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL;)
    gtk_widget_unparent (child);
  g_clear_object (&self->announcer);
  g_clear_object (&self->session);
  g_clear_object (&self->run);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (loom_tab_parent_class)->dispose (object);
}

static void
loom_tab_class_init (LoomTabClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  g_type_ensure (LOOM_TYPE_PROGRESS_BAR);
  g_type_ensure (LOOM_TYPE_HANG_BAR);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[CHANGED] = g_signal_new ("changed", LOOM_TYPE_TAB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RUN_VIEW_MADE] =
    g_signal_new ("run-view-made", LOOM_TYPE_TAB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-tab.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomTab, toasts);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, announcement);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, load_bar);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, trouble_bar);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, trouble_label);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, trouble_details);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, hang_bar);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, pages);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, nothing);
  gtk_widget_class_bind_template_child (widget_class, LoomTab, nothing_details);
  gtk_widget_class_bind_template_callback (widget_class, cancel_loading);
  gtk_widget_class_bind_template_callback (widget_class, loom_tab_hide_load_error);
}

static void
root_changed (LoomTab *self)
{
  /* end the notification, because it belongs to the window that the tab is leaving */
  loom_task_notification_end (g_steal_pointer (&self->unseen), NULL, NULL);
}

/* Makes the run view. This is done late, because the run view has most of the widgets of a window and is visible only
 * while a run is open. */
static void
make_run_view (LoomTab *self)
{
  self->run_view = LOOM_RUN_PAGE (loom_run_page_new (self->run));
  gtk_stack_add_named (self->pages, GTK_WIDGET (self->run_view), "run");
  g_signal_emit (self, signals[RUN_VIEW_MADE], 0);
}

/* Announces the text to screen readers. GTK 4.8 has no function for this (gtk_accessible_announce() needs 4.14).
 * Therefore, the text becomes the name of a status widget, and the widget is hidden and shown again. Screen readers
 * read out a name that changes and a widget that appears. */
static void
announce (LoomTab *self)
{
  const char *text = loom_run_announcer_get_text (self->announcer);
  gtk_widget_hide (GTK_WIDGET (self->announcement));
  loom_bounded_text_set_label (self->announcement, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->announcement), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_show (GTK_WIDGET (self->announcement));
}

/* Makes the welcome page. Called when the page is shown for the first time, because a tab that was opened with files
 * never shows it. */
static GtkWidget *
make_welcome (gpointer owner, gconstpointer data)
{
  return g_object_new (LOOM_TYPE_WELCOME, NULL);
}

/* Makes the session. The tab must have connected its own handlers to the document before, so that the handlers of the
 * session run last. In this way, if the session shows a warning about clocks, the warning replaces the message of the
 * tab about files that could not be read. */
static void
make_session (LoomTab *self)
{
  static const struct {
    const char *signal;
    GCallback handler;
  } handlers[] = {
    { "changed", G_CALLBACK (tell_changed) },          { "saved", G_CALLBACK (session_saved) },
    { "failed", G_CALLBACK (session_failed) },         { "restored", G_CALLBACK (restored) },
    { "asks-locations", G_CALLBACK (asks_locations) }, { "clocks-fitted", G_CALLBACK (clocks_fitted) },
    { "clocks-refused", G_CALLBACK (clocks_refused) }, { "runs-differ", G_CALLBACK (runs_differ) },
  };
  self->session = loom_run_session_new (self->run);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_swapped (self->session, handlers[i].signal, handlers[i].handler, self);
}

static void
loom_tab_init (LoomTab *self)
{
  /* flags for handlers that must run after the handlers of the run view, even if the run view is made later than these
   * handlers are connected */
  const GConnectFlags after = G_CONNECT_SWAPPED | G_CONNECT_AFTER;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_stack_add_named (self->pages, loom_lazy_page_new (make_welcome, self, NULL), "empty");
  self->document = loom_document_new ();
  self->run = loom_run_state_new (self->document);
  g_signal_connect_data (self->document, "timeline-changed", G_CALLBACK (timeline_changed), self, NULL, after);
  g_signal_connect_data (self->document, "loading-changed", G_CALLBACK (loading_changed), self, NULL, after);
  loom_hang_bar_set_run (self->hang_bar, self->run);
  make_session (self);
  self->announcer = loom_run_announcer_new (self->run);
  g_signal_connect_swapped (self->announcer, "notify::text", G_CALLBACK (announce), self);
  g_signal_connect (self, "notify::root", G_CALLBACK (root_changed), NULL);
  loom_load_timing_start (GTK_WIDGET (self), self->document);
  show_page (self);
}

LoomTab *
loom_tab_new (void)
{
  return g_object_new (LOOM_TYPE_TAB, NULL);
}

LoomDocument *
loom_tab_get_document (LoomTab *self)
{
  return self->document;
}

LoomRunState *
loom_tab_get_run_state (LoomTab *self)
{
  return self->run;
}

LoomRunSession *
loom_tab_get_session (LoomTab *self)
{
  return self->session;
}

void
loom_tab_open_paths (LoomTab *self, const char *const *paths, gboolean add)
{
  g_return_if_fail (LOOM_IS_TAB (self) && paths != NULL);
  loom_tab_get_run_view (self); /* make the run view first, because restoring a session changes its panels */
  loom_run_session_open_paths (self->session, paths, add);
}

LoomRunPage *
loom_tab_get_run_view (LoomTab *self)
{
  if (self->run_view == NULL)
    make_run_view (self);
  return self->run_view;
}

gboolean
loom_tab_has_run_view (LoomTab *self)
{
  return self->run_view != NULL;
}

const char *
loom_tab_get_page (LoomTab *self)
{
  return gtk_stack_get_visible_child_name (self->pages);
}

const char *
loom_tab_get_load_error (LoomTab *self)
{
  return gtk_info_bar_get_revealed (self->trouble_bar) ? gtk_label_get_text (self->trouble_label) : NULL;
}
