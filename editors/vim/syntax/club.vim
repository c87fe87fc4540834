" club; python editors/make.py made this file.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax match club_name_top_7 '\v[^ 	　:：|｜,，、；;=＝"#＃]+'
highlight default link club_name_top_7 club_name
syntax match club_word_top_6 '\v%([cC][hH][oO][mM][bB][oO]|チョンボ|詐和|诈和|錯和|错和)%([ \t　:：|｜,，、；;=＝]|$)@='
highlight default link club_word_top_6 club_word
syntax match club_act_top_5 '\v[-?－？▲△−‐‑‒–—]%([ \t　:：|｜,，、；;=＝]|$)@=|[=＝]'
highlight default link club_act_top_5 club_act
syntax match club_number_top_4 '\v[-+＋－▲△−‐‑‒–—]?%([0-9０-９]{1,3}%([,，、；;\t][0-9０-９]{3}){1,2}|[0-9０-９]{1,9})%([.．][0-9０-９]{1,6})?[点點kKｋＫ]?%([ \t　:：|｜,，、；;=＝]|$)@='
highlight default link club_number_top_4 club_number
syntax match club_string_top_3 '\v"%([^"]|"")*"'
highlight default link club_string_top_3 club_string
syntax match club_number_top_2 '\v^[ \t　]*[0-9０-９]{4}[-/.年－／．][0-9０-９]{1,2}[-/.月－／．][0-9０-９]{1,2}日?%([ 　]?[(（][^()（）]*[)）])?%([ \t　:：|｜,，、；;=＝]|$)@='
highlight default link club_number_top_2 club_number
syntax match club_comment_top_1 '\v[#＃].*$'
highlight default link club_comment_top_1 club_comment
syntax match club_number_top_0_2 '\v[-+＋－▲△−‐‑‒–—]?%([0-9０-９]{1,3}%([,，、；;\t][0-9０-９]{3}){1,2}|[0-9０-９]{1,9})%([.．][0-9０-９]{1,6})?' contained
highlight default link club_number_top_0_2 club_number
syntax match club_word_top_0_1 '\v%([cC][hH][oO][mM][bB][oO]|[dD][eE][aA][lL][eE][rR]|[rR][eE][tT][uU][rR][nN]|[sS][hH][aA][rR][eE]|[sS][tT][aA][rR][tT]|[uU][sS][uU][aA][lL]|[tT][iI][eE][sS]|[oO][kK][aA]|[tT][iI][eE]|[uU][mM][aA]|チョンボ|配給原点|持ち点|起始点|起始點|返し点|ウマ|オカ|上家|分け|同分|同点|平分|折半|詐和|诈和|起家|起庄|起莊|返し|返点|返點|錯和|错和|馬點|马点)' contained
highlight default link club_word_top_0_1 club_word
syntax match club_number_top_0_0 '\v^[ \t　]*[0-9０-９]{4}[-/.年－／．][0-9０-９]{1,2}[-/.月－／．][0-9０-９]{1,2}日?%([ 　]?[(（][^()（）]*[)）])?%([ \t　:：|｜,，、；;=＝]|$)@=' contained
highlight default link club_number_top_0_0 club_number
syntax cluster club_top_0 contains=club_number_top_0_2,club_word_top_0_1,club_number_top_0_0
syntax match club_text_top_0 '\v^%([ \t　]*[0-9０-９]{4}[-/.年－／．][0-9０-９]{1,2}[-/.月－／．][0-9０-９]{1,2}日?%([ 　]?[(（][^()（）]*[)）])?)?[ \t　:：|｜,，、；;]*%([cC][hH][oO][mM][bB][oO]|[rR][eE][tT][uU][rR][nN]|[sS][tT][aA][rR][tT]|[uU][sS][uU][aA][lL]|[tT][iI][eE][sS]|[oO][kK][aA]|[tT][iI][eE]|[uU][mM][aA]|チョンボ|配給原点|持ち点|起始点|起始點|返し点|ウマ|オカ|同分|同点|詐和|诈和|返し|返点|返點|錯和|错和|馬點|马点)%([ \t　:：=＝+-]|[0-9０-９]|$)@=[^#＃]*' contains=@club_top_0
highlight default link club_act Operator
highlight default link club_comment Comment
highlight default link club_name Type
highlight default link club_number Number
highlight default link club_round Title
highlight default link club_seat Identifier
highlight default link club_string String
highlight default link club_tag Label
highlight default link club_tile Constant
highlight default link club_word Keyword
let b:current_syntax = 'club'
