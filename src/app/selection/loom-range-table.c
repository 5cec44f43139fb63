/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-table.h"

#include "loom-bounded-text.h"
#include "loom-debounced-task.h"
#include "loom-page-view.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

typedef struct {
  GtkStack *stack;
  GtkWidget *nothing, *view;
  LoomTimeline *timeline;
  /* `range`: the range for which results were requested. `shown`: the range of the shown results; empty if none are
   * shown. */
  LoomRange range, shown;
  GArray *tracks; /* LoomTrackId: only data of these tracks are counted; NULL for all tracks */
  LoomDebouncedTask inquiry;
  gboolean is_old; /* TRUE if the shown figures are outdated and dimmed */
} LoomRangeTablePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (LoomRangeTable, loom_range_table, GTK_TYPE_WIDGET)
#define PRIVATE(self) ((LoomRangeTablePrivate *) loom_range_table_get_instance_private (self))

enum { SUMMARY_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- computing the table in a worker ------------------------------------------------------------------------------ */

typedef struct {
  LoomRangeQuestion question;
  /* class of the table; the pointer stays valid, because classes of static types are never freed */
  LoomRangeTableClass *klass;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->question.timeline);
  g_clear_pointer (&input->question.tracks, g_array_unref);
  if (input->question.known != NULL)
    input->klass->free_known (input->question.known);
  g_free (input);
}

typedef struct {
  LoomResultTable *table;
  gpointer found;
  GDestroyNotify free_found;
} Answer;

static void
answer_free (Answer *answer)
{
  loom_result_table_unref (answer->table);
  if (answer->found != NULL)
    answer->free_found (answer->found);
  g_free (answer);
}

static Answer *
count_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  Answer answer = { .free_found = input->klass->free_found };
  answer.table = input->klass->count (&input->question, &answer.found, cancellable);
  return answer.table != NULL ? g_memdup2 (&answer, sizeof answer) : NULL;
}

/* --- showing the table and starting the worker -------------------------------------------------------------------- */

static void
show_table (LoomRangeTable *self, LoomResultTable *table)
{
  LoomRangeTablePrivate *private = PRIVATE (self);
  gboolean is_empty = table->n_rows == 0 && LOOM_RANGE_TABLE_GET_CLASS (self)->nothing != NULL;
  loom_table_view_set_table (LOOM_TABLE_VIEW (private->view), table);
  gtk_stack_set_visible_child (private->stack, is_empty ? private->nothing : private->view);
}

static void
take (LoomRangeTable *self, gpointer found)
{
  if (LOOM_RANGE_TABLE_GET_CLASS (self)->take != NULL)
    LOOM_RANGE_TABLE_GET_CLASS (self)->take (self, found);
}

static void
counted (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomRangeTable *self = owner;
  Answer *answer = result;
  PRIVATE (self)->shown = ((Input *) input)->question.range;
  take (self, g_steal_pointer (&answer->found));
  show_table (self, answer->table);
  answer_free (answer);
  g_signal_emit (self, signals[SUMMARY_CHANGED], 0);
}

static void
start (LoomDebouncedTask *task, gpointer user_data)
{
  LoomRangeTable *self = user_data;
  LoomRangeTablePrivate *private = PRIVATE (self);
  LoomRangeTableClass *klass = LOOM_RANGE_TABLE_GET_CLASS (self);
  static const LoomWorkerKind kind = { (LoomWorkerFunc) count_in_thread, (GDestroyNotify) input_free,
                                       (GDestroyNotify) answer_free };
  Input *input = LOOM_WORKER_INPUT (
    Input, .klass = klass,
    .question = { .timeline = loom_timeline_ref (private->timeline),
                  .range = private->range,
                  .tracks = private->tracks != NULL ? g_array_ref (private->tracks) : NULL,
                  .known = klass->dup_known != NULL ? klass->dup_known (self, private->timeline) : NULL });
  loom_debounced_task_run (task, &kind, input);
}

static void
show_work (gboolean working, gpointer user_data)
{
  LoomRangeTable *self = user_data;
  PRIVATE (self)->is_old = working;
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (self), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "old");
  g_signal_emit (self, signals[SUMMARY_CHANGED], 0);
}

