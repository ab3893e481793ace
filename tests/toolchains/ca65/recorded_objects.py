"""Objects that ca65 2.19 made of the sources in object_sources.py: tables that are comparable,
packed with zlib, in base 85. Without debug information, and with it."""

from __future__ import annotations

PLAIN = (
    "c-nQ8OH&(15XZY`XIHBSAR%6c7_Si|yd<zI2Ac#2Aw-l!jwlINCAruuF@REHN42}eHkSaZ-2D}D%q8VxDpg6PD#u*-3_"
    "1EE_>iP~RX8WBYJT(YnVy-R?pZxP^V|#oJf&t*Q`9D@eNSyg0Q^jCl=Pp}SE(N|07$|x_3H@mnFRQX`X6cWB8_KgoJ{!"
    "3?Dt{|a8R;>-+3*-+6;3fxAiwdCU&2u7GM`e0q`driC20EI0E>CNQ?NTAVzv3(i4DJBJBXaiFk$N`w!y^Q*;`mgQE%T;"
    "l(DMfun#9&Lu7p=K!A~BrXB-<R~`o0;1UX7*Is|H?gr0E#uHgN3-wp!D}D!ZXfY>AGB!_Cn;$!F$?$-bMXpZif9)g<8!"
    "`nj_;9UZ^9b_FEXTQ#V`i89Zw`v1A{}PWjZsQr5;}kbNUr<&OfomIM}Wes^_7jaUJYKC(tL#>5w*+cN89zpsm+A5W;I*"
    "{2z%@jKWPs!Ne1#YO#lX*+ZOvdtH(}z|ACK2_(N0lqvF%{d!H&mB=$HFHV6$hvBLt(E@p<e2rsVoH5>Fd5~O|AW!*nOu"
    "X&PW5S}5Wm+eIRh|?^st}EFWGfs!RTAGf!~hOpUL<iA=P-e@MlPK;e?gJL9$aKO=~Uoz#CR0rnpn%7qp;x*GLo2lg~Gb"
    "74%@#{7`tW<vUt-<esp7ViQ<5VH*6yB1xcVt1i#}vkL@v585PD1V}bFIAs8bJlktEzD6tx5+>f3<t1_z$EB>zF4yzAYr"
    "EEGa#^x-ez_`s5X;zZb%4q}`U_XA}aF4MY%`(Q>++t<0^CGKhn^w-VT4vm3mnlY_%`X@$j13;U$<7X&lZ+gX8LU2FHNk"
    "3|af@LwhTfwUOHp3HI&s@xA&@P1?Vf$04ueA5YssDRZo>>h*ALCmZFZDAa6{MFuk9Hf{Vc9JfqHhVd==~ZZ7)>5Z0hjX"
    "q^5k!(@lNwV!T=_6|4D2#ZtZYr1ABm?OHXzN<Xs@w9k~e)zP|ZeWzNX_NQmQJ?T30ZZlYzaom=#gTU#!N6Kkx|3LZaS="
    "ZBEzEP^}m3fOhX4~_WA8YATKHBVR3PC>a>Oj6ASS{Vrr@rB<1M|pN%9G8`sj`}<hlk1^qX?b8blQOvYV91ikB$xPDdW)"
    "fZN6op+4lNLX_-&Bmkg?58+}=-?Ub#0ZKt?jG`1TJ$-@4oT(9jFKP}5IA6KhpZNE~k8>!0m{~28T%go~FKu=u2IThy?K"
    "Ing-4i3S8dl}Fc"
)

