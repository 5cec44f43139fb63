/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-python-panel.h"

#include "loom-bounded-text.h"
#include "loom-callers-list.h"
#include "loom-python-profile-item.h"
#include "loom-sentence.h"
#include "loom-timeline-description.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

struct _LoomPythonPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkLabel *summary;
  GtkSearchEntry *filter;
  GtkToggleButton *as_table, *as_tree;
  GtkWidget *page, *copy;
  GtkPaned *paned;
  LoomPythonProfileChooser *chooser;
  GtkStack *stack;
  GtkLabel *nothing;
  LoomFunctionTable *table;
  LoomCallersList *callers, *callees;
  LoomIcicleView *tree;
  GtkScrollbar *tree_bar;
  GtkLabel *tree_note;
  LoomPythonFunctionTable *shown;
  GCancellable *running;
};

G_DEFINE_FINAL_TYPE (LoomPythonPanel, loom_python_panel, GTK_TYPE_WIDGET)

enum { CLOSE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- the worker ------------------------------------------------------------------------------------------------------ */

typedef struct {
  GPtrArray *profiles;
  LoomPythonProfile *baseline;
} Question;

typedef struct {
  LoomPythonFunctionTable *table; /* NULL: the profiles' timers differ, so they cannot be combined */
  LoomCallTree *tree;
} Answer;

static void
question_free (Question *question)
{
  g_ptr_array_unref (question->profiles);
  loom_python_profile_unref (question->baseline);
  g_free (question);
}

static void
answer_free (Answer *answer)
{
  loom_python_function_table_unref (answer->table);
  loom_call_tree_unref (answer->tree);
  g_free (answer);
}

static Answer *
compute (const Question *question, GCancellable *cancellable, GError **error)
{
  Answer *answer = g_new0 (Answer, 1);
  g_autoptr (LoomPythonProfile) sum =
    loom_python_profile_sum ((LoomPythonProfile *const *) question->profiles->pdata, question->profiles->len);
  if (sum != NULL)
    answer->table = loom_python_function_table_new (sum, question->baseline);
  if (answer->table != NULL && !g_cancellable_is_cancelled (cancellable))
    answer->tree = loom_call_tree_new (sum);
  return answer;
}

/* --- showing the result ---------------------------------------------------------------------------------------------- */

static void
show_page (LoomPythonPanel *self)
{
  gboolean any = self->shown != NULL && loom_python_function_table_get_n_rows (self->shown) > 0;
  gtk_stack_set_visible_child_name (self->stack, !any                                           ? "nothing"
                                                 : gtk_toggle_button_get_active (self->as_tree) ? "tree"
                                                                                                : "table");
  gtk_widget_set_sensitive (self->copy, any);
  gtk_widget_set_sensitive (GTK_WIDGET (self->filter), any && !gtk_toggle_button_get_active (self->as_tree));
}

static void
show_nothing (LoomPythonPanel *self, const char *why)
{
  g_clear_pointer (&self->shown, loom_python_function_table_unref);
  loom_function_table_set_table (self->table, NULL);
  loom_icicle_view_set_tree (self->tree, NULL);
  loom_callers_list_show (self->callers, NULL, G_MAXUINT32);
  loom_callers_list_show (self->callees, NULL, G_MAXUINT32);
  loom_bounded_text_set_label (self->nothing, why);
  gtk_label_set_text (self->summary, "");
  show_page (self);
}

/* The summary, as in "2 profiles · CPU time · 1,129 calls · 4.8 ms in all". */
static char *
describe (LoomPythonFunctionTable *table, guint n_profiles)
{
  LoomPythonProfile *profile = loom_python_function_table_get_profile (table);
  GString *text = g_string_new (NULL);
  g_autofree char *total = loom_time_format_duration (loom_python_profile_get_total_ns (profile));
  if (n_profiles > 1)
    g_string_append_printf (text, ngettext ("%u profile added up · ", "%u profiles added up · ", n_profiles),
                            n_profiles);
  g_string_append (text, loom_python_profile_item_describe_timer (loom_python_profile_get_timer (profile)));
  if (loom_python_profile_get_n_calls (profile) != LOOM_CALLS_UNKNOWN) {
    g_autofree char *n = loom_timeline_description_number ((guint64) loom_python_profile_get_n_calls (profile));
    g_string_append_printf (
      text, ngettext (" · %s call", " · %s calls", (gulong) loom_python_profile_get_n_calls (profile)), n);
  } else if (loom_python_profile_get_n_samples (profile) >= 0) {
    g_autofree char *n = loom_timeline_description_number ((guint64) loom_python_profile_get_n_samples (profile));
    g_string_append_printf (
      text, ngettext (" · %s sample", " · %s samples", (gulong) loom_python_profile_get_n_samples (profile)), n);
  }
  g_string_append_printf (text, _ (" · %s in all"), total);
  if (loom_python_function_table_get_baseline (table) != NULL)
    g_string_append (text, _ (" · the table shows the difference"));
  return g_string_free (text, FALSE);
}

static char *
tree_words (LoomCallTree *tree)
{
  GString *text = g_string_new (NULL);
  if (loom_call_tree_is_estimate (tree))
    g_string_append (
      text, _ ("Estimate: the profile has no stacks; a function's time is divided by what each caller had of it."));
  else if (loom_call_tree_is_chronological (tree))
    g_string_append (text, _ ("As sampled, in the order of time."));
  else
    g_string_append (text, _ ("As sampled; the order is not chronological."));
  if (loom_call_tree_is_cut (tree))
    loom_sentence_append (text,
                          _ ("Cut: what is deeper than 4,096 calls, or beyond 200,000 boxes, is in the table only."));
  return g_string_free (text, FALSE);
}

static void
show_answer (LoomPythonPanel *self, const Answer *answer, guint n_profiles)
{
  if (answer->table == NULL) {
    show_nothing (
      self,
      _ (
        "These profiles were taken with different timers, or by different profilers: they can be neither added nor compared."));
    return;
  }
  g_clear_pointer (&self->shown, loom_python_function_table_unref);
  self->shown = loom_python_function_table_ref (answer->table);
  g_autofree char *summary = describe (answer->table, n_profiles),
                  *note = answer->tree != NULL ? tree_words (answer->tree) : g_strdup ("");
  gboolean counted = loom_python_profile_get_kind (loom_python_function_table_get_profile (answer->table)) ==
                     LOOM_PYTHON_PROFILE_CPROFILE;
  loom_function_table_set_table (self->table, answer->table);
  loom_icicle_view_set_tree (self->tree, answer->tree);
  loom_callers_list_show (self->callers, NULL, G_MAXUINT32);
  loom_callers_list_show (self->callees, NULL, G_MAXUINT32);
  loom_bounded_text_set_label (self->summary, summary);
  loom_bounded_text_set_label (self->tree_note, note);
  loom_bounded_text_set_label (self->nothing,
                               counted ? _ ("No calls recorded.") : _ ("No samples (profiler session corrupted)."));
  show_page (self);
}

static void
answered (gpointer panel, gpointer answer, const GError *error, gpointer question)
{
  show_answer (panel, answer, ((Question *) question)->profiles->len);
  answer_free (answer);
}

static void
ask (LoomPythonPanel *self)
{
  g_autoptr (GPtrArray) profiles = loom_python_profile_chooser_dup_chosen (self->chooser);
  LoomPythonProfile *baseline = loom_python_profile_chooser_get_baseline (self->chooser);
  g_autofree char *page = loom_python_profile_chooser_dup_page (self->chooser);
  loom_worker_cancel (&self->running);
  gtk_widget_set_visible (self->page, page != NULL);
  if (profiles->len == 0) {
    show_nothing (self, page != NULL
                          ? _ ("Only the page of pyinstrument is here, not its report: open it in a browser.")
                          : _ ("Choose a profile, or several to add them up."));
    return;
  }
  static const LoomWorkerKind kind = { (LoomWorkerFunc) compute, (GDestroyNotify) question_free,
                                       (GDestroyNotify) answer_free };
  Question *question = LOOM_WORKER_INPUT (Question, g_steal_pointer (&profiles),
                                          baseline != NULL ? loom_python_profile_ref (baseline) : NULL);
  loom_worker_start (&self->running, &kind, question, answered, self);
}

/* --- actions of the person ------------------------------------------------------------------------------------------- */

static void
show_calls (LoomPythonPanel *self, guint32 function)
{
  LoomPythonProfile *profile = self->shown != NULL ? loom_python_function_table_get_profile (self->shown) : NULL;
  loom_callers_list_show (self->callers, profile, function);
  loom_callers_list_show (self->callees, profile, function);
  loom_icicle_view_set_function (self->tree, function);
}

static void
row_chosen (LoomPythonPanel *self, guint function)
{
  show_calls (self, function);
}

static void
call_chosen (LoomPythonPanel *self, guint function)
{
  show_calls (self, function);
  loom_function_table_choose (self->table, function);
}

static void
filter_changed (LoomPythonPanel *self)
{
  loom_function_table_set_filter (self->table, gtk_editable_get_text (GTK_EDITABLE (self->filter)));
}

static void
page_clicked (LoomPythonPanel *self)
{
  g_autofree char *page = loom_python_profile_chooser_dup_page (self->chooser);
  g_autofree char *uri = page != NULL ? g_filename_to_uri (page, NULL, NULL) : NULL;
  if (uri != NULL)
    gtk_show_uri (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), uri, GDK_CURRENT_TIME);
}

