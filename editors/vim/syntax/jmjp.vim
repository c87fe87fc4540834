" jmjp; python editors/make.py made this file.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax match jmjp_seat_top_8 '\v%([a-z])@<!%([eswn]\s*|[kts]\s*)%([a-z])@!'
highlight default link jmjp_seat_top_8 jmjp_seat
syntax match jmjp_number_top_7 '\v%(%(-\s*)?%([0-9]\s*)+\.\s*[0-9]\s*|[1-6]\s*-\s*[1-6]\s*|%([0-9]\s*)+)'
highlight default link jmjp_number_top_7 jmjp_number
syntax match jmjp_round_top_6 '\v[ESWN]\s*[1-4]\s*-\s*%([0-9]\s*)+'
highlight default link jmjp_round_top_6 jmjp_round
syntax match jmjp_tile_top_5 '\v%([0-9]\s*[mps]\s*|[eswn]\s*w\s*|[wgr]\s*d\s*|u\s*k\s*)'
highlight default link jmjp_tile_top_5 jmjp_tile
syntax match jmjp_act_top_4 '\v%(a\s*k\s*|c\s*h\s*|d\s*k\s*|k\s*g\s*|k\s*k\s*|o\s*y\s*|p\s*n\s*|r\s*c\s*|r\s*n\s*|r\s*o\s*|r\s*s\s*|t\s*g\s*|t\s*m\s*)%([a-z])@!'
highlight default link jmjp_act_top_4 jmjp_act
syntax match jmjp_word_top_3 '\v%(j\s*m\s*j\s*p\s*|a\s*n\s*k\s*|c\s*h\s*i\s*|d\s*m\s*k\s*|f\s*r\s*m\s*|h\s*n\s*d\s*|k\s*k\s*n\s*|m\s*t\s*p\s*|p\s*f\s*e\s*|p\s*f\s*s\s*|p\s*l\s*y\s*|p\s*m\s*e\s*|p\s*o\s*n\s*|p\s*t\s*n\s*|p\s*t\s*r\s*|r\s*e\s*c\s*|s\s*n\s*t\s*|s\s*r\s*m\s*|t\s*n\s*m\s*)%([a-z])@!'
highlight default link jmjp_word_top_3 jmjp_word
syntax match jmjp_name_top_2 '\v%([0-9\s]*[a-z])@=%(m\s*l\s*g\s*\-\s*d\s*r\s*n\s*|m\s*l\s*g\s*\-\s*e\s*x\s*f\s*|m\s*l\s*g\s*\-\s*s\s*k\s*n\s*|m\s*l\s*g\s*\-\s*m\s*f\s*c\s*|m\s*l\s*g\s*\-\s*a\s*b\s*m\s*|m\s*l\s*g\s*\-\s*p\s*h\s*x\s*|m\s*l\s*g\s*\-\s*r\s*d\s*n\s*|m\s*l\s*g\s*\-\s*p\s*r\s*t\s*|s\s*a\s*i\s*k\s*o\s*u\s*i\s*s\s*e\s*n\s*|p\s*r\s*o\s*k\s*y\s*o\s*u\s*k\s*a\s*i\s*|p\s*r\s*o\s*r\s*e\s*n\s*m\s*e\s*i\s*|r\s*e\s*n\s*g\s*o\s*u\s*m\s*u\s*|k\s*i\s*s\s*h\s*i\s*k\s*a\s*i\s*|z\s*e\s*n\s*n\s*i\s*h\s*o\s*n\s*|n\s*o\s*n\s*e\s*|r\s*m\s*u\s*|1\s*0\s*1\s*|m\s*l\s*g\s*\-\s*r\s*e\s*g\s*|m\s*l\s*g\s*\-\s*s\s*f\s*s\s*|m\s*l\s*g\s*\-\s*f\s*n\s*s\s*|1\s*r\s*d\s*|2\s*r\s*d\s*|q\s*t\s*f\s*|s\s*m\s*f\s*|f\s*i\s*n\s*|s\s*u\s*n\s*|m\s*o\s*n\s*|t\s*u\s*e\s*|w\s*e\s*d\s*|t\s*h\s*u\s*|f\s*r\s*i\s*|s\s*a\s*t\s*|m\s*l\s*g\s*\-\s*s\s*t\s*d\s*|a\s*l\s*l\s*|m\s*l\s*g\s*)%([a-z0-9-])@!'
highlight default link jmjp_name_top_2 jmjp_name
syntax match jmjp_string_top_1_0 '\v\\"' contained
highlight default link jmjp_string_top_1_0 jmjp_string
syntax cluster jmjp_top_1 contains=jmjp_string_top_1_0
syntax region jmjp_string_top_1 start='\v"' end='\v"' contains=@jmjp_top_1
highlight default link jmjp_string_top_1 jmjp_string
syntax match jmjp_comment_top_0 '\v//.*$'
highlight default link jmjp_comment_top_0 jmjp_comment
highlight default link jmjp_act Operator
highlight default link jmjp_comment Comment
highlight default link jmjp_name Type
highlight default link jmjp_number Number
highlight default link jmjp_round Title
highlight default link jmjp_seat Identifier
highlight default link jmjp_string String
highlight default link jmjp_tag Label
highlight default link jmjp_tile Constant
highlight default link jmjp_word Keyword
let b:current_syntax = 'jmjp'
