internal import CrashModel

/// The compiled lists of one version of the rules.
///
/// Created once for a version and shared by all signers: lists never change while the program runs. Another
/// version is another `static let` with lists of its own.
final class RulesVersion: Sendable {
  /// `v1`, as signatures and keys have it.
  let name: String
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
  let tests: PatternTable
  let fileLocks: PatternTable
  let crumbs: PatternTable
  let packages: PatternTable

  static let v1 = RulesVersion("v1", RuleLists.v1)

  /// The version without the named list; `nil` if it has none of that name.
  func without(_ list: String) -> RulesVersion? {
    guard lists.contains(where: { $0.name == list }) else { return nil }
    return RulesVersion(name, lists.filter { $0.name != list })
  }

  private init(_ name: String, _ lists: [RuleList]) {
    func table(_ role: RuleList.Role) -> PatternTable {
      PatternTable(lists.filter { $0.role == role }.flatMap { ListedRule.rules(of: $0) })
    }
    self.name = name
    self.lists = lists
    classes = PatternTable(
      lists.flatMap { list in
        guard case .frameClass(let frameClass) = list.role else { return [ListedRule]() }
        return ListedRule.rules(of: list, frameClass: frameClass)
      })
    swift = SwiftLibraryNames(
      lists.filter { $0.role == .swift }.flatMap { ListedRule.rules(of: $0, frameClass: .glue) })
    handled = table(.handled)
    idle = table(.idle)
    memory = table(.memory)
    extend = table(.extend)
    images = table(.images)
    libraries = table(.libraries)
    runtimes = table(.runtimes)
    messages = table(.messages)
    tests = table(.tests)
    fileLocks = table(.fileLocks)
    crumbs = table(.crumbs)
    packages = table(.packages)
  }
}
