/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's changes to rows, by key. Stored apart from the rows so that they outlive them. Private to the row list.
 */
#pragma once

#include "loom-counter-mode.h"

typedef struct {
  gint8 folded; /* −1: initial state */
  gboolean pinned;
  gint8 hidden; /* −1: initial state */
  gboolean overlay;
  LoomCounterMode mode;
  GPtrArray *guests; /* keys of the counters laid over this one; NULL: none */
  gint position;     /* position among the children of its group; −1: default */
  gint alike;        /* rank with the same work that represents this one; −1: none */
  double height_px;  /* 0: default */
  GVariant *saved;   /* cached value of type {sa{sv}}; NULL: the row has changed */
} LoomRowState;

typedef struct {
  GHashTable *rows;  /* key → LoomRowState */
  GPtrArray *pinned; /* keys in the order in which their rows were pinned */
  GPtrArray *order;  /* keys in the order in which they are saved; NULL: keys were added */
  GVariant *saved;   /* cached result of loom_row_state_save(); NULL: a row has changed */
} LoomRowListState;

void loom_row_state_init (LoomRowListState *state);
void loom_row_state_clear (LoomRowListState *state);

/* Returns the state of a row; NULL if the user never changed it. */
const LoomRowState *loom_row_state_peek (const LoomRowListState *state, const char *key);
/* Returns the state of a row, in order to change it; makes it if there is none. */
LoomRowState *loom_row_state_get (LoomRowListState *state, const char *key);
void loom_row_state_set_pinned (LoomRowListState *state, const char *key, gboolean pinned);

/* Lays the counter `guest` over another counter (if `laid` is TRUE), or removes it. Returns FALSE if
 * LOOM_PLOT_MAX_GUESTS counters already lie over that counter. */
gboolean loom_row_state_set_guest (LoomRowListState *state, const char *key, const char *guest, gboolean laid);
gboolean loom_row_state_has_guest (const LoomRowListState *state, const char *key, const char *guest);

/* Returns the state as a{sa{sv}}; the caller owns a reference. If nothing has changed since the last call, returns the
 * same GVariant; else at least the GVariants of unchanged rows in it are the same. */
GVariant *loom_row_state_save (LoomRowListState *state);
void loom_row_state_restore (LoomRowListState *state, GVariant *saved);
