import Bytes
import CrashModel
import Grouping
import TestSupport
import Testing

/// Version 1 of the rules is frozen: stored groups have its keys. The stacks in `Golden/V1` were recorded
/// once and are never renewed; `make golden` leaves them alone. What would change one of their keys belongs
/// to the next version, whose test shares nothing with this one (docs/reference/grouping.md, "Changes").
@Suite("Version 1 of the rules is frozen") struct FrozenStackTests {
  private static let folder = Samples.root + "/Tests/Reports/GroupingTests/Golden/V1"
  private static let files = ["samples", "lists", "deaths", "names"]

  private static func stacks(_ file: String) throws -> [RecordedStack] {
    try RecordedStack.all(in: ByteView(reading: "\(folder)/\(file).txt", limit: 1 << 24).text)
  }

  @Test(
    "Each recorded stack keeps its keys, its text and the classes of its frames", arguments: files)
  func keys(file: String) throws {
    let stacks = try Self.stacks(file)
    try #require(!stacks.isEmpty)
    let signer = Signer(rules: .v1)
    for stack in stacks {
      let signature = signer.signature(of: stack.report, app: stack.app)
      let name = "\(file): \(stack.name)"
      #expect(signature.key == stack.key, "\(name)")
      #expect(signature.alternativeKeys == stack.alternatives, "\(name)")
      #expect(signature.text == stack.text, "\(name)")
      let classes = signature.steps.filter { $0.frame != nil }.compactMap(\.frameClass)
      #expect(classes == stack.classes, "\(name)")
      #expect(signature.rules == "v1")
    }
  }

  @Test("There are at least 500, of each category, format and class")
  func enough() throws {
    let stacks = try Self.files.flatMap { try Self.stacks($0) }
    #expect(stacks.count >= 500)
    #expect(Set(stacks.map(\.key)).count >= 350)
    #expect(stacks.count { !$0.alternatives.isEmpty } >= 20)
    let signer = Signer(rules: .v1)
    let signatures = stacks.map { signer.signature(of: $0.report, app: $0.app) }
    #expect(
      Set(signatures.map(\.category.rawValue)) == [
        "handled", "oom", "watchdog", "hang", "stack-overflow", "assert", "abort", "exception",
        "signal",
      ])
    #expect(
      Set(stacks.flatMap(\.classes)) == [
        "death", "base", "glue", "system", "unknown", "app", "void",
      ])
    #expect(
      Set(stacks.map(\.report.format.description)) == [
        "apple-ips", "apple-crash", "swift-backtrace", "swift-backtrace-json", "sanitizer",
        "appcenter", "test",
      ])
  }
}
