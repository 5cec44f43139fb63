/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the family of work (LoomWorkFamily) of a name, which determines the colour of its spans. If the kind of work
 * (LoomWorkKind) is known, it determines the family, so that spans and the charts of the analysis have the same
 * colours. Otherwise the name is compared with lists of words, taken from the public names of operations of frameworks.
 * The first list that contains a word of the name determines the family; therefore lists with specific words come
 * before lists with general words.
 */
#include "loom-theme.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  LoomWorkFamily family;
  const char *words[16]; /* words to search for in names, in lower case; NULL after the last word */
} FamilyWords;

/* Categories, and parts of names, by which further waits are recognised: waits that LoomWorkKind does not classify as
 * waits. */
static const char *const wait_categories[] = { "cuda_sync", "xpu_sync" };
static const char *const wait_words[] = { "synchronize", "eventwait", "event_wait", "streamwait",
                                          "barrier",     "waitall",   "lock_wait" };

static const FamilyWords words[] = {
  { LOOM_WORK_FAMILY_COMMUNICATION, { "broadcast", "hccl" } },
  { LOOM_WORK_FAMILY_COPY, { "memcpy", "memset", "dtoh", "htod", "d2h", "h2d", "dma_", "[memory]", "pin_memory" } },
  { LOOM_WORK_FAMILY_RUNTIME, { "cudalaunch", "hiplaunch", "cudamalloc", "cudafree", "hipmalloc", "hipfree" } },
  { LOOM_WORK_FAMILY_DATA, { "dataiter", "iterator", "dataset", "enumerate(", "infeed", "decode" } },
  { LOOM_WORK_FAMILY_PYTHON, { ".py" } },
  { LOOM_WORK_FAMILY_OPERATOR,
    { "gemm", "conv", "attention", "matmul", "elementwise", "softmax", "norm", "fusion", "kernel", "cutlass", "triton",
      "embedding", "executor", "aten::" } },
};

/* Words that occur in the names of the phases of a training step. Each word has the number of the shade that is
 * reserved for its phase, so that neighbouring phases always have different shades. */
static const struct {
  const char *word;
  guint8 shade;
} anchors[] = {
  { "backward", 2 }, { "forward", 1 }, { "optimizer", 3 }, { "profilerstep", 0 }, { "step:", 0 },
};

/* Only the first MAX_LENGTH bytes of a name are examined. In longer names of kernels, the rest consists of template
 * arguments and parameter lists, which do not show the kind of work. */
#define MAX_LENGTH 256

/* Names of at least this length are never regarded as phases of a training step, because long names of kernels may
 * contain "backward" too. */
#define MAX_ANCHORED 32

static void
fold_case (char *to, const char *from)
{
  gsize i = 0;
  for (; i < MAX_LENGTH && from[i] != '\0'; i++)
    to[i] = g_ascii_tolower (from[i]);
  to[i] = '\0';
}

/* Returns the family of the first word in `words` that occurs in the name; OTHER if none occurs. */
static LoomWorkFamily
find_word (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    for (guint k = 0; words[i].words[k] != NULL; k++)
      if (strstr (name, words[i].words[k]) != NULL)
        return words[i].family;
  return LOOM_WORK_FAMILY_OTHER;
}

/* Returns the index in `anchors` of the first word that the name contains; the word shows a phase of a training step.
 * Returns G_N_ELEMENTS (anchors) if the name contains none of the words, or has MAX_ANCHORED or more bytes. */
static guint
find_anchor (const char *name)
{
  guint i = 0;
  if (strlen (name) >= MAX_ANCHORED)
    return G_N_ELEMENTS (anchors);
  while (i < G_N_ELEMENTS (anchors) && strstr (name, anchors[i].word) == NULL)
    i++;
  return i;
}

LoomWorkFamily
loom_theme_family_of_work (LoomWorkKind work)
{
  static const LoomWorkFamily families[LOOM_N_WORK] = {
    [LOOM_WORK_KIND_COMPUTE] = LOOM_WORK_FAMILY_COMPUTE,
    [LOOM_WORK_KIND_COMMUNICATION] = LOOM_WORK_FAMILY_COMMUNICATION,
    [LOOM_WORK_KIND_MEMCPY] = LOOM_WORK_FAMILY_COPY,
    [LOOM_WORK_KIND_MEMSET] = LOOM_WORK_FAMILY_COPY,
    [LOOM_WORK_KIND_DEVICE_OTHER] = LOOM_WORK_FAMILY_ANNOTATION,
    [LOOM_WORK_KIND_OPERATOR] = LOOM_WORK_FAMILY_OPERATOR,
    [LOOM_WORK_KIND_COLLECTIVE] = LOOM_WORK_FAMILY_COMMUNICATION,
    [LOOM_WORK_KIND_RUNTIME] = LOOM_WORK_FAMILY_RUNTIME,
    [LOOM_WORK_KIND_SYNC] = LOOM_WORK_FAMILY_WAIT,
    [LOOM_WORK_KIND_PYTHON] = LOOM_WORK_FAMILY_PYTHON,
    [LOOM_WORK_KIND_DATA] = LOOM_WORK_FAMILY_DATA,
    [LOOM_WORK_KIND_ANNOTATION] = LOOM_WORK_FAMILY_ANNOTATION,
    [LOOM_WORK_KIND_OVERHEAD] = LOOM_WORK_FAMILY_OTHER,
    [LOOM_WORK_KIND_OTHER] = LOOM_WORK_FAMILY_OTHER,
    [LOOM_WORK_KIND_NONE] = LOOM_WORK_FAMILY_ANNOTATION,
  };
  return families[work < LOOM_N_WORK ? work : LOOM_WORK_KIND_OTHER];
}

