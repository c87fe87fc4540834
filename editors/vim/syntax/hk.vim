" hk; python editors/make.py made this file.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax match hk_act_top_4_1 '\v[^ \t#]+' contained
highlight default link hk_act_top_4_1 hk_act
syntax match hk_number_top_4_0 '\v[0-9]+' contained
highlight default link hk_number_top_4_0 hk_number
syntax cluster hk_top_4 contains=hk_act_top_4_1,hk_number_top_4_0
syntax match hk_text_top_4 '\v^[ \t]*%([0-9]+|[-dDSf])[ \t]+%([0-9]+|[-dDSf])[ \t]+%([0-9]+|[-dDSf])[ \t]+%([0-9]+|[-dDSf])[ \t]*%(#|$)@=' contains=@hk_top_4
syntax match hk_name_top_3_0 '\v[^ \t#]+' contained
highlight default link hk_name_top_3_0 hk_name
syntax cluster hk_top_3 contains=hk_name_top_3_0
syntax match hk_text_top_3 '\v^[ \t]*%([^ \t#*0-9-][^ \t#*]*)[ \t]+%([^ \t#*0-9-][^ \t#*]*)[ \t]+%([^ \t#*0-9-][^ \t#*]*)[ \t]+%([^ \t#*0-9-][^ \t#*]*)[ \t]*%(#|$)@=' contains=@hk_top_3
syntax match hk_number_top_2_1 '\v[^ \t#]+' contained
highlight default link hk_number_top_2_1 hk_number
syntax match hk_word_top_2_0 '\v[A-Z]\=' contained
highlight default link hk_word_top_2_0 hk_word
syntax cluster hk_top_2 contains=hk_number_top_2_1,hk_word_top_2_0
syntax match hk_text_top_2 '\v^[ \t]*%([BMRSLT])\=%([^ \t#]*)[ \t]*%(#|$)@=' contains=@hk_top_2
syntax match hk_number_top_1_0 '\v[^ \t#]+' contained
highlight default link hk_number_top_1_0 hk_number
syntax cluster hk_top_1 contains=hk_number_top_1_0
syntax match hk_text_top_1 '\v^[ \t]*%([0-9]{4}-[0-9]{2}-[0-9]{2})[ \t]*%(#|$)@=' contains=@hk_top_1
syntax match hk_comment_top_0 '\v#.*$'
highlight default link hk_comment_top_0 hk_comment
highlight default link hk_act Operator
highlight default link hk_comment Comment
highlight default link hk_name Type
highlight default link hk_number Number
highlight default link hk_round Title
highlight default link hk_seat Identifier
highlight default link hk_string String
highlight default link hk_tag Label
highlight default link hk_tile Constant
highlight default link hk_word Keyword
let b:current_syntax = 'hk'
