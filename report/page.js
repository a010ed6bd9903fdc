// The page: everything it shows stands in the JSON of #data.
const data = JSON.parse(document.getElementById('data').textContent);
const explained = data.explain, stats = data.stats, events = data.trace, table = data.scaling;
const processes = stats ? stats.processes : explained.processes || 4;
const statedProcesses = stats || explained.processes;

// h(tag, attributes, ...children): an element; attributes that are functions are listeners.
function h(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (typeof value === 'function') node.addEventListener(name, value);
        else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? '' : value);
    }
    node.append(...children.filter(c => c !== null && c !== undefined));
    return node;
}
const at = id => document.getElementById(id);
const sum = list => list.reduce((a, b) => a + b, 0);
const number = x => typeof x === 'number' ? x.toLocaleString('en', {maximumFractionDigits: 0}) : String(x);
function seconds(t) {
    return t === 0 ? '0' : t < 1e-3 ? `${(t * 1e6).toFixed(1)} µs` : t < 1 ? `${(t * 1e3).toFixed(2)} ms` : `${t.toFixed(3)} s`;
}
function bytes(b) {
    for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
        if (b < 1024 || unit === 'GiB') return `${unit === 'B' ? number(b) : b.toFixed(1)} ${unit}`;
        b /= 1024;
    }
    return '';
}
const say = text => { at('live').textContent = text; };

// ---- Relations: a statement has the colour of the most expensive one among its references'
const relations = ['gather', 'scatter', 'sets', 'pipeline', 'broadcast', 'reduce', 'shift', 'local'];
const meaning = {
    local: 'stands where it is used', shift: 'ghost cells of neighbours', sets: 'communication sets', broadcast: 'several processes need it',
    reduce: 'results are combined', gather: 'owners found at run time', scatter: 'owners found at run time', pipeline: 'processes wait for one another'
};
const relationOf = refs => relations.find(r => refs.some(x => x.relation === r)) || 'local';

// ---- Statements: what is explained and what was counted, by line; those of headers by file:line
const lines = new Map();
function lineOf(place) {
    if (!lines.has(place)) lines.set(place, {line: place, statements: [], counted: null, hints: []});
    return lines.get(place);
}
const baseName = path => path.slice(path.lastIndexOf('/') + 1);
function placeOf(s) {
    const colon = s.where.lastIndexOf(':');
    return baseName(s.where.slice(0, colon)) === baseName(data.program) ? Number(s.where.slice(colon + 1)) : s.where;
}
for (const s of explained.statements) lineOf(placeOf(s)).statements.push(s);
for (const x of explained.hints) lineOf(x.line).hints.push(x.text);
for (const s of stats ? stats.statements.filter(s => s.where.includes(':')) : []) lineOf(placeOf(s)).counted = s;
const sentMessages = c => c.messages.map((m, p) => m + c.index_messages[p] + c.value_messages[p]);
const sentBytes = c => c.bytes.map((m, p) => m + c.index_bytes[p] + c.value_bytes[p]);
const longest = stats ? Math.max(1e-12, ...stats.statements.map(s => Math.max(...s.elapsed))) : 1;
const total = stats ? Math.max(...stats.total_seconds) : 0;

