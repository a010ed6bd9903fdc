/* The environment variables of libdpc, and what else must be the same on every process when a program starts. */
#ifndef DPC_SETTINGS_H
#define DPC_SETTINGS_H

#include "base.h"

/* The text is one of the words that '|' separates (names.h). (local) */
bool dpc_is_name(const char *text, const char *words);

#ifdef DPC_STANDALONE
/* A program in one file reads no variables, but for DPC_PROFILE. */
#define dpc_setting_number(setting, otherwise) (otherwise)
#define dpc_setting_text(setting) ((const char *)NULL)
#define dpc_check_agreement() DPC_LEFT_OUT
#define dpc_check_launcher() DPC_LEFT_OUT
#endif

/* Ends the program where a variable has a value that means nothing; process 0 warns of those that the program does not
 * know. (local) */
void dpc_check_settings(void);

#ifndef DPC_STANDALONE
/* In the order of their names. */
typedef enum {
    DPC_SETTING_CACHE_BYTES,
    DPC_SETTING_CHUNK_BYTES,
    DPC_SETTING_COPIES,
    DPC_SETTING_KEEP,
    DPC_SETTING_NODE_SIZE,
    DPC_SETTING_PIPELINE,
    DPC_SETTING_PLANS,
    DPC_SETTING_PROFILE,
    DPC_SETTING_REDISTRIBUTE,
    DPC_SETTING_STATS,
    DPC_SETTING_TRACE,
    DPC_SETTINGS
} dpc_setting;

const char *dpc_setting_name(int k);
/* Its value; NULL where it is not set, or empty. */
const char *dpc_setting_text(int k);
/* Every process must have it; else process 0's counts. */
bool dpc_setting_everywhere(int k);
/* The value of a number, `otherwise` where it is not set; anything but a number ends the program with an error. */
dpc_index dpc_setting_number(dpc_setting k, dpc_index otherwise);

/* agreement.c: ends the program where processes have been started with different settings or arguments. (collective) */
void dpc_check_agreement(void);

/* launcher.c: ends the program where it was started by the launcher of another MPI than it is linked with, which starts
 * processes that don't know one another. (local) */
void dpc_check_launcher(void);
#endif

#endif
