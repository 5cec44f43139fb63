/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-error.h"

#include "loom-path.h"

/* clang-format off: it would read the dashes as minus */
G_DEFINE_QUARK (loom-error-quark, loom_error)
/* clang-format on */

void
loom_error_set_from_errno (GError **error, LoomError code, int saved_errno, const char *what, const char *path)
{
  g_autofree char *shown = loom_path_dup_shown (path);
  g_set_error (error, LOOM_ERROR, code, "%s “%s”: %s", what, shown, g_strerror (saved_errno));
}
