/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that all importers share: they record failures and losses in the log, and check the memory budget. The
 * interface is described in loom-importer.h.
 */
#include "loom-importer.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-import-losses.h"

G_STATIC_ASSERT (LOOM_LIMIT_GZIP_RATIO == 200); /* translated messages in this program state this limit as the number
                                                 * 200; change them together with the limit */

/* Numbers of bytes (measured) that are needed to make the trace from a builder (“freezing”), in addition to the builder
 * itself. FREEZE_BYTES: per event, because the records of the builder and the columns of the trace exist together for a
 * while. FREEZE_FLOW_BYTES: additionally per flow event, for a table of keys. */
#define FREEZE_BYTES 28
#define FREEZE_FLOW_BYTES 16

gboolean
loom_importer_fail (LoomImporter *import, const char *path, GError *error, GError **out)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (out, error);
    return FALSE;
  }
  g_ptr_array_add (import->failed, g_strdup (path));
  g_ptr_array_add (import->failed, g_strdup (error->message));
  g_error_free (error);
  return TRUE;
}

gboolean
loom_importer_keep_part (LoomSource *source, GError *error, GError **out)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (out, error);
    return FALSE;
  }
  source->incomplete = TRUE;
  loom_import_log_add (source->log, LOOM_SEVERITY_ERROR, "read-failed", LOOM_OFFSET_NONE, error->message);
  g_error_free (error);
  return TRUE;
}

gboolean
loom_importer_is_full (LoomImporter *import, const char *path)
{
  if (!loom_memory_budget_check (import->budget))
    return FALSE;
  g_autofree char *why = loom_memory_budget_explain (import->budget);
  g_ptr_array_add (import->failed, g_strdup (path));
  g_ptr_array_add (import->failed, g_strdup_printf (_ ("Not read: %s"), why));
  return TRUE;
}

void
loom_importer_reserve (LoomImporter *import, gint64 n_events, gint64 n_flows)
{
  gint64 n_bytes = n_events * FREEZE_BYTES + n_flows * FREEZE_FLOW_BYTES;
  import->reserved += n_bytes;
  loom_memory_budget_reserve (import->budget, n_bytes);
}

void
loom_importer_log_full (const LoomImporter *import, LoomSource *source, guint64 offset)
{
  g_autofree char *why = loom_memory_budget_explain (import->budget);
  loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "memory-budget", offset, "Reading stopped here: %s", why);
  source->incomplete = TRUE;
}

/* Maximum length in bytes of a code of a log entry. Codes are interned, so that their memory is never freed; a longer
 * code, as in a hostile file, is replaced by a fixed code. */
#define MOST_CODE_BYTES 40
/* If the log of a source already has this many problems, further losses get the code "merged-loss" instead of codes of
 * their own. */
#define MOST_MERGED_LOSSES 100

void
loom_importer_log_merged_loss (LoomSource *source, const char *file, const char *code, const char *message)
{
  gboolean is_usable = code != NULL && *code != '\0' && strlen (code) <= MOST_CODE_BYTES &&
                       loom_import_log_get_n_problems (source->log) < MOST_MERGED_LOSSES;
  const char *kept = is_usable ? g_intern_string (code) : "merged-loss";
  gboolean is_left_out = loom_import_losses_is_left_out (kept);
  loom_import_log_printf (source->log, is_left_out ? LOOM_SEVERITY_WARNING : LOOM_SEVERITY_ERROR, kept,
                          LOOM_OFFSET_NONE, "This merged file lacks data of %s: %s", file != NULL ? file : "?",
                          message != NULL ? message : "?");
  source->incomplete |= !is_left_out;
}

void
loom_importer_note_end (LoomSource *source, const LoomStreamEnd *end)
{
  const LoomStreamError *damage = end->is_damaged ? &end->damage : NULL;
  if (damage != NULL) {
    g_autofree char *what = loom_stream_error_describe (damage);
    gboolean is_cut = damage->kind == LOOM_STREAM_ERROR_CUT || damage->kind == LOOM_STREAM_ERROR_MEMBER;
    g_autofree char *whole = g_strdup_printf (
      /* Translators: %s is a sentence that says where the compressed data is damaged */
      _ ("%s; every complete event of the decompressed data was kept"), what);
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, loom_stream_error_get_code (damage),
                            damage->kind == LOOM_STREAM_ERROR_MEMBER ? LOOM_OFFSET_NONE : damage->unpacked, "%s",
                            is_cut ? whole : what);
    source->incomplete = TRUE;
  }
  if (end->is_too_dense) {
    loom_import_log_add (
      source->log, LOOM_SEVERITY_ERROR, "gzip-ratio", end->n_unpacked,
      "Reading stopped here: the text is more than 200 times as long as the compressed file, far more than is expected of a trace; if this is intended, decompress the file first");
    source->incomplete = TRUE;
  }
}

gint
loom_importer_rank_from_pattern (const LoomImporter *import, const char *path)
{
  g_autoptr (GMatchInfo) match = NULL;
  if (import->rank_from == NULL || !g_regex_match (import->rank_from, path, 0, &match))
    return -1;
  g_autofree char *digits = g_match_info_fetch (match, 1);
  gint64 rank;
  char *end;
  if (digits == NULL || !g_ascii_isdigit (digits[0]))
    return -1;
  rank = g_ascii_strtoll (digits, &end, 10);
  return rank >= 0 && rank < G_MAXINT ? (gint) rank : -1;
}
