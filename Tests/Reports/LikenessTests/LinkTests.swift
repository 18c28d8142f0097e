import CrashModel
import Likeness
import Testing
import TriageModel

@Suite struct LinkTests {
  private static func signature(
    _ text: String, _ tokens: [String], isProvisional: Bool = false
  ) -> Signature {
    Signature(
      text: text, key: "k", category: .signal, rules: "v1", isProvisional: isProvisional,
      steps: tokens.enumerated().map {
        SignatureStep(
          frame: $0, subject: $1, result: $1, frameClass: "app", rule: "", used: true)
      })
  }

  private static let stack = RandomStack.stack(
    ("[libGL.so]", .unknown), ("shop::total", .app), ("shop::run", .app), ("main", .base))

  @Test func `Keys are compared where the words of their texts agree`() throws {
    func facts(_ text: String, _ tokens: [String]) throws -> LinkFacts {
      try #require(LinkFacts(Self.signature(text, tokens), Self.stack))
    }
    let plain = try facts("[libGL.so] | shop::total", ["[libGL.so]", "shop::total"])
    #expect(try facts("shop::total", ["shop::total"]) == plain)
    let thrown = try facts("java.lang.Error | shop::total", ["shop::total"])
    #expect(thrown.words != plain.words)
    #expect(thrown.functions != plain.functions)
    #expect(try facts("java.io.Fault | shop::total", ["shop::total"]).words != thrown.words)
  }

  @Test func `Provisional signatures, and those without a function, are never linked`() {
    #expect(LinkFacts(Self.signature("f", ["f"], isProvisional: true), Self.stack) == nil)
    #expect(LinkFacts(Self.signature("EMPTY | no frames", []), Self.stack) == nil)
  }

  @Test func `Two functions of the app are needed for the rule`() throws {
    let stack = RandomStack.stack(("shop::total", .app), ("main", .base))
    let facts = try #require(LinkFacts(Self.signature("f", ["f"]), stack))
    #expect(facts.functions == nil)
  }

  @Test func `The rule needs functions, likeness and frames`() {
    func rule(_ policy: LinkPolicy, _ score: Int, _ frames: Int, _ shares: Bool) -> LinkRule? {
      policy.rule(
        for: Likeness(millionths: score, matchedFrames: frames), sharesFunctions: shares)
    }
    #expect(rule(.rules, 700_000, 4, true) == .sameFunctions)
    #expect(rule(.rules, 699_999, 4, true) == nil)
    #expect(rule(.rules, 900_000, 3, true) == nil)
    #expect(rule(.rules, 990_000, 9, false) == nil)
    #expect(rule(.own(.off), 1_000_000, 9, true) == nil)
    #expect(rule(.own(.from(hundredths: 80)), 800_000, 1, false) == .limit)
    #expect(rule(.own(.from(hundredths: 80)), 799_999, 1, false) == nil)
    #expect(rule(.own(.from(hundredths: 80)), 700_000, 4, true) == .sameFunctions)
  }

  @Test func `Words said at one line are of one statement, whatever data they have`() throws {
    func facts(_ words: String, line: Int, column: Int? = 5) throws -> LinkFacts {
      var report = CrashReport(format: ReportFormat("test"))
      report.threads = [
        CrashThread(
          index: 0, crashed: true,
          frames: [
            Frame(
              position: .returnAddress, function: "shop::total", file: "/a/till.rs", line: line,
              column: column)
          ])
      ]
      var signature = Self.signature("panic: \(words) | shop::total", ["shop::total"])
      signature.category = .assertion
      signature.steps.insert(
        SignatureStep(subject: "stack", result: "thread 0, which crashed", rule: ""), at: 0)
      report.signature = signature
      return try #require(LinkFacts(signature, Self.stack, of: report))
    }
    let ann = try facts("no ann", line: 12)
    #expect(LinkFacts.isStatement(ann.functions))
    #expect(try facts("no bob", line: 12).functions == ann.functions)
    #expect(try facts("no bob", line: 12).words != ann.words)
    #expect(try facts("no bob", line: 13).functions != ann.functions)
    #expect(try facts("no bob", line: 12, column: 9).functions != ann.functions)
    func rule(_ policy: LinkPolicy, _ score: Int) -> LinkRule? {
      policy.rule(
        for: Likeness(millionths: score, matchedFrames: 1), sharesFunctions: true,
        isStatement: true)
    }
    #expect(rule(.rules, 700_000) == .sameStatement)
    #expect(rule(.rules, 699_999) == nil)
    #expect(rule(.own(.off), 1_000_000) == nil)
  }

  @Test(arguments: ["on", "off", "0.70", "1.00"])
  func `Settings are read`(_ text: String) { #expect(LinkPolicy(text)?.text == text) }

  @Test(arguments: ["", "yes", "ON", "0", "1.1", "0.7x"])
  func `Other settings are refused`(_ text: String) { #expect(LinkPolicy(text) == nil) }

  @Test(arguments: [("fingerprint", "disk full"), ("link", "off")])
  func `Somebody's rule keeps a key from being linked`(_ subject: String, _ result: String) {
    var signature = Self.signature("shop::total", ["shop::total"])
    signature.steps.append(SignatureStep(subject: subject, result: result, rule: "own:1"))
    #expect(LinkFacts(signature, Self.stack) == nil)
  }

  @Test func `Links bring groups together, in whatever order they come`() {
    let roots = ["a": "a", "b": "a", "c": "c", "d": "d"]
    let links = [("b", "c"), ("c", "x")]
    let expected = ["a": "a", "b": "a", "c": "a", "d": "d"]
    #expect(LinkedKeys.roots(roots, links: links) == expected)
    #expect(LinkedKeys.roots(roots, links: links.reversed().map { ($1, $0) }) == expected)
  }

  @Test func `A comparison names the frames that agree and those that don't`() {
    let other = RandomStack.stack(
      ("abort", .death), ("shop::total", .app), ("shop::start", .app), ("main", .base))
    let comparison = StackComparison(Self.stack, other)
    #expect(comparison.matched.map(\.own) == [1, 3])
    #expect(comparison.matched.map(\.other) == [1, 3])
    #expect(comparison.ownRest == [0, 2])
    #expect(comparison.otherRest == [2])
  }
}
