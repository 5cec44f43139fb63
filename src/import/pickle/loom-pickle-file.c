/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads files that PyTorch writes either as a pickle or as JSON: memory snapshots and dumps of the flight recorder. The
 * interface is described in loom-pickle-file.h.
 */
#include "loom-pickle-file.h"

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-whole-text.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

GByteArray *
loom_pickle_file_read (const LoomFoundFile *file, LoomProgress *progress, LoomStreamEnd *end, GError **error)
{
  gsize max_bytes = loom_limit (LOOM_LIMIT_DUMP_BYTES);
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (file->path, file->origin, progress, error);
  g_autoptr (GByteArray) bytes = reader != NULL ? loom_whole_text_read (reader, max_bytes, error) : NULL;
  if (reader != NULL)
    *end = loom_stream_reader_get_end (reader);
  if (bytes != NULL && bytes->len > max_bytes) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("a dump of more than %zu bytes is not read"), max_bytes);
    return NULL;
  }
  return g_steal_pointer (&bytes);
}

/* Maximum number of bytes of memory that a JSON value takes, besides its text: the node of json-glib and the
 * LoomPlainValue together. The text of a value is copied at most twice. */
#define JSON_VALUE_BYTES 160

/* Returns FALSE if parsing the JSON text may take more memory than the budget has left. Estimates the number of values
 * as the number of the characters “,:]}”, because one of these follows each value and each key. Such characters inside
 * strings are counted, too. */
static gboolean
fits_budget (const char *bytes, gsize n, const LoomMemoryBudget *budget)
{
  guint64 n_values = 1;
  for (gsize i = 0; i < n; i++)
    n_values += bytes[i] == ',' || bytes[i] == ':' || bytes[i] == ']' || bytes[i] == '}';
  return n_values <= LOOM_PICKLE_MAX_VALUES &&
         n_values * JSON_VALUE_BYTES + 2 * (guint64) n <= loom_memory_budget_get_room (budget);
}

static LoomPlainValues *
read_json (const char *bytes, gsize n, const LoomMemoryBudget *budget, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  if (!loom_json_slice_is_strict (bytes, n)) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("the file is not valid JSON, or is truncated"));
    return NULL;
  }
  if (!fits_budget (bytes, n, budget)) {
    const LoomPickleEnd full = { .stop = LOOM_PICKLE_FULL };
    loom_pickle_fail (&full, error);
    return NULL;
  }
  if (!json_parser_load_from_data (parser, bytes, (gssize) n, error))
    return NULL;
  LoomPlainValues *values = loom_plain_values_new ();
  values->top = loom_plain_values_add_json (values, json_parser_get_root (parser));
  return values;
}

LoomPlainValues *
loom_pickle_file_parse (const LoomImporter *import, const GByteArray *bytes, const LoomPickleFormat *format,
                        LoomPickleEnd *end, GError **error)
{
  const char *text = (const char *) bytes->data;
  *end = (LoomPickleEnd) { .stop = LOOM_PICKLE_WHOLE };
  g_autoptr (LoomPlainValues) values = bytes->len > 0 && bytes->data[0] == 0x80
                                         ? loom_pickle_read (text, bytes->len, import->budget, end, error)
                                         : read_json (text, bytes->len, import->budget, error);
  if (values == NULL || format->recognise (values))
    return g_steal_pointer (&values);
  if (end->stop > LOOM_PICKLE_CUT)
    loom_pickle_fail (end, error);
  else
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ (format->otherwise));
  return NULL;
}

void
loom_pickle_file_log_end (LoomSource *source, const LoomPickleEnd *end)
{
  LoomImportLog *log = source->log;
  source->incomplete |= end->stop != LOOM_PICKLE_WHOLE;
  switch (end->stop) {
  case LOOM_PICKLE_WHOLE:
    if (end->n_after > 0)
      loom_import_log_printf (log, LOOM_SEVERITY_WARNING, "trailing-bytes", LOOM_OFFSET_NONE,
                              "bytes after the dump that are not read: %" PRIu64, end->n_after);
    break;
  case LOOM_PICKLE_CUT:
    loom_import_log_printf (log, LOOM_SEVERITY_ERROR, "truncated", end->at,
                            "The file is truncated at byte %" PRIu64 "; the readable part was kept", end->at);
    break;
  case LOOM_PICKLE_DAMAGED:
    loom_import_log_printf (log, LOOM_SEVERITY_ERROR, "damaged", end->at,
                            "The file is damaged at byte %" PRIu64 "; the part before it was kept", end->at);
    break;
  case LOOM_PICKLE_FOREIGN:
    loom_import_log_printf (
      log, LOOM_SEVERITY_ERROR, "damaged", end->at,
      "At byte %" PRIu64
      " the file is damaged or contains a Python object, which is not read; the part before it was kept",
      end->at);
    break;
  case LOOM_PICKLE_FULL:
    loom_import_log_printf (log, LOOM_SEVERITY_ERROR, "memory-budget", end->at,
                            "The file was read up to byte %" PRIu64 ": the rest does not fit into the memory allowed",
                            end->at);
    break;
  }
}

gint
loom_pickle_file_find_rank (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strchr (base, '.');
  if (dot != NULL && dot > base)
    *dot = '\0';
  gsize n = strlen (base), n_digits = 0;
  while (n_digits < n && g_ascii_isdigit (base[n - n_digits - 1]))
    n_digits++;
  return n_digits > 0 && n_digits < 8 ? (gint) g_ascii_strtoll (base + n - n_digits, NULL, 10) : -1;
}
