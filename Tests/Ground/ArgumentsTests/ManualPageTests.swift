import Testing

@testable import Arguments

@Suite("Manual pages")
struct ManualPageTests {
  @Test("A page holds everything that a command declares")
  func page() throws {
    let program = Program(Sample.self).description
    let sort = try #require(program.subcommands.first)
    let page = ManualPage(
      of: sort, below: program, release: "sample 1.0", date: "2026-01-02",
      appendices: [.init("FILES", [.list([.init("~/.shells", "Shells.")])])])
    #expect(page.fileName == "sample-sort.1")
    #expect(
      page.text.hasPrefix(
        """
        .TH SAMPLE-SORT 1 2026-01-02 "sample 1.0" ""
        .nh
        .ad l
        .SH NAME
        sample\\-sort \\- sort shells
        .SH SYNOPSIS
        \\fBsample sort\\fR [options] \\fIBEACH\\fR \\fI[MORE...]\\fR
        .SH ARGUMENTS
        .TP
        \\fIBEACH\\fR
        Where to look first.

        """))
    for text in [
      ".TP\n\\fB\\-o\\fR, \\fB\\-\\-order\\fR \\fIsize|colour|weight\\fR\nWhat to sort by.",
      ".SH FILES\n.TP\n\\fB\\(ti/.shells\\fR\nShells.", ".SH EXAMPLES", ".SH \"SEE ALSO\"",
      "\\fBsample\\fR(1)",
    ] { #expect(page.text.contains(text), "\(text)\n\(page.text)") }
  }

  @Test("Text is never interpreted as a request")
  func escapes() {
    var page = Roff()
    page.line(".de")
    page.line("'a' \\n \"b\" ä–")
    page.verbatim([".x", ""])
    #expect(
      page.text == """
        \\&.de
        \\(aqa\\(aq \\en "b" \\[u00E4]\\[u2013]
        .PP
        .in +4n
        .nf
        \\&.x

        .fi
        .in

        """)
  }
}
