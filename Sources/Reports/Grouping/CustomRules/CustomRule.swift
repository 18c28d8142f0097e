internal import CrashModel
internal import Identifiers
internal import Patterns

/// One line of the custom rules.
struct CustomRule: Sendable {
  /// Counted from 1.
  let line: Int
  /// The conditions for the report.
  var report: [CustomRuleCondition] = []
  /// The conditions for a frame, for its callee and for its caller.
  var frame: [CustomRuleCondition] = []
  var neighbours: [AdjacentFrameConditions] = []
  var actions = CustomRuleActions()

  var id: String { "\(CustomRules.list):\(line)" }

  var asksForFrame: Bool { !frame.isEmpty || !neighbours.isEmpty }
}

/// The effects of a rule on frames and on the report.
struct CustomRuleActions: Sendable {
  var frameClass: FrameClass?
  var dropsAbove = false
  var dropsBelow = false
  var extends = false
  var stops = false
  var name: String?
  /// Whether the frame is the app's own code.
  var isApp: Bool?
  var fingerprint: [FingerprintPart]?
  var maxFrames: Int?
  var linking: GroupLinking?

  var concernsFrames: Bool {
    frameClass != nil || dropsAbove || dropsBelow || extends || stops || name != nil || isApp != nil
  }
  var concernsReport: Bool { fingerprint != nil || maxFrames != nil || linking != nil }
}

/// A part of a fingerprint.
enum FingerprintPart: Hashable, Sendable {
  case text(String)
  /// The text that the signature would have otherwise.
  case standard
  case category, type
  case tag(String)
}

/// Conditions of the caller or the callee.
struct AdjacentFrameConditions: Sendable {
  let isCaller: Bool
  let isNegated: Bool
  let conditions: [CustomRuleCondition]
}

/// `module:libfoo.so`, or its opposite.
struct CustomRuleCondition: Sendable {
  enum Field: Hashable, Sendable {
    case platform, family, product, category, type, message, thread, version
    case tag(String)
    case module, function, file, inApp

    /// Whether it tests a frame.
    var isOfFrame: Bool {
      switch self {
      case .module, .function, .file, .inApp: true
      default: false
      }
    }

    /// Whether case is ignored.
    var foldsCase: Bool {
      switch self {
      case .platform, .family, .category, .module: true
      default: false
      }
    }
  }

  enum Test: Sendable {
    case glob(NamePattern)
    case search(SearchPattern)
    case versions(VersionRange)
    case flag(Bool)
  }

  let field: Field
  let test: Test
  let isNegated: Bool

  /// Whether one of `values` meets the condition; for a negated one, whether none does.
  func holds(for values: some Sequence<NameBytes>) -> Bool {
    values.contains { fits($0) } != isNegated
  }

  private func fits(_ value: NameBytes) -> Bool {
    switch test {
    case .glob(let pattern): pattern.fits(field.foldsCase ? value.map(\.lowercased) : value)
    case .search(let pattern): pattern.fits(value)
    case .versions(let versions): versions.contains(value.text)
    case .flag: false
    }
  }
}

/// A range of versions.
struct VersionRange: Sendable {
  var lower: (version: String, isIncluded: Bool)?
  var upper: (version: String, isIncluded: Bool)?

  func contains(_ version: String) -> Bool {
    if let lower {
      let order = VersionOrder.compare(version, lower.version)
      if order < 0 || order == 0 && !lower.isIncluded { return false }
    }
    if let upper {
      let order = VersionOrder.compare(version, upper.version)
      if order > 0 || order == 0 && !upper.isIncluded { return false }
    }
    return !version.isEmpty
  }
}