// ---- 1. Overview
function fact(name, value, more) {
    return h('div', {class: 'fact'}, h('span', {class: 'faint'}, name), h('b', {}, value), more ? h('span', {class: 'faint'}, more) : null);
}
function overview() {
    at('title').textContent = data.program;
    document.title = `${data.program} - dpcc report`;
    at('head').append(h('p', {class: 'faint'}, `dpcc ${data.version}. `, stats
        ? `Counted on ${processes} ${table ? 'simulated ' : ''}process${processes === 1 ? '' : 'es'}.${table ? ' All seconds are simulated.' : ''}`
        : 'Nothing was counted: run the program with DPC_STATS=FILE.json and give --stats=FILE.json, or use --run --report=FILE.html.'));
    const facts = h('div', {class: 'facts'}, fact('processes', statedProcesses ? number(processes) : 'any', statedProcesses ? null : `pictures are for ${processes}`));
    if (stats) {
        const communicating = stats.communicating_seconds, computing = stats.computing_seconds, mean = sum(computing) / processes;
        facts.append(fact('total', seconds(total)), fact('computing', seconds(mean), `at most ${seconds(Math.max(...computing))}`),
            fact('communicating', seconds(sum(communicating) / processes), `at most ${seconds(Math.max(...communicating))}`),
            fact('imbalance', mean > 0 ? (Math.max(...computing) / mean).toFixed(2) : '-', 'busiest over average'),
            fact('messages', number(sum(stats.statements.map(s => sum(sentMessages(s)))))),
            fact('sent', bytes(sum(stats.statements.map(s => sum(sentBytes(s)))))));
    }
    const grids = h('div', {class: 'pictures'});
    for (const g of explained.grids) {
        const extents = gridExtents(g.extents, processes);
        const size = extents && extents.reduce((a, b) => a * b, 1);
        grids.append(h('figure', {}, extents && size <= 1024 ? gridPicture(g.name, extents) : '', h('figcaption', {class: 'faint'},
            `${g.name}(${g.extents.join(', ')})`, extents ? `: ${extents.join(' × ')} processes` : ': extents known at run time only')));
    }
    at('overview').append(facts, explained.grids.length > 0 ? h('h3', {}, 'Grids') : '', grids);
    if (stats) at('overview').append(processTable());
}
function processTable() {
    const body = h('tbody', {});
    for (let p = 0; p < processes; p++)
        body.append(h('tr', {}, h('th', {scope: 'row'}, String(p)), h('td', {}, seconds(stats.total_seconds[p])), h('td', {}, seconds(stats.computing_seconds[p])),
            h('td', {}, seconds(stats.communicating_seconds[p])), h('td', {}, number(sum(stats.statements.map(s => sentMessages(s)[p])))),
            h('td', {}, bytes(sum(stats.statements.map(s => sentBytes(s)[p]))))));
    const head = ['process', 'total', 'computing', 'communicating', 'messages', 'sent'].map(t => h('th', {scope: 'col'}, t));
    return h('details', {open: processes <= 8}, h('summary', {}, 'Each process'), h('div', {class: 'wide'},
        h('table', {}, h('caption', {}, 'Seconds, messages and bytes of each process'), h('thead', {}, h('tr', {}, ...head)), body)));
}

// ---- 2. Simulated runs
function scaling() {
    const head = ['processes', 'simulated', 'speedup', 'efficiency', 'computing'].map(t => h('th', {scope: 'col'}, t)), drawn = table.runs.filter(r => r.speedup > 0);
    const body = h('tbody', {}, ...table.runs.map(r => h('tr', {}, h('th', {scope: 'row'}, number(r.processes)), h('td', {}, seconds(r.seconds)), h('td', {}, r.speedup.toFixed(2)),
        h('td', {}, `${(100 * r.efficiency).toFixed(1)} %`), h('td', {}, `${(100 * r.computing).toFixed(1)} %`))));
    at('scaling').append(h('p', {class: 'faint'}, `Simulated by SimGrid on ${table.machine ? `'${table.machine}'` : 'the machine that --simulate has by default'}; the rest of the page is of ${processes} processes. `,
        'Computing is the share of all processes\' time that is no communication.'), drawn.length > 1 ? scalingPicture(drawn) : '', h('div', {class: 'wide'}, h('table', {},
        h('caption', {}, `Speedup and efficiency over ${table.runs[0].processes} process${table.runs[0].processes === 1 ? '' : 'es'}`), h('thead', {}, h('tr', {}, ...head)), body)));
}

