/* A large stack for the passes, which walk trees by recursion. */
#define _GNU_SOURCE
#include "stack.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* Bytes.  Memory is used only as far as the stack grows.  A level takes less than 2 KiB in the pass that needs most,
 * and 6 with the address sanitizer. */
enum { LARGEST = 1 << 30, SMALLEST = 1 << 23, LEVEL = 8 << 10 };

typedef struct {
    int (*function)(void *);
    void *argument;
    int result;
    sigset_t signals; /* those that the caller had blocked */
} call;

static void *make_call(void *x) {
    call *c = x;
    pthread_sigmask(SIG_SETMASK, &c->signals, NULL);
    c->result = c->function(c->argument);
    return NULL;
}

/* Starts the largest thread that there is memory for. */
static int start_thread(pthread_t *thread, call *c) {
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure) return failure;
    for (size_t size = LARGEST; size >= SMALLEST; size /= 2) {
        failure = pthread_attr_setstacksize(&attributes, size);
        if (!failure) failure = pthread_create(thread, &attributes, make_call, c);
        if (!failure) break;
    }
    pthread_attr_destroy(&attributes);
    return failure;
}

int on_large_stack(int (*f)(void *), void *x) {
    pthread_t thread;
    sigset_t all;
    call c = {.function = f, .argument = x};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &c.signals);
    if (start_thread(&thread, &c) == 0) {
        pthread_join(thread, NULL);
        return c.result;
    }
    pthread_sigmask(SIG_SETMASK, &c.signals, NULL);
    return f(x);
}

int stack_levels(void) {
    pthread_attr_t attributes;
    size_t size = SMALLEST;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return SMALLEST / LEVEL;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return (int)((size < LARGEST ? size : LARGEST) / LEVEL);
}
