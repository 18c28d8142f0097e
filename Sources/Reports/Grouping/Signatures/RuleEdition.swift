internal import CrashModel

/// The compiled lists of one version of the rules, and the features in which two versions differ.
///
/// Created once for a version and shared by all signers: lists never change while the program runs.
final class RuleEdition: Sendable {
  /// `v1`, as signatures and keys have it.
  let version: String
  /// Whether it has the feature of that name, which is tested for every name.
  let namesUnknownFrames: Bool
  /// Whether it has ``RuleStep/generatedNames``.
  let hasGeneratedNames: Bool
  /// Whether it has ``RuleStep/scriptNames``.
  let hasScriptNames: Bool
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
  private let steps: Set<RuleStep>
  /// A bit for each feature, as ``has(_:)`` is called often.
  private let stepBits: UInt32

  static let v1 = RuleEdition("v1", RuleLists.first, [])
  static let v2 = RuleEdition("v2", RuleLists.first + RuleLists.second, Set(RuleStep.allCases))

  /// Whether signatures are made with a feature.
  func has(_ step: RuleStep) -> Bool { stepBits & step.bit != 0 }

  /// The version without the named feature or list; `nil` if it has neither.
  func without(_ name: String) -> RuleEdition? {
    if let step = RuleStep(rawValue: name), steps.contains(step) {
      return RuleEdition(version, lists, steps.subtracting([step]))
    }
    guard lists.contains(where: { $0.name == name }) else { return nil }
    return RuleEdition(version, lists.filter { $0.name != name }, steps)
  }

  private init(_ version: String, _ lists: [RuleList], _ steps: Set<RuleStep>) {
    func rules(_ role: RuleList.Role) -> [ListedRule] {
      lists.filter { $0.role == role }.flatMap { ListedRule.rules(of: $0) }
    }
    self.version = version
    namesUnknownFrames = steps.contains(.littleKnown)
    hasGeneratedNames = steps.contains(.generatedNames)
    hasScriptNames = steps.contains(.scriptNames)
    self.lists = lists
    self.steps = steps
    stepBits = steps.reduce(0) { $0 | $1.bit }
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
    tests = PatternTable(rules(.tests))
    fileLocks = PatternTable(rules(.fileLocks))
    crumbs = PatternTable(rules(.crumbs))
    packages = PatternTable(rules(.packages))
  }
}

extension RuleStep {
  fileprivate var bit: UInt32 {
    switch self {
    case .onePiece: 1
    case .twoModules: 2
    case .testClass: 4
    case .inlinedCallee: 8
    case .unnamedLibrary: 16
    case .littleKnown: 32
    case .tellingStacks: 64
    case .unknownOrigin: 128
    case .generatedNames: 256
    case .wordDigits: 512
    case .faultFacts: 1024
    case .releaseOfBuild: 2048
    case .scriptNames: 4096
    case .ownPlaces: 8192
    case .knownLibraries: 16384
    }
  }
}
