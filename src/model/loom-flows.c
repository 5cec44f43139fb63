/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-freeze-private.h"

gboolean
loom_freeze_bind_flows (LoomFreeze *freeze)
{
  return TRUE;
}
