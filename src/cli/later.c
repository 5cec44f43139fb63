/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-steps.h"
#include "loom-render.h"
#include "loom-error.h"
LoomSteps *loom_steps_new (LoomTimeline *t, GCancellable *c) { return (LoomSteps *) t; }
void loom_steps_unref (LoomSteps *s) { }
gboolean loom_steps_range (const LoomSteps *s, gint64 a, gint64 b, LoomRange *r) { return FALSE; }
gboolean loom_steps_get_numbers (const LoomSteps *s, gint64 *a, gint64 *b) { return FALSE; }
gboolean loom_render_to_file (LoomTimeline *t, const char *p, int w, int h, LoomThemeKind k, const LoomRange *r, GError **error)
{ g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, "not yet"); return FALSE; }
