# The closed forms that --explain says, evaluated for every pair of processes, beside the owners of the elements.
# shellcheck shell=bash disable=SC2016
cat >evaluate.py <<'END'
import json, re, sys
from collections import defaultdict
cases = json.load(open('cases.json'))
report = json.load(open(sys.argv[1]))
known = int(sys.argv[2]) if len(sys.argv) > 2 else 0
def value(text, **names):
    return eval(text.replace('mod', '%'), {}, names)
def members(text, names, unknown, N):
    if '<' in text:
        return {x for x in range(N) if value(text, N=N, **names, **{unknown: x})}
    of, _, times = text.partition(', t = 0..')
    return {value(of, N=N, t=t, **names) for t in range(int(times or 0) + 1)}
statements = [s for s in report['statements'] if s['kind'] == 'forall']
assert len(statements) == len(cases)
for case, s in zip(cases, statements):
    b1, s1, o1, b2, s2, o2, n = case
    sets = s['refs'][0]['dims'][0]['sets']
    for N in [known] if known else (1, 2, 3, 6):
        pairs = defaultdict(set)
        for i in range(n): pairs[(o2 + s2 * i) // b2 % N, (o1 + s1 * i) // b1 % N].add(i)
        assert pairs
        for p in range(N):
            to = members(sets['send'], {'p': p}, 'q', N)
            come = members(sets['receive'], {'q': p}, 'p', N)
            for q in range(N):
                found, names = set(), {'p': p, 'q': q, 'N': N}
                t0, length, block = value(sets['offset'], **names), sets['length'], sets['block']
                period, end = value(sets['period'], **names), value(sets['end'], t0=t0, **names)
                runs = set(range(0, end + 1))
                for first in range(t0, block, period): runs |= set(range(first, min(first + length, block)))
                zero, cycle = value(sets['start'], k=0, **names), value(sets['start'], k=1, **names)
                cycle -= zero
                for k in range(-(zero + block) // cycle - 1, (n - zero) // cycle + 2):
                    start = zero + k * cycle
                    found |= {start + x for x in runs if 0 <= start + x < n}
                assert found == pairs.get((p, q), set()), (case, N, p, q)
                assert q in to if found else True, (case, N, p, q, 'send')
                assert (p == q) or (q in come) == bool(pairs.get((q, p))) or n < block * N, (case, N, p, q, 'receive')
                assert (q in to) == bool(found) or n < block * N, (case, N, p, q, 'send')
END
cat >sets.py <<'END'
import json, random
random.seed(20261122)
cases, arrays, statements = [], [], []
while len(cases) < 16:
    h, r, s1, s2 = random.randint(1, 6), random.choice((1, 1, 2, 3, 4, 6)), random.randint(1, 4), random.randint(1, 4)
    b1, b2 = (h * s1, h * r * s2) if random.random() < 0.5 else (h * r * s1, h * s2)
    n, o1, o2 = random.randint(200, 400), random.randint(0, 40), random.randint(0, 40)
    first = [f'{o1} + {s1} * i', f'{o2} + {s2} * i']
    if random.random() < 0.4: o1, s1, first[0] = o1 + s1 * (n - 1), -s1, f'{o1 + s1 * (n - 1)} - {s1} * i'
    if random.random() < 0.4: o2, s2, first[1] = o2 + s2 * (n - 1), -s2, f'{o2 + s2 * (n - 1)} - {s2} * i'
    k = len(cases)
    cases.append((b1, s1, o1, b2, s2, o2, n))
    arrays.append(f'double A{k}[2000], C{k}[2000];\n#pragma dpc distribute A{k}(cyclic({b1})), C{k}(cyclic({b2}))')
    space = f'0:{n - 1}' if random.random() < 0.5 else f'{n - 1}:0:-1'
    statements.append(f'forall (i = {space}) A{k}[{first[0]}] = C{k}[{first[1]}];')
open('sets.dpc', 'w').write('\n'.join(arrays) + '\nint main(void) {\n' + '\n'.join(statements) + '\nreturn 0;\n}\n')
functions = [f'void f{k}(void) {{ {text} }}\n' for k, text in enumerate(statements)]
open('apart.dpc', 'w').write('\n'.join(arrays + functions) + 'int main(void) { return 0; }\n')
json.dump(cases, open('cases.json', 'w'))
END
# With --np the boundary indices stand in the text: each table, read back, beside the owners of the elements.
cat >tables.py <<'END'
import json, re, sys
cases, N, text = json.load(open('cases.json')), int(sys.argv[2]), open(sys.argv[1]).read()
parts = re.split(r'/\* (?:apart\.dpc:\d+: )?A', text)[1:]
assert len(parts) == len(cases)
read = 0
for k, (case, part) in enumerate(zip(cases, parts)):
    b1, s1, o1, b2, s2, o2, n = case
    local = lambda x, b: x // (b * N) * b + x % b
    table = r'static const dpc_runs_of_pair i_sets\[(\d+)\]\[(\d+)\] = \{\s*/\* \[owner of (\w).*?\*/(.*?)\n +\};'
    tables = re.findall(table + r'.*?i(?:_begin)? \+= (\d+)', part, re.S)
    for t in tables:
        rows, columns, side, body, period = t
        b, s, o, other = (b1, s1, o1, (b2, s2, o2)) if side == 'A' else (b2, s2, o2, (b1, s1, o1))
        entries = re.findall(r'\{(-?\d+), (-?\d+), (-?\d+)\}|\{\.reach = (-1)\}', re.sub(r'/\*.*?\*/', '', body))
        assert len(entries) == int(rows) * int(columns) == N * N, (k, len(entries))
        read += 1
        for p in range(N):
            for q in range(N):
                shared = {i for i in range(n) if (o + s * i) // b % N == p and (other[2] + other[1] * i) // other[0] % N == q}
                first, reach, at, none = entries[p * N + q]
                if none:
                    assert not shared, (k, p, q)
                    continue
                first, reach, at = int(first), int(reach), int(at)
                runs = {i for begin in range(first, n, int(period)) for i in range(begin, begin + reach + 1) if 0 <= i < n}
                assert runs == shared, (k, side, p, q)
                for i in range(max(first, 0), min(first + reach + 1, n)):
                    assert at + s * (i - first) == local(o + s * i, b), (k, side, p, q, i)
assert read >= 4, read
END
reads_back() {
    python3 tables.py "$SCRATCH/out" "$1"
}
evaluates() {
    command -v python3 >/dev/null || return 0
    python3 evaluate.py "$SCRATCH/out" "$@"
}
command -v python3 >/dev/null && python3 sets.py
if [ -e sets.dpc ]; then
    dpcc --explain=json sets.dpc
    verdict "any number of processes" all 'status_is 0' evaluates
    dpcc --explain=json --np=5 sets.dpc
    verdict "--np" all 'status_is 0' 'evaluates 5'
    for processes in 2 5 8; do
        dpcc -w --np=$processes -S apart.dpc -o -
        verdict "boundary indices as literals, $processes processes" all 'status_is 0' "reads_back $processes"
    done
    dpcc -w --np=9 -S apart.dpc -o -
    verdict "tables of at most 64 pairs" all 'status_is 0' '! grep -q _of_pair "$SCRATCH/out"'
    dpcc --explain sets.dpc
    verdict "text" all 'status_is 0' 'prints_like "^               send_pe(p) = { "' 'prints_like "^               iterations of (p,q): "'
fi