static void
copy_clicked (LoomPythonPanel *self)
{
  g_autofree char *text = loom_function_table_dup_text (self->table);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
close_clicked (LoomPythonPanel *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

/* --- the object ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  LoomPythonPanel *self = LOOM_PYTHON_PANEL (object);
  loom_worker_cancel (&self->running);
  g_clear_pointer (&self->shown, loom_python_function_table_unref);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_python_panel_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, filter);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, as_table);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, as_tree);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, page);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, copy);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, chooser);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, nothing);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, table);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, callers);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, callees);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, tree);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, tree_bar);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, tree_note);
}

static void
loom_python_panel_class_init (LoomPythonPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_PYTHON_PROFILE_CHOOSER);
  g_type_ensure (LOOM_TYPE_FUNCTION_TABLE);
  g_type_ensure (LOOM_TYPE_ICICLE_VIEW);
  g_type_ensure (LOOM_TYPE_CALLERS_LIST);
  signals[CLOSE] =
    g_signal_new ("close", LOOM_TYPE_PYTHON_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-python-panel.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, ask);
  gtk_widget_class_bind_template_callback (widget_class, call_chosen);
  gtk_widget_class_bind_template_callback (widget_class, close_clicked);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, page_clicked);
  gtk_widget_class_bind_template_callback (widget_class, row_chosen);
  gtk_widget_class_bind_template_callback (widget_class, show_page);
}

static void
loom_python_panel_init (LoomPythonPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_callers_list_set_callees (self->callees);
  gtk_scrollbar_set_adjustment (self->tree_bar, loom_icicle_view_get_adjustment (self->tree));
  show_nothing (self, "");
}

void
loom_python_panel_set_scene (LoomPythonPanel *self, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_PYTHON_PANEL (self));
  loom_icicle_view_set_scene (self->tree, scene);
  loom_python_profile_chooser_set_state (self->chooser, loom_render_context_get_state (scene));
}

void
loom_python_panel_set_timeline (LoomPythonPanel *self, LoomTimeline *timeline)
{
  g_return_if_fail (LOOM_IS_PYTHON_PANEL (self));
  loom_python_profile_chooser_set_timeline (self->chooser, timeline);
}

LoomPythonProfileChooser *
loom_python_panel_get_chooser (LoomPythonPanel *self)
{
  return self->chooser;
}

LoomFunctionTable *
loom_python_panel_get_table (LoomPythonPanel *self)
{
  return self->table;
}

LoomIcicleView *
loom_python_panel_get_tree (LoomPythonPanel *self)
{
  return self->tree;
}

gboolean
loom_python_panel_is_working (LoomPythonPanel *self)
{
  return self->running != NULL;
}

const char *
loom_python_panel_get_summary (LoomPythonPanel *self)
{
  gboolean nothing = g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "nothing") == 0;
  return gtk_label_get_text (nothing ? self->nothing : self->summary);
}
