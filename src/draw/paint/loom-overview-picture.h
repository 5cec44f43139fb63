/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the picture of the run in the overview: its background and the shares of time. They stay the same while the
 * view moves; painting them again took 0.2 ms per frame. Used by one thread at a time.
 */
#pragma once

#include "loom-minimap-data.h"
#include "loom-theme.h"

typedef struct _LoomOverviewPicture LoomOverviewPicture;

LoomOverviewPicture *loom_overview_picture_new (void);
void loom_overview_picture_free (LoomOverviewPicture *picture);

typedef void (*LoomOverviewPictureFunc) (cairo_t *cr, gpointer user_data);

/* Paints the kept picture. If it shows other data, or was painted with another size, scale or theme, first calls
 * `paint` to paint the run anew. Keeps a reference to `overview`. `scale`: device pixels per px. The background must be
 * opaque. */
void loom_overview_picture_paint (LoomOverviewPicture *picture, cairo_t *cr, LoomMinimapData *overview, double width,
                                  double height, double scale, const LoomTheme *theme, LoomOverviewPictureFunc paint,
                                  gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomOverviewPicture, loom_overview_picture_free)
