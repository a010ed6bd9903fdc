/* Shared memory.  A window holds blocks of one size; sizes are graded, so that a block that is given back serves many
 * others.  Processes of a node take and give in the same order, so they make windows together without asking. */
#include "shared.h"

#if DPC_USES(dpc_plan_redistribution)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "caller.h"
#include "settings.h"
#include "shared.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* What the address sanitizer and valgrind (DPC_MEMCHECK) are told: nobody may touch this memory, or it is given out. It
 * counts as having values then, as other processes may write it, which they don't see. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define FORBID(memory, bytes) ASAN_POISON_MEMORY_REGION(memory, (size_t)(bytes))
#define ALLOW(memory, bytes) ASAN_UNPOISON_MEMORY_REGION(memory, (size_t)(bytes))
#elif defined(DPC_MEMCHECK)
#include <valgrind/memcheck.h>
#define FORBID(memory, bytes) ((void)VALGRIND_MAKE_MEM_NOACCESS(memory, (size_t)(bytes)))
#define ALLOW(memory, bytes) ((void)VALGRIND_MAKE_MEM_DEFINED(memory, (size_t)(bytes)))
#else
#define FORBID(memory, bytes) ((void)(memory), (void)(bytes))
#define ALLOW(memory, bytes) ((void)(memory), (void)(bytes))
#endif

/* Bytes: a window of less would hold several blocks; blocks begin at such addresses (MPI's windows do not), the same on
 * every process but for whole pages. */
enum { LEAST_WINDOW = 4 << 20, ALIGNMENT = 4096 };
enum { MOST_MAPPED = 1 << 30 }; /* bytes of other processes */

/* Bytes: where memory begins within a page differs from one array to the next, STAGGERS times.  Else the processor
 * takes a load from one array for a load of what was just stored at the same place of another array's page (4K
 * aliasing): a stencil whose rows are nearly a multiple of a page takes up to twice as long. */
enum { LINE = 64, STAGGER = 13 * LINE, STAGGERS = 8, MOST_STAGGER = (STAGGERS - 1) * STAGGER };

/* A window. */
typedef struct segment {
    struct segment *next;
    int64_t name; /* the same on every process of the node, and of no other window there */
    MPI_Win window;
    char *base; /* of this process's part */
    dpc_index block, blocks;
    bool *taken;  /* per block */
    bool *used;   /* per block: not fresh (zero) any more */
    char **bases; /* per process of the node */
    struct heap *heap;
} segment;

/* What is kept with a communicator. */
typedef struct heap {
    dpc_node node;
    MPI_Comm comm;  /* of the node; MPI_COMM_NULL: this process is alone */
    bool exhausted; /* no more windows */
    segment *segments;
    struct heap *next;
} heap;

static heap *heaps;

/* Where the parts of freed windows were: arrays that outlive MPI are given back, too. */
typedef struct freed_window {
    struct freed_window *next;
    char *base;
    dpc_index bytes;
} freed_window;

static freed_window *freed_windows;

/* ---- Nodes */

/* The processes of the node, in the order of their ranks. */
static MPI_Comm split(MPI_Comm comm) {
    MPI_Comm node;
#ifdef DPC_SMPI
    MPI_Comm_dup(MPI_COMM_SELF, &node);
    (void)comm;
#else
    int me;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node);
#ifndef DPC_STANDALONE
    const int limit = (int)dpc_setting_number(DPC_SETTING_NODE_SIZE, 0); /* for tests; 0: none */
    if (limit > 0) {
        MPI_Comm whole = node;
        MPI_Comm_rank(whole, &me);
        MPI_Comm_split(whole, me / limit, me, &node);
        MPI_Comm_free(&whole);
    }
#endif
#endif
    return node;
}