// ---- 3. The source
function amounts(x) {
    if (!x.counted) return '';
    const c = x.counted, m = sum(sentMessages(c)), k = sum(c.collectives), parts = [`${number(c.executions)}×`];
    if (m > 0) parts.push(`${number(m)} msg`, bytes(sum(sentBytes(c))));
    if (k > 0) parts.push(`${number(k)} coll`);
    return parts.join('  ');
}
// Numbers of each process as "least to most".
function range(list) {
    const least = Math.min(...list), most = Math.max(...list);
    return least === most ? number(least) : `${number(least)} to ${number(most)}`;
}
function comparison(x, s) {
    const names = ['messages', 'bytes', 'elements', 'sections', 'collectives', 'collective_bytes'], body = h('tbody', {}), c = x.counted;
    const times = c && s.executions ? c.executions / x.statements.reduce((n, y) => n + y.executions, 0) : 1;
    for (const name of names) {
        if (!s[name] && !(c && sum(c[name]) > 0)) continue;
        const predicted = s[name] ? range(s[name].map(v => v * times)) : s.unpredicted ? 'not predicted' : '-';
        body.append(h('tr', {}, h('th', {scope: 'row'}, name.replace('_', ' ')), h('td', {}, predicted), h('td', {}, c ? range(c[name]) : '-')));
    }
    return h('table', {}, h('caption', {}, `Each process sends, in ${c ? 'all executions' : 'one execution'}${s.unpredicted ? ' (' + s.unpredicted + ')' : ''}`),
        h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, ''), h('th', {scope: 'col'}, 'predicted'), h('th', {scope: 'col'}, 'counted'))), body);
}
function referenceLine(r) {
    const formulas = r.formulas ? ` A process sends at most: messages ${r.formulas.messages}${r.formulas.bytes !== undefined ? ', bytes ' + r.formulas.bytes : ''}.` : '';
    const dims = r.dims.map(d => d.method && d.case ? `${d.index || ''}: case ${d.case}, ${d.method}, b1 ${d.b1} s1 ${d.s1}, b2 ${d.b2} s2 ${d.s2}${d.sections ? ', ' + d.sections + ' sections a pair' : ''}` : d.method || '').filter(t => t && t !== '-');
    return h('li', {}, h('span', {class: `relation r-${r.relation}`}, r.relation), ' ', h('code', {}, r.text), ` ${r.mapping}`, r.why ? `: ${r.why}.` : '', formulas,
        dims.length ? h('div', {class: 'faint'}, dims.join('; ')) : null);
}
function detail(x) {
    const box = h('div', {class: 'detail'});
    for (const s of x.statements) {
        box.append(h('h3', {}, `${s.kind}  `, h('code', {}, s.text)), h('ul', {}, ...s.refs.map(referenceLine), ...s.notes.map(n => h('li', {class: 'faint'}, n))), comparison(x, s));
    }
    for (const t of x.hints) box.append(h('p', {}, h('b', {}, 'Hint: '), t));
    if (data.generated[x.line]) box.append(h('h3', {}, 'The C that it becomes'), h('pre', {tabindex: 0, 'aria-label': `generated C of line ${x.line}`}, data.generated[x.line]));
    return box;
}
function sourceRow(text, n) {
    const x = lines.get(n), known = x && (x.statements.length > 0 || x.counted || x.hints.length > 0);
    const relation = x && x.statements.length > 0 ? relationOf(x.statements.flatMap(s => s.refs)) : null;
    const row = h('div', {class: `row code ${relation ? 'b-' + relation : ''}`}), time = x && x.counted ? Math.max(...x.counted.elapsed) : 0;
    const bar = time > 0 ? h('i', {style: `width: ${Math.max(1, 100 * time / longest).toFixed(1)}%`}) : null;
    let shown = null;
    row.append(h('div', {class: 'time'}, bar, h('span', {}, time > 0 ? seconds(time) : '')), h('div', {class: 'amount'}, x ? amounts(x) : ''), h('div', {class: 'number'}, String(n)));
    if (known) {
        const button = h('button', {class: 'text', 'aria-expanded': 'false', 'aria-label': `line ${n}: ${text.trim()}${relation ? ', ' + relation : ''}`, click: () => {
            if (shown) shown.remove();
            shown = shown ? null : detail(x);
            if (shown) row.after(shown);
            button.setAttribute('aria-expanded', String(shown !== null));
        }}, text);
        row.append(button);
    } else row.append(h('div', {class: 'text'}, text || ' '));
    return row;
}
function source() {
    const used = relations.filter(r => explained.statements.some(s => s.refs.some(x => x.relation === r)));
    at('source').append(h('p', {class: 'faint'}, 'A line with a statement opens with Enter or a click: why, formulas, predicted and counted, and the C that it becomes.',
        stats ? ' Bars are the time from a statement to the next one, on the slowest process.' : ''),
        h('ul', {class: 'legend', 'aria-label': 'colours'}, ...used.map(r => h('li', {}, h('span', {class: `relation r-${r}`}, `■ ${r}`), ` ${meaning[r]}`))),
        h('div', {class: 'source'}, ...data.source.map((text, k) => sourceRow(text, k + 1))));
}

