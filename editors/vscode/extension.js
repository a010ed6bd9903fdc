// Starts dpcc --lsp for data-parallel C.
const { execFile } = require('child_process');
const os = require('os');
const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client, running, turn = Promise.resolve();

function settings() {
  const own = workspace.getConfiguration('dpcc');
  return { flags: own.get('flags'), np: own.get('np') };
}

// Why a command cannot be started, if so. The client would say no more than that it couldn't connect.
const obstacle = command => new Promise(done => execFile(command, ['--version'], { timeout: 20000 }, error => done(error && error.message.trim())));

async function restart() {
  const command = workspace.getConfiguration('dpcc').get('path').replace(/^~(?=\/)/, os.homedir());
  if (command === running) return;
  const old = client;
  client = running = undefined;
  if (old) await old.stop();
  const why = await obstacle(command);
  if (why) {
    window.showErrorMessage(`The compiler does not start: ${why}. Name it in the setting dpcc.path, or have it in the PATH that VS Code is started with.`, 'Settings')
      .then(chosen => chosen && commands.executeCommand('workbench.action.openSettings', 'dpcc.path'));
    return;
  }
  client = new LanguageClient('dpcc', 'dpcc', { command, args: ['--lsp'] }, {
    // Headers are C++ to VS Code, if nobody says otherwise.
    documentSelector: [{ scheme: 'file', language: 'dpc' }, { scheme: 'file', pattern: '**/*.h' }],
    initializationOptions: settings(),
    synchronize: { configurationSection: 'dpcc' },
  });
  await client.start();
  running = command;
}

// One after the other, as settings may change while the server starts.
const again = () => turn = turn.then(restart, restart);

exports.activate = context => {
  context.subscriptions.push(workspace.onDidChangeConfiguration(change => change.affectsConfiguration('dpcc.path') && again()));
  return again();
};

exports.deactivate = () => turn.then(() => client && client.stop(), () => undefined);
