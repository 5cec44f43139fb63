/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the handling of JSON as bytes: compares the check for strict JSON with a parser of RFC 8259 written for this
 * test, compares decoded strings with json-glib, and checks that written text is strict for any input.
 */
#include "fuzz.h"

#include "loom-json-slice.h"
#include "loom-limits.h"

#include <json-glib/json-glib.h>
#include <string.h>

static gboolean
is_blank (char c)
{
  return c != '\0' && strchr (" \t\r\n", c) != NULL;
}

static void
check_decoded (LoomJsonSlice slice)
{
  g_autofree char *decoded = loom_json_slice_dup_decoded (slice);
  fuzz_check (g_utf8_validate (decoded, -1, NULL), "not UTF-8: %.*s", (int) slice.length, slice.text);
  for (const char *p = decoded; *p != '\0'; p++)
    fuzz_check ((guchar) *p >= 0x20, "a control character: %.*s", (int) slice.length, slice.text);
}

/* Compares a decoded string of the program with that of json-glib, except for two differences: json-glib truncates
 * strings at \u0000, and keeps control characters, which the program replaces by Unicode pictures. */
static void
compare_string (LoomJsonSlice slice, const char *theirs)
{
  g_autofree char *ours = loom_json_slice_dup_decoded (slice);
  for (const char *p = theirs; *p != '\0'; p++)
    if ((guchar) *p < 0x20)
      return;
  fuzz_check (strcmp (ours, theirs) == 0, "“%s” instead of “%s”", ours, theirs);
}

static void
compare (LoomJsonSlice slice, JsonNode *node)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    compare_string (slice, json_node_get_string (node));
  if (!JSON_NODE_HOLDS_ARRAY (node)) /* objects are not compared, because keys may occur twice */
    return;
  JsonArray *array = json_node_get_array (node);
  gboolean begun = loom_json_slice_iter_init (&iter, slice);
  fuzz_check (begun, "not an array: %.*s", (int) slice.length, slice.text);
  for (guint i = 0; i < json_array_get_length (array); i++) {
    gboolean more = loom_json_slice_iter_next (&iter, &key, &value);
    fuzz_check (more, "element %u of %u is missing", i, json_array_get_length (array));
    compare (value, json_array_get_element (array, i));
  }
  fuzz_check (!loom_json_slice_iter_next (&iter, &key, &value), "more than %u elements", json_array_get_length (array));
}

static void
walk (LoomJsonSlice slice, guint depth)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  check_decoded (slice);
  if (depth == 0 || !loom_json_slice_iter_init (&iter, slice))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    if (key.text != NULL)
      check_decoded (key);
    walk (value, depth - 1);
  }
  loom_json_slice_member (slice, "args");
}

static void
check_written (const char *text, gsize size, gboolean strict)
{
  g_autoptr (GString) value = g_string_new (NULL), string = g_string_new (NULL);
  loom_json_slice_append_strict (value, text, size);
  loom_json_slice_append_string (string, text, size);
  fuzz_check (fuzz_is_json (value->str, value->len, LOOM_LIMIT_DEPTH), "written as %s", value->str);
  fuzz_check (fuzz_is_json (string->str, string->len, 1), "written as %s", string->str);
  fuzz_check (memchr (value->str, '\n', value->len) == NULL && memchr (value->str, '\r', value->len) == NULL,
              "more than a line: %s", value->str);
  if (strict)
    for (gsize i = 0; i < size; i++)
      fuzz_check (value->len == size && (value->str[i] == text[i] || is_blank (text[i])), "changed: %s", value->str);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = fuzz_exact (data, size);
  gboolean strict = loom_json_slice_is_strict (text, size),
           bare = size > 0 && !is_blank (text[0]) && !is_blank (text[size - 1]);
  gboolean wanted = bare && fuzz_is_json (text, size, LOOM_LIMIT_DEPTH);
  fuzz_check (strict == wanted, "%d instead of %d: %.*s", strict, wanted, (int) size, text);
  const char *p = text;
  if (size > 0 && loom_json_slice_skip_value (&p, text + size))
    walk ((LoomJsonSlice) { text, (gsize) (p - text) }, 20);
  check_written (text, size, strict);
  if (!strict || g_strstr_len (text, (gssize) size, "\\u") != NULL)
    return 0;
  g_autoptr (JsonParser) parser = json_parser_new ();
  fuzz_check (json_parser_load_from_data (parser, text, (gssize) size, NULL), "json-glib does not read %.*s",
              (int) size, text);
  compare ((LoomJsonSlice) { text, size }, json_parser_get_root (parser));
  return 0;
}
