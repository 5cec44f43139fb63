/* SPDX-License-Identifier: Apache-2.0
 *
 * Repairs JSON texts that json-glib 1.6 generated. json-glib writes the number 4e132 as 4e+132.0, which is not valid
 * JSON, and which it cannot parse itself. The interface is described in loom-json-glib-workaround.h.
 */
#include "loom-json-glib-workaround.h"

#include <string.h>

/* INFINITE is the text that json-glib writes for infinity. BEYOND replaces it. BEYOND is a valid JSON number of the
 * same length; it is too large for a double, so parsers read it as infinity. */
#define INFINITE "inf.0"
#define BEYOND "1e999"

/* Returns the end of the string that begins at `p`. */
static const char *
skip_string (const char *p)
{
  for (p++; *p != '\0' && *p != '"'; p++)
    if (*p == '\\' && p[1] != '\0')
      p++;
  return *p == '"' ? p + 1 : p;
}

char *
loom_json_glib_workaround_reals (char *text)
{
  char *out = text;
  for (const char *p = text; *p != '\0';) {
    const char *end = *p == '"' ? skip_string (p) : p + 1;
    gboolean exponent = *p == 'e' && (p[1] == '+' || p[1] == '-');
    if (exponent)
      end = p + 2 + strspn (p + 2, "0123456789");
    gboolean infinite = g_str_has_prefix (p, INFINITE);
    if (infinite)
      end = p + strlen (INFINITE);
    memmove (out, infinite ? BEYOND : p, (gsize) (end - p));
    out += end - p;
    p = end + (exponent && end[0] == '.' && end[1] == '0' ? 2 : 0);
  }
  *out = '\0';
  return text;
}
