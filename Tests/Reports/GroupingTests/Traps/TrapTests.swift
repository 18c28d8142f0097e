import CrashModel
import Grouping
import Testing

/// Numbered cases that split or mix groups in other systems, each with the expected result: here those that a
/// signature decides. Those that a store decides have their numbers in the names of its tests.
@Suite("Traps of grouping")
struct TrapTests {
  typealias Build = ReportBuilder

  /// Each case holds for every version of the rules.
  static let versions: [GroupingRules] = GroupingRules.builtIn

  static func builds(_ stacks: [String], _ rules: GroupingRules) -> [Build] {
    stacks.map { stack in
      var build = Build(stack)
      build.rules = rules
      return build
    }
  }

  /// Expects one group for all reports.
  func expectSame(
    _ builds: [Build], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let signatures = builds.map(\.signature)
    #expect(
      Set(signatures.map(\.key)).count == 1, "\(Set(signatures.map(\.text)))",
      sourceLocation: sourceLocation)
  }

  func expectSame(
    _ stacks: [String], _ rules: GroupingRules, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectSame(Self.builds(stacks, rules), sourceLocation: sourceLocation)
  }

  /// Expects a separate group for each report, with no common alternative key.
  func expectApart(
    _ builds: [Build], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let signatures = builds.map(\.signature)
    #expect(
      Set(signatures.map(\.key)).count == builds.count, "\(signatures.map(\.text))",
      sourceLocation: sourceLocation)
    for (index, signature) in signatures.enumerated() {
      let others = Set(signatures.indices.filter { $0 != index }.map { signatures[$0].key })
      #expect(
        others.isDisjoint(with: signature.alternativeKeys), "\(signature.text)",
        sourceLocation: sourceLocation)
    }
  }

  func expectApart(
    _ stacks: [String], _ rules: GroupingRules, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectApart(Self.builds(stacks, rules), sourceLocation: sourceLocation)
  }
}