/* The ranks that the processes of `from` have in `to`; MPI_UNDEFINED: none. */
static int *translate(MPI_Comm from, int size, MPI_Comm to) {
    int *own = dpc_raw_buffer(size, sizeof *own), *ranks = dpc_raw_buffer(size, sizeof *ranks);
    MPI_Group from_group, to_group;
    MPI_Comm_group(from, &from_group);
    MPI_Comm_group(to, &to_group);
    for (int k = 0; k < size; k++) own[k] = k;
    MPI_Group_translate_ranks(from_group, size, own, to_group, ranks);
    MPI_Group_free(&from_group);
    MPI_Group_free(&to_group);
    dpc_free_buffer(own);
    return ranks;
}

static void free_segment(segment *s) {
    freed_window *g = malloc(sizeof *g);
    if (g != NULL) {
        *g = (freed_window){freed_windows, s->base, s->block * s->blocks};
        freed_windows = g;
    }
    ALLOW(s->base, s->block * s->blocks);
    MPI_Win_free(&s->window);
    dpc_free_buffer(s->taken);
    dpc_free_buffer(s->used);
    dpc_free_buffer(s->bases);
    dpc_free_buffer(s);
}

static void free_heap(heap *h) {
    heap **link = &heaps;
    while (*link != h) link = &(*link)->next;
    *link = h->next;
    while (h->segments != NULL) {
        segment *next = h->segments->next;
        free_segment(h->segments);
        h->segments = next;
    }
    if (h->comm != MPI_COMM_NULL) MPI_Comm_free(&h->comm);
    dpc_free_buffer(h->node.rank);
    dpc_free_buffer(h->node.world);
    dpc_free_buffer(h);
}

/* Every process of the node says yes. */
static bool all_agree(const heap *h, bool yes) {
    int mine = yes, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, h->comm);
    return all != 0;
}

static bool is_in_use(const heap *h) {
    for (const segment *s = h->segments; s != NULL; s = s->next)
        for (dpc_index k = 0; k < s->blocks; k++)
            if (s->taken[k]) return true;
    return false;
}

/* Windows that have memory in use on some process outlive the communicator: until MPI ends. */
static int drop_heap(MPI_Comm comm, int key, void *attribute, void *extra) {
    DPC_ENTER("MPI_Comm_free");
    (void)comm, (void)key, (void)extra;
    for (heap *h = heaps; h != NULL; h = h->next)
        if (h == attribute) {
            if (h->segments == NULL || all_agree(h, !is_in_use(h))) free_heap(h);
            break;
        }
    return MPI_SUCCESS;
}

/* MPI ends: communicators that nobody freed. */
static int drop_heaps(MPI_Comm comm, int key, void *attribute, void *extra) {
    (void)comm, (void)key, (void)attribute, (void)extra;
    while (heaps != NULL) free_heap(heaps);
    return MPI_SUCCESS;
}

static int heap_key(void) {
    static int key = MPI_KEYVAL_INVALID;
    if (key == MPI_KEYVAL_INVALID) {
        int at_end;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop_heap, &key, NULL);
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop_heaps, &at_end, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, at_end, NULL);
    }
    return key;
}

static heap *heap_of(MPI_Comm comm) {
    heap *h;
    int found;
    MPI_Comm_get_attr(comm, heap_key(), &h, &found);
    if (found) return h;
    h = dpc_buffer(1, sizeof *h);
    h->comm = split(comm);
    MPI_Comm_set_errhandler(h->comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(h->comm, &h->node.size);
    MPI_Comm_rank(h->comm, &h->node.me);
    MPI_Allreduce(&h->node.size, &h->node.largest, 1, MPI_INT, MPI_MAX, comm);
    h->node.rank = translate(h->comm, h->node.size, comm);
    h->node.world = translate(h->comm, h->node.size, MPI_COMM_WORLD);
    if (h->node.size == 1) MPI_Comm_free(&h->comm);
    h->next = heaps;
    heaps = h;
    MPI_Comm_set_attr(comm, heap_key(), h);
    return h;
}

const dpc_node *dpc_node_of(MPI_Comm comm) {
    return &heap_of(comm)->node;
}

void dpc_free_shared(MPI_Comm comm) {
    int found;
    heap *h;
    MPI_Comm_get_attr(comm, heap_key(), &h, &found);
    if (found) MPI_Comm_delete_attr(comm, heap_key());
}

/* ---- Windows */

/* The size of a block for so many bytes: 4, 5, 6 or 7 times a power of two. */
static dpc_index graded(dpc_index bytes) {
    dpc_index step = DPC_LEAST_SHARED / 4;
    while (step * 7 < bytes) step *= 2;
    return dpc_ceiling(bytes, step) * step;
}

/* The file system of the windows has room for `bytes` of each process, and some to spare. */
static bool has_room(const heap *h, dpc_index bytes) {
    struct statvfs room;
    dpc_index all;
    if (__builtin_mul_overflow(bytes, h->node.size, &all)) return false;
    if (statvfs("/dev/shm", &room) != 0) return true;
    return (double)all * 1.0625 + (8 << 20) <= (double)room.f_bavail * (double)room.f_frsize;
}

/* The address space has room for the windows of all processes, and some to spare.  MPI would find out on one process,
 * while the others wait for it. */
static bool has_addresses(const heap *h, dpc_index bytes) {
    enum { SPARE = 16 << 20 };
    const size_t all = (size_t)bytes * (size_t)h->node.size + SPARE;
    void *room = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, all);
    return true;
}

