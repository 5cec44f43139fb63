/* SPDX-License-Identifier: Apache-2.0
 *
 * Classifies names by kind of work. Categories of known writers decide first, then words in the name, taken from the
 * public names of frameworks' operations and kernels. The first list that contains a word of the name decides, so lists
 * are sorted from the specific to the general.
 */
#include "loom-theme.h"

#include <string.h>

typedef struct {
  const char *word; /* word in lower case */
  LoomWorkFamily family;
} FamilyWord;

static const FamilyWord categories[] = {
  { "gpu_memcpy", LOOM_WORK_FAMILY_MEMORY },
  { "gpu_memset", LOOM_WORK_FAMILY_MEMORY },
  { "memcpy", LOOM_WORK_FAMILY_MEMORY },
  { "memset", LOOM_WORK_FAMILY_MEMORY },
  { "collective_comm", LOOM_WORK_FAMILY_COMMUNICATION },
  { "cuda_sync", LOOM_WORK_FAMILY_WAIT },
  { "xpu_sync", LOOM_WORK_FAMILY_WAIT },
};

static const FamilyWord weak_categories[] = {
  { "kernel", LOOM_WORK_FAMILY_COMPUTE },
  { "cuda_runtime", LOOM_WORK_FAMILY_HOST },
  { "cuda_driver", LOOM_WORK_FAMILY_HOST },
  { "xpu_runtime", LOOM_WORK_FAMILY_HOST },
  { "runtime", LOOM_WORK_FAMILY_HOST },
  { "python_function", LOOM_WORK_FAMILY_HOST },
  { "python", LOOM_WORK_FAMILY_HOST },
  { "hpu_op", LOOM_WORK_FAMILY_HOST },
  { "mtia_ccp_events", LOOM_WORK_FAMILY_COMPUTE },
};

static const FamilyWord words[] = {
  { "allreduce", LOOM_WORK_FAMILY_COMMUNICATION },
  { "all_reduce", LOOM_WORK_FAMILY_COMMUNICATION },
  { "all-reduce", LOOM_WORK_FAMILY_COMMUNICATION },
  { "allgather", LOOM_WORK_FAMILY_COMMUNICATION },
  { "all_gather", LOOM_WORK_FAMILY_COMMUNICATION },
  { "all-gather", LOOM_WORK_FAMILY_COMMUNICATION },
  { "reducescatter", LOOM_WORK_FAMILY_COMMUNICATION },
  { "reduce_scatter", LOOM_WORK_FAMILY_COMMUNICATION },
  { "reduce-scatter", LOOM_WORK_FAMILY_COMMUNICATION },
  { "alltoall", LOOM_WORK_FAMILY_COMMUNICATION },
  { "all_to_all", LOOM_WORK_FAMILY_COMMUNICATION },
  { "all-to-all", LOOM_WORK_FAMILY_COMMUNICATION },
  { "broadcast", LOOM_WORK_FAMILY_COMMUNICATION },
  { "sendrecv", LOOM_WORK_FAMILY_COMMUNICATION },
  { "nccl", LOOM_WORK_FAMILY_COMMUNICATION },
  { "hccl", LOOM_WORK_FAMILY_COMMUNICATION },
  { "rccl", LOOM_WORK_FAMILY_COMMUNICATION },
  { "gloo", LOOM_WORK_FAMILY_COMMUNICATION },
  { "horovod", LOOM_WORK_FAMILY_COMMUNICATION },
  { "negotiate", LOOM_WORK_FAMILY_COMMUNICATION },
  { "mpi_", LOOM_WORK_FAMILY_COMMUNICATION },
  { "c10d", LOOM_WORK_FAMILY_COMMUNICATION },
  { "record_param_comms", LOOM_WORK_FAMILY_COMMUNICATION },
  { "synchronize", LOOM_WORK_FAMILY_WAIT },
  { "eventwait", LOOM_WORK_FAMILY_WAIT },
  { "event_wait", LOOM_WORK_FAMILY_WAIT },
  { "streamwait", LOOM_WORK_FAMILY_WAIT },
  { "barrier", LOOM_WORK_FAMILY_WAIT },
  { "waitall", LOOM_WORK_FAMILY_WAIT },
  { "lock_wait", LOOM_WORK_FAMILY_WAIT },
  { "memcpy", LOOM_WORK_FAMILY_MEMORY },
  { "memset", LOOM_WORK_FAMILY_MEMORY },
  { "cudamalloc", LOOM_WORK_FAMILY_MEMORY },
  { "cudafree", LOOM_WORK_FAMILY_MEMORY },
  { "hipmalloc", LOOM_WORK_FAMILY_MEMORY },
  { "hipfree", LOOM_WORK_FAMILY_MEMORY },
  { "dtoh", LOOM_WORK_FAMILY_MEMORY },
  { "htod", LOOM_WORK_FAMILY_MEMORY },
  { "d2h", LOOM_WORK_FAMILY_MEMORY },
  { "h2d", LOOM_WORK_FAMILY_MEMORY },
  { "dma_", LOOM_WORK_FAMILY_MEMORY },
  { "[memory]", LOOM_WORK_FAMILY_MEMORY },
  { "aten::copy_", LOOM_WORK_FAMILY_MEMORY },
  { "aten::to", LOOM_WORK_FAMILY_MEMORY },
  { "pin_memory", LOOM_WORK_FAMILY_MEMORY },
  { "dataload", LOOM_WORK_FAMILY_DATA },
  { "data_load", LOOM_WORK_FAMILY_DATA },
  { "dataiter", LOOM_WORK_FAMILY_DATA },
  { "iterator", LOOM_WORK_FAMILY_DATA },
  { "getnext", LOOM_WORK_FAMILY_DATA },
  { "dataset", LOOM_WORK_FAMILY_DATA },
  { "prefetch", LOOM_WORK_FAMILY_DATA },
  { "enumerate(", LOOM_WORK_FAMILY_DATA },
  { "infeed", LOOM_WORK_FAMILY_DATA },
  { "decode", LOOM_WORK_FAMILY_DATA },
};

