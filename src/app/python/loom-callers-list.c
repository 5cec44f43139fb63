/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-callers-list.h"

#include "loom-bounded-text.h"
#include "loom-locale-number.h"

#include <glib/gi18n.h>

#define MAX_LINES 500 /* maximum number of lines in the list; a function may have very many callers */

struct _LoomCallersList {
  GtkBox parent;
  GtkLabel *title;
  GtkListBox *list;
  gboolean callees;
};

G_DEFINE_FINAL_TYPE (LoomCallersList, loom_callers_list, GTK_TYPE_BOX)

enum { FUNCTION_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
row_activated (LoomCallersList *self, GtkListBoxRow *row)
{
  guint function = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "loom-function"));
  g_signal_emit (self, signals[FUNCTION_CHOSEN], 0, function);
}

/* Returns the number of calls and their times as text, for example "3 calls · 1.2 ms self, 4.5 ms cumulative". */
static char *
numbers_of (const LoomPythonProfileCall *call)
{
  GString *text = g_string_new (NULL);
  if (call->calls != LOOM_CALLS_UNKNOWN) {
    g_autofree char *n = loom_locale_number_group ((guint64) call->calls);
    g_string_append_printf (text, ngettext ("%s call", "%s calls", (gulong) call->calls), n);
  }
  if (call->own_ns != LOOM_TIME_NONE) {
    g_autofree char *own = loom_time_format_duration (call->own_ns),
                    *all = loom_time_format_duration (call->cumulative_ns);
    g_string_append_printf (text,
                            /* Translators: the first %s is empty or " · "; the second is the time in a function
                             * itself; the third is the time in the function and in the functions that it calls */
                            _ ("%s%s self, %s cumulative"), text->len > 0 ? " · " : "", own, all);
  }
  return g_string_free (text, FALSE);
}

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = loom_bounded_text_new_label (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_row (LoomCallersList *self, const LoomPythonProfile *profile, const LoomPythonProfileCall *call)
{
  guint32 other = self->callees ? call->callee : call->caller;
  const LoomPythonProfileFunction *function = loom_python_profile_get_function (profile, other);
  const char *name = function->name[0] != '\0' ? function->name : _ ("(no name)");
  g_autofree char *numbers = numbers_of (call),
                  *tip = function->line > 0
                           ? g_strdup_printf ("%s\n%s:%" G_GINT64_FORMAT, name, function->file, function->line)
                           : g_strdup (name);
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), new_label (name, NULL));
  gtk_box_append (GTK_BOX (box), new_label (numbers, "call-numbers"));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  loom_bounded_text_set_tip (row, tip);
  g_object_set_data (G_OBJECT (row), "loom-function", GUINT_TO_POINTER (other));
  gtk_list_box_append (self->list, row);
}

static gint
compare_calls (gconstpointer a, gconstpointer b)
{
  const LoomPythonProfileCall *first = a, *second = b;
  if (first->cumulative_ns != second->cumulative_ns)
    return first->cumulative_ns > second->cumulative_ns ? -1 : 1;
  return first->calls > second->calls ? -1 : first->calls < second->calls;
}

static void
loom_callers_list_class_init (LoomCallersListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  signals[FUNCTION_CHOSEN] = g_signal_new ("function-chosen", LOOM_TYPE_CALLERS_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-callers-list.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomCallersList, list);
  gtk_widget_class_bind_template_child (widget_class, LoomCallersList, title);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
}

static void
loom_callers_list_init (LoomCallersList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_callers_list_set_callees (LoomCallersList *self)
{
  self->callees = TRUE;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Callees"), -1);
}

void
loom_callers_list_show (LoomCallersList *self, LoomPythonProfile *profile, guint32 function)
{
  guint32 n = 0;
  const LoomPythonProfileCall *calls = NULL;
  for (GtkListBoxRow *row; (row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL;)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  if (profile != NULL && function != G_MAXUINT32)
    calls = self->callees ? loom_python_profile_get_callees (profile, function, &n)
                          : loom_python_profile_get_callers (profile, function, &n);
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (LoomPythonProfileCall));
  if (n > 0)
    g_array_append_vals (sorted, calls, n);
  g_array_sort (sorted, compare_calls);
  for (guint i = 0; i < MIN (n, MAX_LINES); i++)
    add_row (self, profile, &g_array_index (sorted, LoomPythonProfileCall, i));
  g_autofree char *count = loom_locale_number_group (n);
  g_autofree char *title = g_strdup_printf (
    self->callees ? ngettext ("%s callee", "%s callees", n) : ngettext ("%s caller", "%s callers", n), count);
  g_autofree char *most = n > MAX_LINES ? g_strdup_printf (
                                            /* Translators: %s is "12 callers" or "12 callees" */
                                            _ ("%s (the %d that take longest are shown)"), title, MAX_LINES)
                                        : g_strdup (title);
  loom_bounded_text_set_label (self->title, most);
}
