/* SPDX-License-Identifier: Apache-2.0
 *
 * Every command of a window with its keys: the one table from which the application's accelerators, the command palette and
 * the shortcuts window are made, and which tests compare with the help's page of keys. Static, any thread.
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

typedef enum {
  LOOM_SHORTCUT_SECTION,  /* value: its name, not translated */
  LOOM_SHORTCUT_GROUP,    /* value: NULL */
  LOOM_SHORTCUT_COMMANDS, /* value: commands by action or first key, separated by spaces; their keys are shown */
  LOOM_SHORTCUT_KEYS,     /* value: accelerators of other widgets, separated by spaces */
  LOOM_SHORTCUT_GESTURE,  /* value: what the pointer does, to be translated with the context "shortcuts" */
} LoomShortcutKind;

/* A line of the shortcuts window: sections hold the groups after them, groups the shortcuts after them. */
typedef struct {
  LoomShortcutKind kind;
  const char *title; /* to be translated with the context "shortcuts" */
  const char *value;
} LoomShortcut;

const LoomShortcut *loom_commands_get_shortcuts (guint *n);

/* Accelerators of a shortcut, separated by spaces, for GtkShortcutsShortcut:accelerator. NULL: it has none. Free with g_free(). */
char *loom_commands_dup_shortcut_keys (const LoomShortcut *shortcut);

#define LOOM_COMMAND_NO_FIT G_MAXUINT

/* How well a title, as it is shown, fits `query`, letter case aside: the less the better, 0 where every word of `query` is a
 * word of it; an empty query fits all. LOOM_COMMAND_NO_FIT: it lacks one of them. */
guint loom_command_fit (const char *title, const char *query);

G_END_DECLS
