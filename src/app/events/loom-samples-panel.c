/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-samples-panel.h"

#include "loom-locale-number.h"
#include "loom-sample-columns.h"
#include "loom-sample-list.h"

#include <glib/gi18n.h>

/* Maximum number of rows that can be copied at once; limited because copying a row takes about 5 µs. */
#define LOOM_SAMPLES_COPY_MOST 10000

struct _LoomSamplesPanel {
  LoomRecordTable parent;
};

G_DEFINE_FINAL_TYPE (LoomSamplesPanel, loom_samples_panel, LOOM_TYPE_RECORD_TABLE)

static guint
count_rows (gpointer rows)
{
  const LoomSampleList *list = rows;
  return list->n;
}

/* How LoomTableModel reads the rows. The functions to sort and filter are NULL, because a LoomSampleList is already
 * sorted and filtered. Without them, the model stores no array of row numbers. */
static const LoomRowSource sample_rows = {
  .ref = (gpointer (*) (gpointer)) loom_sample_list_ref,
  .unref = (GDestroyNotify) loom_sample_list_unref,
  .get_n_rows = count_rows,
};

static char *
dup_count (gconstpointer rows)
{
  const LoomSampleList *list = rows;
  g_autofree char *all = loom_locale_number_group (list->n_found), *some = loom_locale_number_group (list->n);
  return list->n_found == list->n ? g_strdup_printf (ngettext ("%s sample", "%s samples", list->n), some)
                                  : g_strdup_printf (_ ("the first %s of %s samples"), some, all);
}

static char *
dup_too_many (const char *most)
{
  return g_strdup_printf (_ ("Nothing was copied, because more than %s rows are selected. Select fewer rows."), most);
}

static void
fit_columns (GtkColumnView *view, gconstpointer rows, LoomTimelineState *state, gboolean is_narrow)
{
  loom_sample_columns_fit (view, rows, state, is_narrow);
}

static LoomSampleList *
list_samples (const LoomRecordTableQuestion *question, GCancellable *cancellable, GError **error)
{
  const LoomSampleQuery query = { .range = question->range,
                                  .tracks = question->tracks,
                                  .text = question->text,
                                  .names = question->names,
                                  .order = question->order,
                                  .descending = question->descending };
  return loom_sample_list_new (question->timeline, &query, cancellable);
}

static const LoomWorkerKind lister = { (LoomWorkerFunc) list_samples, (GDestroyNotify) loom_record_table_question_free,
                                       (GDestroyNotify) loom_sample_list_unref };

/* --- showing a sample on the timeline ----------------------------------------------------------------------------- */

static void
show_sample (LoomRecordTable *self, guint position, gboolean opens, LoomRunNavigationFlags flags)
{
  const LoomSampleList *list = loom_table_model_get_rows (loom_record_table_get_model (self));
  LoomRunState *run = loom_record_table_get_run (self);
  LoomSample sample;
  if (list == NULL || position >= list->n)
    return;
  loom_sample_list_get (list, position, &sample);
  LoomRange range = { sample.time_ns, loom_time_add (sample.time_ns, MAX (sample.duration_ns, 0)) };
  if (sample.series != NULL) {
    loom_run_navigation_show_sample (run, sample.track, range, opens, flags);
    return;
  }
  LoomNavigationTarget target = { .spans = &sample.span, .n_spans = 1 };
  if (opens) {
    loom_timeline_get_span (list->timeline, sample.span, &target.range.begin_ns, &target.range.end_ns);
    target.range.end_ns = MAX (target.range.end_ns, target.range.begin_ns + 1);
  }
  loom_run_navigation_show (run, &target, flags);
}

static void
chosen (LoomRecordTable *self)
{
  LoomTableModel *model = loom_record_table_get_model (self);
  guint lead = loom_table_model_get_lead (model);
  loom_record_table_show_summary (self);
  if (lead != G_MAXUINT && loom_table_model_get_n_selected (model) == 1)
    show_sample (self, lead, FALSE, LOOM_RUN_NAVIGATION_KEEP_RANGE | LOOM_RUN_NAVIGATION_KEEP_PAGE);
}

static void
activated (LoomRecordTable *self, guint position)
{
  show_sample (self, position, TRUE, LOOM_RUN_NAVIGATION_KEEP_RANGE);
}

/* --- copying ------------------------------------------------------------------------------------------------------ */

static char *
dup_lines (LoomRecordTable *self, GtkBitset *rows)
{
  const LoomSampleList *list = loom_table_model_get_rows (loom_record_table_get_model (self));
  LoomTimelineState *state = loom_run_state_get_view (loom_record_table_get_run (self));
  g_autofree char *titles = loom_sample_columns_dup_titles ();
  GString *text = g_string_new (titles);
  GtkBitsetIter iter;
  guint row;
  g_string_append_c (text, '\n');
  for (gboolean more = gtk_bitset_iter_init_first (&iter, rows, &row); more && list != NULL && row < list->n;
       more = gtk_bitset_iter_next (&iter, &row)) {
    g_autofree char *line = loom_sample_columns_dup_line (list, row, state);
    g_string_append_printf (text, "%s\n", line);
  }
  return g_string_free (text, FALSE);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
loom_samples_panel_class_init (LoomSamplesPanelClass *klass)
{
  LoomRecordTableClass *table_class = LOOM_RECORD_TABLE_CLASS (klass);
  table_class->source = &sample_rows;
  table_class->title = N_ ("Samples");
  table_class->filter_title = N_ ("Filter the samples");
  table_class->filter_tip = N_ ("Name or track");
  table_class->most_copied = LOOM_SAMPLES_COPY_MOST;
  table_class->add_columns = loom_sample_columns_add;
  table_class->fit_columns = fit_columns;
  table_class->lister = &lister;
  table_class->dup_count = dup_count;
  table_class->dup_too_many = dup_too_many;
  table_class->chosen = chosen;
  table_class->activated = activated;
  table_class->dup_lines = dup_lines;
}

static void
loom_samples_panel_init (LoomSamplesPanel *self)
{
}

GtkWidget *
loom_samples_panel_new (LoomRunState *run, GtkStack *stack)
{
  LoomRecordTable *self = g_object_new (LOOM_TYPE_SAMPLES_PANEL, NULL);
  loom_record_table_set_run (self, run);
  loom_record_table_set_stack (self, stack);
  return GTK_WIDGET (self);
}
