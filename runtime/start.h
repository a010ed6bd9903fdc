/* Start, end, errors and memory of a program. Every function is collective unless it says "local". */
#ifndef DPC_START_H
#define DPC_START_H

#include <mpi.h>

#include "distribution.h"
#include "interface.h"

#if defined(SMPI_H) && !defined(DPC_SMPI)
#define DPC_SMPI
#endif

DPC_BEGIN_INTERFACE

/* Starts MPI; prints once: standard output and error of every process but 0 go nowhere, standard input is read by
 * process 0 and given to all.  expected > 0: the program was translated for exactly that many processes (--np), else it
 * ends with an error that says both numbers. */
void dpc_init(int expected);
/* Registers a function that creates file-scope arrays, for translation units without main; dpc_init calls it, or,
 * behind dpc_init, this function itself: a library is loaded by every process. (local) */
void dpc_at_start(void (*create)(void));
/* Ends MPI and returns status: `return dpc_finish(0);` in main. */
int dpc_finish(int status);
/* exit(status) on every process. */
void dpc_exit(int status) __attribute__((noreturn));
/* How many processes there are, and which one this is.  (local) */
int dpc_nprocs(void);
int dpc_rank(void);
double dpc_wtime(void); /* seconds, the same value on every process */

/* Prints "FILE:LINE: error: ..." on the process's real standard error and ends all processes with exit status 1.  When
 * every process finds the same error it is printed once. (local) */
void dpc_fail(const char *where, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

#if DPC_HAS_THREADS
/* Statements on distributed arrays are executed by the thread that has called dpc_init, which alone takes part in the
 * exchange between processes; it is an error where another one does. */
extern __thread bool dpc_main_thread;
extern bool dpc_main_begun; /* dpc_init was called */
void dpc_fail_thread(const char *where) __attribute__((noreturn));
#else
#define dpc_fail_thread(where) DPC_LEFT_OUT
#endif

/* malloc that ends the program when memory runs out; zeroed; count and size in elements and bytes. (local) */
void *dpc_buffer(dpc_index count, dpc_index size);
void dpc_free_buffer(void *buffer);

DPC_END_INTERFACE

#endif
