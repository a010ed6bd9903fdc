/* Copies of the redistribution engine against the definition: weaves and kernels, for random mappings and for
 * strands of all lengths at all alignments.  Every process tests cases of its own; nothing is communicated. */
#include "../../runtime/redistribution/copier.h"
#include "../../runtime/redistribution/portions.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t state;

/* 0 .. most. */
static dpc_index random_up_to(dpc_index most) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (dpc_index)((state >> 33) % (uint64_t)(most + 1));
}

static dpc_index owner(const dpc_line *l, dpc_index x) {
    return (l->first + x) / l->block % l->procs;
}
static dpc_index local(const dpc_line *l, dpc_index x) {
    const dpc_index g = l->first + x;
    return g / (l->block * l->procs) * l->block + g % l->block;
}
static dpc_index local_extent(const dpc_line *l, dpc_index p) {
    dpc_index n = 0;
    for (dpc_index x = -l->first; x < l->extent; x++) n += owner(l, x) == p;
    return n;
}

enum { MOST_RANK = 3, MOST_PROCS = 8, GUARD = 128 };

typedef struct {
    int rank;
    dpc_index size;
    dpc_line from[MOST_RANK], to[MOST_RANK];
    dpc_index from_extent[MOST_RANK][MOST_PROCS], to_extent[MOST_RANK][MOST_PROCS]; /* local, per coordinate */
    dpc_index sources, targets;                                                     /* places */
} test;

static dpc_index extent_of(const test *t, const dpc_line *line, int k, dpc_index p) {
    return line == t->from ? t->from_extent[k][p] : t->to_extent[k][p];
}

static dpc_index places(const test *t, const dpc_line *line) {
    dpc_index n = 1;
    for (int k = 0; k < t->rank; k++) n *= line[k].procs;
    return n;
}

static void coordinates(const test *t, const dpc_line *line, dpc_index place, dpc_index *p) {
    for (int k = t->rank - 1; k >= 0; place /= line[k--].procs) p[k] = place % line[k].procs;
}

/* Bytes of a place's local part. */
static dpc_index part_bytes(const test *t, const dpc_line *line, dpc_index place) {
    dpc_index p[MOST_RANK], bytes = t->size;
    coordinates(t, line, place, p);
    for (int k = 0; k < t->rank; k++) bytes *= extent_of(t, line, k, p[k]);
    return bytes;
}

/* Byte position of element x in its owner's part; *place: the owner. */
static dpc_index position(const test *t, const dpc_line *line, const dpc_index *x, dpc_index *place) {
    dpc_index at = 0;
    *place = 0;
    for (int k = 0; k < t->rank; k++) {
        const dpc_index p = owner(&line[k], x[k]);
        *place = *place * line[k].procs + p;
        at = at * extent_of(t, line, k, p) + local(&line[k], x[k]);
    }
    return at * t->size;
}

static void fail(const test *t, const char *what, dpc_index place, dpc_index byte) {
    fprintf(stderr, "%s: place %lld, byte %lld: size %lld", what, (long long)place, (long long)byte,
            (long long)t->size);
    for (int k = 0; k < t->rank; k++) {
        const dpc_line *f = &t->from[k], *to = &t->to[k];
        fprintf(stderr, "; %lld elements, first %lld block %lld procs %lld -> first %lld block %lld procs %lld",
                (long long)f->extent, (long long)f->first, (long long)f->block, (long long)f->procs,
                (long long)to->first, (long long)to->block, (long long)to->procs);
    }
    fprintf(stderr, "\n");
    exit(1);
}

/* A part with `guard` bytes behind it that must stay as they are, and then a page that must not be touched. */
typedef struct {
    char *memory, *part;
    dpc_index all, mapped; /* bytes: up to the page; with it */
} part;

