/* One copy between two arrays, included once for each case with its own NAME, FA, FC (formats), EA, EC (extents), LA,
 * SA, LC, SC (subscripts l + i*s), FROM, TO, STEP (range of i). */
static void NAME(void) {
    long A [-3:EA - 4], C [2:EC + 1];
    long before[EA], source[EC];
#pragma dpc distribute A(FA)
#pragma dpc distribute C(FC)
    forall(i = -3 : EA - 4) A[i] = -i - 1;
    forall(i = 2 : EC + 1) C[i] = 7 * i + 3;
    for (long i = 0; i < EA; i++) before[i] = -(i - 3) - 1;
    for (long i = 0; i < EC; i++) source[i] = 7 * (i + 2) + 3;
    forall(i = FROM:TO : STEP) A[LA + i * SA] = A[LA + i * SA] + 2 * C[LC + i * SC];
    for (long i = FROM; STEP > 0 ? i <= TO : i >= TO; i += STEP) before[LA + i * SA + 3] += 2 * source[LC + i * SC - 2];
    long want = 0;
    for (long i = 0; i < EA; i++) want += before[i] * (i % 101 + 1);
    expect(TEXT(NAME), 0, (double)sum(i = -3 : EA - 4, A[i] * ((i + 3) % 101 + 1)), (double)want);
    long wrong = 0;
    forall(i = 0 : EA - 1) before[i] = before[i] != A[i - 3];
    for (long i = 0; i < EA; i++) wrong += before[i];
    expect(TEXT(NAME), 1, (double)wrong, 0);
}
#undef NAME
#undef FA
#undef FC
#undef EA
#undef EC
#undef LA
#undef SA
#undef LC
#undef SC
#undef FROM
#undef TO
#undef STEP