// ---- 4. Arrays
function mappingRow(a, dims, grid, label, view) {
    const g = explained.grids.find(x => x.name === grid), rank = dims.filter(d => d.grid_dim !== null && d.grid_dim !== undefined).length;
    const extents = rank === 0 ? [1] : gridExtents(g ? g.extents : new Array(rank).fill('*'), processes);
    const along = extents && coordinates(a, dims, extents, explained.arrays, view);
    const box = h('div', {}, h('p', {}, h('b', {}, label), ' ', describedDims(a, dims), grid ? ` onto ${grid}` : ''));
    const owners = dims.map(d => d.owners).filter(Boolean);
    if (!along) return box.append(h('p', {class: 'faint'}, owners.length ? `Owners: ${owners.join('; ')}.` : 'Extents or blocks are known at run time only.')), box;
    const counts = elementsPerProcess(dims, along, extents), size = a.size;
    while (counts.length < processes) counts.push(0);
    box.append(ownersPicture(a.name, dims, along, extents), h('p', {}, `Elements of a process: ${range(counts)}`, size ? ` (${bytes(Math.max(...counts) * size)} at most)` : ''));
    return box;
}
function arrays() {
    const cards = h('div', {class: 'cards'});
    for (const a of explained.arrays) {
        const ghosts = a.dims.map(d => d.ghost_cells && sum(d.ghost_cells) > 0 ? `${d.ghost_cells[0]} below, ${d.ghost_cells[1]} above` : 'none');
        const card = h('article', {class: 'card', 'aria-label': `array ${a.name}`}, h('h3', {}, h('code', {}, `${a.type} ${a.name}`), h('span', {class: 'faint'}, `  line ${a.line}`)),
            h('p', {class: 'faint'}, a.dims.map(d => `${d.lower}:${typeof d.extent === 'number' && typeof d.lower === 'number' ? d.lower + d.extent - 1 : '(' + d.extent + ' elements)'}`).map(t => `[${t}]`).join('')),
            mappingRow(a, a.dims, a.grid, a.mappings ? 'at first:' : '', 0));
        (a.mappings || []).forEach((m, k) => card.append(mappingRow(a, m.dims, m.grid, 'also:', k + 1)));
        card.append(h('p', {}, `Ghost cells: ${ghosts.join(' × ')}`));
        if (a.aligned) card.append(h('p', {class: 'faint'}, h('code', {}, a.aligned)));
        for (const d of a.dims) if (d.reason) card.append(h('p', {class: 'faint'}, `Chosen: ${d.reason}; estimated ${seconds(d.seconds)}.`));
        cards.append(card);
    }
    at('arrays').append(explained.arrays.length > 0 ? cards : h('p', {}, 'No array is distributed.'));
}

