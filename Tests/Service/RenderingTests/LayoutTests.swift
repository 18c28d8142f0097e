import Bytes
import CrashModel
import Terminal
import Testing

@testable import MaydayCommands
@testable import Rendering

@Suite("Layout")
struct LayoutTests {
  @Test(
    "Columns that text takes",
    arguments: [
      ("", 0), ("abc", 3), ("größe", 5), ("e\u{301}", 1), ("字符", 4), ("🐚", 2), ("👩‍👩‍👧", 2),
      ("🇩🇪", 2), ("a\u{200b}", 1), ("ﬁ", 1), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("☎\u{fe0f}", 2),
    ])
  func columns(text: String, expected: Int) {
    #expect(text.columns == expected)
  }

  @Test(
    "Text is cut where it has to be",
    arguments: [
      ("abcdef", 6, "abcdef", "abcdef"), ("abcdef", 4, "abc…", "…def"), ("abc", 1, "…", "…"),
      ("abc", 0, "", ""), ("字符串", 4, "字…", "…串"), ("", 3, "", ""),
    ])
  func truncation(text: String, width: Int, end: String, start: String) {
    #expect(text.truncated(to: width) == end)
    #expect(text.truncatedAtStart(to: width) == start)
  }

  @Test(
    "Lines break at blanks, and long words anywhere",
    arguments: [
      ("a bb ccc", 4, Int.max, ["a bb", "ccc"]), ("abcdefgh", 3, Int.max, ["abc", "def", "gh"]),
      ("a bcdefg", 3, Int.max, ["a", "bcd", "efg"]), ("a b c d e f", 3, 2, ["a b", "c …"]),
      ("abcdefgh", 3, 1, ["ab…"]), ("", 3, Int.max, []),
    ])
  func lines(text: String, width: Int, limit: Int, expected: [String]) {
    #expect(text.lines(of: width, atMost: limit) == expected)
  }

  @Test(
    "What acts on a terminal is shown as an escape",
    arguments: [
      ("plain ß 字", "plain ß 字"), ("a\nb\r\tc", "a\\nb\\r  c"), ("\u{1b}[31m", "\\x1b[31m"),
      ("\u{9b}", "\\x9b"), ("\u{202e}x", "\\u{202e}x"), ("\0", "\\x00"),
      ("a\u{200b}b", "a\\u{200b}b"),
    ])
  func printable(text: String, expected: String) {
    #expect(text.printable == expected)
  }

  @Test("Numbers are right-aligned, and the widest column is shortened")
  func table() {
    var table = TextTable([.text("A", .atEnd), .number("COUNT"), .text("PATH", .atStart)])
    table.add(["a long first column, longer than the rest", "7", "one/two/three/four/five/six"])
    table.add(["b", "12345", "x"])
    #expect(
      table.lines(width: 40, styles: .plain) == [
        "A                COUNT  PATH",
        "a long first c…      7  …e/four/five/six",
        "b                12345  x",
      ])
    #expect(
      table.lines(width: 200, styles: .plain)[1].hasPrefix("a long first column, longer than"))
  }

  @Test("A table too narrow for its columns is as narrow as it can be")
  func narrow() {
    var table = TextTable([.text("NAME", .atEnd), .text("FIXED")])
    table.add(["a long name that gives way", "a fixed one that does not"])
    let lines = table.lines(width: 10, styles: .plain)
    #expect(lines[1] == "a long …  a fixed one that does not")
  }

  @Test("Recursion is shown once, however long the cycle")
  func recursion() {
    for period in 1...8 {
      let frames = (0..<period * 100).map {
        Frame(position: .exact, function: "f\($0 % period)", inApp: true)
      }
      let outline = StackOutline(frames, of: SampleReports.bare)
      #expect(
        outline.lines == (0..<period).map { .frame($0) } + [.repeated(period: period, times: 99)])
    }
  }

  @Test("An endless stack is elided in the middle")
  func longStack() {
    let frames = (0..<10_000).map { Frame(position: .exact, function: "f\($0)") }
    let outline = StackOutline(frames, of: SampleReports.bare)
    #expect(outline.lines.count == StackOutline.mostLines + 1)
    #expect(outline.lines.first == .frame(0) && outline.lines.last == .frame(9_999))
    #expect(StackOutline(frames, of: SampleReports.bare, isFull: true).lines.count == 10_000)
  }

  @Test("System frames are folded only if there are frames of the app")
  func folding() {
    let system = (0..<6).map { Frame(position: .exact, function: "s\($0)", inApp: false) }
    let own = Frame(position: .exact, function: "own", inApp: true)
    #expect(StackOutline(system, of: SampleReports.bare).lines.count == 6)
    #expect(
      StackOutline(system + [own] + system, of: SampleReports.bare).lines == [
        .frame(0), .system(count: 5, images: []), .frame(6), .system(count: 6, images: []),
      ])
    #expect(
      StackOutline([own] + system.prefix(3), of: SampleReports.bare).lines
        == (0...3).map { .frame($0) })
  }

  @Test("The bar shows the progress on one line")
  func progress() {
    #expect(
      ProgressBar.line("Reading", 5, of: 20, detail: "crashes/a.ips", width: 78)
        == "Reading █████░░░░░░░░░░░░░░░ 5 of 20  crashes/a.ips")
    #expect(ProgressBar.line("Reading", 7, of: nil, detail: "", width: 78) == "Reading 7")
    let long = String(repeating: "long/", count: 40) + "end\n"
    let line = ProgressBar.line("Reading", 30, of: 20, detail: long, width: 78)
    #expect(line.columns <= 78 && line.hasSuffix("end\\n"))
  }

  @Test(
    "Strings of C++ are written as people write them",
    arguments: [
      "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)",
      "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>> const&)",
      "f(std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char>> const&)",
      "f(std::string const&)",
    ])
  func strings(function: String) {
    let frame = Frame(position: .exact, function: function)
    #expect(FrameText(frame, in: SampleReports.bare).name == "f(std::string const&)")
  }
}
