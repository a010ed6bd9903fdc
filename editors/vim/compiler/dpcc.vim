" dpcc: file:line:col: error: text, then the source line and a caret, which are no errors; help and notes belong to it.
if exists('current_compiler')
  finish
endif
let current_compiler = 'dpcc'
CompilerSet makeprg=dpcc\ -S\ -o\ /dev/null\ $*\ %:S
CompilerSet errorformat=%f:%l:%c:\ fatal\ %trror:\ %m,%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%trror:\ %m,%-G%.%#
