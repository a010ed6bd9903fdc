// The extension with vscode-languageclient and a real `dpcc --lsp` ($DPCC), on a stand-in for the module vscode: what the client needs of it to
// start a server, open texts and show what it says.  node client.js WRONG.dpc RIGHT.dpc
const programs = process.argv.slice(2), path = require('path'), fs = require('fs'), Module = require('module');

class Disposable { constructor(f) { this.f = f; } dispose() { if (this.f) this.f(); } static from(...all) { return new Disposable(() => all.forEach(d => d.dispose())); } }
class Emitter {
  constructor() { this.all = new Set(); this.event = (f, self, list) => { const g = self ? f.bind(self) : f; this.all.add(g); const d = new Disposable(() => this.all.delete(g)); if (list) list.push(d); return d; }; }
  fire(x) { for (const f of [...this.all]) f(x); }
  dispose() { this.all.clear(); }
}
class Position { constructor(line, character) { this.line = line; this.character = character; } }
class Range { constructor(a, b, c, d) { this.start = a instanceof Position ? a : new Position(a, b); this.end = a instanceof Position ? b : new Position(c, d); } }
class Uri {
  constructor(p) { this.scheme = 'file'; this.path = this.fsPath = p; this.authority = this.query = this.fragment = ''; }
  static file(p) { return new Uri(p); } static parse(s) { return new Uri(decodeURIComponent(s.replace(/^file:\/\//, ''))); }
  toString() { return 'file://' + this.path; } with() { return this; }
}
class Document {
  constructor(file, languageId) { this.uri = Uri.file(file); this.fileName = file; this.languageId = languageId; this.version = 1; this.isClosed = false; this.text = fs.readFileSync(file, 'utf8'); }
  getText() { return this.text; }
}
const events = {}, on = name => (events[name] = events[name] || new Emitter()).event;
const providers = {}, shown = new Map();
const none = () => new Disposable();
const empty = name => { const c = class { constructor(...x) { Object.assign(this, { args: x }); } }; return c; };
const settings = { path: process.env.DPCC, flags: [], np: 4 };
function tail(known, name) {
  return new Proxy(known, { get: (o, k) => k in o ? o[k] : typeof k === 'symbol' ? undefined : (o[k] = /^on[A-Z]/.test(k) ? on(name + '.' + k) : /^register/.test(k) ? (s, p) => { providers[k] = p; return none(); } : empty(k)) });
}
const matches = (selector, d) => (Array.isArray(selector) ? selector : [selector]).some(s => s.language === d.languageId) ? 10 : 0;
const documents = [];
const vscode = tail({
  version: '1.90.0', Disposable, EventEmitter: Emitter, Position, Range, Uri,
  CancellationTokenSource: class { constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: none }; } cancel() {} dispose() {} },
  CancellationError: class extends Error {},
  MarkdownString: class { constructor(v) { this.value = v; } appendCodeblock(v) { this.value += v; } appendMarkdown(v) { this.value = (this.value || '') + v; } },
  Hover: class { constructor(contents, range) { this.contents = contents; this.range = range; } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  CodeActionKind: (() => { class Kind { constructor(v) { this.value = v; } append(x) { return new Kind(this.value ? this.value + '.' + x : x); } } const k = { Empty: new Kind('') }; for (const n of ['QuickFix', 'Refactor', 'RefactorExtract', 'RefactorInline', 'RefactorRewrite', 'Source', 'SourceOrganizeImports', 'SourceFixAll', 'Notebook', 'RefactorMove']) k[n] = new Kind(n); return k; })(),
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  workspace: tail({
    getConfiguration: section => ({ get: (k, other) => k in settings ? settings[k] : other }), textDocuments: documents, workspaceFolders: [{ uri: Uri.file(process.cwd()), name: 'x', index: 0 }],
    createFileSystemWatcher: () => ({ onDidCreate: none, onDidChange: none, onDidDelete: none, dispose() {} }), getWorkspaceFolder: () => undefined, notebookDocuments: [], fs: {},
  }, 'workspace'),
  window: tail({
    createOutputChannel: () => ({ append: s => process.stderr.write(s), appendLine: s => process.stderr.write(s + '\n'), show() {}, clear() {}, dispose() {} }),
    showErrorMessage: async m => { console.log('FAIL error shown: ' + m); process.exitCode = 1; }, showInformationMessage: async () => undefined, showWarningMessage: async () => undefined, visibleTextEditors: [], activeTextEditor: undefined,
    tabGroups: { all: [], onDidChangeTabs: none },
  }, 'window'),
  languages: tail({
    match: matches, createDiagnosticCollection: () => ({ set: (u, list) => { shown.set(u.toString(), list); }, delete() {}, clear() {}, forEach() {}, dispose() {} }),
  }, 'languages'),
  commands: tail({ registerCommand: none, executeCommand: async () => undefined }, 'commands'),
  env: tail({ language: 'en', appName: 'stub', isTelemetryEnabled: false }, 'env'),
  extensions: tail({ getExtension: () => undefined, all: [] }, 'extensions'),
  l10n: { t: s => s },
}, 'vscode');
const load = Module._load;
Module._load = (name, ...rest) => name === 'vscode' ? vscode : load(name, ...rest);

const wait = (good, seconds) => new Promise((done) => { const end = Date.now() + 1000 * seconds; (function again() { if (good() || Date.now() > end) done(!!good()); else setTimeout(again, 50); })(); });
const check = (name, good, what) => { console.log((good ? 'PASS ' : 'FAIL ') + name + (good ? '' : ': ' + JSON.stringify(what))); if (!good) process.exitCode = 1; };

(async () => {
  const x = require('../extension.js'), token = { isCancellationRequested: false, onCancellationRequested: none };
  documents.push(...programs.map(p => new Document(path.resolve(p), 'dpc')));
  const [wrong, right] = documents;
  await x.activate({ subscriptions: [] });
  check('the client starts dpcc --lsp', true);
  check('an error is shown', await wait(() => (shown.get(wrong.uri.toString()) || []).length === 1, 60), [...shown]);
  const [found] = shown.get(wrong.uri.toString()) || [{}];
  check('at its place', found.range && found.range.start.line === 3 && found.range.start.character === 11 && /'missing' is not declared/.test(found.message), found);
  check('of the right program nothing is', await wait(() => (shown.get(right.uri.toString()) || [0]).length === 0, 60), [...shown]);
  const hover = await providers.registerHoverProvider.provideHover(right, new Position(0, 7), token);
  const text = hover && [].concat(hover.contents).map(c => c.value).join('');
  check('hover: the mapping on the processes of dpcc.np', /blocks of 25 over 4 processes/.test(text), hover);
  const completed = await providers.registerCompletionItemProvider.provideCompletionItems(right, new Position(1, 23), token, { triggerKind: 0 });
  const labels = (completed.items || completed).map(c => typeof c.label === 'string' ? c.label : c.label ? c.label.label : c.args[0]);
  check('completion: formats', labels.includes('gen_block'), labels);
  const place = await providers.registerDefinitionProvider.provideDefinition(right, new Position(3, 4), token);
  check('definition', [].concat(place)[0] && JSON.stringify([].concat(place)[0]).includes('"line":0'), place);
  await x.deactivate();
  check('it stops', true);
})().catch(e => { console.log('FAIL ' + e.stack); process.exit(1); });
