/* --lsp: a language server for editors (the Language Server Protocol 3.17 over standard input and output). */
#ifndef DPC_LSP_LSP_H
#define DPC_LSP_LSP_H

/* Serves until the client says `exit` or goes. `dpcc`: the command that programs are checked by, in processes of their
 * own; `folder`: an empty one for texts that are not saved. Returns 0 where `shutdown` came before, else 1. */
int serve_editor(const char *dpcc, const char *folder);

#endif
