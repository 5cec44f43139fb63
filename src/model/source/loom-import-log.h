/* SPDX-License-Identifier: Apache-2.0
 *
 * The import log: everything less than a failure that happened to a source while it was read, one entry per code,
 * with a count and the place of the first. Nothing is dropped without an entry here.
 * One writer while loading; immutable and shared between threads afterwards.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_SEVERITY_INFO,    /* worth knowing, nothing lost (orphan E of Composer, text after the end) */
  LOOM_SEVERITY_WARNING, /* something was repaired, guessed or left out */
  LOOM_SEVERITY_ERROR,   /* input was lost: unreadable, truncated, over a limit */
} LoomSeverity;

#define LOOM_OFFSET_NONE G_MAXUINT64

typedef struct {
  const char *code; /* interned, stable, for scripts: "truncated", "orphan-end", … */
  LoomSeverity severity;
  guint64 count;
  guint64 offset; /* of the first, into the unpacked text; LOOM_OFFSET_NONE where there is no place */
  char *message;  /* one sentence for people, of the first */
} LoomProblem;

typedef struct _LoomImportLog LoomImportLog;

LoomImportLog *loom_import_log_new (void);
void loom_import_log_free (LoomImportLog *log);

/* Counts one more of `code`; severity, offset and message of the first call (lowest offset) stay. A constant `message` or
 * `format` is translated here: it is written plain, or with N_() where it does not stand in the call itself. */
void loom_import_log_add (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset,
                          const char *message);
void loom_import_log_add_n (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset, guint64 n,
                            const char *message);
void loom_import_log_printf (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset,
                             const char *format, ...) G_GNUC_PRINTF (5, 6);

guint loom_import_log_get_n_problems (const LoomImportLog *log);
const LoomProblem *loom_import_log_get_problem (const LoomImportLog *log, guint i);

/* Entries at or above the severity. */
guint loom_import_log_count_at_least (const LoomImportLog *log, LoomSeverity severity);

const char *loom_import_log_severity_to_string (LoomSeverity severity); /* "info", "warning", "error" */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomImportLog, loom_import_log_free)

G_END_DECLS
