/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the model of a device in the member "deviceProperties" of a trace file: PyTorch writes there a list of devices
 * with "id" and "name". The interface is described in loom-device-name.h.
 */
#include "loom-device-name.h"

#include <string.h>

#include "loom-json-slice.h"

/* Returns TRUE if a device belongs to the rank, or if the list contains no ranks. */
static gboolean
is_of_rank (LoomJsonSlice device, gint rank, const char *node)
{
  char digits[16];
  LoomJsonSlice own = loom_json_slice_member (device, "rank"), place = loom_json_slice_member (device, "node");
  g_snprintf (digits, sizeof digits, "%d", rank);
  if (own.text == NULL)
    return TRUE;
  if (!loom_json_slice_equal (own, digits) || !loom_json_slice_is_string (place) || node == NULL)
    return loom_json_slice_equal (own, digits);
  g_autofree char *text = loom_json_slice_dup_decoded (place);
  return g_strcmp0 (text, node) == 0;
}

void
loom_device_name_find (const char *properties, const char *id, gint rank, const char *node, GString *name)
{
  LoomJsonIter iter;
  LoomJsonSlice key, device;
  int best = -1;
  if (properties == NULL || !loom_json_slice_iter_init (&iter, (LoomJsonSlice) { properties, strlen (properties) }))
    return;
  while (best < 3 && loom_json_slice_iter_next (&iter, &key, &device)) {
    LoomJsonSlice text = loom_json_slice_member (device, "name");
    int fit =
      (is_of_rank (device, rank, node) ? 2 : 0) + loom_json_slice_equal (loom_json_slice_member (device, "id"), id);
    if (!loom_json_slice_is_string (text) || fit <= best)
      continue;
    g_string_truncate (name, 0);
    loom_json_slice_decode (text, name);
    best = fit;
  }
}
