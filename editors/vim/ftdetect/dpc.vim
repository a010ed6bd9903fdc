autocmd BufRead,BufNewFile *.dpc setfiletype dpc
