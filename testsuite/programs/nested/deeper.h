#ifndef DEEPER_H
#define DEEPER_H
#include <math.h>
#include "../local.h"
static inline int deeper(int x) {
    return x + (int)sqrt(16.0);
}
#endif
