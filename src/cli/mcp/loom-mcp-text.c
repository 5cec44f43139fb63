/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-mcp-text.h"

static gboolean
is_visible (gunichar c)
{
  if (c < 0x80)
    return TRUE;
  switch (g_unichar_type (c)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_FORMAT:
  case G_UNICODE_UNASSIGNED:
  case G_UNICODE_PRIVATE_USE:
  case G_UNICODE_SURROGATE:
  case G_UNICODE_LINE_SEPARATOR:
  case G_UNICODE_PARAGRAPH_SEPARATOR: return FALSE;
  default: return !(c >= 0xFE00 && c <= 0xFE0F) && !(c >= 0xE0100 && c <= 0xE01EF); /* excludes variation selectors */
  }
}

static void
append_escape (GString *out, gunichar c)
{
  if (c < 0x10000)
    g_string_append_printf (out, "\\u%04x", c);
  else
    g_string_append_printf (out, "\\u%04x\\u%04x", 0xD800 + ((c - 0x10000) >> 10), 0xDC00 + ((c - 0x10000) & 0x3FF));
}

char *
loom_mcp_text_escape_invisible (const char *json)
{
  g_autofree char *valid = g_utf8_make_valid (json, -1);
  GString *out = g_string_new (NULL);
  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (is_visible (c))
      g_string_append_len (out, at, g_utf8_next_char (at) - at);
    else
      append_escape (out, c);
  }
  return g_string_free (out, FALSE);
}
