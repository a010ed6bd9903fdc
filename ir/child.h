/* Processes that end when dpcc does, however it ends. */
#ifndef DPC_IR_CHILD_H
#define DPC_IR_CHILD_H

#include <sys/types.h>

/* Starts words[0], searched in PATH, with these file descriptors as its standard input, output and error; -1: dpcc's
 * own. It gets SIGTERM if dpcc has ended before it.  -1, with errno set, when it cannot be started. */
pid_t start_child(const char *const *words, int input, int output, int errors);

/* What a user can do when a tool was ended by that signal; NULL: nothing that is known. */
const char *help_after_signal(int number);

#endif
