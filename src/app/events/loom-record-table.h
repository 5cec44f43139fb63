/* SPDX-License-Identifier: Apache-2.0
 *
 * Base class of the tables of events and samples, which are called records here. Above the table are a switch between
 * the tables, the number of records, a choice of the range of the analysis, and a filter. A worker lists the records of
 * visible sources in the range that match the filter; a change of the run, range, filter or sort order makes the table
 * list them again. An invisible table is only marked as outdated, and lists its records when it is shown.
 *
 * A subclass has no widgets of its own; it implements the functions of LoomRecordTableClass. Called on the main thread.
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-run-navigation.h"
#include "loom-run-state.h"
#include "loom-source-overrides.h"
#include "loom-table-model.h"

/* Which records a worker lists. Immutable; owns its members. */
typedef struct {
  LoomTimeline *timeline;
  LoomRange range;            /* on the timeline; empty: the whole run, with records outside its extent */
  GArray *tracks;             /* LoomTrackId of the tracks of visible sources; NULL: all tracks */
  char *text;                 /* text of the filter */
  LoomSourceOverrides *names; /* the names that the user gave to sources; NULL: no source was renamed */
  guint order;                /* number of the column by which the records are sorted */
  gboolean descending;
} LoomRecordTableQuestion;

void loom_record_table_question_free (LoomRecordTableQuestion *question);

#define LOOM_TYPE_RECORD_TABLE (loom_record_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomRecordTable, loom_record_table, LOOM, RECORD_TABLE, GtkWidget)

struct _LoomRecordTableClass {
  GtkWidgetClass parent_class;
  /* Functions by which LoomTableModel reads the rows, which are a list of records. */
  const LoomRowSource *source;
  /* Texts to be translated: the name of the table and of its filter for screen readers, and the tooltip of the
   * filter. */
  const char *title, *filter_title, *filter_tip;
  gboolean can_save; /* TRUE: there is a button that activates the action "win.save-events" */
  /* The largest number of rows that can be copied at once, because the clipboard holds them as text. */
  guint most_copied;

  void (*add_columns) (GtkColumnView *view, LoomTimelineState *state);
  /* Sets the widths of the columns to suit `rows` and the width of the table. */
  void (*fit_columns) (GtkColumnView *view, gconstpointer rows, LoomTimelineState *state, gboolean is_narrow);
  /* The work of the worker that lists the records: the input is a LoomRecordTableQuestion, the result a list of records. */
  const LoomWorkerKind *lister;
  /* Returns the number of records as a text: "128 events". Owned by the caller. */
  char *(*dup_count) (gconstpointer rows);
  /* Returns `text`, the number of records and of selected rows, with a remark. NULL: there are no remarks. Owned by the
   * caller. */
  char *(*dup_extended) (LoomRecordTable *self, const char *text);
  /* Returns the message that more than `most` rows, the number `most_copied`, cannot be copied. Owned by the caller. */
  char *(*dup_too_many) (const char *most);
  /* Called after records were listed, and when a table that is not outdated appears. NULL: nothing to do. */
  void (*rows_shown) (LoomRecordTable *self);
  /* Called when the user changes the selection of rows, and when the user activates a row. */
  void (*chosen) (LoomRecordTable *self);
  void (*activated) (LoomRecordTable *self, guint position);
  /* Returns the rows at the positions in `positions` as lines for the clipboard. Owned by the caller. */
  char *(*dup_lines) (LoomRecordTable *self, GtkBitset *positions);
};

/* Connects a new table to the run, which it keeps. Must be called once, before the table is shown. */
void loom_record_table_set_run (LoomRecordTable *self, LoomRunState *run);
/* Shows, in the title of the table, a switch between the tables of `stack`, one of which is this table; NULL: no
 * switch. `stack` is borrowed. */
void loom_record_table_set_stack (LoomRecordTable *self, GtkStack *stack);
/* The next three functions return borrowed objects: the model of the rows, the run, and the table itself. */
LoomTableModel *loom_record_table_get_model (LoomRecordTable *self);
LoomRunState *loom_record_table_get_run (LoomRecordTable *self);
GtkColumnView *loom_record_table_get_view (LoomRecordTable *self);

/* Shows the number of records and of selected rows in the title. */
void loom_record_table_show_summary (LoomRecordTable *self);
/* Returns TRUE if the shown rows are outdated. */
gboolean loom_record_table_is_old (LoomRecordTable *self);
/* Returns TRUE while a worker lists the records. */
gboolean loom_record_table_is_working (LoomRecordTable *self);
