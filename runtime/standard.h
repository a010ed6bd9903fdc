/* Functions of the C library that a program calls once for all of its processes. */
#ifndef DPC_STANDARD_H
#define DPC_STANDARD_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

#include "start.h"

DPC_BEGIN_INTERFACE

/* The C library, once for all processes.  A file that is opened for writing is written by process 0 alone (the
 * others write to nowhere); a file opened for reading is read by every process; times are process 0's.  Collective;
 * within extrinsic functions, which each process executes by itself, they are the C library's own. */
FILE *dpc_fopen(const char *path, const char *mode);
FILE *dpc_freopen(const char *path, const char *mode, FILE *stream);
/* Process 0 acts, once all have done what the program says before; all get its result, and errno. */
int dpc_remove(const char *path);
int dpc_rename(const char *from, const char *to);
int dpc_unlink(const char *path);
int dpc_rmdir(const char *path);
int dpc_mkdir(const char *path, mode_t mode);
int dpc_system(const char *command);
time_t dpc_time(time_t *result);
clock_t dpc_clock(void);
struct timespec;
struct timeval;
int dpc_timespec_get(struct timespec *result, int base);
/* `value`, process 0's; `name` is what the program calls. */
long dpc_same(const char *name, long value);
/* What the C library's function says on process 0. */
int dpc_clock_gettime(int (*function)(int clock, struct timespec *), int clock, struct timespec *result);
int dpc_gettimeofday(int (*function)(struct timeval *, void *), struct timeval *result, void *zone);
int dpc_gethostname(int (*function)(char *, size_t), char *name, size_t bytes);

/* C's atexit: the functions are called while processes can still work together. */
int dpc_atexit(void (*function)(void));

/* To the end of its block, the body of an extrinsic function, this process acts by itself.  (local) */
int dpc_begin_extrinsic(void);
void dpc_end_extrinsic(const int *before);
#define DPC_EXTRINSIC const int dpc_before __attribute__((cleanup(dpc_end_extrinsic), unused)) = dpc_begin_extrinsic()

#ifdef DPC_SMPI
/* Simulated processes share one C library: each has streams of its own. */
extern FILE *dpc_stdin, *dpc_stdout, *dpc_stderr;
/* Each draws numbers, and takes strings apart, as if it had the library for itself.  (local) */
int dpc_rand(void);
void dpc_srand(unsigned seed);
long dpc_random(void);
double dpc_drand48(void);
long dpc_lrand48(void);
long dpc_mrand48(void);
void dpc_srand48(long seed);
char *dpc_strtok(char *text, const char *separators);
#endif

#if !defined(DPC_NO_STDIO) && !defined(__cplusplus)
#undef fopen
#undef freopen
#undef remove
#undef rename
#undef unlink
#undef rmdir
#undef mkdir
#undef system
#undef time
#undef clock
#undef atexit
#define fopen dpc_fopen
#define freopen dpc_freopen
#define remove dpc_remove
#define rename dpc_rename
#define unlink dpc_unlink
#define rmdir dpc_rmdir
#define mkdir dpc_mkdir
#define system dpc_system
#define atexit dpc_atexit
#define time(result) dpc_time(result)
#define clock() dpc_clock()
#undef timespec_get
#undef getpid
#undef getppid
#undef clock_gettime
#undef gettimeofday
#undef gethostname
#define timespec_get(result, base) dpc_timespec_get(result, base)
#define getpid() ((pid_t)dpc_same("getpid", getpid()))
#define getppid() ((pid_t)dpc_same("getppid", getppid()))
#define clock_gettime(clock, result) dpc_clock_gettime(clock_gettime, clock, result)
#define gettimeofday(result, zone) dpc_gettimeofday((int (*)(struct timeval *, void *))gettimeofday, result, zone)
#define gethostname(name, bytes) dpc_gethostname(gethostname, name, bytes)
#ifdef DPC_SMPI
#undef stdin
#undef stdout
#undef stderr
#undef putchar
#undef getchar
#define stdin dpc_stdin
#define stdout dpc_stdout
#define stderr dpc_stderr
#define printf(...) fprintf(dpc_stdout, __VA_ARGS__)
#define vprintf(format, arguments) vfprintf(dpc_stdout, (format), (arguments))
#define puts(text) (fputs((text), dpc_stdout) < 0 ? EOF : fputc('\n', dpc_stdout))
#define putchar(c) fputc((c), dpc_stdout)
#define perror(text) fprintf(dpc_stderr, "%s: %m\n", (text))
#define scanf(...) fscanf(dpc_stdin, __VA_ARGS__)
#define getchar() fgetc(dpc_stdin)
#undef strtok
#define rand dpc_rand
#define srand dpc_srand
#define random dpc_random
#define srandom dpc_srand
#define drand48 dpc_drand48
#define lrand48 dpc_lrand48
#define mrand48 dpc_mrand48
#define srand48 dpc_srand48
#define strtok dpc_strtok
#endif
#endif

DPC_END_INTERFACE

#endif
