"""Texts in both versions that the tests of this folder start from."""

PLAYERS = "".join(f"ply[{player},,,,]" for player in range(4))
CONCEALED = "1m2m3m4m0m6m1p2p3pewewwdwd"
HANDS = "".join(f"({seat},hnd[{CONCEALED},,])" for seat in "eswn")

#: The hands of played frames, as mjai spells their tiles.
IN_MJAI = (
    "1m 1m 2m 3m 4m 5m 5mr 7p 8p 9p E E C",
    "3m 4m 6m 7m 5p 5p 5pr 1s 1s 2s S S P",
    "5m 5m 6m 9p 9p 9p 2s 3s 4s W W F F",
    "1m 9m 1p 2p 3p 1s 6s 7s 8s N N C C",
)
#: Calls as a final hand shows them, and acts, one of every kind.
CALLS = {
    0: ("chi[1m,2m3m]", "pon[ew,k]", "dmk[9p,t]", "kkn[1s,s]", "ank[gd]"),
    1: ("chi[1m,2m3m]", "pon[ew,ewew,k]", "dmk[9p,9p9p9p,t]", "kkn[1s,1s,1s1s,s]", "ank[gdgdgdgd]"),
}
ACTS = {
    0: (
        "e,oy,1m", "s,5m,tg", "w,9p,kg", "n,pn,ew", "e,ch[2m3m],4m", "s,dk,", "s,rs[0p],kk[0p]", "s,rs[uk],",
        "w,1s,ak[1s]", "w,rs[5m],rc[5m]", "n,ro,", "e,rd,tm",
    ),
    1: (
        "e,oy,1m", "s,5m,tg", "w,9p,kg", "n,pn[1m1m],ew", "e,ch[2m3m],4m", "s,dk[0p5p5p],", "s,rs[0p],kk[0p]",
        "s,rs[uk],", "w,1s,ak[1s1s1s1s]", "w,rs[5m],rc[5m]", "n,rn,", "e,rd,tm",
    ),
}  # fmt: skip
VERSIONS = {0: "0", 1: "1.0"}
#: The dora of indicators, as jmjp spells them.
DORA = {"1m": "2m", "9m": "1m", "4p": "5p", "5s": "6s", "?": "uk", "E": "sw", "S": "ww", "W": "nw", "N": "ew"}
DORA |= {"P": "gd", "F": "rd", "C": "wd"}


def match(frames: str = "", *, before: str = f"mtp[,,,]{PLAYERS}", after: str = "") -> str:
    return f"({before}{frames}{after})"


def file(*matches: str, major: int = 1) -> str:
    return f"jmjp[{VERSIONS[major]}]" + "".join(matches or (match(),))


def frame(flow: str = "", *, name: str = "E1-0", dora: str = "", pfe: str = "", **others: str) -> str:
    kyoutak, dice, pfs, comment = (others.get(key, "") for key in ("kyoutak", "dice", "pfs", "comment"))
    return f"frm[{name},{kyoutak},{dice},{pfs},{dora},{flow},{pfe},{comment}]"


def flow(*acts: str, end: str = HANDS) -> str:
    return HANDS + "".join(f"({act})" for act in acts) + end


def final_hands(major: int) -> str:
    """Give final hands that show every kind of call and a tile in the tsumo field."""
    chi, pon, dmk, kkn, ank = CALLS[major]
    return f"(e,hnd[1m2m,3m,{pon}{chi}])(n,hnd[uk,,])(w,hnd[1m,1m,{ank}{kkn}{dmk}])(s,hnd[{CONCEALED},9s,])"


def whole(major: int) -> str:
    """Return a file that uses every part of the grammar, and leaves out each optional part once."""
    opening, closing = ("[", "]") if major == 0 else ("(", ")")
    tenpai = "" if major == 0 else ",3.0"
    sanma = "frm[E2-0,,7,,,,,]" if major else ""
    before = (
        'tnm[mlg,2018,mlg-reg,3,1]mtp[20181001,mon,1900,mlg-std]'
        f'rec[{opening}snt["記"]srm["Ki"],{closing},all]rec[,E1-0E2-1]rec[{opening},srm["x"]{closing},]'
        f'ply[3,{opening}snt["石橋"]srm["Ishibashi"],snt["伸洋"]{closing},mlg-prt,prorenmei,(12.3,-45.6)]'
        f'ply[0,,snt["隊"],srm["A"],(,)]ply[2,{opening},{closing},,none,(1.0,)]ply[1,,,,]'
        f"ptr[25.0,30.0,(30.0,10.0),0.3{tenpai}]"
    )  # fmt: skip
    full = frame(
        flow(*ACTS[major], end=final_hands(major)) + flow(),
        name="E1-0", kyoutak="1.0", dice="3-4", pfs="pfs[25.0,25.0,25.0,24.0]", dora="1m" * 2 + "uk" * 8,
        pfe="pfe[25.0,25.0,25.0,-1.5]", comment='snt["局"]srm["kyoku"]',
    )  # fmt: skip
    after = "pme[40.0,10.0,-20.0,-30.0]ptn[(1.0,2.0),(,2.0),(1.0,),(,)]"
    other = match(before='tnm[snt["大会"],,srm["st"],,]mtp[,,,srm["pl"]]' + PLAYERS)
    empty = match(before=f"tnm[,,,,]mtp[,,,]{PLAYERS}")
    return file(match(full + frame() + sanma, before=before, after=after), other, empty, major=major)
