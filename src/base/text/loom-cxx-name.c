/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens the names of C++ functions. The interface is described in loom-cxx-name.h.
 */
#include "loom-cxx-name.h"

#include <string.h>

#include "loom-ellipsize.h"

/* Maximum nesting depth of brackets; deeper brackets count as never closed. Without a limit, the time for "a<a<a<…"
 * would grow with the square of its length. */
#define MOST_DEPTH 64

static gboolean
is_of_name (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || c == '~' || (guchar) c >= 0x80;
}

/* Returns the end of the brackets that begin at `text`; if they are never closed, the end of the text. */
static const char *
skip_brackets (const char *text)
{
  int depth = 0;
  for (; *text != '\0'; text++) {
    depth += strchr ("(<[{", *text) != NULL ? 1 : 0;
    if (strchr (")>]}", *text) != NULL && --depth <= 0)
      return text + 1;
    if (depth > MOST_DEPTH)
      return text + strlen (text);
  }
  return text;
}

/* Skips the return type "void ", which is at the start of the names of kernels. */
static const char *
skip_return_type (const char *text)
{
  return g_str_has_prefix (text, "void ") ? text + strlen ("void ") : text;
}

/* Returns the end of the qualifiers "a::b<int>::(anonymous namespace)::" that begin at `text`. */
static const char *
skip_qualifiers (const char *text)
{
  const char *start = text;
  for (const char *at = text; *at != '\0';) {
    while (is_of_name (*at))
      at++;
    if (*at == '<' || g_str_has_prefix (at, "(anonymous namespace)"))
      at = skip_brackets (at);
    if (!g_str_has_prefix (at, "::"))
      break;
    start = at += 2;
  }
  return start;
}

/* Returns TRUE for a list of parameters at the end of a name. Returns FALSE for "(anonymous namespace)" and for
 * casts in template arguments. */
static gboolean
is_list_of_parameters (const char *text)
{
  const char *end = *text == '(' ? skip_brackets (text) : text;
  return end > text && (*end == '\0' || g_str_has_prefix (end, " ["));
}

static char *
shorten (const char *text)
{
  GString *out = g_string_new (NULL);
  gboolean begins = TRUE; /* TRUE if an identifier may begin at the current character */
  for (const char *at = skip_return_type (text); *at != '\0';) {
    if (begins)
      at = skip_qualifiers (at);
    if (is_list_of_parameters (at))
      at = skip_brackets (at);
    if (*at == '\0')
      break;
    begins = !is_of_name (*at);
    g_string_append_c (out, *at++);
  }
  return g_string_free (out, FALSE);
}

/* Returns TRUE for names of the form "FUNCTION(…<…>…)", such as
 * ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>). */
static gboolean
has_template_parameters (const char *text)
{
  const char *end = text;
  while (is_of_name (*end))
    end++;
  return end > text && *end == '(' && strchr (end, '<') != NULL && *skip_brackets (end) == '\0';
}

char *
loom_cxx_name_dup_short (const char *text)
{
  gboolean is_name = g_str_has_prefix (text, "void ") || strstr (text, "::") != NULL || has_template_parameters (text);
  g_autofree char *name = is_name ? shorten (text) : NULL;
  return name != NULL && name[0] != '\0' ? g_steal_pointer (&name) : g_strdup (text);
}

char *
loom_cxx_name_dup_brief (const char *text, glong most)
{
  g_autofree char *name = loom_cxx_name_dup_short (text);
  char *template = strchr (name, '<');
  if (g_utf8_strlen (name, -1) > most && strcmp (name, text) != 0 && template != NULL && template > name)
    *template = '\0';
  return loom_ellipsize_middle (name, most);
}
