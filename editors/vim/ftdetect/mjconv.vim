" The files of jmjp, Ùzje and HK.
autocmd BufNewFile,BufRead *.jmjp setfiletype jmjp
autocmd BufNewFile,BufRead *.uzje setfiletype uzje
autocmd BufNewFile,BufRead *.hk setfiletype hk
