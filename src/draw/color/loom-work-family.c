/* SPDX-License-Identifier: Apache-2.0
 *
 * Classifies names by kind of work. Categories of known writers decide first, then words in the name, taken from the
 * public names of frameworks' operations and kernels. The first list that contains a word of the name decides, so lists
 * are sorted from the specific to the general.
 */
#include "loom-theme.h"

#include <string.h>

typedef struct {
  LoomWorkFamily family;
  const char *words[16]; /* in lower case; NULL-terminated */
} FamilyWords;

static const FamilyWords categories[] = {
  { LOOM_WORK_FAMILY_MEMORY, { "gpu_memcpy", "gpu_memset", "memcpy", "memset" } },
  { LOOM_WORK_FAMILY_COMMUNICATION, { "collective_comm" } },
  { LOOM_WORK_FAMILY_WAIT, { "cuda_sync", "xpu_sync" } },
};

static const FamilyWords weak_categories[] = {
  { LOOM_WORK_FAMILY_COMPUTE, { "kernel" } },
  { LOOM_WORK_FAMILY_HOST,
    { "cuda_runtime", "cuda_driver", "xpu_runtime", "runtime", "python_function", "python", "hpu_op" } },
  { LOOM_WORK_FAMILY_COMPUTE, { "mtia_ccp_events" } },
};

static const FamilyWords words[] = {
  { LOOM_WORK_FAMILY_COMMUNICATION,
    { "allreduce", "all_reduce", "all-reduce", "allgather", "all_gather", "all-gather", "reducescatter",
      "reduce_scatter", "reduce-scatter", "alltoall", "all_to_all", "all-to-all", "broadcast", "sendrecv" } },
  { LOOM_WORK_FAMILY_COMMUNICATION,
    { "nccl", "hccl", "rccl", "gloo", "horovod", "negotiate", "mpi_", "c10d", "record_param_comms" } },
  { LOOM_WORK_FAMILY_WAIT,
    { "synchronize", "eventwait", "event_wait", "streamwait", "barrier", "waitall", "lock_wait" } },
  { LOOM_WORK_FAMILY_MEMORY,
    { "memcpy", "memset", "cudamalloc", "cudafree", "hipmalloc", "hipfree", "dtoh", "htod", "d2h", "h2d", "dma_",
      "[memory]", "aten::copy_", "aten::to", "pin_memory" } },
  { LOOM_WORK_FAMILY_DATA,
    { "dataload", "data_load", "dataiter", "iterator", "getnext", "dataset", "prefetch", "enumerate(", "infeed",
      "decode" } },
};

static const FamilyWords weak_words[] = {
  { LOOM_WORK_FAMILY_COMPUTE,
    { "gemm", "conv", "attention", "matmul", "elementwise", "softmax", "norm", "fusion", "kernel", "cutlass", "triton",
      "embedding" } },
  { LOOM_WORK_FAMILY_HOST, { "cudalaunch", "hiplaunch", ".py", "executor" } },
};

/* Longer names end with template arguments and parameter lists, which are ignored. */
#define MAX_LENGTH 256

/* Only names up to this length are matched to the phases of a step: long kernel names may mention "backward" too. */
#define MAX_ANCHORED 32

static void
fold_case (char *to, const char *from)
{
  gsize i = 0;
  for (; i < MAX_LENGTH && from[i] != '\0'; i++)
    to[i] = g_ascii_tolower (from[i]);
  to[i] = '\0';
}

static gboolean
equals (const char *text, const char *word)
{
  return strcmp (text, word) == 0;
}

static gboolean
contains (const char *text, const char *word)
{
  return strstr (text, word) != NULL;
}

/* The family of the first word that `matches` finds in the text. */
static LoomWorkFamily
find (const FamilyWords *lists, gsize n, const char *text, gboolean (*matches) (const char *text, const char *word))
{
  for (gsize i = 0; i < n; i++)
    for (guint k = 0; lists[i].words[k] != NULL; k++)
      if (matches (text, lists[i].words[k]))
        return lists[i].family;
  return LOOM_WORK_FAMILY_OTHER;
}

