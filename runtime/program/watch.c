/* Statements that are looked at before they are executed: they are counted, or must not stand there. */
#include "program.h"

static bool each_element;

void dpc_each_element(bool inside) {
    each_element = inside;
    dpc_watched = inside || dpc_statistics || dpc_meet != NULL;
}

DPC_STEADY void dpc_check_together(const char *where, const dpc_array *array) {
    if (!each_element) return;
    if (array == NULL) dpc_fail(where, "a function that is called for each element uses distributed arrays");
    dpc_fail(where, "a function that is called for each element uses distributed array '%s'", array->name);
}

void dpc_watch(const dpc_array *a, const char *where) {
    dpc_check_together(where, a);
    if (dpc_meet != NULL && a != NULL && where != dpc_statement) dpc_meet(where); /* it has not begun */
    dpc_count_execution(where);
}
