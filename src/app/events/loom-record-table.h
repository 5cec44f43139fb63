/* SPDX-License-Identifier: Apache-2.0
 *
 * Base class of the tables of events and of samples; both are called records here. Above the table are a switch between
 * the tables, the number of records, a choice of the range of the analysis, and a filter. A worker thread lists the
 * records of visible sources that are in the range and match the filter. It lists them again after each change of the
 * run, range, filter or sort order. A hidden table is only marked as outdated, and lists its records when it is shown.
 *
 * A subclass adds no widgets; it implements the functions of LoomRecordTableClass. Called on the main thread.
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-run-navigation.h"
#include "loom-run-state.h"
#include "loom-source-overrides.h"
#include "loom-table-model.h"

/* The query of a table: which records the worker thread lists, and their order. Immutable; owns its members. */
typedef struct {
  LoomTimeline *timeline;
  /* range on the timeline; if it is empty, all records of the run are listed, including those outside the extent of the
   * run */
  LoomRange range;
  GArray *tracks;             /* LoomTrackId of the tracks of visible sources; NULL for all tracks */
  char *text;                 /* text of the filter */
  LoomSourceOverrides *names; /* the names that the user gave to sources; NULL if no source was renamed */
  guint order;                /* number of the column by which the records are sorted */
  gboolean descending;
} LoomRecordTableQuestion;

void loom_record_table_question_free (LoomRecordTableQuestion *question);

#define LOOM_TYPE_RECORD_TABLE (loom_record_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomRecordTable, loom_record_table, LOOM, RECORD_TABLE, GtkWidget)

struct _LoomRecordTableClass {
  GtkWidgetClass parent_class;
  /* how LoomTableModel reads the rows from a list of records */
  const LoomRowSource *source;
  /* Texts to be translated. `title` and `filter_title`: names of the table and of its filter for screen readers.
   * `filter_tip`: tooltip of the filter. */
  const char *title, *filter_title, *filter_tip;
  gboolean can_save; /* TRUE if the table has a button that activates the action "win.save-events" */
  /* Maximum number of rows that can be copied at once; limited because the clipboard contains them as text in
   * memory. */
  guint most_copied;

  void (*add_columns) (GtkColumnView *view, LoomTimelineState *state);
  /* Fits the widths of the columns to the texts of `rows` and to the width of the table. */
  void (*fit_columns) (GtkColumnView *view, gconstpointer rows, LoomTimelineState *state, gboolean is_narrow);
  /* How a worker thread lists the records: its input is a LoomRecordTableQuestion, its result a list of records. */
  const LoomWorkerKind *lister;
  /* Returns the number of records as a text, such as "128 events". Owned by the caller. */
  char *(*dup_count) (gconstpointer rows);
  /* Returns a copy of `text` with a remark appended; `text` states the number of records and of selected rows. Owned by
   * the caller. This pointer is NULL in a subclass that adds no remarks. */
  char *(*dup_extended) (LoomRecordTable *self, const char *text);
  /* Returns the message for the user who tries to copy more rows than `most`, which is `most_copied` as text. Owned
   * by the caller. */
  char *(*dup_too_many) (const char *most);
  /* Called after records were listed, and when a table that is not outdated becomes visible. May be NULL. */
  void (*rows_shown) (LoomRecordTable *self);
  /* `chosen` is called when the user changes which rows are selected, `activated` when the user activates a row. */
  void (*chosen) (LoomRecordTable *self);
  void (*activated) (LoomRecordTable *self, guint position);
  /* Returns the rows at the positions in `positions` as lines for the clipboard. Owned by the caller. */
  char *(*dup_lines) (LoomRecordTable *self, GtkBitset *positions);
};

/* Connects a new table to the run; takes a reference. Must be called once, before the table is shown. */
void loom_record_table_set_run (LoomRecordTable *self, LoomRunState *run);
/* Adds a switch to the title of the table. With this switch, the user chooses which of the tables in `stack` is
 * visible; this table is one of them. If `stack` is NULL, there is no switch. `stack` is borrowed. */
void loom_record_table_set_stack (LoomRecordTable *self, GtkStack *stack);
/* The next three functions return borrowed objects: the model of the rows, the run, and the column view. */
LoomTableModel *loom_record_table_get_model (LoomRecordTable *self);
LoomRunState *loom_record_table_get_run (LoomRecordTable *self);
GtkColumnView *loom_record_table_get_view (LoomRecordTable *self);

/* Shows the number of records and of selected rows in the title. */
void loom_record_table_show_summary (LoomRecordTable *self);
/* Returns TRUE if the shown rows are outdated. */
gboolean loom_record_table_is_old (LoomRecordTable *self);
/* Returns TRUE while a worker thread lists the records. */
gboolean loom_record_table_is_working (LoomRecordTable *self);