static const FamilyWord weak_words[] = {
  { "gemm", LOOM_WORK_FAMILY_COMPUTE },
  { "conv", LOOM_WORK_FAMILY_COMPUTE },
  { "attention", LOOM_WORK_FAMILY_COMPUTE },
  { "matmul", LOOM_WORK_FAMILY_COMPUTE },
  { "elementwise", LOOM_WORK_FAMILY_COMPUTE },
  { "softmax", LOOM_WORK_FAMILY_COMPUTE },
  { "norm", LOOM_WORK_FAMILY_COMPUTE },
  { "fusion", LOOM_WORK_FAMILY_COMPUTE },
  { "kernel", LOOM_WORK_FAMILY_COMPUTE },
  { "cutlass", LOOM_WORK_FAMILY_COMPUTE },
  { "triton", LOOM_WORK_FAMILY_COMPUTE },
  { "embedding", LOOM_WORK_FAMILY_COMPUTE },
  { "cudalaunch", LOOM_WORK_FAMILY_HOST },
  { "hiplaunch", LOOM_WORK_FAMILY_HOST },
  { ".py", LOOM_WORK_FAMILY_HOST },
  { "executor", LOOM_WORK_FAMILY_HOST },
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

static LoomWorkFamily
find_equal (const FamilyWord *list, gsize n, const char *text)
{
  for (gsize i = 0; i < n; i++)
    if (strcmp (list[i].word, text) == 0)
      return list[i].family;
  return LOOM_WORK_FAMILY_OTHER;
}

static LoomWorkFamily
find_inside (const FamilyWord *list, gsize n, const char *text)
{
  for (gsize i = 0; i < n; i++)
    if (strstr (text, list[i].word) != NULL)
      return list[i].family;
  return LOOM_WORK_FAMILY_OTHER;
}

LoomWorkFamily
loom_theme_classify_family (const char *text, const char *category, gboolean device)
{
  char name[MAX_LENGTH + 1], kind[MAX_LENGTH + 1];
  fold_case (name, text != NULL ? text : "");
  fold_case (kind, category != NULL ? category : "");
  LoomWorkFamily family = find_equal (categories, G_N_ELEMENTS (categories), kind);
  if (family == LOOM_WORK_FAMILY_OTHER)
    family = find_inside (words, G_N_ELEMENTS (words), name);
  if (family == LOOM_WORK_FAMILY_OTHER)
    family = find_equal (weak_categories, G_N_ELEMENTS (weak_categories), kind);
  if (family == LOOM_WORK_FAMILY_OTHER)
    family = find_inside (weak_words, G_N_ELEMENTS (weak_words), name);
  if (family == LOOM_WORK_FAMILY_OTHER && device)
    family = LOOM_WORK_FAMILY_COMPUTE;
  return family;
}

const char *
loom_theme_family_to_string (LoomWorkFamily family)
{
  static const char *const names[LOOM_N_FAMILIES] = {
    [LOOM_WORK_FAMILY_OTHER] = "other",       [LOOM_WORK_FAMILY_COMMUNICATION] = "communication",
    [LOOM_WORK_FAMILY_MEMORY] = "memory",     [LOOM_WORK_FAMILY_COMPUTE] = "compute",
    [LOOM_WORK_FAMILY_DATA] = "data loading", [LOOM_WORK_FAMILY_HOST] = "host",
    [LOOM_WORK_FAMILY_WAIT] = "waiting",
  };
  return family < LOOM_N_FAMILIES ? names[family] : names[LOOM_WORK_FAMILY_OTHER];
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

guint
loom_theme_palette_index_of_family (LoomWorkFamily family)
{
  /* Hue and shade: this choice keeps the families most distinct, in all themes and for all colour-vision
   * deficiencies. */
  static const guint8 index[LOOM_N_FAMILIES] = { 24, 32, 5, 18, 10, 28, 1 };
  return index[family < LOOM_N_FAMILIES ? family : 0];
}
