/*
 * Stands in for libnvidia-ml.so.1 where there is no NVIDIA driver: the GPUs are directories of GPU_TREE, named 0, 1, ...,
 * with a file for each fact. It says so as its driver's version. The functions and their arguments are those of NVML; the
 * numbers below are its documented constants.
 *
 *   name uuid bus   texts            minor memory ecc xid   numbers; xid is told once and removed
 *   cpus            a mask in hexadecimal                   links    the GPU at the other end of each link
 *   processes       lines of a pid, its MiB and its percent of the time
 *   rows            four numbers                            mig/N    uuid, gi, ci, slices, memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, TIMED_OUT = 10, IS_LOST = 15 };

struct gpu { int index, part; };
struct pci { char legacy[16]; unsigned domain, bus, device, id, subsystem; char text[32]; };
struct event { struct gpu *gpu; unsigned long long type, data; unsigned gi, ci; };
struct process { unsigned pid; unsigned long long memory; unsigned gi, ci; };
struct sample { unsigned pid; unsigned long long time; unsigned sm, memory, encoder, decoder; };
struct attributes { unsigned processors, copy, decoder, encoder, jpeg, ofa, slices, compute_slices; unsigned long long memory; };

static struct gpu gpus[64], parts[64][16];

static void place(char *path, size_t size, const struct gpu *gpu, const char *fact)
{
    const char *tree = getenv("GPU_TREE");
    if (gpu->part < 0) snprintf(path, size, "%s/%d/%s", tree ? tree : "", gpu->index, fact);
    else snprintf(path, size, "%s/%d/mig/%d/%s", tree ? tree : "", gpu->index, gpu->part, fact);
}

static int fact(const struct gpu *gpu, const char *name, char *text, size_t size)
{
    char path[4096];
    place(path, sizeof path, gpu, name);
    FILE *file = fopen(path, "r");
    if (!file) return NOT_SUPPORTED;
    size_t got = fread(text, 1, size - 1, file);
    fclose(file);
    text[got] = 0;
    text[strcspn(text, "\n")] = 0;
    return SUCCESS;
}

static int number(const struct gpu *gpu, const char *name, unsigned long long *value, int base)
{
    char text[256];
    int code = fact(gpu, name, text, sizeof text);
    if (code == SUCCESS) *value = strtoull(text, NULL, base);
    return code;
}

static int small(const struct gpu *gpu, const char *name, unsigned *value)
{
    unsigned long long wide;
    int code = number(gpu, name, &wide, 10);
    if (code == SUCCESS) *value = wide;
    return code;
}

int nvmlInit_v2(void) { return getenv("GPU_TREE") ? SUCCESS : 9; }
int nvmlShutdown(void) { return SUCCESS; }
const char *nvmlErrorString(int code) { return code == IS_LOST ? "GPU is lost" : code == 9 ? "Driver Not Loaded" : "error of the directory tree"; }

int nvmlSystemGetDriverVersion(char *text, unsigned length)
{
    snprintf(text, length, "that is a directory tree, no GPU is real");
    return SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    struct gpu gpu = {0, -1};
    char path[4096];
    for (*count = 0; *count < 64; ++*count) {
        gpu.index = *count;
        place(path, sizeof path, &gpu, "");
        if (access(path, F_OK) != 0) break;
    }
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct gpu **gpu)
{
    char text[8];
    gpus[index] = (struct gpu){index, -1};
    *gpu = &gpus[index];
    return fact(*gpu, "lost", text, sizeof text) == SUCCESS ? IS_LOST : SUCCESS;
}

int nvmlDeviceGetName(struct gpu *gpu, char *text, unsigned length) { return fact(gpu, "name", text, length); }
int nvmlDeviceGetUUID(struct gpu *gpu, char *text, unsigned length) { return fact(gpu, "uuid", text, length); }
int nvmlDeviceGetMinorNumber(struct gpu *gpu, unsigned *minor) { return small(gpu, "minor", minor); }

int nvmlDeviceGetPciInfo_v3(struct gpu *gpu, struct pci *pci) { return fact(gpu, "bus", pci->text, sizeof pci->text); }

int nvmlDeviceGetCpuAffinity(struct gpu *gpu, unsigned words, unsigned long *set)
{
    unsigned long long mask;
    memset(set, 0, words * sizeof *set);
    int code = number(gpu, "cpus", &mask, 16);
    if (code == SUCCESS) set[0] = mask;
    return code;
}

int nvmlDeviceGetMemoryInfo(struct gpu *gpu, unsigned long long *memory)
{
    int code = number(gpu, "memory", memory, 10);
    memory[0] <<= 20;
    return code;
}

static int remote(struct gpu *gpu, unsigned link, unsigned *other)
{
    char text[256];
    int code = fact(gpu, "links", text, sizeof text);
    if (code != SUCCESS) return code;
    char *at = text;
    for (;; link--) {
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        if (end == at) return NOT_SUPPORTED;
        if (link == 0) {
            *other = value;
            return SUCCESS;
        }
        at = end;
    }
}

int nvmlDeviceGetNvLinkState(struct gpu *gpu, unsigned link, unsigned *active)
{
    unsigned other;
    *active = 1;
    return remote(gpu, link, &other);
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(struct gpu *gpu, unsigned link, struct pci *pci)
{
    struct gpu end = {0, -1};
    unsigned other;
    int code = remote(gpu, link, &other);
    end.index = other;
    return code == SUCCESS ? nvmlDeviceGetPciInfo_v3(&end, pci) : code;
}

int nvmlDeviceGetMigMode(struct gpu *gpu, unsigned *now, unsigned *later)
{
    char path[4096];
    place(path, sizeof path, gpu, "mig");
    *now = *later = access(path, F_OK) == 0;
    return SUCCESS;
}

int nvmlDeviceGetMaxMigDeviceCount(struct gpu *gpu, unsigned *count)
{
    (void)gpu;
    *count = 7;
    return SUCCESS;
}

int nvmlDeviceGetMigDeviceHandleByIndex(struct gpu *gpu, unsigned index, struct gpu **part)
{
    char path[4096];
    parts[gpu->index][index] = (struct gpu){gpu->index, index};
    *part = &parts[gpu->index][index];
    place(path, sizeof path, *part, "uuid");
    return access(path, F_OK) == 0 ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetGpuInstanceId(struct gpu *part, unsigned *id) { return small(part, "gi", id); }
int nvmlDeviceGetComputeInstanceId(struct gpu *part, unsigned *id) { return small(part, "ci", id); }

int nvmlDeviceGetAttributes_v2(struct gpu *part, struct attributes *attributes)
{
    number(part, "memory", &attributes->memory, 10);
    return small(part, "slices", &attributes->slices);
}

int nvmlDeviceGetTotalEccErrors(struct gpu *gpu, unsigned kind, unsigned counter, unsigned long long *errors)
{
    return kind == 1 && counter == 0 ? number(gpu, "ecc", errors, 10) : NOT_SUPPORTED;
}

int nvmlDeviceGetRemappedRows(struct gpu *gpu, unsigned *corrected, unsigned *uncorrected, unsigned *pending, unsigned *failed)
{
    char text[256];
    int code = fact(gpu, "rows", text, sizeof text);
    if (code != SUCCESS) return code;
    return sscanf(text, "%u %u %u %u", corrected, uncorrected, pending, failed) == 4 ? SUCCESS : NOT_SUPPORTED;
}

int nvmlEventSetCreate(void **set)
{
    *set = gpus;
    return SUCCESS;
}

int nvmlDeviceRegisterEvents(struct gpu *gpu, unsigned long long kinds, void *set)
{
    (void)gpu, (void)set;
    return kinds == 8 ? SUCCESS : NOT_SUPPORTED;
}

int nvmlEventSetWait_v2(void *set, struct event *event, unsigned millis)
{
    unsigned count;
    (void)set, (void)millis;
    nvmlDeviceGetCount_v2(&count);
    for (unsigned i = 0; i < count; i++) {
        char path[4096];
        nvmlDeviceGetHandleByIndex_v2(i, &event->gpu);
        if (number(event->gpu, "xid", &event->data, 10) != SUCCESS) continue;
        event->type = 8;
        place(path, sizeof path, event->gpu, "xid");
        unlink(path);
        return SUCCESS;
    }
    return TIMED_OUT;
}

static FILE *processes(struct gpu *gpu)
{
    char path[4096];
    place(path, sizeof path, gpu, "processes");
    return fopen(path, "r");
}

int nvmlDeviceGetComputeRunningProcesses_v3(struct gpu *gpu, unsigned *count, struct process *list)
{
    FILE *file = processes(gpu);
    unsigned found = 0, percent;
    while (file && found < *count && fscanf(file, "%u %llu %u", &list[found].pid, &list[found].memory, &percent) == 3)
        list[found++].memory <<= 20;
    if (file) fclose(file);
    *count = found;
    return SUCCESS;
}

int nvmlDeviceGetProcessUtilization(struct gpu *gpu, struct sample *list, unsigned *count, unsigned long long newer)
{
    FILE *file = processes(gpu);
    unsigned found = 0;
    unsigned long long memory;
    while (file && found < *count && fscanf(file, "%u %llu %u", &list[found].pid, &memory, &list[found].sm) == 3)
        list[found++].time = newer + 1;
    if (file) fclose(file);
    *count = found;
    return found ? SUCCESS : NOT_FOUND;
}
