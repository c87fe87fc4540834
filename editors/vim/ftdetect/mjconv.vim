" The files of jmjp, Ùzje, HK and club results.
autocmd BufNewFile,BufRead *.jmjp setfiletype jmjp
autocmd BufNewFile,BufRead *.uzje setfiletype uzje
autocmd BufNewFile,BufRead *.hk setfiletype hk
autocmd BufNewFile,BufRead *.club setfiletype club
