# --pair=P,Q lists the elements that every process finds by asking for each element who owns it.
# shellcheck shell=bash
sed 's/^    //' >pairs.dpc <<'END'
    double A[211], B[640];
    #pragma dpc distribute A(cyclic(4))
    #pragma dpc distribute B(cyclic(6))
    int main(void) {
        forall (i = 0:140) A[i] = B[3*i+1];
        forall (i = 0:70) A[3*i] = B[5*i];
        forall (i = 0:200) A[i] = B[639-2*i];
        forall (i = 0:40) A[5*i+2] = B[7*i] + 1;
        return 0;
    }
END

# by_owners COUNT S1 O1 S2 O2 P Q: the elements of B, one a line, in ascending order.
by_owners() {
    awk -v n="$1" -v s1="$2" -v o1="$3" -v s2="$4" -v o2="$5" -v p="$6" -v q="$7" 'BEGIN {
        for (i = 0; i < n; i++) {
            left = s1 * i + o1; right = s2 * i + o2
            if (int(right / 6) % 3 == p && int(left / 4) % 3 == q) print right
        }
    }' | sort -n
}
# listed LINE P Q: those of the statement in that line.
listed() {
    dpcc --np=3 --pair="$2,$3" --explain pairs.dpc
    awk -v line="$1" '
        /^  line / { at = $2 }
        at == line && /more sections/ { print "not all are listed" }
        at == line && / sends process / {
            while (match($0, /\[[-0-9:]+\]/)) {
                parts = split(substr($0, RSTART + 1, RLENGTH - 2), x, ":")
                step = parts == 3 ? x[3] : 1
                for (e = x[1]; step > 0 ? e <= x[parts > 1 ? 2 : 1] + 0 : e >= x[2] + 0; e += step) print e + 0
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' "$SCRATCH/out" | sort -n
}
same_elements() { # LINE COUNT S1 O1 S2 O2
    local p q
    for p in 0 1 2; do for q in 0 1 2; do
        [ $p = $q ] && continue
        diff <(by_owners "${@:2}" $p $q) <(listed "$1" $p $q) || { echo "line $1, $p to $q"; return 1; }
    done; done
}
verdict "b1/s1 = 4, b2/s2 = 2" same_elements 5 141 1 0 3 1
verdict "strides on both sides" same_elements 6 71 3 0 5 0
verdict "against the order of the elements" same_elements 7 201 1 0 -2 639
verdict "strides that divide nothing" same_elements 8 41 5 2 7 0

dpcc --pair=1,0 --explain pairs.dpc
verdict "--pair needs --np" status_is 2
dpcc --np=3 --pair=1,3 --explain pairs.dpc
verdict "a process that is not there" says "process 3 is not among 3 processes"
dpcc --np=3 --pair=1 --explain pairs.dpc
verdict "one number" says "needs two numbers of processes, not '1'"