/* --- table class and public functions ----------------------------------------------------------------------------- */

static void
forget (LoomRangeTable *self)
{
  LoomRangeTablePrivate *private = PRIVATE (self);
  loom_debounced_task_stop (&private->inquiry);
  private->shown = (LoomRange) { 0, 0 };
  take (self, NULL);
  g_clear_pointer (&private->timeline, loom_timeline_unref);
  g_clear_pointer (&private->tracks, g_array_unref);
}

static void
dispose (GObject *object)
{
  LoomRangeTable *self = LOOM_RANGE_TABLE (object);
  forget (self);
  GtkWidget *stack = GTK_WIDGET (g_steal_pointer (&PRIVATE (self)->stack));
  g_clear_pointer (&stack, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_range_table_parent_class)->dispose (object);
}

static void
show_empty (LoomRangeTable *self)
{
  g_autoptr (LoomResultTable) table = LOOM_RANGE_TABLE_GET_CLASS (self)->new_table ();
  show_table (self, table);
}

/* Shows the text for an empty table. This cannot be done in the init function of LoomRangeTable: while that function
 * runs, the instance does not have the class of the subclass yet, and only this class has the text. */
static void
constructed (GObject *object)
{
  LoomRangeTable *self = LOOM_RANGE_TABLE (object);
  const char *text = LOOM_RANGE_TABLE_GET_CLASS (self)->nothing;
  G_OBJECT_CLASS (loom_range_table_parent_class)->constructed (object);
  loom_bounded_text_set_label (GTK_LABEL (PRIVATE (self)->nothing), text != NULL ? _ (text) : NULL);
  show_empty (self);
}

static void
loom_range_table_class_init (LoomRangeTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-range-table.ui");
  gtk_widget_class_bind_template_child_private (widget_class, LoomRangeTable, stack);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRangeTable, nothing);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRangeTable, view);
  gtk_widget_class_bind_template_callback (widget_class, loom_page_view_save_table);
  signals[SUMMARY_CHANGED] =
    g_signal_new ("summary-changed", LOOM_TYPE_RANGE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_range_table_init (LoomRangeTable *self)
{
  LoomRangeTablePrivate *private = PRIVATE (self);
  loom_debounced_task_init (&private->inquiry, start, counted, show_work, self);
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_table_view_set_fills (LOOM_TABLE_VIEW (private->view), TRUE);
}

void
loom_range_table_show (LoomRangeTable *self, LoomTimeline *timeline, LoomRange range, GArray *tracks)
{
  g_return_if_fail (LOOM_IS_RANGE_TABLE (self) && timeline != NULL);
  LoomRangeTablePrivate *private = PRIVATE (self);
  loom_timeline_ref (timeline);
  g_clear_pointer (&private->timeline, loom_timeline_unref);
  private->timeline = timeline;
  private->range = range;
  g_clear_pointer (&private->tracks, g_array_unref);
  private->tracks = tracks != NULL ? g_array_ref (tracks) : NULL;
  loom_debounced_task_ask (&private->inquiry);
}

void
loom_range_table_clear (LoomRangeTable *self)
{
  g_return_if_fail (LOOM_IS_RANGE_TABLE (self));
  forget (self);
  show_empty (self);
}

gboolean
loom_range_table_is_old (LoomRangeTable *self, double *fraction)
{
  *fraction = loom_debounced_task_get_fraction (&PRIVATE (self)->inquiry);
  return PRIVATE (self)->is_old;
}

LoomRange
loom_range_table_get_range (LoomRangeTable *self)
{
  return PRIVATE (self)->shown;
}

LoomTableView *
loom_range_table_get_view (LoomRangeTable *self)
{
  return LOOM_TABLE_VIEW (PRIVATE (self)->view);
}

char *
loom_range_table_dup_text (LoomRangeTable *self)
{
  g_return_val_if_fail (LOOM_IS_RANGE_TABLE (self), NULL);
  LoomRangeTablePrivate *private = PRIVATE (self);
  return gtk_stack_get_visible_child (private->stack) == private->view
           ? loom_table_view_dup_tsv (LOOM_TABLE_VIEW (private->view))
           : g_strdup ("");
}
