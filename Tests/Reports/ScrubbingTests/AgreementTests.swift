import Testing

@testable import Scrubbing

/// Random patterns, and RE2's matches (google-re2 1.1.20251105, `longest_match`) in random texts.
@Suite struct AgreementTests {
  private static let cases: [(String, String, [Range<Int>])] = [
    (#"b*bé"#, "ca bbé0bddaaécé bbbaab\té", [3..<7]),
    (#"b{2,}|d{2,}"#, "éac xéadéa0\n\nébb\n 0\tb0aa", [18..<20]),
    (#"(ba{0,2}é[a-c])+"#, "ba0dbxéxb\tba\nbbbéacbx0xx", [16..<20]),
    (#"((a*ab?|é{2}a{0,2}a{2,}a))[ab]a"#, "cbc0  \n\taaa\nbadxdxaé\nb\nx", [8..<11]),
    (#"([a-c].){2,}"#, "\tx\naaabaé\tb0\tx\tccdé 00c\n", [3..<10]),
    (#"((ba|abaa+)c)+"#, "a b da cac0\nd00\n c c \n0a", []),
    (#"\D\d{1,3}\w([b-d0].[^bc]{1,3})?"#, "acabaé\nbccéaéda\nx\n aab\tb", []),
    (#"bé"#, "béxéébaax\nbb\t0x\té\ndcaba\n", [0..<3]),
    (#"(é[^bc]{2,}.+)c[a-c]|[^a]{2}"#, "ab aé \nb0b aaaébxbaba\tcb", [1..<3, 4..<26]),
    (#"b{2}a{0,2}c?"#, "ca adxbbx\tx0ada\t aba0cb0", [6..<8]),
    (#"(d{0,2}(a*c*[^a])+c\S)*é"#, "aaccb\t b  éb\nbdbbx caadb", [10..<12]),
    (#"bb"#, "ba\t\txcda\tdb abba\n0dabé0a", [13..<15]),
    (#"([ab][ab]+)+b{0,2}"#, "0 cbd  é\tab0b0 0abx\tcb\t0", [10..<12, 17..<19]),
    (#"[^bc]*([a-c].)..{1,3}"#, "0\t0axé\ncx \tbadxc \tx0bbb\t", [0..<14, 14..<22]),
    (#"d{1,3}([^a]+d{0,2}b){0,2}."#, "ac00xx éca\t\n0aabaabcbdac", [22..<24]),
    (#"(a)"#, "é ccxb\nb\t0\ncbbéx\tbbaxada", [21..<22, 23..<24, 25..<26]),
    (#"da([^bc]+)"#, "bada\ta0baaaxxa\téb\t\t  é0b", [2..<7]),
    (#"\d*a{2}a"#, "\n0bb\t\ta\na\nabxé0baéaaca \n", []),
    (#"é"#, "é 0caaaébbac\t0a\tbcb\nb\t\tx", [0..<2, 8..<10]),
    (#"..b{2}"#, "\tbd\n c\nabbb\né\nb\naxacc 0\t", [7..<11]),
    (#"[^bc]d"#, "éad00aabxédbd\n\tb\tbbbaxbc", [2..<4, 10..<13]),
    (#"c+"#, "bda\né b\néb\n\txc\taaxcébxab", [15..<16, 20..<21]),
    (#"[^a]{2,}.{2,}"#, "b\tbxbbcébb\n\n0bxba0dxdacx", [0..<25]),
    (#"b"#, "cbabxéa\tc\tb\t\tcbacaxbaabd", [1..<2, 3..<4, 11..<12, 15..<16, 20..<21, 23..<24]),
    (#".c\sé{2}"#, "aaa\tbbéa \n c0ba\t0b\txddb0", []),
    (#"((ab)(d))c{2}c{0,2}a"#, "éba\tcéd \ndcbb dba\tdaa\né\t", []),
    (#"c"#, "d bacééb \tdbd\tb0c\taaébbb", [4..<5, 18..<19]),
    (#".*.{2,}"#, "\t\nébcaa\n\tbb\tax\tb0a\nxadaé", [2..<8, 9..<19, 20..<26]),
    (#"b"#, "éa ba\tccb0éb0\n a0abéx \ta", [4..<5, 9..<10, 13..<14, 20..<21]),
    (#"éb*é{1,3}c"#, "bd\taa\n  a\t00bbébé\nxb0\t c", []),
    (#"\D[^a]+"#, "\tééc0 \n\nb\t\tb0x\t ab\né0c a", [0..<18, 18..<26]),
    (#"dd*[ab]{0,2}[a-c]"#, "d\n\t\n \ta0 acbc\né bxababéx", []),
    (#"é+"#, "é\nc\nbaax\n\téd\t\ndx édbb\ndé", [0..<2, 11..<13, 19..<21, 26..<28]),
    (#"b{2}"#, "a 0\nbéé0x\tbxdba0aéb xxab", []),
    (#"[^a]é"#, "da\ndbx0aaxéb\nééaabd 0a0c", [9..<12, 13..<16]),
    (#"b"#, "ba\néaéc0b\n db dxca bc0 x", [0..<1, 10..<11, 14..<15, 21..<22]),
    (#"a{0,2}([ab][^a]{2,}[ab]*)|é"#, "\taé\t\nbx0dé0c\t0b0 \nc\n0dcé", [1..<27]),
    (#"d\dc|(c{2}a|(éc){2,}b.c{2}){2,}d|c"#, " \tcb\txc\tb\n\téxdé éxxd xéé", [2..<3, 6..<7]),
    (#"d"#, "0aé \n adad xaaaa0éxb\nc b", [8..<9, 10..<11]),
    (#"b"#, "\t\n ab\t0ab00cx0é\n\taabdb0d", [4..<5, 8..<9, 20..<21, 22..<23]),
    (#"dc*.{2}"#, "abcaa ba0dxdb b \tc\nb\n aa", [9..<12]),
    (#"b.+|(b)?d{2,}"#, "\nb bab0cébbéb0é a0b00\né0", [1..<24]),
    (#"ac|cb"#, "xbabb\naé  bc0cxa\nb0\tab\n0", []),
    (#"a{1,3}c*.+"#, "\tb\nc\ta0a0\n0a\na a0dbabd0é", [5..<9, 13..<25]),
    (#"[b-d0]"#, " aéa\tb x aéédéa\t\txbd0a a", [6..<7, 15..<16, 22..<23, 23..<24, 24..<25]),
    (#"ébda?"#, "  b\na é\t\n déb 0bé \nax\nd\n", []),
    (#"b?a{2}"#, "bxxxbcd0bcxéa\n 0 xb a\taa", [23..<25]),
    (#"[a-c]c{2}"#, "0accca\taxb\nax\t\tbébb0cé\na", [1..<4]),
    (#"[ab]\W+"#, "da0dcb\taab0ca\txxcb bx ab", [5..<7, 12..<14, 17..<19]),
    (#"d"#, "\taaxaaa\ncb\n xé\n éa0bxd x", [23..<24]),
    (#"cc?(b{2}cc+|[b-d0]*)"#, "é\tbdaa a xbbébaéa\ncxc x\t", [21..<22, 23..<24]),
    (#"[ab]+\S+a|((a)é){2}cc{2}"#, " \t éxbécd\nbdb\naacaé aca0", [16..<20, 23..<26]),
    (#"éé"#, "xb xé\taaabccéédxaa\ta\tbxb", [13..<17]),
    (#"ab[^bc]+"#, "xca0x\t é\tdbb\t\nédadc xbxx", []),
    (#"(d(bb{1,3}|b|b+b)){0,2}c(dcb+){2}."#, "\t0ac0xx0\nbc\tbaé\t\nxb0\ta0b", []),
    (#"c+a"#, "bddda 0d\naadbb\t0xébax\nab", []),
    (#"\Sd(ad*(a{1,3}.b)(b{0,2}|b{1,3})?)."#, "bbb \tbb\taéédaa b\té b0éb\n", [11..<19]),
    (#"[ab][ab]((c*\D))*"#, "babécdbdé\nb aaé béb\t\txéc", [0..<29]),
    (#"b"#, "  d\tacéa00d\nbcéc\t\ncéc0\t0", [13..<14]),
    (#".c{0,2}a{2}"#, "éabaa  déc0xdb\nb0\taé0  a", [3..<6]),
  ]

  @Test("Matches of another engine", arguments: cases.indices)
  func finds(index: Int) throws {
    let (pattern, text, ranges) = Self.cases[index]
    var scrubber = try TextScrubber([ScrubRule(list: "own", name: "x", pattern: pattern)])
    let bytes = Array(text.utf8)
    #expect(scrubber.finds(in: bytes.span).map(\.range) == ranges, "\(pattern)")
  }
}