/* Returns TRUE if the category or the name shows that the span is a wait, although LoomWorkKind does not classify it as
 * a wait. */
static gboolean
is_hidden_wait (LoomWorkKind work, const char *name, const char *category)
{
  for (guint i = 0; i < G_N_ELEMENTS (wait_categories); i++)
    if (g_ascii_strcasecmp (category, wait_categories[i]) == 0)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (wait_words); i++)
    if (strstr (name, wait_words[i]) != NULL)
      return work == LOOM_WORK_KIND_COMPUTE || work == LOOM_WORK_KIND_OTHER || work == LOOM_WORK_KIND_RUNTIME;
  return FALSE;
}

LoomWorkFamily
loom_theme_classify_family (const char *text, const char *category, gboolean device)
{
  char name[MAX_LENGTH + 1];
  fold_case (name, text != NULL ? text : "");
  LoomWorkKind work = loom_work_kind_classify (text, category, device);
  if (is_hidden_wait (work, name, category != NULL ? category : ""))
    return LOOM_WORK_FAMILY_WAIT;
  if (work != LOOM_WORK_KIND_OTHER)
    return loom_theme_family_of_work (work);
  LoomWorkFamily family = find_word (name);
  return family == LOOM_WORK_FAMILY_OTHER && find_anchor (name) < G_N_ELEMENTS (anchors) ? LOOM_WORK_FAMILY_ANNOTATION
                                                                                         : family;
}

const char *
loom_theme_family_title (LoomWorkFamily family)
{
  static const char *const titles[LOOM_N_FAMILIES] = {
    [LOOM_WORK_FAMILY_OTHER] = NC_ ("colors", "Other"),
    [LOOM_WORK_FAMILY_COMPUTE] = NC_ ("colors", "Compute"),
    [LOOM_WORK_FAMILY_COMMUNICATION] = NC_ ("colors", "Communication"),
    [LOOM_WORK_FAMILY_COPY] = NC_ ("colors", "Copies"),
    [LOOM_WORK_FAMILY_OPERATOR] = NC_ ("colors", "CPU Operators"),
    [LOOM_WORK_FAMILY_RUNTIME] = NC_ ("colors", "Runtime Calls"),
    [LOOM_WORK_FAMILY_PYTHON] = NC_ ("colors", "Python"),
    [LOOM_WORK_FAMILY_DATA] = NC_ ("colors", "Data Loading"),
    [LOOM_WORK_FAMILY_ANNOTATION] = NC_ ("colors", "Annotations and Steps"),
    [LOOM_WORK_FAMILY_WAIT] = NC_ ("colors", "Synchronization"),
  };
  g_return_val_if_fail (family < LOOM_N_FAMILIES, "");
  return g_dpgettext2 (NULL, "colors", titles[family]);
}

guint
loom_theme_palette_index_of_name (const char *text, const char *category, guint32 text_hash, gboolean device)
{
  LoomWorkFamily family = loom_theme_classify_family (text, category, device);
  if (family != LOOM_WORK_FAMILY_ANNOTATION && family != LOOM_WORK_FAMILY_COMPUTE)
    return loom_theme_palette_index (text_hash, family);
  char name[MAX_LENGTH + 1];
  fold_case (name, text != NULL ? text : "");
  guint anchor = find_anchor (name);
  return anchor < G_N_ELEMENTS (anchors) ? (family - 1) * LOOM_N_SHADES + anchors[anchor].shade
                                         : loom_theme_palette_index (text_hash, family);
}

guint
loom_theme_palette_index (guint32 text_hash, LoomWorkFamily family)
{
  g_return_val_if_fail (family < LOOM_N_FAMILIES, 0);
  guint32 mixed = text_hash * 2654435761u;
  guint first = family == LOOM_WORK_FAMILY_OTHER ? LOOM_N_FAMILY_COLORS : (family - 1) * LOOM_N_SHADES;
  guint n = family == LOOM_WORK_FAMILY_OTHER ? LOOM_N_MUTED_COLORS : LOOM_N_SHADES;
  return first + (guint) (((guint64) mixed * n) >> 32);
}

guint
loom_theme_shade_index (LoomWorkFamily family, guint shade)
{
  g_return_val_if_fail (family < LOOM_N_FAMILIES && shade < LOOM_N_SHADES, 0);
  return family == LOOM_WORK_FAMILY_OTHER ? LOOM_N_FAMILY_COLORS + shade * LOOM_N_HUES / LOOM_N_SHADES
                                          : (family - 1) * LOOM_N_SHADES + shade;
}

LoomWorkFamily
loom_theme_family_of_index (guint index)
{
  return index < LOOM_N_FAMILY_COLORS ? (LoomWorkFamily) (index / LOOM_N_SHADES + 1) : LOOM_WORK_FAMILY_OTHER;
}
