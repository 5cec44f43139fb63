/* SPDX-License-Identifier: Apache-2.0
 *
 * Classifies spans by comparing their category and name with lists of words. Upper and lower case are not
 * distinguished. Only the first MAX_LENGTH characters of a name are compared, because longer names end with template
 * arguments and parameter lists.
 */
#include "loom-work-kind.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_LENGTH 256

typedef struct {
  const char *word; /* text that is compared with a name, in lower case */
  LoomWorkKind work;
} WorkWord;

/* Kinds of work for each category. Categories are converted to lower case before they are compared, so that Kineto's
 * old capitalised categories match. Kernels are also classified by name. */
static const WorkWord categories[] = {
  { "kernel", LOOM_WORK_KIND_COMPUTE },
  { "collective_comm", LOOM_WORK_KIND_COMMUNICATION },
  { "flight_recorder", LOOM_WORK_KIND_COLLECTIVE }, /* spans of collectives, and of messages such as "send 0->3" */
  { "gpu_memcpy", LOOM_WORK_KIND_MEMCPY },
  { "memcpy", LOOM_WORK_KIND_MEMCPY },
  { "gpu_memset", LOOM_WORK_KIND_MEMSET },
  { "memset", LOOM_WORK_KIND_MEMSET },
  { "cpu_op", LOOM_WORK_KIND_OPERATOR },
  { "operator", LOOM_WORK_KIND_OPERATOR },
  { "python_function", LOOM_WORK_KIND_PYTHON },
  { "python", LOOM_WORK_KIND_PYTHON },
  { "user_annotation", LOOM_WORK_KIND_ANNOTATION },
  { "overhead", LOOM_WORK_KIND_OVERHEAD },
  { "hpu_op", LOOM_WORK_KIND_RUNTIME }, /* Kineto uses this category for calls of the HPU's runtime on the host */
  { "gpu_user_annotation", LOOM_WORK_KIND_NONE },
  { "cuda_sync", LOOM_WORK_KIND_NONE },
  { "cuda_event", LOOM_WORK_KIND_NONE },
  { "xpu_sync", LOOM_WORK_KIND_NONE },
  { "cuda_profiler_range", LOOM_WORK_KIND_NONE },
  { "xpu_scope_profiler", LOOM_WORK_KIND_NONE },
  { "trace", LOOM_WORK_KIND_NONE },
};

/* Words that occur in the names of kernels and calls of collectives. "broadcast" is not one of them, because it also
 * occurs in names of elementwise kernels. */
static const char *const collectives[] = {
  "nccl",       "rccl",          "allreduce",          "all_reduce",          "all-reduce", "allgather",  "all_gather",
  "all-gather", "reducescatter", "reduce_scatter",     "reduce-scatter",      "alltoall",   "all_to_all", "all-to-all",
  "all2all",    "sendrecv",      "collective-permute", "cross_device_reduce", "hcom_",      "oneccl",     NULL,
};

/* Beginnings of the names of those XLA instructions that move memory to, from or on a device. An instruction such as
 * "copy-done.2" ends an asynchronous copy: during the instruction, the core waits until the data has arrived. */
static const char *const hlo_copies[] = { "copy-start", "copy-done", "infeed", "outfeed", NULL };

static const char *const collective_calls[] = {
  "c10d", "gloo", "record_param_comms", "horovod", "negotiate", "mpi_", "broadcast_coalesced", NULL,
};

static const char *const data_words[] = {
  "dataload", "data_load", "getnext", "iterator::", "train_batch_fetch", "prefetch", NULL,
};

/* Beginnings of the names of ranges that enclose work. They are tested before all other words, because the name of such
 * a range may also contain words for work, and because old versions of Kineto give steps the category of operators. */
static const char *const marks[] = { "profilerstep#", "callback/", "algorithm/", NULL };
static const char *const weak_marks[] = { "event/", "step:modekeys", NULL };

