#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# Wrong arguments of dpc_pXgemr2d.  The cases are in testsuite/unit/test_scalapack_misuse.c.
LIMIT=60
for kind in $MPIS; do
    [ ! -x "$BUILD/$kind/test_scalapack_misuse" ] || try_cases "$kind" test_scalapack_misuse 33
done
