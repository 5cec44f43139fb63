/* SPDX-License-Identifier: Apache-2.0
 *
 * Regular expressions that several threads can use at the same time. The interface is described in loom-regex.h.
 */
#include "loom-regex.h"

GRegex *
loom_regex_new (const char *pattern, GRegexCompileFlags flags, GError **error)
{
  GRegex *regex = g_regex_new (pattern, flags | G_REGEX_OPTIMIZE, 0, error);
  if (regex != NULL)
    g_regex_match (regex, "", 0, NULL);
  return regex;
}

const GRegex *
loom_regex_get (gsize *kept, const char *pattern, GRegexCompileFlags flags)
{
  if (g_once_init_enter (kept)) {
    GRegex *regex = loom_regex_new (pattern, flags, NULL);
    g_assert (regex != NULL);
    g_once_init_leave (kept, (gsize) regex);
  }
  return (const GRegex *) *kept;
}
