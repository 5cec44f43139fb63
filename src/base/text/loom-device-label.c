/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of devices. The interface is described in loom-device-label.h.
 */
#include "loom-device-label.h"

#include <string.h>

#define DEVICE "/device:"
#define DIGITS "0123456789"

char *
loom_device_label_dup (const char *device)
{
  if (!g_str_has_prefix (device, DEVICE))
    return g_strdup (device);
  const char *kind = device + strlen (DEVICE), *colon = strchr (kind, ':');
  if (colon == NULL || colon == kind)
    return g_strdup (device);
  gsize n_digits = strspn (colon + 1, DIGITS);
  const char *rest = colon + 1 + n_digits;
  if (n_digits == 0 || (rest[0] != '\0' && !g_str_has_prefix (rest, " (")))
    return g_strdup (device);
  return g_strdup_printf ("%.*s %s", (int) (colon - kind), kind, colon + 1);
}
