/* SPDX-License-Identifier: Apache-2.0
 *
 * Embeds drawings into an HTML page as SVG elements, which takes less space than the SVG files that cairo writes. Each
 * of cairo's files repeats the outlines of its letters, and each drawing needs one file for light and one for dark
 * screens. The embedded drawings share one outline for each letter, and use CSS classes whose colours depend on the
 * screen.
 */
#pragma once

#include <gio/gio.h>

typedef struct _LoomInlineSvg LoomInlineSvg;

LoomInlineSvg *loom_inline_svg_new (void);
void loom_inline_svg_free (LoomInlineSvg *self);

/* Appends one drawing, given as two SVGs, for light and for dark screens. If the two SVGs differ in more than colours,
 * or contain elements that may not occur twice in a page, appends nothing and returns FALSE. */
gboolean loom_inline_svg_append (LoomInlineSvg *self, GString *out, GBytes *light_svg, GBytes *dark_svg,
                                 const char *label);

/* The drawings refer to style rules and to an element with outlines. loom_inline_svg_append_style() appends the style
 * rules, for the head of the page. loom_inline_svg_append_outlines() appends the element with the outlines, for the
 * body of the page. Call both functions after the last drawing. */
void loom_inline_svg_append_style (const LoomInlineSvg *self, GString *out);
void loom_inline_svg_append_outlines (const LoomInlineSvg *self, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomInlineSvg, loom_inline_svg_free)
