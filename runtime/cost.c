#include "cost.h"

const dpc_cost dpc_default_cost = {
    .message = 2e-6,
    .byte = 2e-10,
    .element = 1e-9,
    .run = 2e-9,
    .section = 2e-8,
    .owner = 1.2e-8,
    .operation = 1e-9,
};
