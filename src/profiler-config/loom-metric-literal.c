/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-metric-literal.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-glib-workaround.h"

#define MAX_MEMBERS 64

typedef struct {
  const char *text;
  const char *p;
  const char *wanted; /* a description of the syntax that was expected at `p`; set after an error */
} Reader;

static void
skip_blanks (Reader *reader)
{
  reader->p += strspn (reader->p, " \t\r\n\f\v");
}

static gboolean
fail (Reader *reader, const char *wanted)
{
  reader->wanted = wanted;
  return FALSE;
}

static gboolean
take (Reader *reader, char c, const char *wanted)
{
  skip_blanks (reader);
  if (*reader->p != c)
    return fail (reader, wanted);
  reader->p++;
  return TRUE;
}

/* Appends the character that an escape sequence represents. Only the few escapes that occur in texts of metrics are
 * decoded. For any other escape, appends the backslash and the character after it, as Python does. */
static void
take_escape (Reader *reader, GString *out)
{
  static const char escapes[] = "\\\\''\"\"n\nr\rt\t";
  for (guint i = 0; escapes[i] != '\0'; i += 2)
    if (escapes[i] == reader->p[1]) {
      g_string_append_c (out, escapes[i + 1]);
      reader->p += 2;
      return;
    }
  g_string_append_c (out, *reader->p++);
}

/* Reads a quoted text. Owned by the caller; NULL if there is an error, which fail() has recorded. */
static char *
take_text (Reader *reader)
{
  skip_blanks (reader);
  char quote = *reader->p;
  if (quote != '"' && quote != '\'') {
    fail (reader, C_ ("expected", "a string in quotes"));
    return NULL;
  }
  g_autoptr (GString) out = g_string_new (NULL);
  const char *begin = reader->p++;
  while (*reader->p != quote && *reader->p != '\0')
    if (*reader->p == '\\' && reader->p[1] != '\0')
      take_escape (reader, out);
    else
      g_string_append_c (out, *reader->p++);
  if (*reader->p != quote) {
    reader->p = begin;
    fail (reader, C_ ("expected", "a closing quotation mark"));
    return NULL;
  }
  reader->p++;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static JsonNode *
take_number (Reader *reader)
{
  const char *p = reader->p + strspn (reader->p, "+-");
  gsize length = strspn (p, "0123456789.eE+-");
  g_autofree char *word = g_strndup (reader->p, (gsize) (p - reader->p) + length);
  char *end;
  errno = 0;
  gint64 whole = g_ascii_strtoll (word, &end, 10);
  reader->p += strlen (word);
  if (*end == '\0' && end != word && errno == 0)
    return json_node_init_int (json_node_alloc (), whole);
  double real = g_ascii_strtod (word, &end);
  if (*end == '\0' && end != word && isfinite (real))
    return json_node_init_double (json_node_alloc (), real);
  reader->p -= strlen (word);
  fail (reader, C_ ("expected", "a number"));
  return NULL;
}

static JsonNode *
take_word (Reader *reader)
{
  static const char *const words[] = { "false", "true", "none", "null" };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    gsize length = strlen (words[i]);
    if (g_ascii_strncasecmp (reader->p, words[i], length) != 0 || g_ascii_isalnum (reader->p[length]) ||
        reader->p[length] == '_')
      continue;
    reader->p += length;
    return i < 2 ? json_node_init_boolean (json_node_alloc (), i == 1) : json_node_init_null (json_node_alloc ());
  }
  fail (reader, C_ ("expected", "a string in quotes, a number, true, false or none"));
  return NULL;
}

static JsonNode *
take_value (Reader *reader)
{
  skip_blanks (reader);
  if (*reader->p == '"' || *reader->p == '\'') {
    g_autofree char *text = take_text (reader);
    return text != NULL ? json_node_init_string (json_node_alloc (), text) : NULL;
  }
  return *reader->p != '\0' && strchr ("+-.0123456789", *reader->p) != NULL ? take_number (reader) : take_word (reader);
}

static gboolean
take_member (Reader *reader, JsonObject *metric)
{
  g_autofree char *key = take_text (reader);
  if (key == NULL || !take (reader, ':', C_ ("expected", "a colon")))
    return FALSE;
  if (json_object_get_size (metric) == MAX_MEMBERS)
    return fail (reader, C_ ("expected", "no more keys"));
  JsonNode *value = take_value (reader);
  if (value == NULL)
    return FALSE;
  json_object_set_member (metric, key, value);
  return TRUE;
}

static gboolean
take_object (Reader *reader, JsonObject *metric)
{
  if (!take (reader, '{', C_ ("expected", "an opening brace")))
    return FALSE;
  for (skip_blanks (reader); *reader->p != '}'; skip_blanks (reader)) {
    if (!take_member (reader, metric))
      return FALSE;
    skip_blanks (reader);
    if (*reader->p != '}' && !take (reader, ',', C_ ("expected", "a comma or the closing brace")))
      return FALSE;
  }
  reader->p++;
  skip_blanks (reader);
  return *reader->p == '\0' || fail (reader, C_ ("expected", "the end of the text"));
}

JsonObject *
loom_metric_literal_parse (const char *text, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  Reader reader = { .text = text, .p = text };
  g_autoptr (JsonObject) metric = json_object_new ();
  if (take_object (&reader, metric))
    return g_steal_pointer (&metric);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
               /* Translators: %s is of the context “expected”: "byte 12: expected a comma or the closing brace" */
               _ ("byte %zu: expected %s"), (gsize) (reader.p - text), reader.wanted);
  return NULL;
}

char *
loom_metric_literal_print (JsonObject *metric)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), metric);
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_generator_set_root (generator, node);
  return loom_json_glib_workaround_reals (json_generator_to_data (generator, NULL));
}
