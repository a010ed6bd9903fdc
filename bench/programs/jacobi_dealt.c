/* 2-D Jacobi: see jacobi.dpc. */
#include "jacobi.c"
