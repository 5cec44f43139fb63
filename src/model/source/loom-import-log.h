/* SPDX-License-Identifier: Apache-2.0
 *
 * The import log: the problems that occurred while a source was read, and did not prevent reading it. The log has one
 * entry per code, with the number of occurrences and the place of the first one. No input is dropped without an entry
 * here. Only one thread writes to a log while its source is loaded; afterwards the log is immutable and shared between
 * threads.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_SEVERITY_INFO,    /* the user should know about the problem, but nothing is lost, for example text after the end
                          * of the trace */
  LOOM_SEVERITY_WARNING, /* an event was repaired, guessed or dropped */
  LOOM_SEVERITY_ERROR,   /* input was lost, because it was unreadable, truncated, or over a limit */
} LoomSeverity;

#define LOOM_OFFSET_NONE G_MAXUINT64

typedef struct {
  /* name of the kind of problem, which scripts can rely on: "truncated", "orphan-end", …; interned */
  const char *code;
  LoomSeverity severity;
  guint64 count;
  guint64 offset; /* offset of the first occurrence in the unpacked text; LOOM_OFFSET_NONE: none */
  char *message;  /* one sentence for the user, about the first occurrence */
} LoomProblem;

typedef struct _LoomImportLog LoomImportLog;

LoomImportLog *loom_import_log_new (void);
void loom_import_log_free (LoomImportLog *log);

/* Counts an occurrence of the problem `code`. Severity, offset and message of the entry are those of the occurrence
 * with the lowest offset. `message` or `format` must be untranslated: a literal in the call, or a text marked with N_()
 * elsewhere. The function translates it. */
void loom_import_log_add (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset,
                          const char *message);
void loom_import_log_add_n (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset, guint64 n,
                            const char *message);
void loom_import_log_printf (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset,
                             const char *format, ...) G_GNUC_PRINTF (5, 6);

guint loom_import_log_get_n_problems (const LoomImportLog *log);
const LoomProblem *loom_import_log_get_problem (const LoomImportLog *log, guint i);

/* Returns the number of entries of at least this severity. */
guint loom_import_log_count_at_least (const LoomImportLog *log, LoomSeverity severity);

/* Returns the name of a severity: "info", "warning" or "error"; static. */
const char *loom_import_log_severity_to_string (LoomSeverity severity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomImportLog, loom_import_log_free)
