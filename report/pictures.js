// Pictures as SVG: grids, owners, matrices, the time line.
const svgSpace = 'http://www.w3.org/2000/svg';
function svg(tag, attributes, ...children) {
    const node = document.createElementNS(svgSpace, tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    for (const child of children) node.append(child);
    return node;
}
function picture(width, height, label, ...children) {
    return svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label}, ...children);
}
// The colour of a process: hues that neighbours do not share.
function colourOf(process) {
    return process < 0 ? 'var(--line)' : `hsl(${(process * 137.508) % 360} 55% ${process % 2 ? 62 : 48}%)`;
}

// As MPI_Dims_create: N over the extents that are '*', as square as possible.
function gridExtents(extents, processes) {
    let rest = processes;
    const free = [];
    const found = extents.map((e, k) => {
        if (typeof e === 'number') { rest = Math.floor(rest / e); return e; }
        free.push(k);
        return 1;
    });
    if (extents.some(e => typeof e === 'string' && e !== '*')) return null;
    const factors = [];
    for (let f = 2; rest > 1 && free.length > 0; f++)
        while (rest % f === 0) { factors.push(f); rest /= f; }
    for (const f of factors.reverse()) {
        let least = free[0];
        for (const k of free) if (found[k] < found[least]) least = k;
        found[least] *= f;
    }
    const sorted = free.map(k => found[k]).sort((a, b) => b - a);
    free.forEach((k, n) => { found[k] = sorted[n]; });
    return found;
}
function gridPicture(name, extents) {
    const rows = extents.length > 1 ? extents[0] : 1, columns = extents.length > 1 ? extents[1] : extents[0];
    const size = Math.max(10, Math.min(38, Math.floor(360 / Math.max(rows, columns))));
    const cells = [];
    for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) {
            const rank = i * columns + j;
            cells.push(svg('rect', {x: j * size, y: i * size, width: size - 1, height: size - 1, fill: colourOf(rank)}));
            if (size > 20) cells.push(svg('text', {x: j * size + size / 2 - 1, y: i * size + size / 2 + 4, 'text-anchor': 'middle', style: 'fill: #000'}, String(rank)));
        }
    return picture(columns * size, rows * size, `grid ${name}: ${extents.join(' by ')} processes, numbered row by row`, ...cells);
}

