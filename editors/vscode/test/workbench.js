// The extension in a real VS Code, as somebody at its window meets it: the workbench of code-server, in a headless Chromium.
//   node workbench.js SERVER EXTENSION.vsix FOLDER     SERVER: code-server's lib/vscode; $DPCC: the compiler; $CHROMIUM: the browser
const { spawn, spawnSync } = require('child_process');
const fs = require('fs'), net = require('net'), path = require('path');
const { chromium } = require('playwright-core');
const [server, extension, folder] = process.argv.slice(2).map(name => path.resolve(name));

const check = (name, good, what) => { console.log((good ? 'PASS ' : 'FAIL ') + name + (good ? '' : ': ' + JSON.stringify(what))); if (!good) process.exitCode = 1; };
const write = (name, text) => { fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true }); fs.writeFileSync(path.join(folder, name), text); };
const header = `#define N 10
extern double field[N];
#pragma dpc distribute field(block)
`;
const program = `double A[100], B[100];
#pragma dpc distribute (block) :: A, B
int main(void) {
    B[:] = 1;
    forall (i = 1:98) A[i] = B[i-1] + B[i+1];
    return 0;
}
`;
const main = path.join(server, 'out', 'server-main.js');
const places = ['--server-data-dir', path.join(folder, 'data'), '--extensions-dir', path.join(folder, 'extensions')];
const settings = values => write('data/data/Machine/settings.json', JSON.stringify({ 'files.autoSave': 'off', 'dpcc.path': process.env.DPCC, 'dpcc.np': 4, ...values }));

// Asks again until the answer is good, for a minute at most.
async function until(ask, good) {
  let answer;
  for (const end = Date.now() + 60000; Date.now() < end;) {
    answer = await ask().catch(e => e.message);
    if (good(answer)) return [true, answer];
    await new Promise(done => setTimeout(done, 200));
  }
  return [false, answer];
}
const becomes = async (name, ask, good) => check(name, ...await until(ask, good));

// What stands in a window.
const lines = page => page.$$eval('.monaco-editor .view-line', all => all.sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top)).map(line =>
  [...line.querySelectorAll('span > span')].map(word => ({ text: word.textContent.replace(/\u00a0/g, ' '), colour: getComputedStyle(word).color }))));
const colour = (all, line, text) => ([].concat(all[line - 1] || []).find(word => word.text.trim() === text) || {}).colour;
const problems = page => page.locator('[id="status.problems"]').getAttribute('aria-label');
const squiggles = page => page.locator('.squiggly-error').count();
async function open(browser, port, workspace, file, trust) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(`http://127.0.0.1:${port}/?folder=${folder}/${workspace}`);
  await page.getByText(trust).click({ timeout: 120000 });
  await page.locator('.explorer-folders-view').getByText(file).dblclick({ timeout: 60000 });
  await page.waitForSelector('.monaco-editor .view-line', { timeout: 60000 });
  return page;
}
async function go(page, line, column) {
  await page.keyboard.press('Control+g');
  await page.keyboard.type(`${line}:${column}`, { delay: 20 });
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
}
const place = page => page.locator('[id="status.editor.selection"]').textContent();
const shown = page => page.locator('.monaco-hover:visible').allTextContents().then(all => all.join(' ').replace(/\u00a0/g, ' '));

async function trusted(browser, port) {
  const page = await open(browser, port, 'trusted', 'right.dpc', 'Yes, I trust');
  await becomes('the language is known', () => page.locator('[id="status.editor.mode"]').textContent(), mode => /Data-parallel C/.test(mode));
  await becomes('colours: of the directive and forall', () => lines(page), all => {
    const control = colour(all, 6, 'return'), plain = colour(all, 1, ';');
    return control && control !== plain && colour(all, 5, 'forall') === control && colour(all, 2, 'distribute') === control && ![undefined, plain].includes(colour(all, 2, 'block'));
  });

  // Hover waits for the server; of the right program nothing is shown.
  const hover = async (line, column, good, name) => {
    await go(page, line, column);
    await becomes(name, async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Control+i');
      await page.waitForTimeout(1000);
      return shown(page);
    }, text => good.test(text));
    await page.keyboard.press('Escape');
  };
  await hover(1, 8, /blocks of 25 over 4 processes/, 'hover on an array: its mapping on the processes of dpcc.np');
  await hover(5, 31, /shift/, 'hover on a statement: what moves');
  check('a right program has no problems', await squiggles(page) === 0, await problems(page));

  // As one types.
  await go(page, 4, 12);
  await page.keyboard.press('Delete');
  await page.keyboard.type('missing', { delay: 30 });
  await becomes('an error while typing', () => squiggles(page), n => n === 1);
  await page.keyboard.press('F8');
  await becomes('its text', () => page.locator('.marker-widget').allTextContents().then(all => all.join(' ')), text => /'missing' is not declared/.test(text));
  await page.keyboard.press('Escape');
  await go(page, 4, 12);
  for (const _ of 'missing') await page.keyboard.press('Delete');
  await page.keyboard.type('1');
  await becomes('it goes as one types', () => squiggles(page), n => n === 0);

  // A word that is almost right.
  await go(page, 4, 12);
  await page.keyboard.press('Delete');
  await page.keyboard.type('mxval(A[:])', { delay: 30 });
  await becomes('another error', () => squiggles(page), n => n === 1);
  await go(page, 4, 14);
  await becomes('quick fix: offered', async () => {
    await page.keyboard.press('Control+.');
    await page.waitForTimeout(1000);
    return page.locator('.action-widget').allTextContents().then(all => all.join(' '));
  }, text => /maxval/.test(text));
  await page.keyboard.press('Enter');
  await becomes('quick fix: done', () => lines(page).then(all => all[3].map(word => word.text).join('')), text => /maxval\(A/.test(text));
  await becomes('quick fix: all is well', () => squiggles(page), n => n === 0);

  // Definition and symbols.
  await go(page, 5, 23);
  await page.keyboard.press('F12');
  await becomes('definition', () => place(page), text => /Ln 1, Col 8/.test(text));
  await page.keyboard.press('Control+Shift+o');
  await becomes('symbols', () => page.locator('.quick-input-list .monaco-list-row').allTextContents().then(all => all.map(text => text.trim())), all => ['A', 'B', 'main'].every(name => [].concat(all).some(text => text.startsWith(name))));
  await page.keyboard.press('Escape');

  // Completion.
  await go(page, 2, 39);
  await page.keyboard.press('Enter');
  await page.keyboard.type('#pragma dpc redistribute A(', { delay: 30 });
  await becomes('completion: formats', async () => {
    await page.keyboard.press('Control+Space');
    await page.waitForTimeout(1000);
    return page.locator('.suggest-widget .monaco-list-row').evaluateAll(all => all.map(row => row.getAttribute('aria-label')));
  }, all => Array.isArray(all) && all.some(label => /^gen_block/.test(label)) && all.some(label => /^cyclic/.test(label)));
  await page.close();
}

