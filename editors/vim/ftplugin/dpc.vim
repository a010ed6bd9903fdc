" Data-parallel C: as C, and :make translates the file.
runtime! ftplugin/c.vim
compiler dpcc
