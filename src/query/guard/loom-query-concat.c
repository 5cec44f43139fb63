/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-concat.h: appends terms to a text and, if group_concat() is used as a window function, removes
 * terms from the beginning of the text.
 */
#include "loom-query-concat.h"

#include <glib.h>
#include <string.h>

#include "loom-query-limits.h"

/* An array whose memory SQLite allocates. */
typedef struct {
  char *bytes;
  gsize n, n_allocated;
} Buffer;

/* The state of an aggregate; SQLite sets it to zero at the beginning. */
typedef struct {
  Buffer text;              /* the terms, with separators between them; unused bytes may precede the first term */
  Buffer separators;        /* guint32 elements: length in bytes of the separator before each term; 0 for the first
                             * term */
  gsize removed, n_removed; /* terms that have left the window, but are still in `text`: `removed` is their length in
                             * bytes, `n_removed` is their number */
} Concat;

static gboolean
append (Buffer *buffer, const void *bytes, gsize n)
{
  if (buffer->n + n > buffer->n_allocated) {
    gsize n_allocated = 2 * (buffer->n + n) + 32;
    char *larger = sqlite3_realloc64 (buffer->bytes, n_allocated);
    if (larger == NULL)
      return FALSE;
    buffer->bytes = larger;
    buffer->n_allocated = n_allocated;
  }
  if (n > 0)
    memcpy (buffer->bytes + buffer->n, bytes, n);
  buffer->n += n;
  return TRUE;
}

static gsize
count_terms (const Concat *concat)
{
  return concat->separators.n / sizeof (guint32) - concat->n_removed;
}

static guint32
get_separator (const Concat *concat, gsize term)
{
  guint32 length;
  memcpy (&length, concat->separators.bytes + term * sizeof length, sizeof length);
  return length;
}

/* Frees the memory of terms that were removed, if they take more than half of the text. */
static void
drop_removed (Concat *concat)
{
  gsize n_bytes = concat->n_removed * sizeof (guint32);
  if (2 * n_bytes < concat->separators.n || 2 * concat->removed < concat->text.n)
    return;
  concat->text.n -= concat->removed;
  concat->separators.n -= n_bytes;
  if (concat->text.n > 0)
    memmove (concat->text.bytes, concat->text.bytes + concat->removed, concat->text.n);
  if (concat->separators.n > 0)
    memmove (concat->separators.bytes, concat->separators.bytes + n_bytes, concat->separators.n);
  concat->removed = concat->n_removed = 0;
}

static void
step (sqlite3_context *context, int n, sqlite3_value **values)
{
  if (sqlite3_value_type (values[0]) == SQLITE_NULL)
    return;
  Concat *concat = sqlite3_aggregate_context (context, sizeof (Concat));
  const char *term = (const char *) sqlite3_value_text (values[0]),
             *separator = n > 1 ? (const char *) sqlite3_value_text (values[1]) : ",";
  if (concat == NULL || term == NULL) {
    sqlite3_result_error_nomem (context);
    return;
  }
  gsize length = (gsize) sqlite3_value_bytes (values[0]);
  guint32 separator_length = separator == NULL ? 0 : n > 1 ? (guint32) sqlite3_value_bytes (values[1]) : 1;
  if (count_terms (concat) == 0)
    separator_length = 0;
  if (concat->text.n - concat->removed + separator_length + length > LOOM_QUERY_VALUE_BYTES)
    sqlite3_result_error_toobig (context);
  else if (!append (&concat->text, separator, separator_length) || !append (&concat->text, term, length) ||
           !append (&concat->separators, &separator_length, sizeof separator_length))
    sqlite3_result_error_nomem (context);
}

/* Removes the first term of a window, and the separator after it. */
static void
inverse (sqlite3_context *context, int n, sqlite3_value **values)
{
  Concat *concat = sqlite3_aggregate_context (context, 0);
  if (concat == NULL || sqlite3_value_type (values[0]) == SQLITE_NULL || count_terms (concat) == 0)
    return;
  sqlite3_value_text (values[0]); /* converts a number to a text, so that the length of the term is known */
  gsize length = (gsize) sqlite3_value_bytes (values[0]);
  concat->n_removed++;
  if (count_terms (concat) > 0)
    length += get_separator (concat, concat->n_removed);
  concat->removed = MIN (concat->removed + length, concat->text.n);
  drop_removed (concat);
}

static void
value (sqlite3_context *context)
{
  const Concat *concat = sqlite3_aggregate_context (context, 0);
  if (concat != NULL && count_terms (concat) > 0)
    sqlite3_result_text64 (context, concat->text.bytes != NULL ? concat->text.bytes + concat->removed : "",
                           concat->text.n - concat->removed, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void
finish (sqlite3_context *context)
{
  value (context);
  Concat *concat = sqlite3_aggregate_context (context, 0);
  if (concat == NULL)
    return;
  sqlite3_free (concat->text.bytes);
  sqlite3_free (concat->separators.bytes);
}

int
loom_query_concat_register (sqlite3 *database)
{
  int code = SQLITE_OK;
  for (int n = 1; n <= 2 && code == SQLITE_OK; n++)
    code = sqlite3_create_window_function (database, "group_concat", n, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, step,
                                           finish, value, inverse, NULL);
  return code;
}