// A header that is not saved: errors of the program that includes it are shown there.
async function headers(browser, port) {
  const page = await open(browser, port, 'headers', 'main.dpc', 'Yes, I trust');
  await becomes('a header as it is saved', () => problems(page), text => text === 'No Problems');
  await page.locator('.explorer-folders-view').getByText('field.h').dblclick();
  await becomes('the header is opened', () => lines(page), all => /^#define N/.test((all[0] || []).map(word => word.text).join('')));
  await go(page, 3, 30);
  await page.keyboard.type('x', { delay: 30 });
  await becomes('an error in a header that is not saved', () => squiggles(page), n => n === 1);
  await page.keyboard.press('Backspace');
  await becomes('it goes, too', () => problems(page), text => text === 'No Problems');
  await page.close();
}

// A folder that nobody trusts: colours and errors, but not with the compiler that it names itself.
async function restricted(browser, port) {
  const page = await open(browser, port, 'strange', 'wrong.dpc', "No, I don't trust");
  await becomes('restricted mode: colours', () => lines(page), all => colour(all, 5, 'forall') && colour(all, 5, 'forall') === colour(all, 6, 'return'));
  await becomes('restricted mode: errors', () => squiggles(page), n => n === 1);
  check('restricted mode: the command and the flags are not those of the folder', !fs.existsSync(path.join(folder, 'executed')), 'executed');
  await page.close();
}

// A compiler that is not there; then one is named.
async function absent(browser, port) {
  settings({ 'dpcc.path': path.join(folder, 'nowhere', 'dpcc') });
  const page = await open(browser, port, 'late', 'wrong.dpc', 'Yes, I trust');
  await becomes('no compiler: says what to set', () => page.locator('.notifications-toasts').textContent(), text => /nowhere\/dpcc ENOENT.*dpcc\.path/.test(text));
  settings({});
  await becomes('it starts when the setting is right', () => squiggles(page), n => n === 1);
  await page.close();
}

(async () => {
  write('trusted/right.dpc', program);
  write('strange/wrong.dpc', program.replace('= 1;', '= missing;'));
  write('headers/field.h', header);
  write('headers/main.dpc', '#include "field.h"\ndouble field[N];\nint main(void) { field[:] = 1; return 0; }\n');
  write('late/wrong.dpc', program.replace('= 1;', '= missing;'));
  write('trap', `#!/bin/sh\ntouch '${folder}/executed'\nexec '${process.env.DPCC}' "$@"\n`);
  fs.chmodSync(path.join(folder, 'trap'), 0o755);
  write('strange/.vscode/settings.json', JSON.stringify({ 'dpcc.path': path.join(folder, 'trap') }));
  settings({});
  if (!fs.existsSync(path.join(server, 'node_modules.asar'))) fs.symlinkSync('node_modules', path.join(server, 'node_modules.asar'));
  const installed = spawnSync(process.execPath, [main, ...places, '--install-extension', extension], { encoding: 'utf8' });
  check('the package is installed', /successfully installed/.test(installed.stdout), installed.stdout + installed.stderr);

  const port = await new Promise(done => { const s = net.createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => done(port)); }); });
  const running = spawn(process.execPath, [main, ...places, '--host', '127.0.0.1', '--port', port, '--without-connection-token', '--accept-server-license-terms', '--telemetry-level', 'off'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  process.on('exit', () => { try { process.kill(-running.pid); } catch { /* has ended */ } });
  process.on('SIGTERM', () => process.exit(1));
  let browser;
  try {
    await new Promise((done, failed) => { running.stdout.on('data', text => /listening on/.test(text) && done()); running.on('exit', () => failed(new Error('the server ends'))); });
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM || 'chromium', args: ['--no-sandbox'] });
    await trusted(browser, port);
    await headers(browser, port);
    await restricted(browser, port);
    await absent(browser, port);
  } finally {
    if (browser) await browser.close();
  }
  check('it ends', true);
  process.exit();
})().catch(e => { console.log('FAIL ' + e.stack); process.exit(1); });
