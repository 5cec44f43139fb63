/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-mcp-rows.h"

#include <math.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-slice.h"

#define MOST_CELL_BYTES 2000

static void
append_cell (GString *rows, LoomQuery *query, guint column, gsize most)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  gsize length;
  LoomQueryType type = loom_query_get_type (query, column);
  double real = type == LOOM_QUERY_REAL ? loom_query_get_real (query, column) : 0;
  if (type == LOOM_QUERY_NULL || !isfinite (real))
    g_string_append (rows, "null");
  else if (type == LOOM_QUERY_INTEGER)
    g_string_append_printf (rows, "%" G_GINT64_FORMAT, loom_query_get_int (query, column));
  else if (type == LOOM_QUERY_REAL)
    g_string_append (rows, g_ascii_formatd (digits, sizeof digits, "%.15g", real));
  else {
    const char *text = loom_query_get_text (query, column, &length);
    gsize cut = MIN (length, most);
    while (cut < length && cut > 0 && ((guchar) text[cut] & 0xC0) == 0x80)
      cut--;
    g_autofree char *shown = g_strdup_printf ("%.*s%s", (int) cut, text, cut < length ? "…" : "");
    loom_json_slice_append_string (rows, shown, strlen (shown));
  }
}

static void
append_row (GString *rows, LoomQuery *query, gsize most_cell_bytes)
{
  g_string_append (rows, rows->len > 0 ? ",\n[" : "\n[");
  for (guint i = 0; i < loom_query_get_n_columns (query); i++) {
    if (i > 0)
      g_string_append_c (rows, ',');
    append_cell (rows, query, i, most_cell_bytes);
  }
  g_string_append_c (rows, ']');
}

static void
append_names (GString *out, LoomQuery *query)
{
  for (guint i = 0; i < loom_query_get_n_columns (query); i++) {
    const char *name = loom_query_get_column_name (query, i);
    if (i > 0)
      g_string_append_c (out, ',');
    loom_json_slice_append_string (out, name, strlen (name));
  }
}

/* Appends the first row of an answer, even if it is too long: without any row, a client that requests the next rows
 * would get an empty answer forever. If the row is longer than `most_bytes`, its texts are truncated more. */
static void
append_first_row (GString *rows, LoomQuery *query, gsize most_bytes)
{
  for (gsize most = MOST_CELL_BYTES;; most /= 2) {
    g_string_truncate (rows, 0);
    append_row (rows, query, most);
    if (rows->len <= most_bytes || most == 0)
      return;
  }
}

/* Appends the current row. If the rows would then be longer than `most_bytes`, appends nothing and returns FALSE. The
 * first row is appended even if it is too long (append_first_row()). */
static gboolean
append_row_within (GString *rows, LoomQuery *query, gsize most_bytes)
{
  gsize before = rows->len;
  if (before == 0) {
    append_first_row (rows, query, most_bytes);
    return TRUE;
  }
  append_row (rows, query, MOST_CELL_BYTES);
  if (rows->len <= most_bytes)
    return TRUE;
  g_string_truncate (rows, before);
  return FALSE;
}

/* Appends the number of rows from the current one on. Counts at most LOOM_MCP_ROWS_COUNTED rows, for at most
 * LOOM_MCP_ROWS_COUNT_US µs. If the query is cancelled, returns FALSE and sets G_IO_ERROR_CANCELLED. */
static gboolean
append_left (GString *out, LoomQuery *query, GError **error)
{
  guint n = 0;
  g_autoptr (GError) failure = NULL;
  LoomQueryOutcome outcome = LOOM_QUERY_ROW;
  loom_query_set_end (query, g_get_monotonic_time () + LOOM_MCP_ROWS_COUNT_US);
  for (; outcome == LOOM_QUERY_ROW && n < LOOM_MCP_ROWS_COUNTED; n++)
    outcome = loom_query_next (query, &failure);
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return FALSE;
  }
  g_string_append_printf (out, ",\"left\":%u,\"left_is_exact\":%s", n, outcome == LOOM_QUERY_DONE ? "true" : "false");
  return TRUE;
}

/* Steps to the row after the last row of the answer, to find out whether there are more rows. Waits at most
 * LOOM_MCP_ROWS_COUNT_US µs for this row. If the row is not found in this time, sets `is_late` and returns
 * LOOM_QUERY_ROW; the query cannot be continued after that. */
static LoomQueryOutcome
next_after_last (LoomQuery *query, gboolean *is_late, GError **error)
{
  gint64 end_us = g_get_monotonic_time () + LOOM_MCP_ROWS_COUNT_US;
  g_autoptr (GError) failure = NULL;
  loom_query_set_end (query, end_us);
  LoomQueryOutcome outcome = loom_query_next (query, &failure);
  *is_late = g_error_matches (failure, LOOM_ERROR, LOOM_ERROR_LIMIT) && g_get_monotonic_time () >= end_us;
  if (*is_late)
    return LOOM_QUERY_ROW;
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return outcome;
}

static LoomQueryOutcome
skip (LoomQuery *query, guint64 n, GError **error)
{
  LoomQueryOutcome outcome = loom_query_next (query, error);
  while (outcome == LOOM_QUERY_ROW && n-- > 0)
    outcome = loom_query_next (query, error);
  return outcome;
}

gboolean
loom_mcp_rows_append (GString *out, LoomQuery *query, const LoomMcpRowsPart *part, GError **error)
{
  g_autoptr (GString) rows = g_string_new (NULL);
  gboolean is_late = FALSE;
  LoomQueryOutcome outcome = skip (query, part->offset, error);
  for (guint n = 0; outcome == LOOM_QUERY_ROW && n < part->most; n++) {
    if (!append_row_within (rows, query, part->most_bytes))
      break;
    outcome = n + 1 < part->most ? loom_query_next (query, error) : next_after_last (query, &is_late, error);
  }
  if (outcome == LOOM_QUERY_FAILED)
    return FALSE;
  g_string_append (out, "{\"columns\":[");
  append_names (out, query);
  g_string_append_printf (out, "],\n\"rows\":[%s],\n\"truncated\":%s", rows->str,
                          outcome == LOOM_QUERY_ROW ? "true" : "false");
  if (is_late)
    g_string_append (out, ",\"left\":0,\"left_is_exact\":false");
  else if (outcome == LOOM_QUERY_ROW && !append_left (out, query, error))
    return FALSE;
  g_string_append_c (out, '}');
  return TRUE;
}