static void
fold_case (char *to, const char *from)
{
  gsize i = 0;
  for (; from != NULL && i < MAX_LENGTH && from[i] != '\0'; i++)
    to[i] = g_ascii_tolower (from[i]);
  to[i] = '\0';
}

/* Returns TRUE if the name contains one of the words. If `as_prefix` is TRUE, the name must begin with one of them. */
static gboolean
has_word (const char *name, const char *const *list, gboolean as_prefix)
{
  for (; *list != NULL; list++)
    if (as_prefix ? g_str_has_prefix (name, *list) : strstr (name, *list) != NULL)
      return TRUE;
  return FALSE;
}

/* Classifies a kernel or an XLA instruction by its name. */
static LoomWorkKind
kernel_work (const char *name)
{
  if (has_word (name, collectives, FALSE))
    return LOOM_WORK_KIND_COMMUNICATION;
  return has_word (name, hlo_copies, TRUE) ? LOOM_WORK_KIND_MEMCPY : LOOM_WORK_KIND_COMPUTE;
}

/* Classifies work on a device by its name alone. */
static LoomWorkKind
device_work (const char *name)
{
  if (strstr (name, "memcpy") != NULL)
    return LOOM_WORK_KIND_MEMCPY;
  return strstr (name, "memset") != NULL ? LOOM_WORK_KIND_MEMSET : kernel_work (name);
}

/* Classifies work of an MTIA (accelerator of Meta) by the beginning of its name, as HTA's patterns do
 * (hta/common/types.py). All other names are computation. */
static LoomWorkKind
mtia_work (const char *name)
{
  static const char *const communication[] = { "hccl", "nccl", NULL };
  static const char *const around[] = {
    "job_exe", "packet", "pe_exe", "cpum_exe_subgraph", "collective_subgraph_execution", "runfunction", NULL
  };
  if (has_word (name, communication, TRUE))
    return LOOM_WORK_KIND_COMMUNICATION;
  if (g_str_has_prefix (name, "dma"))
    return LOOM_WORK_KIND_MEMCPY;
  return has_word (name, around, TRUE) ? LOOM_WORK_KIND_DEVICE_OTHER : LOOM_WORK_KIND_COMPUTE;
}

static LoomWorkKind
host_work (const char *name, LoomWorkKind by_category)
{
  if (by_category == LOOM_WORK_KIND_PYTHON || by_category == LOOM_WORK_KIND_OVERHEAD)
    return by_category;
  if (has_word (name, marks, TRUE))
    return LOOM_WORK_KIND_ANNOTATION;
  if (has_word (name, collectives, FALSE) || has_word (name, collective_calls, FALSE))
    return LOOM_WORK_KIND_COLLECTIVE;
  if (has_word (name, data_words, FALSE))
    return LOOM_WORK_KIND_DATA;
  if (by_category == LOOM_WORK_KIND_OTHER && has_word (name, weak_marks, TRUE))
    return LOOM_WORK_KIND_ANNOTATION;
  return by_category;
}

static LoomWorkKind
work_of_category (const char *category)
{
  for (gsize i = 0; i < G_N_ELEMENTS (categories); i++)
    if (strcmp (categories[i].word, category) == 0)
      return categories[i].work;
  if (g_str_has_suffix (category, "runtime") || g_str_has_suffix (category, "driver"))
    return LOOM_WORK_KIND_RUNTIME;
  return LOOM_WORK_KIND_OTHER;
}

LoomWorkKind
loom_work_kind_classify (const char *text, const char *category, gboolean device)
{
  char name[MAX_LENGTH + 1], kind[MAX_LENGTH + 1];
  fold_case (name, text);
  fold_case (kind, category);
  if (strcmp (kind, "mtia_ccp_events") == 0)
    return mtia_work (name);
  LoomWorkKind work = work_of_category (kind);
  if (work == LOOM_WORK_KIND_COMPUTE)
    return kernel_work (name);
  if (work < LOOM_N_DEVICE_WORK || work == LOOM_WORK_KIND_NONE)
    return work;
  if (device)
    return work == LOOM_WORK_KIND_OTHER ? device_work (name) : LOOM_WORK_KIND_NONE;
  if (work == LOOM_WORK_KIND_RUNTIME)
    return strstr (name, "synchronize") != NULL ? LOOM_WORK_KIND_SYNC : LOOM_WORK_KIND_RUNTIME;
  return host_work (name, work);
}

