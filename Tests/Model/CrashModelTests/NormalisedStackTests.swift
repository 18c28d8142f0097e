import CrashModel
import Testing

@Suite("Stacks as grouping sees them")
struct NormalisedStackTests {
  private static func stack(_ tokens: String) -> NormalisedStack {
    let steps = tokens.split(separator: " ").enumerated().map { index, token in
      SignatureStep(
        frame: index, subject: "", result: String(token),
        frameClass: token == "-" ? "void" : "app", rule: "")
    }
    let words = SignatureStep(subject: "reason", result: "SIGSEGV", rule: "")
    return NormalisedStack(
      Signature(text: "", key: "", category: .signal, rules: "v1", steps: [words] + steps),
      type: "SIGSEGV")
  }

  @Test(
    "A recursion stays for one turn, however deep it is",
    arguments: [
      ("a b c", "a b c"),
      ("a a b", "a a b"),
      ("a a a b", "a b"),
      ("x a b a b a b a c", "x a b a c"),
      ("a b a b a b b b b", "a b b"),
      ("- - - a", "- - - a"),
    ])
  func recursion(frames: String, kept: String) {
    #expect(
      Self.stack(frames).calls.map(\.token) == kept.split(separator: " ").map(String.init))
  }

  @Test("Decisions about the report as a whole are not calls")
  func calls() {
    let stack = Self.stack("a -")
    #expect(stack.calls.map(\.frameClass) == [.app, .void])
    #expect(stack.type == "SIGSEGV")
  }
}
