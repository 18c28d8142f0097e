internal import CrashModel

/// The lists of one version of the rules, ready to be asked; its steps ask it too where two versions
/// differ.
///
/// Made once for a version and shared by all signers: lists never change while the program runs.
final class RuleEdition: Sendable {
  /// `v1`, as signatures and keys have it.
  let version: String
  let lists: [RuleList]
  /// Gives a class by name.
  let classes: PatternTable
  let swift: SwiftLibraryNames
  let handled: PatternTable
  let idle: PatternTable
  let memory: PatternTable
  let extend: PatternTable
  let images: PatternTable
  let libraries: PatternTable
  let runtimes: PatternTable
  let messages: PatternTable

  static let v1 = RuleEdition("v1", RuleLists.first)
  static let v2 = RuleEdition("v2", RuleLists.first + RuleLists.second)

  private init(_ version: String, _ lists: [RuleList]) {
    func rules(_ role: RuleList.Role) -> [ListedRule] {
      lists.filter { $0.role == role }.flatMap { ListedRule.rules(of: $0) }
    }
    self.version = version
    self.lists = lists
    classes = PatternTable(
      lists.flatMap { list in
        guard case .frameClass(let frameClass) = list.role else { return [ListedRule]() }
        return ListedRule.rules(of: list, frameClass: frameClass)
      })
    swift = SwiftLibraryNames(
      lists.filter { $0.role == .swift }.flatMap { ListedRule.rules(of: $0, frameClass: .glue) })
    handled = PatternTable(rules(.handled))
    idle = PatternTable(rules(.idle))
    memory = PatternTable(rules(.memory))
    extend = PatternTable(rules(.extend))
    images = PatternTable(rules(.images))
    libraries = PatternTable(rules(.libraries))
    runtimes = PatternTable(rules(.runtimes))
    messages = PatternTable(rules(.messages))
  }
}
