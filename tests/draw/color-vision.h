/* SPDX-License-Identifier: Apache-2.0
 *
 * The difference between two colours, also as seen by people without one type of cones.
 */
#pragma once

#include "loom-color.h"

typedef enum {
  COLOR_VISION_NORMAL,
  COLOR_VISION_PROTAN,
  COLOR_VISION_DEUTAN,
  COLOR_VISION_TRITAN,
} ColorVision;

/* Distance in OKLab × 100: about 2 is just visible side by side. */
double color_vision_distance (LoomColor a, LoomColor b);

/* The colour as seen by a person without that type of cones (Machado, Oliveira and Fernandes 2009, severity 1). */
LoomColor color_vision_simulate (LoomColor color, ColorVision vision);
