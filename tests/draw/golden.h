/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures compared with those in tests/draw/golden. Letters differ a little between versions of FreeType, so a few
 * pixels may. On failure the picture and the difference are written beside the test program.
 * With LOOM_UPDATE_GOLDEN=1 in the environment the golden pictures are written instead: look at them before a commit.
 */
#pragma once

#include <cairo.h>

void golden_compare (cairo_surface_t *picture, const char *name);
