/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawings of one HTML page as elements of it: a letter is outlined once for all of them, a colour is a class that is light
 * on a light screen and dark on a dark one. What cairo writes has every outline in every drawing, and both drawings whole.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LoomInlineSvg LoomInlineSvg;

LoomInlineSvg *loom_inline_svg_new (void);
void loom_inline_svg_free (LoomInlineSvg *self);

/* Appends one drawing from the SVG of it for light and for dark screens. FALSE, and nothing is appended, when the two differ
 * in more than colours, or hold what could not stand twice in a page. */
gboolean loom_inline_svg_append (LoomInlineSvg *self, GString *out, GBytes *light_svg, GBytes *dark_svg,
                                 const char *label);

/* What the drawings refer to, once all of them are there: rules for the style in the head, and an element for the body. */
void loom_inline_svg_append_style (const LoomInlineSvg *self, GString *out);
void loom_inline_svg_append_outlines (const LoomInlineSvg *self, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInlineSvg, loom_inline_svg_free)

G_END_DECLS
