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
  GPtrArray *guests; /* keys of counters laid over this one; NULL: none */
  gint position;     /* position among its siblings; −1: default */
  gint alike;        /* a rank with the same work, which represents this one; −1: none */
  double height_px;  /* 0: default */
  GVariant *saved;   /* cached {sa{sv}}; NULL: changed since */
} LoomRowState;

typedef struct {
  GHashTable *rows;  /* key → LoomRowState */
  GPtrArray *pinned; /* keys in the order they were pinned */
  GPtrArray *order;  /* keys in the order of saving; NULL: keys were added since */
  GVariant *saved;   /* cached; NULL: changed since */
} LoomRowListState;

void loom_row_state_init (LoomRowListState *state);
void loom_row_state_clear (LoomRowListState *state);

/* The state of a row; NULL if the user never changed it. */
const LoomRowState *loom_row_state_peek (const LoomRowListState *state, const char *key);
/* The state of a row for changing it; created if missing. */
LoomRowState *loom_row_state_get (LoomRowListState *state, const char *key);
void loom_row_state_set_pinned (LoomRowListState *state, const char *key, gboolean pinned);

/* Returns FALSE if the row already has LOOM_PLOT_MAX_GUESTS counters laid over it. */
gboolean loom_row_state_set_guest (LoomRowListState *state, const char *key, const char *guest, gboolean laid);
gboolean loom_row_state_has_guest (const LoomRowListState *state, const char *key, const char *guest);

/* The state as a{sa{sv}}; a reference. Without changes in between, the same values are returned, also for each row. */
GVariant *loom_row_state_save (LoomRowListState *state);
void loom_row_state_restore (LoomRowListState *state, GVariant *saved);
