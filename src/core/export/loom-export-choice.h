/* SPDX-License-Identifier: Apache-2.0
 *
 * The choices of an export: the range of the run, the layout and the file name. The layout determines the file format,
 * and how events are divided into processes. The file name and the choice of compression always agree: setting one
 * adapts the other. Called on the main thread.
 */
#pragma once

#include "loom-timeline-state.h"
#include "loom-trace-export.h"

typedef enum {
  LOOM_EXPORT_ALL,
  LOOM_EXPORT_VISIBLE,
  LOOM_EXPORT_SELECTED,
  LOOM_EXPORT_STEPS,
  LOOM_EXPORT_TIMES, /* the range between two times that the user types */
} LoomExportRange;
#define LOOM_N_EXPORT_RANGES (LOOM_EXPORT_TIMES + 1)

/* What the user chose in the export dialog. Set `range`, `first_step` and `last_step` directly, the other choices with
 * the functions below. */
typedef struct {
  LoomExportRange range;
  gint64 first_step, last_step; /* first and last exported step; initially the first and last numbered step */
  /* times relative to `zero_ns`, as the user typed them. If `from` is "", the exported range begins at the start of the
   * run; if `to` is "", it ends at the end of the run */
  char *from, *to;
  LoomExportLayout layout;
  /* TRUE: the tables of SQL queries are written as an SQLite file, instead of events in a layout. The file contains the
   * whole run and is not compressed; the choices of range, files and compression are kept, but do not apply */
  gboolean is_database;
  char *name; /* name of the file without its folder */
  gboolean compress;

  gboolean is_named; /* TRUE if the user typed the name; a new layout then does not change the name */
  char *run_name;    /* name of the run, with which the suggested file name begins */
  gint64 zero_ns;    /* timeline ns to which typed times are relative: the zero of the ruler */
  LoomTimeline *timeline;
  guint *sources; /* indices of the sources that were chosen with loom_export_choice_set_endings(); NULL: all sources */
  guint n_sources;
  LoomRange visible, selected;
  /* TRUE if the user has selected a range of time, so that this range is suggested first; FALSE if spans are selected,
   * or if nothing is selected */
  gboolean prefers_selected;
  LoomSteps *steps; /* the steps of the run; NULL: the run has no steps */
} LoomExportChoice;

/* Returns the choices that the dialog suggests: compressed, in the layout LOOM_TRACE_EXPORT_RANKS, with the selected
 * range of the view or, if no range is selected, the whole run. */
LoomExportChoice *loom_export_choice_new (LoomTimelineState *state, const char *run_name);
void loom_export_choice_free (LoomExportChoice *choice);

/* Lists the ranges that can be chosen, the suggested one first. Returns their number. */
guint loom_export_choice_list_ranges (const LoomExportChoice *choice, LoomExportRange ranges[LOOM_N_EXPORT_RANGES]);
/* Returns the length of the exported range in words; "" if steps are exported. Owned by the caller. */
char *loom_export_choice_dup_range_words (const LoomExportChoice *choice);

/* Sets the times that the user typed; copies them. Before the first call, the times are the start and the end of the
 * visible range. */
void loom_export_choice_set_times (LoomExportChoice *choice, const char *from, const char *to);
/* Limits the export to the sources whose file names have one of these endings, which are separated by blanks or commas;
 * "": all sources are exported. */
void loom_export_choice_set_endings (LoomExportChoice *choice, const char *endings);
/* Returns a text that says how many of the sources are exported. Owned by the caller. */
char *loom_export_choice_dup_source_words (const LoomExportChoice *choice);

/* Sets the layout, and adapts the name to it unless the user typed a name. */
void loom_export_choice_set_layout (LoomExportChoice *choice, LoomExportLayout layout);
/* Chooses an SQLite file (is_database), and adapts the name to it unless the user typed a name. Calling
 * loom_export_choice_set_layout() afterwards chooses a layout instead. */
void loom_export_choice_set_database (LoomExportChoice *choice);
/* Sets the name that the user typed. If the name has a known ending, this ending determines whether the file is
 * compressed; otherwise the choice of compression does not change. */
void loom_export_choice_set_name (LoomExportChoice *choice, const char *name);
/* Sets whether the file is compressed. If the name has a known ending, adds ".gz" to it or removes ".gz" from it. */
void loom_export_choice_set_compress (LoomExportChoice *choice, gboolean compress);

/* Fills `options`, whose sources are borrowed from the choice. Returns FALSE and sets `problem` (owned by the caller)
 * to a sentence if the range is invalid. For a database, the options are those of the whole run. */
gboolean loom_export_choice_get_options (const LoomExportChoice *choice, LoomExportOptions *options, char **problem);

/* Returns `path` with an ending that fits the choice: for a database, the ending of an SQLite file, else the ending
 * that loom_export_choice_dup_path() appends. Owned by the caller. */
char *loom_export_choice_dup_target (const LoomExportChoice *choice, const char *path);
/* Returns `path` with an ending that fits the layout. If `path` has no known ending, or has the ending of another kind
 * of file, the ending of the layout is appended. For example, "run.pftrace" becomes "run.pftrace.json" if the layout is
 * written as JSON. Owned by the caller. */
char *loom_export_choice_dup_path (const char *path, LoomExportLayout layout, gboolean compress);
/* Returns TRUE if a file with this name is compressed when it is written; this depends only on the name. */
gboolean loom_export_choice_is_compressed (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExportChoice, loom_export_choice_free)
