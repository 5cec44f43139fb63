/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all commands of a window and their keys. The application's accelerators, the command palette and the
 * shortcuts window are made from this table. Tests compare the table with the page of the help that lists the keys.
 * Static, any thread.
 */
#pragma once

#include <glib.h>

typedef struct {
  const char *title; /* title in English, marked for translation */
  /* detailed action, such as "win.ruler::utc"; NULL if the command has no action, because the timeline handles
   * keys[0] itself */
  const char *action;
  const char *accels[3]; /* accelerators of the window, for gtk_accelerator_parse(); NULL-terminated */
  const char *keys[3];   /* keys that the timeline handles itself; they do nothing while the focus is in a text field */
  /* reason why the command cannot be run now, to be translated; NULL to show a general reason (no run is open, or a
   * file is being read or saved) */
  const char *needs;
} LoomCommand;

const LoomCommand *loom_commands_get (guint *n);

typedef enum {
  LOOM_SHORTCUT_SECTION, /* `value`: name of the section, which is not translated */
  LOOM_SHORTCUT_GROUP,   /* a heading inside a section; `value` is NULL */
  /* `value`: commands, separated by spaces; each command is given by its action or by its first key. The line shows the
   * keys of these commands. */
  LOOM_SHORTCUT_COMMANDS,
  LOOM_SHORTCUT_KEYS,    /* `value`: accelerators that belong to no command, separated by spaces */
  LOOM_SHORTCUT_GESTURE, /* `value`: description of a gesture, to be translated with the context "shortcuts" */
} LoomShortcutKind;

/* A line of the shortcuts window. A section is followed by its groups, and each group by its shortcuts. */
typedef struct {
  LoomShortcutKind kind;
  const char *title; /* to be translated with the context "shortcuts" */
  const char *value;
} LoomShortcut;

const LoomShortcut *loom_commands_get_shortcuts (guint *n);

/* Returns the accelerators of a shortcut, separated by spaces, for GtkShortcutsShortcut:accelerator. Returns NULL if
 * the shortcut has none. Owned by the caller. */
char *loom_commands_dup_shortcut_keys (const LoomShortcut *shortcut);

#define LOOM_COMMAND_NO_FIT G_MAXUINT

/* Returns how well a displayed title matches `query`, ignoring case. Lower is better; 0: every word of `query` is a
 * word of the title; LOOM_COMMAND_NO_FIT: the title lacks a word of `query`. An empty query matches all titles. */
guint loom_command_fit (const char *title, const char *query);

/* Returns how well a name matches the whole of `query`, ignoring case: 0 if the name equals `query`; 1 if it begins
 * with `query`; otherwise LOOM_COMMAND_NO_FIT. An empty `query` matches no name. A match of this function counts more
 * than a match of loom_command_fit(). */
guint loom_command_fit_name (const char *name, const char *query);
