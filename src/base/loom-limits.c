/* SPDX-License-Identifier: Apache-2.0
 *
 * All limits on the amount of input, each with its unit and its reason. The interface is described in loom-limits.h.
 */
#include "loom-limits.h"

guint64
loom_limit_lowered (const char *name, guint64 limit)
{
  guint64 lower;
  const char *text = g_getenv (name);
  return text != NULL && g_ascii_string_to_unsigned (text, 10, 1, limit, &lower, NULL) ? lower : limit;
}