// ---- Owners
// Along a dimension: the coordinate of element k (from 0), or null where it is known at run time only.
function coordinateOf(array, dim, k, extents, arrays, view) {
    let d = dim, at = k;
    if (dim.aligned) {
        const a = dim.aligned, target = arrays.find(x => x.name === a.with);
        if (!target || typeof a.stride !== 'number' || typeof a.offset !== 'number') return null;
        d = (view > 0 ? (target.mappings || [])[view - 1] || target : target).dims[a.dimension - 1];
        at = a.offset + a.stride * (k + dim.lower) - d.lower;
    }
    if (d.sizes) { let q = 0, last = d.sizes[0]; while (at >= last && q < d.sizes.length - 1) last += d.sizes[++q]; return q; }
    if (typeof d.block !== 'number' || d.grid_dim === null) return null;
    const p = extents[d.grid_dim];
    const block = Math.floor(at / d.block);
    return d.format === 'cyclic' ? block % p : d.format === 'block' ? block : null;
}
function describedDims(array, dims) {
    return dims.map(d => `${d.format}${typeof d.block === 'number' && d.format !== '*' ? `, blocks of ${d.block}` : ''}`).join(' × ');
}
// Per dimension: coordinates of all elements; null where something is not known.
// view: 0 the first mapping, then those that it gets, as what it is aligned with has them.
function coordinates(array, dims, extents, arrays, view) {
    const all = [];
    for (const d of dims) {
        if (typeof d.extent !== 'number' || typeof d.lower !== 'number' || d.extent > 4e6) return null;
        if (d.format === '*') { all.push(null); continue; }
        const along = new Int32Array(d.extent);
        for (let k = 0; k < d.extent; k++) {
            const c = coordinateOf(array, d, k, extents, arrays, view);
            if (c === null) return null;
            along[k] = c;
        }
        all.push(along);
    }
    return all;
}
function elementsPerProcess(dims, along, extents) {
    const processes = extents.reduce((a, b) => a * b, 1), counts = new Array(processes).fill(1);
    let others = 1;
    dims.forEach((d, k) => {
        if (!along[k]) { others *= d.extent; return; }
        const of = new Array(extents[d.grid_dim]).fill(0);
        for (const c of along[k]) if (c < of.length) of[c]++;
        for (let p = 0; p < processes; p++) counts[p] *= of[coordinatesOfProcess(p, extents)[d.grid_dim]];
    });
    return counts.map(c => c * others);
}
function coordinatesOfProcess(p, extents) {
    const found = new Array(extents.length);
    for (let g = extents.length - 1; g >= 0; g--) { found[g] = p % extents[g]; p = Math.floor(p / extents[g]); }
    return found;
}
function processAt(dims, along, index, extents) {
    const found = new Array(extents.length).fill(0);
    dims.forEach((d, k) => { if (along[k]) found[d.grid_dim] = along[k][index[k]]; });
    return found.reduce((rank, c, g) => rank * extents[g] + c, 0);
}
function ownersPicture(name, dims, along, extents) {
    const flat = dims.length === 1, rows = flat ? 1 : dims[0].extent, columns = flat ? dims[0].extent : dims[1].extent;
    const shownRows = Math.min(rows, 48), shownColumns = Math.min(columns, flat ? 96 : 48);
    const width = 300, cell = width / Math.max(shownColumns, 1), height = flat ? 26 : Math.max(20, Math.min(300, cell * shownRows));
    const cells = [];
    for (let i = 0; i < shownRows; i++)
        for (let j = 0; j < shownColumns; j++) {
            const index = new Array(dims.length).fill(0);
            const y = Math.floor((i + 0.5) * rows / shownRows), x = Math.floor((j + 0.5) * columns / shownColumns);
            if (flat) index[0] = x; else { index[0] = y; index[1] = x; }
            const p = processAt(dims, along, index, extents);
            const rect = svg('rect', {x: j * cell, y: i * height / shownRows, width: cell + 0.4, height: height / shownRows + 0.4, fill: colourOf(p)});
            rect.append(svg('title', {}, `${name}[${index.map((v, k) => v + dims[k].lower).join('][')}]: process ${p}`));
            cells.push(rect);
        }
    const sliced = dims.length > 2 ? ', the first two dimensions at the first index of the others' : '';
    return picture(width, height, `owners of ${name}${sliced}`, ...cells);
}

// ---- Matrices
function matrixPicture(matrix, most, label, unit) {
    const n = matrix.length, size = Math.max(6, Math.min(34, Math.floor(560 / n))), edge = 34, cells = [];
    for (let p = 0; p < n; p++) {
        if (n <= 32 || p % 8 === 0) {
            cells.push(svg('text', {x: edge - 4, y: edge + p * size + size / 2 + 4, 'text-anchor': 'end', class: 'axis'}, String(p)));
            cells.push(svg('text', {x: edge + p * size + size / 2, y: edge - 6, 'text-anchor': 'middle', class: 'axis'}, String(p)));
        }
        for (let q = 0; q < n; q++) {
            const share = most > 0 ? matrix[p][q] / most : 0;
            const rect = svg('rect', {x: edge + q * size, y: edge + p * size, width: size - 1, height: size - 1,
                fill: share > 0 ? `color-mix(in srgb, var(--sets) ${Math.round(15 + 85 * share)}%, var(--ground))` : 'var(--raised)'});
            rect.append(svg('title', {}, `process ${p} to ${q}: ${matrix[p][q].toLocaleString('en')} ${unit}`));
            cells.push(rect);
        }
    }
    cells.push(svg('text', {x: 2, y: 12, class: 'axis'}, 'from \\ to'));
    return picture(edge + n * size + 4, edge + n * size + 4, label, ...cells);
}