/* The same behind a page that must not be touched. */
static part make_first_part(dpc_index bytes) {
    const dpc_index page = sysconf(_SC_PAGESIZE), all = (bytes + GUARD + page - 1) / page * page;
    char *memory = mmap(NULL, (size_t)(page + all), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(1);
    for (char *c = memory + page; c < memory + page + all; c++) *c = (char)random_up_to(255);
    mprotect(memory, (size_t)page, PROT_NONE);
    return (part){memory, memory + page, page + all, page + all};
}

static part make_part(dpc_index bytes, dpc_index guard) {
    const dpc_index page = sysconf(_SC_PAGESIZE), all = (bytes + GUARD + guard + page - 1) / page * page;
    part p = {mmap(NULL, (size_t)(all + page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), NULL, all,
              all + page};
    if (p.memory == MAP_FAILED) exit(1);
    mprotect(p.memory + all, (size_t)page, PROT_NONE);
    p.part = p.memory + all - guard - bytes;
    for (char *c = p.part - GUARD; c < p.memory + all; c++) *c = (char)random_up_to(255);
    return p;
}

static void free_part(part *p) {
    munmap(p->memory, (size_t)p->mapped);
}

static char *copy_of(const part *p) {
    return memcpy(malloc((size_t)p->all), p->memory, (size_t)p->all);
}

static void compare(const test *t, const char *what, dpc_index place, const part *p, const char *expected) {
    for (dpc_index k = 0; k < p->all; k++)
        if (p->memory[k] != expected[k]) fail(t, what, place, k - (p->part - p->memory));
}

/* The definition, for one target place; only elements from sources that are present. */
static void copy_by_definition(const test *t, const part *sources, const bool *present, dpc_index place, char *to) {
    dpc_index total = 1, x[MOST_RANK];
    for (int k = 0; k < t->rank; k++) total *= t->to[k].extent;
    for (dpc_index number = 0; number < total; number++) {
        dpc_index rest = number, p, q;
        for (int k = t->rank - 1; k >= 0; rest /= t->to[k--].extent) x[k] = rest % t->to[k].extent;
        const dpc_index target = position(t, t->to, x, &q), source = position(t, t->from, x, &p);
        if (q == place && present[p]) memcpy(to + target, sources[p].part + source, (size_t)t->size);
    }
}

static dpc_index source_place(const test *t, const dpc_shape *shape, const dpc_copier *c, dpc_index source) {
    dpc_index p[DPC_MAX_RANK], all[MOST_RANK] = {0}, place = 0;
    dpc_source_coordinates(c, source, p);
    for (int k = 0; k < shape->rank; k++) all[shape->dimension[k]] = p[k];
    for (int k = 0; k < t->rank; k++) place = place * t->from[k].procs + all[k];
    return place;
}

static void in_shape(const dpc_shape *shape, const dpc_index *p, dpc_index *coordinate) {
    for (int k = 0; k < shape->rank; k++) coordinate[k] = p[shape->dimension[k]];
}

/* One target, in a few pieces, in any order; elements of absent sources stay as they are. */
static void test_target(const test *t, const dpc_shape *shape, const part *sources, const bool *present,
                        dpc_index place, bool streaming) {
    dpc_index q[MOST_RANK], at[DPC_MAX_RANK];
    coordinates(t, t->to, place, q);
    in_shape(shape, q, at);
    part target = make_part(part_bytes(t, t->to, place), random_up_to(GUARD));
    char *expected = copy_of(&target);

    dpc_copier *c = random_up_to(1) == 0 ? dpc_open_copier(shape, at) : dpc_open_team_copier(shape, at);
    const char **memory = calloc((size_t)c->sources + 1, sizeof *memory);
    for (dpc_index k = 0; k < c->sources; k++) {
        const dpc_index source = source_place(t, shape, c, k);
        memory[k] = present[source] ? sources[source].part : NULL;
    }
    copy_by_definition(t, sources, present, place, expected + (target.part - target.memory));
    const dpc_index pieces = 1 + random_up_to(2), first = random_up_to(pieces - 1);
    for (dpc_index k = 0; k < pieces; k++)
        dpc_copy_part(c, target.part, memory, streaming, (first + k) % pieces, pieces);
    compare(t, "from memory", place, &target, expected);

    free(memory), free(expected);
    free_part(&target);
    dpc_close_copier(c);
}

/* Parts of each team, written by its members' shares; a share writes into all of them. */
static void test_teams(const test *t, const dpc_shape *shape, const part *sources, const bool *present,
                       bool streaming) {
    part targets[64];
    char *expected[64];
    for (dpc_index q = 0; q < t->targets; q++) {
        targets[q] = make_part(part_bytes(t, t->to, q), random_up_to(GUARD));
        expected[q] = copy_of(&targets[q]);
        copy_by_definition(t, sources, present, q, expected[q] + (targets[q].part - targets[q].memory));
    }
    for (dpc_index q = 0; q < t->targets; q++) {
        dpc_index p[MOST_RANK], at[DPC_MAX_RANK];
        coordinates(t, t->to, q, p);
        in_shape(shape, p, at);
        dpc_copier *c = dpc_open_team_copier(shape, at);
        const char **memory = calloc((size_t)c->sources + 1, sizeof *memory);
        char *parts[MOST_PROCS];
        for (dpc_index k = 0; k < c->sources; k++) {
            const dpc_index source = source_place(t, shape, c, k);
            memory[k] = present[source] ? sources[source].part : NULL;
        }
        for (dpc_index k = 0; k < c->members; k++) {
            dpc_index place = 0;
            p[shape->dimension[shape->rank - 1]] = c->member[k].coordinate;
            for (int d = 0; d < t->rank; d++) place = place * t->to[d].procs + p[d];
            parts[k] = targets[place].part;
        }
        const dpc_index pieces = 1 + random_up_to(1);
        for (dpc_index piece = 0; piece < pieces; piece++) dpc_copy_share(c, parts, memory, streaming, piece, pieces);
        free(memory);
        dpc_close_copier(c);
    }
    for (dpc_index q = 0; q < t->targets; q++) {
        compare(t, "by a team", q, &targets[q], expected[q]);
        free(expected[q]);
        free_part(&targets[q]);
    }
}

static const dpc_share *share_with(const dpc_shares *shares, dpc_index coordinate) {
    for (dpc_index k = 0; k < shares->count; k++)
        if (shares->share[k].coordinate == coordinate) return &shares->share[k];
    return NULL;
}

/* What one source has for one target, from storage to storage in portions; `only`: the source is present alone. */
static void test_portions(const test *t, const part *sources, dpc_index source, dpc_index target, const bool *only) {
    enum { MOST = 4000 };
    dpc_index p[MOST_RANK], q[MOST_RANK], from_stride[MOST_RANK], to_stride[MOST_RANK];
    dpc_index from_elements = 1, to_elements = 1;
    dpc_shares sent[MOST_RANK], received[MOST_RANK];
    const dpc_share *send[MOST_RANK], *receive[MOST_RANK];
    static char buffer[DPC_COPY_BUFFER];
    bool some = true;
    coordinates(t, t->from, source, p);
    coordinates(t, t->to, target, q);
    for (int k = t->rank - 1; k >= 0; k--) {
        sent[k] = dpc_walk_shares(&t->from[k], p[k], &t->to[k]);
        received[k] = dpc_walk_shares(&t->to[k], q[k], &t->from[k]);
        send[k] = share_with(&sent[k], q[k]);
        receive[k] = share_with(&received[k], p[k]);
        some = some && send[k] != NULL;
        from_stride[k] = from_elements, to_stride[k] = to_elements;
        from_elements *= t->from_extent[k][p[k]], to_elements *= t->to_extent[k][q[k]];
    }
    part made = make_part(part_bytes(t, t->to, target), random_up_to(GUARD));
    char *expected = copy_of(&made);
    if (some) {
        dpc_portions from = dpc_open_portions(t->rank, send, from_stride, t->size, part_bytes(t, t->from, source));
        dpc_portions to = dpc_open_portions(t->rank, receive, to_stride, t->size, 0);
        const bool streaming = random_up_to(1) == 0;
        while (from.left > 0)
            dpc_copy_portion(&from, sources[source].part, &to, made.part,
                             dpc_minimum(from.left, 1 + random_up_to(MOST)), buffer, streaming);
    }
    copy_by_definition(t, sources, only, target, expected + (made.part - made.memory));
    compare(t, "in portions", target, &made, expected);
    free(expected);
    free_part(&made);
    for (int k = 0; k < t->rank; k++) dpc_free_shares(&sent[k]), dpc_free_shares(&received[k]);
}

static void run(test *t) {
    for (int k = 0; k < t->rank; k++) {
        for (dpc_index p = 0; p < t->from[k].procs; p++) t->from_extent[k][p] = local_extent(&t->from[k], p);
        for (dpc_index q = 0; q < t->to[k].procs; q++) t->to_extent[k][q] = local_extent(&t->to[k], q);
    }
    t->sources = places(t, t->from);
    t->targets = places(t, t->to);
    dpc_shape shape = dpc_fold_shape(t->rank, t->from, t->to, t->size, random_up_to(3) > 0);
    shape.tile = 1 + random_up_to(random_up_to(1) == 0 ? 2000 : 20000);
    shape.least_shared = 0;
    part sources[64];
    bool present[64];
    const bool some = random_up_to(2) == 0;
    for (dpc_index p = 0; p < t->sources; p++) {
        const dpc_index bytes = part_bytes(t, t->from, p);
        sources[p] =
            random_up_to(3) == 0 ? make_first_part(bytes) : make_part(bytes, random_up_to(1) * random_up_to(GUARD));
        present[p] = !some || random_up_to(1) == 0;
    }
    for (dpc_index q = 0; q < t->targets; q++) test_target(t, &shape, sources, present, q, random_up_to(1) == 0);
    test_teams(t, &shape, sources, present, random_up_to(1) == 0);
    bool only[64] = {false};
    const dpc_index source = random_up_to(t->sources - 1);
    only[source] = true;
    test_portions(t, sources, source, random_up_to(t->targets - 1), only);
    for (dpc_index p = 0; p < t->sources; p++) free_part(&sources[p]);
}

static const dpc_index sizes[] = {1, 2, 4, 8, 16, 3, 12, 24};

static dpc_line random_line(dpc_index extent, dpc_index procs) {
    const dpc_index first = random_up_to(2) == 0 ? random_up_to(20) : 0;
    const dpc_index longest = random_up_to(2) == 0 ? extent + first + 3 : 9;
    return (dpc_line){extent, first, 1 + random_up_to(longest), procs};
}

static void test_random(int cases, dpc_index most) {
    for (int k = 0; k < cases; k++) {
        test t = {.rank = 1 + (int)random_up_to(MOST_RANK - 1)};
        t.size = sizes[random_up_to(7)];
        const dpc_index extent = t.rank == 1 ? most : t.rank == 2 ? 60 : 16, procs = t.rank == 1 ? 6 : 3;
        for (int d = 0; d < t.rank; d++) {
            const dpc_index n = random_up_to(extent);
            t.from[d] = random_line(n, 1 + random_up_to(procs - 1));
            t.to[d] = random_line(n, 1 + random_up_to(procs - 1));
            if (random_up_to(4) == 0) t.to[d].procs = t.from[d].procs = 1, t.to[d].first = t.from[d].first = 0;
        }
        run(&t);
    }
}

/* Strands of every length, strides and interleaves, with heads and tails. */
static void test_lengths(dpc_index elements) {
    for (int k = 0; k < 8; k++)
        for (dpc_index length = 1; length <= 40; length += length < 10 ? 1 : 7)
            for (dpc_index procs = 2; procs <= 5; procs++) {
                const dpc_index n = elements + random_up_to(50), first = random_up_to(length);
                const dpc_line wide = {n, first, 1 + n / procs + random_up_to(20), procs};
                const dpc_line narrow = {n, random_up_to(length), length, procs};
                test t = {.rank = 1, .size = sizes[k], .from = {wide}, .to = {narrow}};
                run(&t);
                test back = {.rank = 1, .size = sizes[k], .from = {narrow}, .to = {wide}};
                run(&back);
            }
}

/* Blocks of both sides shorter than a cache line, or a little longer: several strands meet in a vector. */
static void test_pairs(dpc_index elements) {
    static const dpc_index length[] = {1, 2, 3, 4, 5, 7, 8, 10, 12, 20, 42, 63};
    for (int size = 1; size < 5; size++)
        for (int k = 0; k < 12; k++)
            for (int j = 0; j < 12; j++) {
                const dpc_index n = elements + random_up_to(300), first = random_up_to(2) == 0 ? random_up_to(9) : 0;
                test t = {.rank = 1,
                          .size = sizes[size],
                          .from = {{n, first, length[k], 1 + random_up_to(3)}},
                          .to = {{n, first, length[j], 1 + random_up_to(3)}}};
                run(&t);
            }
}

/* Both processes of a message find the same pieces of it. */
static void test_common_runs(int cases) {
    for (int k = 0; k < cases; k++) {
        const dpc_index n = random_up_to(400), most = 8 * (1 + random_up_to(50));
        const dpc_line from = random_line(n, 1 + random_up_to(3)), to = random_line(n, 1 + random_up_to(3));
        dpc_index p = random_up_to(from.procs - 1), q = random_up_to(to.procs - 1), out, in;
        dpc_shares sent = dpc_walk_shares(&from, p, &to), received = dpc_walk_shares(&to, q, &from);
        const dpc_share *send = share_with(&sent, q), *receive = share_with(&received, p);
        const test t = {.rank = 1, .size = 8, .from = {from}, .to = {to}};
        if (send != NULL && receive != NULL) {
            dpc_common_runs x = dpc_open_common_runs(1, &send, &from, &p, &to, 8),
                            y = dpc_open_common_runs(1, &receive, &to, &q, &from, 8);
            do {
                out = dpc_next_common_run(&x, most);
                in = dpc_next_common_run(&y, most);
                if (out != in) fail(&t, "pieces of a message", q, in);
            } while (out > 0);
        }
        dpc_free_shares(&sent);
        dpc_free_shares(&received);
    }
}

/* A plan's memory depends on blocks and processes, not on the extent. */
static void test_memory(void) {
    const dpc_index n = (dpc_index)1 << 40;
    const dpc_line block = {n, 0, n / 2, 2}, cyclic = {n, 0, 1, 2}, five = {n, 3, 5, 2}, eight = {n, 0, 8, 3};
    const dpc_line pairs[][2] = {{block, cyclic}, {cyclic, block}, {five, eight}, {eight, five}, {block, five}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        dpc_weave w = dpc_weave_target(&pairs[k][1], 1, &pairs[k][0], NULL, 0);
        if (dpc_weave_bytes(&w) > 4096) {
            fprintf(stderr, "pair %zu: a weave of %lld bytes\n", k, (long long)dpc_weave_bytes(&w));
            exit(1);
        }
        dpc_free_weave(&w);
    }
}

int main(int argc, char **argv) {
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    state = (uint64_t)me + 1;
    test_random(300, 300);
    test_random(20, 6000);
    test_lengths(700);
    test_pairs(3000);
    test_common_runs(2000);
    test_memory();
    MPI_Finalize();
    return 0;
}