// ---- 5. Matrices
function matrixOf(statement, what) {
    const matrix = Array.from({length: processes}, () => new Array(processes).fill(0));
    for (const s of stats.statements)
        if (statement === 'all' || s.where === statement) s.partners.forEach((list, p) => { for (const [q, m, b] of list) matrix[p][q] += what === 'messages' ? m : b; });
    return matrix;
}
function traffic() {
    if (!stats) return at('traffic').append(h('p', {}, 'Needs counts (--stats).'));
    const which = h('select', {id: 'which', change: draw}, h('option', {value: 'all'}, 'all statements'),
        ...stats.statements.filter(s => s.partners.some(l => l.length > 0)).map(s => h('option', {value: s.where}, `${s.where}  ${s.text || ''}`)));
    const what = h('select', {id: 'what', change: draw}, h('option', {value: 'bytes'}, 'bytes'), h('option', {value: 'messages'}, 'messages'));
    const box = h('div', {class: 'wide', id: 'matrix'});
    at('traffic').append(h('p', {}, h('label', {for: 'which'}, 'Statement '), which, ' ', h('label', {for: 'what'}, 'show '), what), box);
    function draw() {
        const matrix = matrixOf(which.value, what.value), most = Math.max(...matrix.map(r => Math.max(...r))), all = sum(matrix.map(sum)), pairs = [];
        matrix.forEach((r, p) => r.forEach((v, q) => { if (v > 0) pairs.push([v, p, q]); }));
        pairs.sort((x, y) => y[0] - x[0]);
        const label = `${what.value} from process (row) to process (column): ${number(all)} in all, at most ${number(most)} of a pair, ${pairs.length} pairs`;
        box.replaceChildren(h('p', {id: 'matrix-facts'}, label), matrixPicture(matrix, most, label, what.value),
            h('details', {}, h('summary', {}, 'The largest, as a table'), h('table', {}, h('thead', {}, h('tr', {}, ...['from', 'to', what.value].map(t => h('th', {scope: 'col'}, t)))),
                h('tbody', {}, ...pairs.slice(0, 20).map(([v, p, q]) => h('tr', {}, h('td', {}, String(p)), h('td', {}, String(q)), h('td', {}, number(v))))))));
        say(label);
    }
    draw();
}

// ---- 6. Statements
function statements() {
    const columns = [['line', x => x.line], ['statement', x => (x.statements[0] || {}).text || (x.counted || {}).text || ''], ['relation', x => relationOf(x.statements.flatMap(s => s.refs))]];
    if (stats) {
        const of = (name, f) => x => x.counted ? f(x.counted) : 0;
        columns.push(['executions', of('', c => c.executions)], ['seconds', of('', c => Math.max(...c.elapsed)), seconds], ['communicating', of('', c => Math.max(...c.seconds)), seconds],
            ['messages', of('', c => sum(sentMessages(c)))], ['bytes', of('', c => sum(sentBytes(c))), bytes], ['collectives', of('', c => sum(c.collectives))],
            ['plans made', of('', c => sum(c.plans_made))], ['reused', of('', c => sum(c.plans_reused))]);
    }
    const rows = [...lines.values()].filter(x => x.statements.length > 0 || x.counted), body = h('tbody', {});
    const heads = columns.map(([name], k) => h('th', {scope: 'col', class: k === 1 || k === 2 ? 'text' : ''}, h('button', {click: () => sortBy(k)}, name)));
    let by = stats ? 4 : 0, down = stats !== null;
    function sortBy(k, keep) {
        if (!keep) { down = by === k ? !down : k > 2; by = k; }
        const key = columns[by][1];
        rows.sort((x, y) => (key(x) < key(y) ? -1 : key(x) > key(y) ? 1 : String(x.line).localeCompare(String(y.line), 'en', {numeric: true})) * (down ? -1 : 1));
        body.replaceChildren(...rows.map(x => h('tr', {}, ...columns.map(([name, f, shown], c) => {
            const value = f(x);
            return h(c === 0 ? 'th' : 'td', {class: c === 1 || c === 2 ? 'text' : ''}, c === 1 ? h('code', {}, value.length > 70 ? value.slice(0, 69) + '…' : value) : c === 2 ? h('span', {class: `relation r-${value}`}, value) : shown ? shown(value) : number(value));
        }))));
        heads.forEach((cell, c) => { if (c === by) cell.setAttribute('aria-sort', down ? 'descending' : 'ascending'); else cell.removeAttribute('aria-sort'); });
        if (!keep) say(`sorted by ${columns[by][0]}, ${down ? 'descending' : 'ascending'}`);
    }
    sortBy(by, true);
    at('statements').append(h('div', {class: 'wide'}, h('table', {}, h('caption', {}, `${stats ? 'Sums over processes; seconds of the slowest. ' : ''}A column's name sorts by it.`), h('thead', {}, h('tr', {}, ...heads)), body)));
}