static bool advise(char *base, dpc_index bytes, int advice) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)base & ~(page - 1);
    return madvise((void *)first, (uintptr_t)base + (uintptr_t)bytes - first, advice) == 0;
}

#ifndef MADV_POPULATE_WRITE
enum { MADV_POPULATE_READ = 22, MADV_POPULATE_WRITE = 23 };
#endif

/* Has every page allocated, because a page that cannot be would end the program when it is touched. */
static bool populate(char *base, dpc_index bytes) {
    return advise(base, bytes, MADV_POPULATE_WRITE) ||
           errno == EINVAL; /* an old kernel: the check of the room has to do */
}

static char *aligned(char *base) {
    return base + dpc_modulo(-(dpc_index)(uintptr_t)base, ALIGNMENT);
}

static bool make_window(heap *h, segment *s, dpc_index bytes) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    const int result = MPI_Win_allocate_shared(bytes + ALIGNMENT, 1, info, h->comm, &s->base, &s->window);
    MPI_Info_free(&info);
    if (result == MPI_SUCCESS) s->base = aligned(s->base);
    return all_agree(h, result == MPI_SUCCESS);
}

static void find_bases(const heap *h, segment *s) {
    s->bases = dpc_buffer(h->node.size, sizeof *s->bases);
    for (int k = 0; k < h->node.size; k++) {
        MPI_Aint bytes;
        int unit;
        MPI_Win_shared_query(s->window, k, &bytes, &unit, &s->bases[k]);
        s->bases[k] = aligned(s->bases[k]);
    }
    static int64_t windows;
    int64_t name = ((int64_t)(h->node.world[h->node.me] & INT_MAX) + 1) << 32 | ++windows;
    MPI_Bcast(&name, 1, MPI_INT64_T, 0, h->comm);
    s->name = name;
}

/* Enters the other processes' pages, which are there, into this process's tables: a tenth of the time that it takes to
 * allocate them, but several times as long one by one, when they are first touched. */
static void map_others(const heap *h, const segment *s, dpc_index bytes) {
    if (bytes * (h->node.size - 1) > MOST_MAPPED) return;
    for (int k = 0; k < h->node.size; k++)
        if (k != h->node.me) advise(s->bases[k], bytes, MADV_POPULATE_READ);
}

static segment *add_segment(heap *h, dpc_index block) {
    const dpc_index blocks = block >= LEAST_WINDOW ? 1 : LEAST_WINDOW / block;
    if (h->exhausted) return NULL;
    segment *s = dpc_buffer(1, sizeof *s);
    if (!all_agree(h, has_room(h, block * blocks) && has_addresses(h, block * blocks)) ||
        !make_window(h, s, block * blocks)) {
        h->exhausted = true;
        dpc_free_buffer(s);
        return NULL;
    }
    s->heap = h;
    s->block = block;
    s->blocks = blocks;
    s->taken = dpc_buffer(blocks, sizeof *s->taken);
    s->used = dpc_buffer(blocks, sizeof *s->used);
    find_bases(h, s);
    if (!all_agree(h, populate(s->base, block * blocks))) {
        h->exhausted = true;
        free_segment(s);
        return NULL;
    }
    map_others(h, s, block * blocks);
    FORBID(s->base, block * blocks);
    s->next = h->segments;
    return h->segments = s;
}

