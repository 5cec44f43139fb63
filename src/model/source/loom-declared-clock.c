/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-declared-clock.h"

#include <glib/gi18n.h>

const char *
loom_declared_clock_state_to_string (LoomClockState state)
{
  /* Scripts read these words in JSON, databases and merged files, so their spelling must not change. */
  static const char *const words[] = { "none", "approximate", "derived", "synchronised", "exact" };
  return words[CLAMP (state, LOOM_CLOCK_NONE, LOOM_CLOCK_EXACT)];
}

const char *
loom_declared_clock_describe_basis (const char *basis)
{
  return basis != NULL && *basis != '\0' ? gettext (basis) : "";
}

void
loom_declared_clock_clear (LoomDeclaredClock *decl)
{
  g_free (decl->basis);
  g_free (decl->domain);
  g_free (decl->sync_group);
  g_free (decl->sync_cycle);
  *decl = (LoomDeclaredClock) { 0 };
}