gboolean
loom_work_kind_is_wait (LoomWorkKind work)
{
  return work == LOOM_WORK_KIND_SYNC || work == LOOM_WORK_KIND_NONE;
}

const char *
loom_work_kind_to_string (LoomWorkKind work)
{
  static const char *const words[LOOM_N_WORK] = {
    [LOOM_WORK_KIND_COMPUTE] = NC_ ("kind of work", "compute"),
    [LOOM_WORK_KIND_COMMUNICATION] = NC_ ("kind of work", "communication"),
    [LOOM_WORK_KIND_MEMCPY] = NC_ ("kind of work", "memcpy"),
    [LOOM_WORK_KIND_MEMSET] = NC_ ("kind of work", "memset"),
    [LOOM_WORK_KIND_DEVICE_OTHER] = NC_ ("kind of work", "other device work"),
    [LOOM_WORK_KIND_OPERATOR] = NC_ ("kind of work", "operator"),
    [LOOM_WORK_KIND_COLLECTIVE] = NC_ ("kind of work", "collective call"),
    [LOOM_WORK_KIND_RUNTIME] = NC_ ("kind of work", "runtime"),
    [LOOM_WORK_KIND_SYNC] = NC_ ("kind of work", "synchronization"),
    [LOOM_WORK_KIND_PYTHON] = NC_ ("kind of work", "python"),
    [LOOM_WORK_KIND_DATA] = NC_ ("kind of work", "data loading"),
    [LOOM_WORK_KIND_ANNOTATION] = NC_ ("kind of work", "annotation"),
    [LOOM_WORK_KIND_OVERHEAD] = NC_ ("kind of work", "overhead"),
    [LOOM_WORK_KIND_OTHER] = NC_ ("kind of work", "other"),
    [LOOM_WORK_KIND_NONE] = NC_ ("kind of work", "none"),
  };
  return words[work < LOOM_N_WORK ? work : LOOM_WORK_KIND_NONE];
}

static gpointer
classify_names (const LoomTrace *trace, gboolean device)
{
  guint n = loom_trace_get_n_names (trace);
  guint8 *works = g_new (guint8, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    works[i] = (guint8) loom_work_kind_classify (name->text, name->category, device);
  }
  return works;
}

static gpointer
classify_names_of_host (const LoomTrace *trace)
{
  return classify_names (trace, FALSE);
}

static gpointer
classify_names_of_device (const LoomTrace *trace)
{
  return classify_names (trace, TRUE);
}

const guint8 *
loom_work_kind_of_names (const LoomTrace *trace, gboolean device)
{
  return device ? loom_trace_share (trace, LOOM_TRACE_SHARES_DEVICE_KINDS, classify_names_of_device, g_free)
                : loom_trace_share (trace, LOOM_TRACE_SHARES_HOST_KINDS, classify_names_of_host, g_free);
}

gboolean
loom_work_kind_is_data_wait (const char *text, const char *category)
{
  if (strcmp (category, "python_function") == 0 || strcmp (category, "Python") == 0)
    return FALSE;
  return g_str_has_prefix (text, "enumerate(DataLoader)") || strcmp (text, "event/dataloader") == 0 ||
         g_str_has_prefix (text, "dataloader/") || strstr (text, "dataloader_next") != NULL ||
         loom_work_kind_is_get_next (text);
}

gboolean
loom_work_kind_is_get_next (const char *text)
{
  return strstr (text, "DataLoaderIter::GetNext") != NULL;
}