LoomWorkFamily
loom_theme_classify_family (const char *text, const char *category, gboolean device)
{
  char name[MAX_LENGTH + 1], kind[MAX_LENGTH + 1];
  fold_case (name, text != NULL ? text : "");
  fold_case (kind, category != NULL ? category : "");
  LoomWorkFamily family = find (categories, G_N_ELEMENTS (categories), kind, equals);
  if (family == LOOM_WORK_FAMILY_OTHER)
    family = find (words, G_N_ELEMENTS (words), name, contains);
  if (family == LOOM_WORK_FAMILY_OTHER)
    family = find (weak_categories, G_N_ELEMENTS (weak_categories), kind, equals);
  if (family == LOOM_WORK_FAMILY_OTHER)
    family = find (weak_words, G_N_ELEMENTS (weak_words), name, contains);
  if (family == LOOM_WORK_FAMILY_OTHER && device)
    family = LOOM_WORK_FAMILY_COMPUTE;
  return family;
}

/* The hues of each family; together they cover the whole circle. Rose always means waiting. */
static const struct {
  guint8 first, n;
} family_hues[LOOM_N_FAMILIES] = {
  [LOOM_WORK_FAMILY_OTHER] = { 1, 11 },        /* all but rose */
  [LOOM_WORK_FAMILY_WAIT] = { 0, 1 },          /* rose */
  [LOOM_WORK_FAMILY_MEMORY] = { 1, 2 },        /* orange, amber */
  [LOOM_WORK_FAMILY_DATA] = { 3, 1 },          /* olive */
  [LOOM_WORK_FAMILY_COMPUTE] = { 4, 3 },       /* green, sea, teal */
  [LOOM_WORK_FAMILY_HOST] = { 7, 3 },          /* sky, blue, indigo */
  [LOOM_WORK_FAMILY_COMMUNICATION] = { 10, 2 } /* purple, magenta */
};

/* Well-known names have reserved indices, so that neighbours in every step never share a colour. */
static const struct {
  const char *word;
  guint8 index;
} anchors[] = {
  { "backward", 6 * LOOM_N_SHADES },      { "forward", 4 * LOOM_N_SHADES + 1 },
  { "optimizer", 5 * LOOM_N_SHADES + 2 }, { "profilerstep", 8 * LOOM_N_SHADES + 1 },
  { "step:", 8 * LOOM_N_SHADES + 1 },
};

guint
loom_theme_palette_index_of_name (const char *text, const char *category, guint32 text_hash, gboolean device)
{
  LoomWorkFamily family = loom_theme_classify_family (text, category, device);
  if (family != LOOM_WORK_FAMILY_OTHER && family != LOOM_WORK_FAMILY_COMPUTE)
    return loom_theme_palette_index (text_hash, family);
  char name[MAX_LENGTH + 1];
  fold_case (name, text);
  for (guint i = 0; i < G_N_ELEMENTS (anchors); i++)
    if (strstr (name, anchors[i].word) != NULL && strlen (name) < MAX_ANCHORED)
      return anchors[i].index;
  return loom_theme_palette_index (text_hash, family);
}

guint
loom_theme_palette_index (guint32 text_hash, LoomWorkFamily family)
{
  g_return_val_if_fail (family < LOOM_N_FAMILIES, 0);
  guint32 mixed = text_hash * 2654435761u;
  guint n = family_hues[family].n * LOOM_N_SHADES;
  return family_hues[family].first * LOOM_N_SHADES + (guint) (((guint64) mixed * n) >> 32);
}

gboolean
loom_theme_palette_index_waits (guint index)
{
  guint first = family_hues[LOOM_WORK_FAMILY_WAIT].first * LOOM_N_SHADES;
  return index >= first && index < first + family_hues[LOOM_WORK_FAMILY_WAIT].n * LOOM_N_SHADES;
}
