/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-clock-decl.h"

#include <glib/gi18n.h>

const char *
loom_clock_state_to_string (LoomClockState state)
{
  static const char *const words[] = { "none", "approximate", "derived", "synchronised", "exact" };
  return words[CLAMP (state, LOOM_CLOCK_NONE, LOOM_CLOCK_EXACT)];
}

const char *
loom_clock_basis_get_words (const char *basis)
{
  return basis != NULL && *basis != '\0' ? gettext (basis) : "";
}

void
loom_clock_decl_clear (LoomClockDecl *decl)
{
  g_free (decl->basis);
  g_free (decl->sync_group);
  g_free (decl->sync_cycle);
  *decl = (LoomClockDecl) { 0 };
}
