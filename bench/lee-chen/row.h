/* One row of a table: the statement of experiment TABLE (6: also 7), repeated and timed. Included once for each row,
 * with ROW (its number), S1, B1, S2, B2 defined: A(FIRST_A + i*S1) = .. C(FIRST_C + i*S2), A cyclic(B1), C cyclic(B2).
 */
#define NAME_OF_ROW(row) row_##row
#define FUNCTION(row) NAME_OF_ROW(row)

static void FUNCTION(ROW)(void) {
    double A[FIRST_A + S1 * (COUNT - 1) + 1], C[FIRST_C + S2 * (COUNT - 1) + 1];
#pragma dpc distribute A(cyclic(B1)) onto P
#pragma dpc distribute C(cyclic(B2)) onto P
    double samples[SAMPLES];
#ifdef COUNTED
    if (instructions_are_counted()) {
        count_begin();
        STATEMENT
        count_end();
        return;
    }
#endif
    forall(i = 0 : FIRST_A + S1 * (COUNT - 1)) A[i] = 0;
    forall(j = 0 : FIRST_C + S2 * (COUNT - 1)) C[j] = j;
    for (int s = 0; s < SAMPLES; s++) {
#ifdef COUNTED
        STATEMENT
#endif
        double before = time_of_all(), start = time_of_all();
        for (int k = 0; k < BATCH; k++) STATEMENT
        samples[s] = (time_of_all() - start - ALONE * (start - before)) / BATCH;
    }
    bench_report(LABEL, samples, sum(i = 0 : COUNT - 1, A[FIRST_A + S1 * i] != TIMES * (FIRST_C + S2 * i), 1L) == 0);
}

#undef NAME_OF_ROW
#undef FUNCTION
