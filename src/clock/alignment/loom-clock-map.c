/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-clock-map.h"

#define PPT_ONE G_GINT64_CONSTANT (1000000000000)

typedef __int128 Wide;

static gint64
saturate (Wide ns)
{
  return ns > G_MAXINT64 ? G_MAXINT64 : ns < G_MININT64 ? G_MININT64 : (gint64) ns;
}

/* Divides and rounds to the nearest integer; halves are rounded away from zero. `divisor` must be greater than 0. */
static Wide
divide (Wide value, Wide divisor)
{
  Wide half = divisor / 2;
  return value >= 0 ? (value + half) / divisor : -((-value + half) / divisor);
}

gint64
loom_clock_map_to_timeline (const LoomClockMap *map, gint64 local_ns)
{
  if (map->drift_ppt == 0) /* the usual case; without 128 bits it takes a third of the time */
    return loom_time_add (local_ns, map->offset_ns);
  Wide drift = divide (((Wide) local_ns - map->reference_ns) * map->drift_ppt, PPT_ONE);
  return saturate ((Wide) local_ns + map->offset_ns + drift);
}

gint64
loom_clock_map_to_local (const LoomClockMap *map, gint64 timeline_ns)
{
  Wide elapsed = (Wide) timeline_ns - map->offset_ns;
  if (map->drift_ppt == 0)
    return saturate (elapsed);
  elapsed -= map->reference_ns;
  return saturate (map->reference_ns + divide (elapsed * PPT_ONE, (Wide) PPT_ONE + map->drift_ppt));
}