// ---- 7. What to change: with seconds before and after where they follow from the cost model or from counts
const busiest = f => Math.max(...Array.from({length: processes}, (_, p) => f(p)));
const priced = (messages, bytes) => messages * data.costs.message + bytes * data.costs.byte;
const plural = (n, word) => `${number(n)} ${word}${n === 1 ? '' : 's'}`;
function change(before, after, how) {
    return h('span', {class: 'predicted', 'data-before': before, 'data-after': after}, ` ${how}: `, h('b', {}, seconds(before)), ' now, ', h('b', {}, seconds(after)), ' then.');
}
// By the cost model, of one execution if nothing was counted; else of as many as have sent what is predicted: values that stay are sent once.
function blocksChange(x) {
    const {counted, statements} = lineOf(x.line), each = sum(statements.map(s => sum(s.messages || []) + sum((s.refresh || {}).messages || [])));
    if (!x.predicted || (counted && each === 0)) return null;
    const times = counted ? Math.min(counted.executions, sum(sentMessages(counted)) / each) : 1;
    return change(times * x.predicted.before, times * x.predicted.after, `By the cost model, the busiest process, ${plural(times, 'exchange')}`);
}
function inspectorChange(x) {
    const c = lineOf(x.line).counted;
    if (!c || sum(c.index_messages) === 0) return null;
    return change(busiest(p => priced(sentMessages(c)[p], sentBytes(c)[p])), busiest(p => priced(sentMessages(c)[p] - c.index_messages[p], sentBytes(c)[p] - c.index_bytes[p])),
        'What was counted, by the cost model, without the messages that ask for elements, on the busiest process');
}
// The statements of the loop: all processes compute all of it.
function loopChange(x) {
    const within = stats ? stats.statements.filter(s => placeOf(s) >= x.line && placeOf(s) <= x.last_line) : [];
    const elapsed = sum(within.map(s => Math.max(...s.elapsed))), computing = busiest(p => sum(within.map(s => s.elapsed[p] - s.seconds[p])));
    return elapsed > 0 && processes > 1 ? change(elapsed, Math.min(elapsed, computing / processes), 'At best, with its computing shared equally and nothing moved') : null;
}
const hintChange = {blocks: blocksChange, inspector: inspectorChange, loop: loopChange};
function imbalance(list) {
    const mean = sum(stats.computing_seconds) / processes, most = Math.max(...stats.computing_seconds);
    if (mean > 0 && most > 1.25 * mean && most > 0.01 * total)
        list.append(h('li', {}, `The busiest process computes ${(most / mean).toFixed(2)} times the average. cyclic(auto) deals shrinking work evenly.`,
            change(total, total - most + mean, 'The whole program, with equal work for all')));
}
function costly(list, s) {
    const t = Math.max(...s.seconds), m = Math.max(...sentMessages(s)), b = Math.max(...sentBytes(s)), partners = Math.max(...s.partners.map(l => l.length));
    if (t < 0.1 * total || m === 0) return;
    const short = b / m < 4096, fewer = short && m > partners && partners > 0;
    list.append(h('li', {}, `${s.where}: ${seconds(t)} of ${seconds(total)} go into ${number(m)} messages of ${bytes(b / m)} on average`,
        short ? '; they are short: fewer, longer ones would help (loops in another order, another mapping, redistribute before the loop).' : '; another mapping could keep these elements where they are used.',
        fewer ? change(busiest(p => priced(sentMessages(s)[p], sentBytes(s)[p])), busiest(p => priced(s.partners[p].length, sentBytes(s)[p])), 'By the cost model, as one message to each partner, at best') : null,
        short ? null : change(total, total - t, 'The whole program, at best')));
}
function advice() {
    const list = h('ul', {});
    for (const x of explained.hints) list.append(h('li', {}, `line ${x.line}: ${x.text}.`, hintChange[x.about](x)));
    const compared = (explained.blocks || []).flatMap(b => b.candidates.map(c => [b, c]));
    if (stats && data.cores > 0 && processes > data.cores)
        list.append(h('li', {}, `${number(processes)} processes had ${plural(data.cores, 'core')}: who waits for a message takes time from who computes. Messages and bytes are those of any machine; for times, run no more processes than cores.`));
    if (stats && processes > 1) {
        imbalance(list);
        [...stats.statements].sort((a, b) => Math.max(...b.seconds) - Math.max(...a.seconds)).slice(0, 3).forEach(s => costly(list, s));
    }
    at('advice').append(list.children.length > 0 ? list : h('p', {}, 'Nothing that dpcc knows of.'));
    if (compared.length > 0)
        at('advice').append(h('h3', {}, 'Block sizes that were compared'), h('div', {class: 'wide'}, h('table', {}, h('caption', {}, 'Predicted, of the busiest process, in all executions'),
            h('thead', {}, h('tr', {}, ...['formats', 'balance', 'messages', 'elements', 'seconds', ''].map(t => h('th', {scope: 'col'}, t)))),
            h('tbody', {}, ...compared.map(([, c]) => h('tr', {}, h('th', {scope: 'row'}, h('code', {}, c.formats.join(', '))), h('td', {}, c.balance === undefined ? '-' : Number(c.balance).toFixed(2)), h('td', {}, number(c.messages ?? 0)),
                h('td', {}, number(c.elements ?? 0)), h('td', {}, c.seconds === undefined || c.seconds === null ? 'not possible' : seconds(c.seconds)), h('td', {class: 'text'}, c.chosen ? 'chosen' : '')))))));
}

