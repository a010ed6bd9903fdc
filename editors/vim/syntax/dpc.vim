" Data-parallel C: C, with directives, forall, sections and reductions.
if exists('b:current_syntax')
  finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax

syn region dpcDirective start="^\s*#\s*pragma\s\+dpc\>" skip="\\$" end="$" keepend contains=dpcDirectiveWord,dpcFormat,dpcClause,dpcIntrinsic,cNumber,cComment,cCommentL,dpcStar
syn case ignore
syn keyword dpcDirectiveWord contained processors distribute redistribute template align realign inherit extrinsic independent
syn case match
syn keyword dpcFormat contained block cyclic gen_block auto
syn keyword dpcClause contained onto with on private reduction
syn match dpcStar contained "\*"

syn keyword dpcForall forall FORALL
syn keyword dpcIntrinsic sum product minval maxval minloc maxloc count any all dot_product
syn keyword dpcIntrinsic cshift eoshift transpose spread matmul
syn keyword dpcIntrinsic sum_prefix product_prefix minval_prefix maxval_prefix count_prefix
syn keyword dpcIntrinsic sum_suffix product_suffix minval_suffix maxval_suffix count_suffix
syn keyword dpcIntrinsic npy_save npy_load hdf5_save hdf5_load pgm_save dpc_wtime dpc_nprocs dpc_rank dpc_view_global dpc_view_descriptor
syn keyword dpcType dpc_view

hi def link dpcDirective PreProc
hi def link dpcDirectiveWord Keyword
hi def link dpcFormat StorageClass
hi def link dpcClause Keyword
hi def link dpcStar Special
hi def link dpcForall Repeat
hi def link dpcIntrinsic Function
hi def link dpcType Type

let b:current_syntax = 'dpc'
