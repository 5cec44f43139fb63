/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-import-log.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomImportLog {
  GArray *problems; /* LoomProblem: one entry for each code */
};

static void
clear_problem (gpointer data)
{
  g_free (((LoomProblem *) data)->message);
}

LoomImportLog *
loom_import_log_new (void)
{
  LoomImportLog *log = g_new0 (LoomImportLog, 1);
  log->problems = g_array_new (FALSE, FALSE, sizeof (LoomProblem));
  g_array_set_clear_func (log->problems, clear_problem);
  return log;
}

void
loom_import_log_free (LoomImportLog *log)
{
  if (log == NULL)
    return;
  g_array_unref (log->problems);
  g_free (log);
}

static LoomProblem *
find_problem (LoomImportLog *log, const char *code)
{
  for (guint i = 0; i < log->problems->len; i++) {
    LoomProblem *problem = &g_array_index (log->problems, LoomProblem, i);
    if (strcmp (problem->code, code) == 0)
      return problem;
  }
  return NULL;
}

/* Returns the translation of a constant message. Called only when a message is stored, not for each of a million
 * occurrences. Owned by the caller. */
static char *
dup_translated (const char *message)
{
  return g_strdup (*message != '\0' ? gettext (message) : "");
}

void
loom_import_log_add_n (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset, guint64 n,
                       const char *message)
{
  LoomProblem *known = find_problem (log, code);
  if (known == NULL) {
    LoomProblem fresh = { g_intern_string (code), severity, n, offset, dup_translated (message) };
    g_array_append_val (log->problems, fresh);
    return;
  }
  known->count += n;
  if (offset < known->offset) {
    known->offset = offset;
    g_free (known->message);
    known->message = dup_translated (message);
  }
}

void
loom_import_log_add (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset, const char *message)
{
  loom_import_log_add_n (log, severity, code, offset, 1, message);
}

void
loom_import_log_printf (LoomImportLog *log, LoomSeverity severity, const char *code, guint64 offset, const char *format,
                        ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (_ (format), args);
  va_end (args);
  loom_import_log_add (log, severity, code, offset, message);
}

guint
loom_import_log_get_n_problems (const LoomImportLog *log)
{
  return log->problems->len;
}

const LoomProblem *
loom_import_log_get_problem (const LoomImportLog *log, guint i)
{
  g_return_val_if_fail (i < log->problems->len, NULL);
  return &g_array_index (log->problems, LoomProblem, i);
}

guint
loom_import_log_count_at_least (const LoomImportLog *log, LoomSeverity severity)
{
  guint n = 0;
  for (guint i = 0; i < log->problems->len; i++)
    n += g_array_index (log->problems, LoomProblem, i).severity >= severity;
  return n;
}

const char *
loom_import_log_severity_to_string (LoomSeverity severity)
{
  static const char *const words[] = { "info", "warning", "error" };
  return words[CLAMP (severity, LOOM_SEVERITY_INFO, LOOM_SEVERITY_ERROR)];
}
