/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything a window can be told to do, with its keys: the one table behind the application's accelerators, the command
 * palette, and the test that the help overlay is true. Static, any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *title;     /* to be translated */
  const char *action;    /* detailed, "win.ruler::utc"; NULL: what the timeline does at keys[0] */
  const char *accels[3]; /* of the whole window, for gtk_accelerator_parse(); NULL at the end */
  const char *keys[3];   /* of the timeline: they do nothing while text is typed */
  const char *needs;     /* to be translated: what is missing where it cannot be done; NULL: a run, or peace */
} LoomCommand;

const LoomCommand *loom_commands_get (guint *n);

#define LOOM_COMMAND_NO_FIT G_MAXUINT

/* How well a title, as it is shown, fits `query`, letter case aside: the less the better, 0 where every word of `query` is a
 * word of it; an empty query fits all. LOOM_COMMAND_NO_FIT: it lacks one of them. */
guint loom_command_fit (const char *title, const char *query);

G_END_DECLS
