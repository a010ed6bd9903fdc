# What the comments of generated code say of each reference is what --explain says.
# shellcheck shell=bash disable=SC2016
cat >words.dpc <<'END'
enum { N = 240 };
double A[N], B[N], C[N], D[N][N], E[N][N];
int k[N];
#pragma dpc distribute A(cyclic(2)), B(cyclic(6)), C(cyclic(17)), D(block, *), E(*, block)
int main(void) {
    for (int i = 0; i < N; i++) k[i] = (i * 7) % N;
    forall (i = 0:N/3-1) A[i] = B[3*i];
    forall (i = 0:N-1) A[i] = C[i];
    forall (i = 0:N-1) A[i] = 2 * C[i];
    forall (i = 0:N-1) C[i] = B[N-1-i];
    forall (i = 0:N/11-1) B[11*i+7] = C[6*i+1];
    forall (i = 0:N-1) A[i] = C[k[i]];
    forall (i = 0:N-1, j = 0:N-1) D[i][j] = E[i][j] + 1;
    forall (i = 0:N-1, j = 0:N-1) D[i][j] = E[3][j];
    return A[0] + D[0][0] != 0;
}
END
# A line for each reference: LINE REFERENCE WAY, and one for each of its dimensions: LINE REFERENCE METHOD.
# Comments above a line that names their place get it before them.
placed() {
    awk '{ comment = /^ *(\/\*|\*)/ }
         comment && !head { held = held $0 "\n"; next }
         held != "" {
             if (match($0, /DPC_LINE\([0-9]+\)/)) print "/* words.dpc:" substr($0, RSTART + 9, RLENGTH - 10) ": */"
             printf "%s", held
             held = ""
         }
         { print; if (!comment) head = /DPC_LINE/ && /\{( \/\*.*)?$/ }' "$SCRATCH/out"
}
comments() {
    placed | sed -n 's,^[ {]*/\* [^ ]*words\.dpc:\([0-9]*\): .*,line \1,p; s,^ *DPC_\(FORALL\|LOCAL\|CHANGE\)[A-Z_]*(.*DPC_LINE(\([0-9]*\)).*,line \2,p; s,^ *\(/\* .*;\|\*  \) \([A-Za-z_][A-Za-z_0-9]*\[.*\),of \2,p; s,^ *\*  *\([^ ].*\),by \1,p' |
        awk '$1 == "line" { line = $2 }
             $1 == "of" { what = $2; print line, what, /owners found at run time/ ? "gather" : /read by its owners|copied by its owners|read in place/ ? "local" : "moves" }
             /^(of|by) .*row by row/ { print line, what, "row-wise" }
             /^(of|by) .*lattice/ { print line, what, "lattice" }
             /^(of|by) .*enumeration/ { print line, what, "enumerate" }
             /^(of|by) .*closed form/ { print line, what, "closed-form" }
             /^(of|by) .*run-time sets/ { print line, what, "run-time" }
             match($0, /at most .* sections? a pair/) { print line, what, substr($0, RSTART, RLENGTH) }' | sort -u
}
explained() {
    awk '$1 == "line" { line = $2 }
         $1 ~ /^(local|sets|shift|broadcast|gather)$/ {
             what = $2; sub(/:$/, "", what)
             print line, what, $1 == "local" || /owners are the same/ ? "local" : $1 == "gather" ? "gather" : "moves"
         }
         match($0, /(row-wise|lattice|enumerate|closed-form|run-time)  b/) { print line, what, substr($0, RSTART, RLENGTH - 3) }
         match($0, /at most .* sections? a pair/) { print line, what, substr($0, RSTART, RLENGTH) }' "$SCRATCH/out" | sort -u
}
for options in "--np=4" "--np=3 --sets=lattice" "--np=4 --sets=enumerate" "--np=1" ""; do
    # shellcheck disable=SC2086 # several options
    dpcc $options -S words.dpc -o -
    comments >commented
    # shellcheck disable=SC2086
    dpcc $options --explain words.dpc
    explained >explained
    comm -23 commented explained >differ
    verdict "comments say what --explain $options says" all 'status_is 0' '[ -s commented ]' '[ ! -s differ ]'
done
