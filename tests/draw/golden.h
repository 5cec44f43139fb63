/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares pictures with the golden pictures in tests/draw/golden. A small number of pixels may differ, because
 * versions of FreeType draw letters a little differently. On failure, the new picture and a picture of the differences
 * are written to the folder of the test program. If LOOM_UPDATE_GOLDEN=1 is set in the environment, the golden pictures
 * are overwritten instead: look at them before you commit.
 */
#pragma once

#include <cairo.h>

void golden_compare (cairo_surface_t *picture, const char *name);
