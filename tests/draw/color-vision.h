/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes how different two colours look, also to people with a colour vision deficiency, who lack one type of cones.
 */
#pragma once

#include "loom-color.h"

typedef enum {
  COLOR_VISION_NORMAL,
  COLOR_VISION_PROTAN,
  COLOR_VISION_DEUTAN,
  COLOR_VISION_TRITAN,
} ColorVision;

/* Returns the distance of two colours in the colour space OKLab × 100: about 2 is just visible if they are side by
 * side. */
double color_vision_distance (LoomColor a, LoomColor b);

/* Returns the colour as seen by a person who lacks that type of cones (Machado, Oliveira and Fernandes 2009, severity
 * 1). */
LoomColor color_vision_simulate (LoomColor color, ColorVision vision);
