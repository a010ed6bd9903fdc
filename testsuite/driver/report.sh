# --report: the page's data are those of --explain=json, DPC_STATS and the text; a real browser shows all sections without an error.
# shellcheck shell=bash disable=SC2016,SC2034
cp "$ROOT/examples/adi.dpc" .
MPICC=$(mpicc_of "${MPIS##* }")
export MPICC
DPC_STATS=stats.json dpcc -w -O0 --run -n 4 adi.dpc
cp "$SCRATCH/out" printed
dpcc -w --report=page.html --stats=stats.json adi.dpc
verdict "a page of counts" all 'status_is 0' 'prints ""' silent '[ "$(tail -n 1 page.html)" = "</html>" ]'
# The data, as the page has them: one line of JSON.
data_of() { sed -n 's,.*<script type="application/json" id="data">\(.*\)</script>.*,\1,p' "$1"; }
verdict "it has no part elsewhere" [ "$(grep -cE '(src|href)="?(http|//)|@import|url\(' page.html)" = 0 ]
dpcc -w --np=4 --explain=json adi.dpc
cp "$SCRATCH/out" explained.json
if command -v python3 >/dev/null; then
    data_of page.html >data.json
    verdict "the data are those of --explain=json and DPC_STATS" python3 - <<'END'
import json
data, explained, stats = (json.load(open(f)) for f in ('data.json', 'explained.json', 'stats.json'))
assert data['explain'] == explained and data['stats'] == stats
assert data['source'] == open('adi.dpc').read().splitlines()
assert 'dpc_redistribute_as' in ''.join(data['generated'].values())
END
fi
dpcc -w --run -n 3 --report=run.html adi.dpc
verdict "--run --report" all 'status_is 0' 'cmp printed "$SCRATCH/out"' '[ -s run.html ]' 'data_of run.html | grep -q "\"trace\":{\"list\":\[\[0,0,"'
dpcc -w --report=plain.html adi.dpc
verdict "a page without counts" all 'status_is 0' 'data_of plain.html | grep -q "\"stats\":null,\"trace\":null"'
printf '/* </script><!-- */\ndouble A[9];\n#pragma dpc distribute A(block)\nint main(void) { A[:] = 1; return 0; }\n' >mean.dpc
dpcc --report=mean.html mean.dpc
verdict "a source that would end the script" all 'status_is 0' '[ "$(grep -o "</script>" mean.html | wc -l)" = 2 ]'

printf '#include <string.h>\ndouble A[12];\n#pragma dpc distribute A(block)\nint main(void) {\n    forall (i = 0:11) A[i] = strlen("\351t\303\251") + A[11-i];\n    return 0;\n}\n' >$'l\351.dpc'
dpcc --run -n 2 -O0 --report=latin.html $'l\351.dpc'
verdict "a source that is no UTF-8" all 'status_is 0' 'iconv -f UTF-8 -t UTF-8 latin.html | grep -q "strlen(.*été"' 'data_of latin.html | grep -q "\"messages\":\[1,1\]"'
rm -f latin.html $'l\351.dpc'

# Programs without statements, with all of them in a header, with #line, with lines longer than what is kept of one.
printf 'int main(void) { return 0; }\n' >none.dpc
printf 'static void fill(void) { forall (i = 0:9) A[i] = i; }\n' >fill.h
printf 'double A[10];\n#pragma dpc distribute A(block)\n#include "fill.h"\nint main(void) { fill(); return 0; }\n' >header.dpc
printf '%s\n' '#line 500' 'double A[10];' '#pragma dpc distribute A(block)' 'int main(void) {' '#line 3 "elsewhere.dpc"' '    A[:] = 1;' '    return 0;' '}' >renumbered.dpc
printf 'double A[10];\n#pragma dpc distribute A(block)\nint main(void) {\n/*%02000d*/ A[:] = 1; return 0; }\n' 0 >wide.dpc
for odd in none header renumbered wide; do
    dpcc -w --run -n 2 -O0 --report=odd.html $odd.dpc
    verdict "a page of $odd.dpc" all 'status_is 0' silent '[ "$(tail -n 1 odd.html)" = "</html>" ]'
    DPC_STATS=odd.json dpcc -w -O0 --run -n 2 $odd.dpc
    dpcc -w --report=odd.html --stats=odd.json $odd.dpc
    verdict "a page of $odd.dpc and its counts" all 'status_is 0' silent
done
sed '4s,^/\*0,/*1,' wide.dpc >other.dpc && mv other.dpc wide.dpc
fails_with 3 "line 4 was another one when it was counted" -w --report=odd.html --stats=odd.json wide.dpc
rm -f none.dpc wide.dpc renumbered.dpc odd.html odd.json

# ---- What does not fit
BEFORE=$(find . -type f | sort)
sed 's/RATIO 0.75/RATIO 0.50/; s/R\[:\]\[1\] \*=/R[:][1] \/=/' adi.dpc >other && cp other adi.dpc
fails_with 3 "line 34 was another one when it was counted" -w --report=new.html --stats=stats.json adi.dpc
fails_with 3 "they are of another program" -w --report=new.html --stats=stats.json mean.dpc
echo '{}' >wrong.json
fails_with 3 "has no counts of DPC_STATS" -w --report=new.html --stats=wrong.json adi.dpc
sed 's/"partners": \[\[/"partners": [[4],[/' stats.json >wrong.json
fails_with 3 "'partners' of adi.dpc:" -w --report=new.html --stats=wrong.json adi.dpc
sed 's/"bytes": \[0/"bytes": ["0"/' stats.json >wrong.json
fails_with 3 "'bytes' of adi.dpc:" -w --report=new.html --stats=wrong.json adi.dpc
fails_with 3 "cannot read 'absent.json'" -w --report=new.html --stats=absent.json adi.dpc
fails_with 2 "was counted on 4 processes" -w --np=3 --report=new.html --stats=stats.json adi.dpc
fails_with 2 "shown by --report" --stats=stats.json adi.dpc
fails_with 2 "cannot be used with it" --report=new.html -S adi.dpc
fails_with 2 "cannot be used with it" --report=new.html --serial adi.dpc
fails_with 2 "is about one .dpc file" --report=new.html adi.dpc mean.dpc
fails_with 2 "is an input" --report=mean.dpc mean.dpc
fails_with 3 "No such file" -w --report=absent/new.html mean.dpc
rm other wrong.json
verdict "no page is left" [ "$(find . -type f | sort)" = "$BEFORE" ]

# ---- In a browser
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
# shown PAGE: opens it; $SCRATCH/page is what it shows, $SCRATCH/console what the browser says.
shown() {
    timeout -k 5 "$LIMIT" "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$SCRATCH/browser" --enable-logging=stderr --virtual-time-budget=5000 \
        --dump-dom "file://$PWD/$1" >"$SCRATCH/page" 2>"$SCRATCH/console"
}
# fact NAME: a number of the overview.
fact() { grep -o "<span class=\"faint\">$1</span><b>[^<]*" "$SCRATCH/page" | sed 's/.*<b>//; s/,//g'; }
messages() { grep -o '"\(index_\|value_\)*messages": \[[^]]*\]' "$1" | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
sections_are_filled() {
    local section
    for section in overview source arrays traffic statements advice timeline; do
        [ "$(sed -n "/<section id=\"$section\"/,/<\/section>/p" "$SCRATCH/page" | wc -c)" -gt 200 ] || { echo "$section is empty"; return 1; }
    done
}
opens_well() { grep -q 'data-ready="yes"' "$SCRATCH/page" && ! grep -E 'CONSOLE.*(Uncaught|Error)' "$SCRATCH/console"; }
if [ "$browser" ]; then
    shown page.html
    verdict "a browser shows it without an error" opens_well
    verdict "every section has something" sections_are_filled
    verdict "processes" [ "$(fact processes)" = 4 ]
    verdict "messages are those counted" [ "$(fact messages)" = "$(messages stats.json)" ]
    verdict "the matrix has all that transfers have sent" grep -q "at most [0-9,]* of a pair, 12 pairs" "$SCRATCH/page"
    # Advice: seconds before and after are those of the cost model and of the counts.
    cat >advice.dpc <<'E'
#include <stdio.h>
enum { N = 6000 };
double A[N], C[N], G[N], H[N];
int P[N];
#pragma dpc distribute A(cyclic(7))
#pragma dpc distribute C(cyclic(11))
#pragma dpc distribute (block) :: G, H, P
double last_one(double x) { static double last; double y = last; last = x; return y; }
int main(void) {
    forall (i = 0:N-1) C[i] = i;
    forall (i = 0:N-1) P[i] = i * 7 % N;
    for (int t = 0; t < 10; t++) {
        forall (i = 0:1799) A[3*i] = A[3*i] + 2 * C[2*i+100];
        forall (i = 0:N-1) G[i] = C[P[i]];
    }
    for (int i = 0; i < 30; i++)
        H[i] = last_one(G[P[i]]);
    printf("%g\n", sum(A[:]));
    return 0;
}
E
    printf '%s\n' 'message 1e-6' 'byte 1e-9' 'element 1e-20' 'run 1e-20' >profile
    DPC_STATS=advice.json DPC_PROFILE=profile dpcc -w -O0 --run -n 4 advice.dpc
    DPC_PROFILE=profile dpcc -w --report=advice.html --stats=advice.json advice.dpc
    verdict "a page with advice" all 'status_is 0' silent
    shown advice.html
    verdict "it opens" opens_well
    if command -v python3 >/dev/null; then
        verdict "the advice's seconds" python3 - "$SCRATCH/page" <<'END'
import json, re, sys
page = open(sys.argv[1]).read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*)</script>', page)[1])
stats, explained = data['stats'], data['explain']
items = re.findall(r'<li>(.*?)</li>', page[page.index('<section id="advice"'):page.index('<section id="timeline"')])
def seconds(line, word):
    item, = [i for i in items if i.startswith('line %d:' % line) and word in i]
    return [float(re.search(r'data-%s="([^"]*)"' % k, item)[1]) for k in ('before', 'after')]
def counted(line):
    return [s for s in stats['statements'] if s['where'].endswith(':%d' % line)][0]
def busiest(s, messages, moved):
    return max(1e-6 * sum(s[k][p] for k in messages) + 1e-9 * sum(s[k][p] for k in moved) for p in range(4))
def near(x, y):
    assert abs(x - y) <= 1e-6 * max(abs(x), abs(y)), (x, y)
blocks, hint = counted(13), [x for x in explained['hints'] if x['line'] == 13][0]
before, after = seconds(13, 'no closed form')
assert blocks['executions'] == 10
near(before, busiest(blocks, ['messages'], ['bytes']))
exchanges = sum(blocks['messages']) / sum(s for x in explained['statements'] if x['line'] == 13 for s in x['messages'] + x.get('refresh', {}).get('messages', []))
assert exchanges in (1, 10)
near(before, exchanges * hint['predicted']['before']), near(after, exchanges * hint['predicted']['after'])
assert 0 < after < before
gather = counted(14)
before, after = seconds(14, 'gathers')
near(before, busiest(gather, ['messages', 'index_messages', 'value_messages'], ['bytes', 'index_bytes', 'value_bytes']))
near(after, busiest(gather, ['messages', 'value_messages'], ['bytes', 'value_bytes']))
assert after < before
loop = counted(17)
before, after = seconds(16, 'one element after the other')
near(before, max(loop['elapsed']))
near(after, min(before, max(e - s for e, s in zip(loop['elapsed'], loop['seconds'])) / 4))
END
    fi
    if command -v python3 >/dev/null; then
        # Unequal work and many short or few long messages: advice from counts that are given, so that each number is known.
        python3 - <<'END'
import json
stats = json.load(open('advice.json'))
stats['total_seconds'], stats['computing_seconds'], stats['communicating_seconds'] = [8.0] * 4, [6.0, 2.0, 2.0, 2.0], [2.0] * 4
lines = {int(s['where'].rsplit(':')[-1]): s for s in stats['statements']}
for s in stats['statements']:
    s['seconds'], s['elapsed'] = [0.0] * 4, [0.1] * 4
short, long = lines[13], lines[14]
short['seconds'] = [1.0, 2.0, 1.0, 1.0]
short['messages'], short['bytes'], short['partners'] = [100, 400, 100, 100], [1000, 8000, 1000, 1000], [[[1, 100, 1000]], [[0, 200, 4000], [2, 200, 4000]], [[1, 100, 1000]], [[1, 100, 1000]]]
long['seconds'] = [0.9, 0.5, 0.5, 0.5]
long['messages'], long['bytes'], long['partners'] = [2] * 4, [10 ** 8] * 4, [[[p ^ 1, 2, 10 ** 8]] for p in range(4)]
for s in (short, long):
    for k in ('index_messages', 'value_messages', 'index_bytes', 'value_bytes'):
        if k in s: s[k] = [0] * 4
json.dump(stats, open('given.json', 'w'))
END
        DPC_PROFILE=profile dpcc -w --report=given.html --stats=given.json advice.dpc
        shown given.html
        verdict "a page of given counts" opens_well
        verdict "advice from given counts" python3 - "$SCRATCH/page" <<'END'
import re, sys
page = open(sys.argv[1]).read()
items = re.findall(r'<li>(.*?)</li>', page[page.index('<section id="advice"'):page.index('<section id="timeline"')])
def change(*words):
    item, = [i for i in items if all(w in i for w in words)]
    return [float(re.search(r'data-%s="([^"]*)"' % k, item)[1]) for k in ('before', 'after')]
def near(xs, ys):
    assert all(abs(x - y) <= 1e-9 * abs(y) for x, y in zip(xs, ys)), (xs, ys)
near(change('computes 2.00 times the average'), [8, 8 - 6 + 3])
near(change('advice.dpc:13:', '400 messages of 20 B', 'one message to each partner'), [400e-6 + 8000e-9, 2e-6 + 8000e-9])
near(change('advice.dpc:14:', '2 messages of', 'another mapping'), [8, 8 - 0.9])
END
    fi
    # What stands in a header is its own line.
    dpcc -w --run -n 2 -O0 --report=header.html header.dpc
    shown header.html
    verdict "statements of a header" all opens_well 'grep -q "<th[^>]*>fill.h:1</th>" "$SCRATCH/page"'
    # Intervals of given lengths: the page shows whose they are.
    cat >intervals.dpc <<'E'
const int rows[4] = {1, 0, 5, 14};
int computed[4];
double G[20], H[20];
#pragma dpc distribute G(gen_block(rows))
#pragma dpc distribute H(gen_block(computed))
int main(void) { G[:] = 1; H[:] = G[:]; return 0; }
E
    dpcc -w --np=4 --report=intervals.html intervals.dpc
    shown intervals.html
    verdict "intervals of unequal lengths" all opens_well 'grep -q "Elements of a process: 0 to 14" "$SCRATCH/page"' 'grep -q "Owners: computed at run time, from .computed. when the directive is executed" "$SCRATCH/page"'
    if has_mpi openmpi; then
        cores=$(nproc)
        for n in "$cores" $((cores + 1)); do
            MPICC=$(mpicc_of openmpi) dpcc -w -O0 --run -n "$n" --report=cores.html mean.dpc
            shown cores.html
            [ "$n" = "$cores" ] && wanted=0 || wanted=1
            verdict "more processes than cores are pointed out, $n of $cores" all opens_well '[ "$(grep -c "$n processes had $cores core.*who waits" "$SCRATCH/page")" = "$wanted" ]'
        done
        echo "localhost slots=$((cores + 1))" >hosts
        OMPI_MCA_orte_default_hostfile=$PWD/hosts MPICC=$(mpicc_of openmpi) dpcc -w -O0 --run -n $((cores + 1)) --report=cores.html mean.dpc
        shown cores.html
        verdict "not where there may be other hosts" all opens_well '[ "$(grep -c "[0-9] processes had [0-9]" "$SCRATCH/page")" = 0 ]'
    fi
    shown page.html
    verdict "no table, no section of it" [ "$(grep -c 'id="scaling"' "$SCRATCH/page")" = 0 ]
    if has_mpi smpi; then
        dpcc -w -O1 --simulate -n 1,2,8 --report=scaled.html adi.dpc
        shown scaled.html
        verdict "the table of --simulate is drawn" all opens_well sections_are_filled '[ "$(fact processes)" = 8 ]' \
            'grep -qE "<svg[^>]*aria-label=\"speedup over 1 process: 1.00 on 1, [0-9.]+ on 2, [0-9.]+ on 8;" "$SCRATCH/page"' \
            '[ "$(sed -n "/<section id=\"scaling\"/,/<\/section>/p" "$SCRATCH/page" | grep -o "<circle" | wc -l)" = 3 ]'
    fi
    if [ "$EXHAUSTIVE" ]; then
        for example in lu multigrid jacobi; do
            for n in 4 64; do
                DPC_STATS=$example.json dpcc -w --run -n "$n" "$ROOT/examples/$example.dpc"
                dpcc -w --report="$example.html" --stats="$example.json" "$ROOT/examples/$example.dpc"
                shown "$example.html"
                verdict "$example on $n processes" all opens_well sections_are_filled '[ "$(fact processes)" = "$n" ]' '[ "$(fact messages)" = "$(messages "$example.json")" ]'
            done
        done
    fi
fi
