/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-device-name.h"

#include <string.h>

#include "loom-json-slice.h"

/* Returns the raw JSON text of the last member "deviceProperties" of the source's file; NULL if there is none. */
static const char *
get_properties (const LoomSource *source)
{
  const char *found = NULL;
  for (guint i = 0; i + 1 < source->facts->len; i += 2)
    if (g_strcmp0 (source->facts->pdata[i], "deviceProperties") == 0)
      found = source->facts->pdata[i + 1];
  return found;
}

void
loom_device_name_find (const LoomSource *source, const char *id, GString *name)
{
  const char *properties = get_properties (source);
  LoomJsonIter iter;
  LoomJsonSlice key, device;
  if (properties == NULL || !loom_json_slice_iter_init (&iter, (LoomJsonSlice) { properties, strlen (properties) }))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &device)) {
    LoomJsonSlice text = loom_json_slice_member (device, "name");
    gboolean is_wanted = loom_json_slice_equal (loom_json_slice_member (device, "id"), id);
    if (!loom_json_slice_is_string (text) || (name->len > 0 && !is_wanted))
      continue;
    g_string_truncate (name, 0);
    loom_json_slice_decode (text, name);
    if (is_wanted)
      return;
  }
}
