/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-damage.h"

const char *
loom_damage_get_code (const LoomDamage *damage)
{
  static const char *const codes[] = {
    [LOOM_DAMAGE_CUT] = "truncated-gzip",
    [LOOM_DAMAGE_DATA] = "damaged-gzip",
    [LOOM_DAMAGE_CHECKSUM] = "checksum-gzip",
    [LOOM_DAMAGE_MEMBER] = "truncated-member",
  };
  return codes[damage->kind];
}

char *
loom_damage_describe (const LoomDamage *damage)
{
  switch (damage->kind) {
  case LOOM_DAMAGE_CUT:
    return g_strdup_printf ("Truncated: the compressed data end too early, at compressed byte %" G_GUINT64_FORMAT
                            " (byte %" G_GUINT64_FORMAT " of what is unpacked)", damage->packed, damage->unpacked);
  case LOOM_DAMAGE_DATA:
    return g_strdup_printf ("The compressed data are damaged: what is unpacked behind byte %" G_GUINT64_FORMAT " (compressed byte %"
                            G_GUINT64_FORMAT ") could not be read, %" G_GUINT64_FORMAT
                            " compressed bytes are lost; events shortly before it may be wrong",
                            damage->unpacked, damage->packed, damage->n_lost);
  case LOOM_DAMAGE_CHECKSUM:
    return g_strdup_printf ("The checksum of the compressed data does not match, at compressed byte %" G_GUINT64_FORMAT " (byte %"
                            G_GUINT64_FORMAT " of what is unpacked): the text may contain errors", damage->packed, damage->unpacked);
  case LOOM_DAMAGE_MEMBER:
  default:
    return g_strdup ("Truncated: the archive ends, or is damaged, within this file");
  }
}
