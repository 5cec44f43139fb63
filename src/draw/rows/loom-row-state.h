/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person did to rows, by key. Kept apart from the rows so that it outlives them. Private to the outline.
 */
#pragma once

#include "loom-counter-mode.h"

G_BEGIN_DECLS

typedef struct {
  gint8 folded; /* −1: as it came */
  gboolean pinned;
  gboolean hidden;
  gboolean overlay;
  LoomCounterMode mode;
  GPtrArray *guests; /* keys of counters laid over it; NULL: none */
  gint position;     /* among its siblings, −1: where it belongs */
  double height_px;  /* 0: default */
  GVariant *saved;   /* {sa{sv}}; NULL: not since something was done */
} LoomRowState;

typedef struct {
  GHashTable *rows;  /* key → LoomRowState */
  GPtrArray *pinned; /* keys in the order they were pinned */
  GPtrArray *order;  /* keys as they are saved; NULL: not since one was added */
  GVariant *saved;   /* NULL: not since something was done */
} LoomRowListState;

void loom_row_state_init (LoomRowListState *state);
void loom_row_state_clear (LoomRowListState *state);

/* NULL when nothing was done to it. */
const LoomRowState *loom_row_state_peek (const LoomRowListState *state, const char *key);
/* To do something to it; made when it is not there. */
LoomRowState *loom_row_state_get (LoomRowListState *state, const char *key);
void loom_row_state_set_pinned (LoomRowListState *state, const char *key, gboolean pinned);

/* FALSE when there are LOOM_PLOT_MAX_GUESTS already. */
gboolean loom_row_state_set_guest (LoomRowListState *state, const char *key, const char *guest, gboolean laid);
gboolean loom_row_state_has_guest (const LoomRowListState *state, const char *key, const char *guest);

void loom_row_state_show_all (LoomRowListState *state);

/* a{sa{sv}}; a reference. What is asked for again before something was done is the same, of rows too. */
GVariant *loom_row_state_save (LoomRowListState *state);
void loom_row_state_restore (LoomRowListState *state, GVariant *saved);

G_END_DECLS