/* ---- Blocks */

/* How far behind the beginning of its block the next memory begins; the same on every process. */
static dpc_index next_stagger(void) {
    static unsigned taken;
    return taken++ % STAGGERS * STAGGER;
}

static void *take_block(segment *s, dpc_index number, dpc_index bytes, bool zero) {
    char *memory = s->base + number * s->block + next_stagger();
    ALLOW(memory, bytes);
    if (zero && s->used[number]) memset(memory, 0, (size_t)bytes);
    s->taken[number] = s->used[number] = true;
    return memory;
}

/* Memory of this process alone; before it stands what `free` wants. */
static void *take_plain(dpc_index bytes, dpc_index stagger, bool zero) {
    const size_t room = (size_t)bytes + (size_t)stagger + LINE + sizeof(void *);
    char *block = zero ? calloc(room, 1) : malloc(room);
    if (block == NULL) return NULL;
    char *first = block + sizeof(void *), *memory = first + (LINE - (uintptr_t)first % LINE) % LINE + stagger;
    memcpy(memory - sizeof block, &block, sizeof block);
    FORBID(block, memory - block);
    FORBID(memory + bytes, room - (size_t)(memory - block) - (size_t)bytes);
    return memory;
}

static void give_plain(const char *memory) {
    char *block;
    if (memory == NULL) return;
    ALLOW(memory - sizeof block, sizeof block);
    memcpy(&block, memory - sizeof block, sizeof block);
    free(block);
}

void *dpc_take_shared(MPI_Comm comm, dpc_index bytes, dpc_index most, bool zero) {
    if (most < DPC_LEAST_SHARED) return take_plain(bytes, 0, zero);
    heap *h = heap_of(comm);
    if (h->node.size == 1 || most > INT64_MAX / 4) return take_plain(bytes, next_stagger(), zero);
    const dpc_index block = graded(most + MOST_STAGGER);
    for (segment *s = h->segments; s != NULL; s = s->next)
        for (dpc_index k = 0; s->block == block && k < s->blocks; k++)
            if (!s->taken[k]) return take_block(s, k, bytes, zero);
    segment *s = add_segment(h, block);
    return s == NULL ? take_plain(bytes, next_stagger(), zero) : take_block(s, 0, bytes, zero);
}

static segment *segment_of(const char *memory) {
    for (heap *h = heaps; h != NULL; h = h->next)
        for (segment *s = h->segments; s != NULL; s = s->next)
            if (memory >= s->base && memory < s->base + s->block * s->blocks) return s;
    return NULL;
}

void dpc_give_shared(void *memory) {
    char *place = memory;
    segment *s = segment_of(place);
    if (s != NULL) {
        const dpc_index number = (place - s->base) / s->block;
        s->taken[number] = false;
        FORBID(s->base + number * s->block, s->block);
        return;
    }
    for (const freed_window *g = freed_windows; g != NULL; g = g->next)
        if (place >= g->base && place < g->base + g->bytes) return;
    give_plain(memory);
}

/* ---- Names */

dpc_shared_name dpc_name_shared(const void *memory, int reader) {
    const segment *s = memory == NULL ? NULL : segment_of(memory);
    if (s != NULL && reader != MPI_UNDEFINED)
        for (int k = 0; k < s->heap->node.size; k++)
            if (s->heap->node.world[k] == reader)
                return (dpc_shared_name){s->name, s->heap->node.me, (const char *)memory - s->base};
    return (dpc_shared_name){0};
}

char *dpc_find_shared(const dpc_shared_name *name) {
    for (heap *h = heaps; h != NULL; h = h->next)
        for (segment *s = h->segments; s != NULL; s = s->next)
            if (s->name == name->segment) return s->bases[name->rank] + name->offset;
    return NULL;
}
#endif