// ---- Time line: events [process, statement, begin, seconds, 1: communication]
function timelinePicture(events, processes, from, to, names) {
    const width = 1100, row = processes > 32 ? 10 : 20, edge = 46, scale = (width - edge) / (to - from), parts = [];
    for (let p = 0; p < processes; p++)
        if (row > 12 || p % 8 === 0) parts.push(svg('text', {x: edge - 6, y: 20 + p * row + row / 2 + 4, 'text-anchor': 'end', class: 'axis'}, String(p)));
    for (let k = 0; k <= 5; k++) {
        const t = from + (to - from) * k / 5;
        parts.push(svg('text', {x: Math.min(edge + (t - from) * scale, width - 60), y: 12, class: 'axis'}, seconds(t)));
    }
    const last = {};
    for (const [p, s, begin, length, communication] of events) {
        if (begin + length < from || begin > to) continue;
        const x = edge + Math.max(0, begin - from) * scale, w = (Math.min(to, begin + length) - Math.max(from, begin)) * scale;
        const key = p * 2 + communication;
        if (w < 0.5 && last[key] !== undefined && x - last[key] < 0.5) continue; // within the same pixel
        last[key] = x + w;
        const rect = svg('rect', {x, y: 20 + p * row + (communication ? row * 0.45 : 1), width: Math.max(w, 0.5), height: communication ? row * 0.5 : row - 2,
            fill: communication ? 'var(--gather)' : colourOf(s), opacity: communication ? 0.95 : 0.55});
        rect.append(svg('title', {}, `process ${p}, ${names[s]}${communication ? ', communication' : ''}: ${seconds(length)} from ${seconds(begin)}`));
        parts.push(rect);
    }
    return picture(width, 24 + processes * row, 'what each process does over time; the lower, red half of a row is communication', ...parts);
}

// ---- Scaling: runs {processes, seconds, speedup}, the first of which the others are compared with; both axes are logarithmic
function scalingPicture(runs) {
    const width = 560, height = 340, left = 52, right = 24, top = 16, bottom = 40, first = runs[0].processes;
    const counts = runs.map(r => r.processes), least = Math.min(...counts), most = Math.max(...counts), heights = [...runs.map(r => r.speedup), least / first, most / first];
    const low = Math.log2(Math.min(...heights)), high = Math.max(Math.log2(Math.max(...heights)), low + 1), across = Math.max(Math.log2(most / least), 1e-9);
    const x = p => left + (width - left - right) * Math.log2(p / least) / across, y = v => height - bottom - (height - top - bottom) * (Math.log2(v) - low) / (high - low);
    const parts = [svg('path', {d: `M${left} ${top}V${height - bottom}H${width - right}`, fill: 'none', stroke: 'var(--line)'})];
    const every = Math.max(1, Math.ceil((high - low) / 8));
    for (let k = Math.ceil(low - 1e-9); k <= high + 1e-9; k += every) {
        parts.push(svg('path', {d: `M${left} ${y(2 ** k)}H${width - right}`, stroke: 'var(--line)', 'stroke-width': 0.5}));
        parts.push(svg('text', {x: left - 6, y: y(2 ** k) + 4, 'text-anchor': 'end', class: 'axis'}, k < 0 ? `1/${2 ** -k}` : String(2 ** k)));
    }
    for (const p of [...new Set(counts)]) parts.push(svg('text', {x: x(p), y: height - bottom + 16, 'text-anchor': 'middle', class: 'axis'}, String(p)));
    parts.push(svg('text', {x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle', class: 'axis'}, 'processes'), svg('text', {x: left + 6, y: 11, class: 'axis'}, 'speedup'));
    parts.push(svg('path', {d: `M${x(least)} ${y(least / first)}L${x(most)} ${y(most / first)}`, stroke: 'var(--faint)', 'stroke-dasharray': '5 4', class: 'ideal'}));
    const line = [...runs].sort((a, b) => a.processes - b.processes).map(r => `${x(r.processes).toFixed(1)} ${y(r.speedup).toFixed(1)}`);
    parts.push(svg('path', {d: `M${line.join('L')}`, fill: 'none', stroke: 'var(--sets)', 'stroke-width': 2}));
    for (const r of runs) {
        const point = svg('circle', {cx: x(r.processes), cy: y(r.speedup), r: 4, fill: 'var(--sets)'});
        point.append(svg('title', {}, `${r.processes} processes: ${seconds(r.seconds)}, speedup ${r.speedup.toFixed(2)}`));
        parts.push(point);
    }
    return picture(width, height, `speedup over ${first} process${first === 1 ? '' : 'es'}: ${runs.map(r => `${r.speedup.toFixed(2)} on ${r.processes}`).join(', ')}; the dashed line is the ideal`, ...parts);
}