DEBUG = (
    "c-nPVOH&(15bmCxU9BE~KoSB3c#*(}hj^KH;+TgaRDvS{_94000v3=<)>11GKMo0?$|0w4%wI@VD&=F6s-#ktKj8d@9Q"
    "_k~u=Dj|?31^uyT9q_>FMe28R_1$YN?f&9uScUazS07??B^<=vPn*_#enk$QFa>Art+gVGG%65q%5!V~A)N^G~6_0r@+"
    "||3a!I;${s4qQ7J<(d>xu<ml3WOs%1LOij@`t1;rAIT_w)FmaOjdlgsVa|IsYjsSNMzff_9_*KAPFl=87d%-cBL0E-T5"
    "pM9=P3*xbVuuGJ=gb4d511n7#040t#VKM|iysrK0RO2Lhk|7i8gMZCAsfE3Q6IKZ@BFZhN$w&=7n~rz;9Piv&sE@sF!)"
    "RkoRf3p#2V}sm@G21X@xjMwjGW{V@=I1z&hUAmVo4!%ItkklIvTxN|Rl3>h6=e<MABX2Tsj<<T@2#)2$xXj{x9$P67dY"
    "$;0niWHp3vBSA3X$m-^DgD+u&IsfjsfDPiCQLqux(kHBAu+W$F%HT+_49d$HGO!s>IGQce&s^W*b}3G~xEO7Q$ut#^FU"
    "RCQC(jWy5Y1qnB0;l29H6;CCy~ud^r$3XH&hchaY047p9eU?{YEYxH-BRl;|852B<U#dDRVf8aaPUdPFdOXHwICTK4)c"
    "JRY%5uAdGdhK?&}$q91kM92rf|D+C8$Yht3t2Pv;;h%Ur&LM3vTzTQxXoEMOS0b8slB^&)Afz1MQK^j`gW}{D%r#UOw3"
    "Dle>_-MOoQN^RurPL8LO!thkyXKWjNdzs>7--xlD%L7vJ21yLuee1N!4g~$j$bH6O>mCXAQ$vL8Pe`D8O6rP*oDF!fRi"
    "9?$P!(q=_*eYBuYtU5F`2`&2vrB#l^*NIG@*<OfLCcs&th>Lkwj<$)J9hLYyYJ?`)9q6OYlj$rG>Ny#09G{DCLqdfc>v"
    "La*z|sT){gC^L~lK^3c{Ay<ZtYlsc5vf@b<&_ENPblTFIaxylfgh;SCwkn9ae@pnpgz&));p181-9y5iPlS&sNn%o<We"
    "Qx7nyd<H6Q!OH9w-?H^)IxFHhBLyG$}YgEfz5wd#jMx^^3M=O!z>b%*92k<qk}+1lJ_CM(`XB&xpag*p6v2ON-WC62&O"
    "8#WXCiuh%AR#8X{)8C@F{o|_WWp-j-Y+p_j^VdFA)eNo)@V38GTX-&3wIx^KIENDeT(4egB?GU&k?3%31SOQzRv0YPJd"
    "PG#&1+pHM%GI%&-Yd<{*!%85ZLD0~)3?{wcg$M7<k!u5X}99){ZhST+%0Yy74LD_t<>DdN3QRNj{S1A?)rMys~?#l*SD"
    "(PuDAa*y;)pc-Ync%UfnL<-}&m!N^!F=fzKSPm7lrhQpNL*t#91Dy65+1A3i#E@}=F{P}V8!`ChH&9G4DVXV>%hT|eGm"
    "s(RJJ&T4UMO<YWx<!aUSjZ^M3P7Not=bcCh7(2#k8l=7i_32YyCa@JUk39sbpB#HN{S?gF^D5qnZ}{%MdFZ=tRqs|#Tx"
    "<8_;K23UaR%oSI^~*E_dMsQe0XGdRo6HuVHeA>B^P76<?3bX_RRYtwJ`KRnSH%lyuD^^7jG}$T{c#BcC-Nd>$UCT*7B!"
    "o`ipy;n`ZIu#@e<K+qilf=<JQ~1gDxB>WofN$U$Cs`y6x2v|Ml8e>5A&5{xTlLq<R`<MOAvP0Vp&5~`h2!0n)vk)||c2"
    "j(-7-JlF~J&?W7$)lA8^+A_|?1wJZh8E&Z%5x`Ex{K2WahJ|;ukPlo>cNZB%Y(SK_{+ePn48wb^Co^WR1e+<Qf3}+I(!"
    "YO9vZQRX)=i`Cb6wUdkZHi(ElMM4~Y"
)
