/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of colour names of Chrome's viewer, and the change of their lightness for a theme.
 */
#include "loom-chrome-colors.h"

#include <string.h>

/* A colour lighter than MIDDLE counts as bright. On colours with a lightness near MIDDLE, neither dark nor light text
 * is legible. Therefore neither of the two bands of lightness that a theme allows (LoomLightnessBands) contains
 * MIDDLE. */
#define MIDDLE 0.57
#define STEP 0.005

static const struct {
  const char *name;
  LoomColor color;
} reserved[LOOM_N_RESERVED_COLORS] = {
  { "thread_state_uninterruptible", LOOM_COLOR_RGB (0xB67D8F) },
  { "thread_state_iowait", LOOM_COLOR_RGB (0xFF8C00) },
  { "thread_state_running", LOOM_COLOR_RGB (0x7EC894) },
  { "thread_state_runnable", LOOM_COLOR_RGB (0x85A0D2) },
  { "thread_state_sleeping", LOOM_COLOR_RGB (0xF0F0F0) },
  { "thread_state_unknown", LOOM_COLOR_RGB (0xC79B7D) },
  { "background_memory_dump", LOOM_COLOR_RGB (0x00B4B4) },
  { "light_memory_dump", LOOM_COLOR_RGB (0x0000B4) },
  { "detailed_memory_dump", LOOM_COLOR_RGB (0xB400B4) },
  { "vsync_highlight_color", LOOM_COLOR_RGB (0x0000FF) },
  { "generic_work", LOOM_COLOR_RGB (0x7D7D7D) },
  { "good", LOOM_COLOR_RGB (0x007D00) },
  { "bad", LOOM_COLOR_RGB (0xB47D00) },
  { "terrible", LOOM_COLOR_RGB (0xB40000) },
  { "black", LOOM_COLOR_RGB (0x000000) },
  { "grey", LOOM_COLOR_RGB (0xDDDDDD) },
  { "white", LOOM_COLOR_RGB (0xFFFFFF) },
  { "yellow", LOOM_COLOR_RGB (0xFFFF00) },
  { "olive", LOOM_COLOR_RGB (0x646400) },
  { "rail_response", LOOM_COLOR_RGB (0x4387FD) },
  { "rail_animation", LOOM_COLOR_RGB (0xF44A3F) },
  { "rail_idle", LOOM_COLOR_RGB (0xEE8E00) },
  { "rail_load", LOOM_COLOR_RGB (0x0DA861) },
  { "startup", LOOM_COLOR_RGB (0xE6E600) },
  { "heap_dump_stack_frame", LOOM_COLOR_RGB (0x808080) },
  { "heap_dump_object_type", LOOM_COLOR_RGB (0x0000FF) },
  { "heap_dump_child_node_arrow", LOOM_COLOR_RGB (0xCC6600) },
  { "cq_build_running", LOOM_COLOR_RGB (0xFFFF77) },
  { "cq_build_passed", LOOM_COLOR_RGB (0x99EE66) },
  { "cq_build_failed", LOOM_COLOR_RGB (0xEE8888) },
  { "cq_build_abandoned", LOOM_COLOR_RGB (0xBBBBBB) },
  { "cq_build_attempt_runnig", LOOM_COLOR_RGB (0xDEDE4B) }, /* misspelled in Chrome itself */
  { "cq_build_attempt_passed", LOOM_COLOR_RGB (0x67DA23) },
  { "cq_build_attempt_failed", LOOM_COLOR_RGB (0xC55151) },
};

int
loom_chrome_color_find (const char *cname)
{
  for (int i = 0; cname[0] != '\0' && i < LOOM_N_RESERVED_COLORS; i++)
    if (strcmp (reserved[i].name, cname) == 0)
      return i;
  return -1;
}

LoomColor
loom_chrome_color_get (guint number)
{
  g_return_val_if_fail (number < LOOM_N_RESERVED_COLORS, 0);
  return reserved[number].color;
}

LoomColor
loom_chrome_color_fit (LoomColor color, const LoomLightnessBands *bands, LoomColor dark_text, LoomColor light_text,
                       double contrast)
{
  double lightness, chroma, hue_deg;
  loom_color_to_oklch (color, &lightness, &chroma, &hue_deg);
  gboolean bright = lightness >= MIDDLE;
  double place = bright ? (lightness - MIDDLE) / (1 - MIDDLE) : lightness / MIDDLE;
  lightness = bright ? bands->bright_begin + place * (bands->bright_end - bands->bright_begin)
                     : bands->dark_begin + place * (bands->dark_end - bands->dark_begin);
  LoomColor text = bright ? dark_text : light_text, fitted = loom_color_from_oklch (lightness, chroma, hue_deg);
  gboolean is_dark = loom_color_luminance (text) < loom_color_luminance (fitted);
  while (loom_color_contrast (text, fitted) < contrast && lightness > 0 && lightness < 1) {
    lightness += is_dark ? STEP : -STEP;
    fitted = loom_color_from_oklch (lightness, chroma, hue_deg);
  }
  return fitted;
}
