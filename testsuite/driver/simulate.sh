# --simulate: time on a described machine, the scaling table, wrong descriptions.
# shellcheck shell=bash disable=SC2016,SC2034
cat >move.dpc <<'E'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1 << 20 };
double A[N], B[N];
#pragma dpc distribute A(block)
#pragma dpc distribute B(cyclic)
int main(int argc, char **argv) {
    A[:] = 1;
    B[:] = A[:];
    printf("%g\n", B[3]);
    return argc > 1 ? atoi(argv[1]) : 0;
}
E
fails_with 2 "there is no key 'node'" --simulate=node=3 move.dpc
fails_with 2 "'1.5' is no value of 'latency'" --simulate=latency=1.5 move.dpc
fails_with 2 "'0' is no value of 'nodes'" --simulate=nodes=0 move.dpc
fails_with 2 "1 to 1000000 nodes" --simulate=nodes=1.5 move.dpc
fails_with 2 "'1e9' is no value of 'nodes'" --simulate=nodes=1e9 move.dpc
for value in flops=1e400 flops=1e300G flops=1e-300G latency=1e400s latency=1e300s bandwidth=1e400GB/s bandwidth=1e-300GB/s; do
    fails_with 2 "is no value of '${value%%=*}'" --simulate=$value move.dpc
done
fails_with 2 "'us' is neither KEY=VALUE" --simulate=latency=1us,us move.dpc
fails_with 3 "cannot read the platform 'absent.xml'" --simulate=absent.xml move.dpc
fails_with 3 "cannot read the platform '.': Is a directory" --simulate=. move.dpc
fails_with 2 "serial cannot be used with it" --simulate --serial move.dpc
fails_with 2 "-n takes several numbers with --simulate and --test only" --run -n 1,2 move.dpc
fails_with 2 "takes a number of processes, 1 or more, not 'x'" --simulate -n 1,x move.dpc
fails_with 2 "fixes the number of processes: -n 4" --simulate --np=2 -n 2,4 move.dpc
mkdir empty && ln -s "$(command -v timeout)" empty
PATH=$PWD/empty dpcc --simulate move.dpc
verdict "without SimGrid" all 'status_is 3' "says \"'smpicc' was not found\"" 'says libsimgrid-dev'
has_mpi smpi || return 0

# Each of 4 processes sends 3 messages of 512 KiB: 15.7 ms at 100 MB/s, 1.57 ms at 1 GB/s, and what packing takes here.
seconds() { sed -n 's/^simulated: .* processes, \([0-9.]*\) s;.*/\1/p' "$SCRATCH/err"; }
# Computing takes this machine's flop/s over the node's times as long: 2 operations of the profile's seconds each.
cat >work.dpc <<'E'
#include <stdio.h>
double A[100000];
#pragma dpc distribute A(block)
int main(void) {
    forall (i = 0:99999) A[i] = i;
    for (int t = 0; t < 2000; t++) forall (i = 0:99999) A[i] = A[i] * 0.999 + 1;
    printf("%d\n", sum(A[:]) > 0);
    return 0;
}
E
echo 'operation 2e-10' >profile
computed=()
for flops in flops=1G, flops=100G, ''; do
    DPC_PROFILE=$PWD/profile dpcc -O1 --simulate=${flops}latency=1us -n 1 work.dpc
    if [ "$flops" ]; then verdict "$flops: this machine is said" says '^simulated: a processor here counts as 1e+10 flop/s, as --calibrate has measured$'
    else verdict "no flops: no machine is compared" all 'status_is 0' '! says "counts as"'; fi
    computed[${#computed[@]}]=$(seconds)
done
verdict "flops scale computing" awk -v one="${computed[0]}" -v hundred="${computed[1]}" -v same="${computed[2]}" \
    'BEGIN { exit !(one / hundred > 20 && one / hundred < 500 && one / same > 2 && one / same < 50) }'
DPC_PROFILE=/dev/null dpcc -O1 --simulate=flops=1G -n 1 work.dpc
verdict "flops without a profile" all 'status_is 0' 'says "^simulated: a processor here counts as [0-9.]*e+\(08\|09\|10\|11\) flop/s, measured now$"'
dpcc -O1 --simulate=flops=10G,latency=1us,bandwidth=100MB/s -n 4 move.dpc
verdict "a machine" all 'status_is 0' 'prints 1' 'says "^simulated: 4 processes, "' 'says "^move.dpc:9 .* 12  *6291456$"'
slow=$(seconds)
verdict "its time" awk -v t="$slow" 'BEGIN { exit !(t > 0.0157 && t < 10) }'
dpcc -O1 --simulate=latency=100ms,bandwidth=100GB/s -n 4 move.dpc
late=$(seconds)
verdict "its latency" awk -v t="$late" 'BEGIN { exit !(t > 0.1) }'
DPC_STATS=table.json dpcc -O1 --simulate -n 1,4 move.dpc
verdict "a table" all 'status_is 0' 'prints 1' 'says "^processes .*speedup"' 'says "^  *1 .* 1.00 .* 100.0%"' 'says "^  *4 "' '[ -s table.json ]' \
    "grep -q '\"runs\":' table.json" "[ \"\$(grep -c '\"speedup\":' table.json)\" = 2 ]"
DPC_STATS=both.json dpcc -O1 --simulate=latency=2us -n 4,1,2 --report=page.html move.dpc
verdict "a page of the table" all 'status_is 0' 'prints 1' 'says "^processes .*speedup"' '[ "$(grep -c "\"speedup\":" both.json)" = 3 ]' '[ "$(tail -n 1 page.html)" = "</html>" ]'
if command -v python3 >/dev/null; then
    verdict "the page has the table, and the counts of the most processes" python3 - <<'END'
import json, re
data = json.loads(re.search(r'<script type="application/json" id="data">(.*)</script>', open('page.html').read())[1])
table = json.load(open('both.json'))
assert data['scaling']['machine'] == table['machine'] == 'latency=2us'
assert [r['processes'] for r in table['runs']] == [4, 1, 2] == [r['processes'] for r in data['scaling']['runs']]
for shown, written in zip(data['scaling']['runs'], table['runs']):
    assert all(shown[k] == written[k] for k in ('seconds', 'speedup', 'efficiency', 'computing'))
assert data['stats']['processes'] == 4 == data['explain']['processes'] and data['stats']['statements'] == table['runs'][0]['statements']
assert data['trace']['list']
END
fi
fails_with 2 "counts anew" --simulate -n 2 --report=page.html --stats=both.json move.dpc
cat >two.xml <<'E'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-1" speed="10Gf" bw="1GBps" lat="1us"/>
</platform>
E
dpcc -O1 --simulate=two.xml -n 3 move.dpc
verdict "a platform file" all 'status_is 0' 'prints 1' 'says "^simulated: 3 processes"'
sed 's/cluster/cloister/' two.xml >wrong.xml
dpcc -O1 --simulate=wrong.xml -n 3 move.dpc
verdict "a wrong platform file" all 'status_is 3' "says \"simulation on 'wrong.xml'\""
dpcc -O1 --simulate -n 2 move.dpc -- 7
verdict "the program's exit status" all 'status_is 7' 'says "^simulated: 2 processes"'
DPC_STATS=ended.json dpcc -O1 --simulate -n 1,2 move.dpc -- 7
verdict "a table of a program that fails" all 'status_is 7' 'says "^processes .*speedup"' "[ \"\$(grep -c '\"speedup\":' ended.json)\" = 2 ]"