// ---- 8. The time line
function timeline() {
    if (!events) return at('timeline').append(h('p', {}, 'Needs a time line: --run --report, or DPC_TRACE=FILE.json beside DPC_STATS.'));
    const end = Math.max(1e-9, ...events.list.map(e => e[2] + e[3])), box = h('div', {class: 'wide', id: 'events'});
    let from = 0, to = end;
    const show = (a, b) => {
        const width = Math.min(end, Math.max(b - a, end / 1e6));
        from = Math.max(0, Math.min(a, end - width));
        to = from + width;
        box.replaceChildren(timelinePicture(events.list, processes, from, to, events.names));
        say(`${seconds(from)} to ${seconds(to)}`);
    };
    const middle = () => (from + to) / 2, width = () => to - from;
    const buttons = [['Zoom in', () => show(middle() - width() / 4, middle() + width() / 4)], ['Zoom out', () => show(middle() - width(), middle() + width())],
        ['Earlier', () => show(from - width() / 2, to - width() / 2)], ['Later', () => show(from + width() / 2, to + width() / 2)], ['All', () => show(0, end)]];
    at('timeline').append(h('p', {}, ...buttons.flatMap(([name, f]) => [h('button', {click: f}, name), ' ']), h('span', {class: 'faint'}, `${number(events.list.length)} events`, events.missing > 0 ? `; ${number(events.missing)} short ones are left out` : '')), box);
    show(0, end);
}

if (!table) at('scaling').remove();
for (const section of document.querySelectorAll('main section')) at('contents').append(h('li', {}, h('a', {href: `#${section.id}`}, section.querySelector('h2').textContent)));
overview(); if (table) scaling(); source(); arrays(); traffic(); statements(); advice(); timeline();
document.documentElement.dataset.ready = 'yes';
