import CrashModel
import Testing

@testable import Grouping

@Suite("Why a frame is left out")
struct LeftOutTests {
  /// A letter for each frame: why it is left out, `+` for one that is in the text.
  private func letters(_ signature: Signature) -> String {
    signature.steps.filter { $0.frame != nil }.map { step in
      switch step.leftOut {
      case nil: step.used ? "+" : "?"
      case .byClass: "c"
      case .above: "a"
      case .below: "b"
      case .repeated: "r"
      case .outside: "o"
      case .surplus: "s"
      case .words: "w"
      case .complete: "x"
      }
    }.joined()
  }

  @Test(
    "By its class, by its place, by what is there already",
    arguments: zip(
      [
        "raise\nabort\nshop::f()\nshop::g()\nmain",
        "std::vector<int>::at(unsigned long)\nshop::f()\nmain",
        "shop::inner()\nabort\nstd::terminate()\nshop::f()",
        "nanosleep\npoll\nread\nshop::f()\nmain",
        "shop::f()\n?? @ /usr/lib/libfoo.so.6\nshop::g()",
        "nanosleep\npoll\nread",
      ],
      ["ac+bb", "c+b", "aac+", "+ss+b", "+bb", "+bb"]))
  func places(stack: String, expected: String) {
    let signature = ReportBuilder(stack).signature
    #expect(letters(signature) == expected, "\(signature.text)")
  }

  @Test("Cycles of a recursion, and the rest of an overflowed stack")
  func recursion() {
    let turns = String(repeating: "shop::a()\nshop::b()\n", count: 30)
    let inside = ReportBuilder("memcpy\n" + turns + "shop::f()\nmain").signature
    #expect(inside.text == "shop::a")
    let walked = letters(inside)
    #expect(walked.hasPrefix("c+b") && !walked.contains("?"))
    let overflow = ReportBuilder(turns + "shop::f()\nmain").with {
      $0.reason.type = "stack-overflow"
    }.signature
    #expect(overflow.text.hasPrefix("stack overflow | "))
    #expect(letters(overflow) == "++" + String(repeating: "r", count: 58) + "oo")
  }

  @Test("Messages: those that are all there is, and those that outweigh the system's functions")
  func words() {
    let small = ReportBuilder("operator new(unsigned long)\nshop::f()\nmain").with {
      $0.kind = .oom
      $0.tags[.allocationSize] = "4096"
    }.signature
    #expect(small.text == "OOM small" && Set(letters(small)) == ["x"])
    let said = ReportBuilder("nanosleep\nshop::f()\nmain", signal: "SIGABRT").with {
      $0.reason.message = "Assertion failed: basket is open, file basket.cpp, line 7"
    }.signature
    #expect(letters(said) == "w+b", "\(said.text)")
  }

  @Test("An alternative key is printed with its text, in the order of the keys")
  func readings() {
    let signature = ReportBuilder("~shop::inner()\nshop::outer()\nmain").signature
    let last = signature.steps.last
    #expect(signature.alternativeKeys.count == 1)
    #expect(last?.subject == Signature.alternativeSubject && last?.result == "shop::outer")
    #expect(last?.rule == "without inlined calls" && last?.frame == nil)
  }

  @Test("A rule is a line; the digest covers all lists")
  func lines() {
    let rules = GroupingRules.v1
    for (name, text) in rules.lists {
      let lines = rules.lines(of: name) ?? []
      #expect(lines.map(\.text).joined(separator: "\n") == text)
      #expect(rules.purpose(of: name) != nil)
    }
    #expect(rules.line("death.rules:2")?.text == "abort  above")
    #expect(rules.line("death.rules:2")?.heading?.hasPrefix("C libraries") == true)
    for none in ["", "death.rules", "death.rules:0", "death.rules:x", "birth.rules:1", ":1"] {
      #expect(rules.line(none) == nil)
    }
    #expect(rules.digest.count == 64)
  }
}
