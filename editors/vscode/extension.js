// Starts dpcc --lsp for data-parallel C.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function settings() {
  const own = workspace.getConfiguration('dpcc');
  return { flags: own.get('flags'), np: own.get('np') };
}

exports.activate = () => {
  const command = workspace.getConfiguration('dpcc').get('path');
  client = new LanguageClient('dpcc', 'dpcc', { command, args: ['--lsp'] }, {
    documentSelector: [{ scheme: 'file', language: 'dpc' }, { scheme: 'file', language: 'c', pattern: '**/*.h' }],
    initializationOptions: settings(),
    synchronize: { configurationSection: 'dpcc' },
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
