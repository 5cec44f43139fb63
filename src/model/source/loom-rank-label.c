/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-label.h"

#include <glib/gi18n.h>

gboolean
loom_rank_label_is_process (const char *format, gint rank)
{
  static const char *const formats[] = { "smdebug", "cprofile", "pyinstrument", NULL };
  return rank >= LOOM_RANK_LABEL_LEAST_PROCESS && format != NULL && g_strv_contains (formats, format);
}

char *
loom_rank_label_dup_words (const char *format, gint rank)
{
  return g_strdup_printf (loom_rank_label_is_process (format, rank) ? _ ("process %d") : _ ("rank %d"), rank);
}
