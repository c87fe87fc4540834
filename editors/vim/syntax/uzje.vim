" uzje; python editors/make.py made this file.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax region uzje_comment_top_3 start='\v^%(\s*\S)@=' end='\v^\s*$'
highlight default link uzje_comment_top_3 uzje_comment
syntax match uzje_tag_top_2_1 '\v^\s*[A-Za-z0-9-]+:%(\s|$)' contained
highlight default link uzje_tag_top_2_1 uzje_tag
syntax match uzje_comment_top_2_0 '\v^\s*:.*$' contained
highlight default link uzje_comment_top_2_0 uzje_comment
syntax cluster uzje_top_2 contains=uzje_tag_top_2_1,uzje_comment_top_2_0
syntax region uzje_text_top_2 start='\v^%(\s*[A-Za-z0-9-]+:%(\s|$))@=' end='\v^%(\s*$|%(\s*[ESWN]\s+[+-]?[0-9]+\s+[+-]?[0-9]+%(\s|$))@=)' contains=@uzje_top_2
syntax match uzje_number_top_1_6 '\v%(\S)@<![0-9]+%(\S)@!' contained
highlight default link uzje_number_top_1_6 uzje_number
syntax match uzje_act_top_1_5_2 '\v[,CEFHNPSVWZhijkopqrEHNSVW?KPRct]' contained
highlight default link uzje_act_top_1_5_2 uzje_act
syntax match uzje_tile_top_1_5_1 '\v[0123456789xabcdef]+[tsm]' contained
highlight default link uzje_tile_top_1_5_1 uzje_tile
syntax match uzje_number_top_1_5_0 '\v[0-9]*\.' contained
highlight default link uzje_number_top_1_5_0 uzje_number
syntax cluster uzje_top_1_5 contains=uzje_act_top_1_5_2,uzje_tile_top_1_5_1,uzje_number_top_1_5_0
syntax match uzje_text_top_1_5 '\v%(\S)@<![0-9]*\.\S*' contained contains=@uzje_top_1_5
syntax match uzje_tile_top_1_4_2 '\v[CEFHNPSVWZhijkopqr]' contained
highlight default link uzje_tile_top_1_4_2 uzje_tile
syntax match uzje_tile_top_1_4_1 '\v[0123456789xabcdef]+[tsm]' contained
highlight default link uzje_tile_top_1_4_1 uzje_tile
syntax match uzje_act_top_1_4_0 '\v%(\S)@<![EHNSVW][-cdkprs]' contained
highlight default link uzje_act_top_1_4_0 uzje_act
syntax cluster uzje_top_1_4 contains=uzje_tile_top_1_4_2,uzje_tile_top_1_4_1,uzje_act_top_1_4_0
syntax match uzje_text_top_1_4 '\v%(\S)@<![EHNSVW][-cdkprs]\S*' contained contains=@uzje_top_1_4
syntax match uzje_tile_top_1_3 '\v%(\S)@<!%([0123456789xabcdef]+[tsm]|[CEFHNPSVWZhijkopqr])%(\S)@!' contained
highlight default link uzje_tile_top_1_3 uzje_tile
syntax match uzje_round_top_1_2 '\v^\s*[ESWN]\s+[+-]?[0-9]+\s+[+-]?[0-9]+%(\s|$)' contained
highlight default link uzje_round_top_1_2 uzje_round
syntax match uzje_comment_top_1_1 '\v%(\S)@<!%(\(\S*\)|\[\S*\]|\{\S*\}|\<\S*\>)%(\S)@!' contained
highlight default link uzje_comment_top_1_1 uzje_comment
syntax match uzje_comment_top_1_0 '\v^\s*:.*$' contained
highlight default link uzje_comment_top_1_0 uzje_comment
syntax cluster uzje_top_1 contains=uzje_number_top_1_6,uzje_text_top_1_5,uzje_text_top_1_4,uzje_tile_top_1_3,uzje_round_top_1_2,uzje_comment_top_1_1,uzje_comment_top_1_0
syntax region uzje_text_top_1 start='\v^%(\s*[ESWN]\s+[+-]?[0-9]+\s+[+-]?[0-9]+%(\s|$))@=' end='\v^\s*$' contains=@uzje_top_1
syntax match uzje_comment_top_0 '\v^\s*:.*$'
highlight default link uzje_comment_top_0 uzje_comment
highlight default link uzje_act Operator
highlight default link uzje_comment Comment
highlight default link uzje_name Type
highlight default link uzje_number Number
highlight default link uzje_round Title
highlight default link uzje_seat Identifier
highlight default link uzje_string String
highlight default link uzje_tag Label
highlight default link uzje_tile Constant
highlight default link uzje_word Keyword
let b:current_syntax = 'uzje'
