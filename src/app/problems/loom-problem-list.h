/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything a load has to report: files that failed, problems of sources, files that were ignored. An array of facts that
 * are borrowed from the run, so that a folder of a hundred thousand other files costs a few pointers each. Immutable,
 * ref-counted atomically.
 */
#pragma once

#include "loom-run.h"
#include "loom-source-overrides.h"
#include "loom-table-model.h"

G_BEGIN_DECLS

/* What a row shows, borrowed from its run and from its list. */
typedef struct {
  LoomSeverity severity;
  const char *path; /* as the file system has it */
  const char *code; /* "truncated"; "unreadable" and "ignored" for files that are no source */
  const char *message;
  guint64 count;
  guint64 offset;       /* of the first, LOOM_OFFSET_NONE where there is no place */
  LoomByteSource *text; /* NULL when nothing can be read back */
  gboolean is_packed;   /* the offset counts in the unpacked text */
  const char *given;    /* the name a person gave its source; NULL: none */
} LoomProblemFacts;

typedef enum {
  LOOM_PROBLEM_SEVERITY,
  LOOM_PROBLEM_FILE,
  LOOM_PROBLEM_CODE,
  LOOM_PROBLEM_COUNT,
  LOOM_PROBLEM_OFFSET,
  LOOM_PROBLEM_MESSAGE,
  LOOM_PROBLEM_TEXT, /* the text at the place: not sorted by */
  LOOM_N_PROBLEM_COLUMNS
} LoomProblemColumn;

typedef struct _LoomProblemList LoomProblemList;

/* Worst first, then as the run has them. `run` may be NULL. `names`: the names that persons gave sources; copied, NULL:
 * none. O(problems). */
LoomProblemList *loom_problem_list_new (LoomRun *run, const LoomSourceOverrides *names);
LoomProblemList *loom_problem_list_ref (LoomProblemList *self);
void loom_problem_list_unref (LoomProblemList *self);

guint loom_problem_list_get_n (const LoomProblemList *self);
const LoomProblemFacts *loom_problem_list_get (const LoomProblemList *self, guint row); /* borrowed */
/* Those of a severity, of these files; `paths` NULL: of all files. */
guint loom_problem_list_count (const LoomProblemList *self, LoomSeverity severity, const char *const *paths);

/* One line: severity, path, code, count, byte and message between tabs, and the text at the place unless it is NULL or
 * "". */
void loom_problem_list_append_line (GString *out, const LoomProblemFacts *facts, const char *excerpt);

/* --- as a table ------------------------------------------------------------------------------------------------------ */

/* Of LoomProblemItem; `sorter` may be NULL. */
LoomTableModel *loom_problem_list_new_model (LoomProblemList *self, GtkSorter *sorter);
/* For loom_table_model_take_filter(): rows whose severity has its bit (1 << severity) in `severities`, that contain every
 * one of the words (letter case aside; "" or NULL: any), and that are of one of the files (NULL: any). Owned. */
GBytes *loom_problem_list_new_filter (guint severities, const char *words, const char *const *paths);

/* Takes `text`, owned: the lines of all rows shown, with the texts at the places. */
typedef void (*LoomProblemListText) (gpointer owner, char *text);
/* In a worker; `owner` has to live until `done` is called. */
void loom_problem_list_write (LoomTableModel *model, LoomProblemListText done, gpointer owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProblemList, loom_problem_list_unref)

G_END_DECLS
