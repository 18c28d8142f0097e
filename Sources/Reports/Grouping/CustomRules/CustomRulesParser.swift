internal import CrashModel
internal import Patterns
internal import Spelling

/// Reads one line of ``CustomRules``.
struct CustomRulesParser {
  typealias Problem = CustomRulesError.Problem

  private static let conditions = [
    "platform", "family", "product", "category", "type", "message", "thread", "version", "module",
    "image", "function", "file", "in_app", "tag.NAME", "caller", "callee",
  ]
  private static let actions = [
    "class", "above", "below", "extend", "stop", "name", "+app", "-app", "fingerprint",
    "max-frames", "link",
  ]

  private let number: Int
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var conditionCount = 0

  /// The rule in a line; `nil` for an empty line and a comment.
  static func rule(in line: Substring, number: Int) throws(Problem) -> CustomRule? {
    var parser = CustomRulesParser(line, number)
    return try parser.rule()
  }

  private init(_ line: Substring, _ number: Int) {
    scalars = Array(line.unicodeScalars.prefix(CustomRules.Limit.line + 1))
    self.number = number
  }

  private func problem(_ reason: String, at index: Int? = nil) -> Problem {
    Problem(line: number, column: (index ?? self.index) + 1, reason: reason)
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  /// Goes to the next word; `false` at the end of the line or at a comment.
  private mutating func findWord() -> Bool {
    while let scalar = next, Self.isBlank(scalar) { index += 1 }
    return next != nil && next != "#"
  }

  private mutating func rule() throws(Problem) -> CustomRule? {
    guard scalars.count <= CustomRules.Limit.line else {
      throw problem("the line is longer than \(CustomRules.Limit.line) characters", at: 0)
    }
    for (index, scalar) in scalars.enumerated() where scalar.value < 0x20 && scalar != "\t" {
      throw problem("a control character", at: index)
    }
    guard findWord() else { return nil }
    var rule = CustomRule(line: number)
    var firstAction: Int?
    var said: Set<String> = []
    while findWord() {
      let start = index
      let isNegated = take("!")
      let name = word()
      switch next {
      case ":":
        guard firstAction == nil else {
          throw problem("a condition after an action; conditions come first", at: start)
        }
        let condition = try condition(name, isNegated, at: start)
        if condition.field.isOfFrame {
          rule.frame.append(condition)
        } else {
          rule.report.append(condition)
        }
      case "[":
        guard firstAction == nil else {
          throw problem("a condition after an action; conditions come first", at: start)
        }
        rule.neighbours.append(try neighbour(name, isNegated, at: start))
      default:
        guard !isNegated else { throw problem("after ! a condition is expected", at: start) }
        guard said.insert(name).inserted else { throw problem("'\(name)' is repeated", at: start) }
        firstAction = firstAction ?? start
        try action(name, &rule.actions, at: start)
      }
    }
    return try checked(rule, firstAction)
  }

  private func checked(_ rule: CustomRule, _ firstAction: Int?) throws(Problem) -> CustomRule {
    guard let firstAction else { throw problem("an action is missing, such as class=system") }
    if rule.actions.concernsFrames, !rule.asksForFrame, rule.report.isEmpty {
      throw problem("without a condition this would hold for every frame", at: firstAction)
    }
    if rule.actions.isApp != nil, rule.actions.frameClass != nil {
      throw problem(
        "class= already says whose code it is; leave one of the two out", at: firstAction)
    }
    return rule
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  /// The letters up to `:`, `=`, a bracket or a blank.
  private mutating func word() -> String {
    var text = ""
    while let scalar = next, !Self.isBlank(scalar), ![":", "=", "[", "]"].contains(scalar) {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    return text
  }

  // MARK: Conditions

  private mutating func condition(
    _ name: String, _ isNegated: Bool, at start: Int, isNested: Bool = false
  ) throws(Problem) -> CustomRuleCondition {
    conditionCount += 1
    guard conditionCount <= CustomRules.Limit.conditions else {
      throw problem("the rule has more than \(CustomRules.Limit.conditions) conditions", at: start)
    }
    let field = try field(name, at: start)
    index += 1
    let valueStart = index
    let (text, kind) = try value(isNested: isNested)
    let test: CustomRuleCondition.Test
    switch (field, kind) {
    case (.inApp, _):
      guard let flag = ["true": true, "yes": true, "false": false, "no": false][text] else {
        throw problem("in_app is true or false, not '\(text)'", at: valueStart)
      }
      test = .flag(flag)
    case (_, .search):
      do throws(PatternError) {
        test = .search(try SearchPattern(text))
      } catch {
        throw problem(error.reason, at: valueStart + 1 + error.offset)
      }
    case (.version, .bare):
      if let versions = Self.versions(text) {
        test = .versions(versions)
      } else {
        test = try glob(text, field, at: valueStart)
      }
    default: test = try glob(text, field, at: valueStart)
    }
    return CustomRuleCondition(field: field, test: test, isNegated: isNegated)
  }

  private func glob(
    _ text: String, _ field: CustomRuleCondition.Field, at start: Int
  ) throws(Problem) -> CustomRuleCondition.Test {
    guard text.utf8.count <= CustomRules.Limit.pattern else {
      throw problem("the pattern has more than \(CustomRules.Limit.pattern) bytes", at: start)
    }
    return .glob(NamePattern(NameBytes((field.foldsCase ? text.lowercased() : text).utf8)))
  }

  private func field(_ name: String, at start: Int) throws(Problem) -> CustomRuleCondition.Field {
    switch name {
    case "platform": return .platform
    case "family": return .family
    case "product": return .product
    case "category": return .category
    case "type": return .type
    case "message": return .message
    case "thread": return .thread
    case "version": return .version
    case "module", "image": return .module
    case "function": return .function
    case "file": return .file
    case "in_app": return .inApp
    default:
      if name.hasPrefix("tag."), name.utf8.count > 4 { return .tag(String(name.dropFirst(4))) }
      throw problem(Self.unknown("condition", name, among: Self.conditions), at: start)
    }
  }

  private static func unknown(_ what: String, _ name: String, among known: [String]) -> String {
    let guess = Suggestion.nearest(to: name, among: known)
    return "there is no \(what) '\(name)'"
      + (guess.map { "; did you mean '\($0)'?" } ?? "; there are \(known.joined(separator: ", "))")
  }

  private mutating func neighbour(
    _ name: String, _ isNegated: Bool, at start: Int
  ) throws(Problem) -> AdjacentFrameConditions {
    guard name == "caller" || name == "callee" else {
      throw problem(
        Self.unknown("condition", name, among: ["caller", "callee"]) + " before [", at: start)
    }
    index += 1
    var conditions: [CustomRuleCondition] = []
    while true {
      guard findWord() else { throw problem("a ] is missing") }
      if take("]") { break }
      let wordStart = index
      let isOpposite = take("!")
      let inner = word()
      guard next == ":" else {
        throw problem("in \(name)[ ] stand conditions of a frame", at: wordStart)
      }
      let condition = try condition(inner, isOpposite, at: wordStart, isNested: true)
      guard condition.field.isOfFrame else {
        throw problem("'\(inner)' is not a condition of a frame", at: wordStart)
      }
      conditions.append(condition)
    }
    guard !conditions.isEmpty else { throw problem("\(name)[ ] has no condition", at: start) }
    try endOfWord(isNested: false)
    return AdjacentFrameConditions(
      isCaller: name == "caller", isNegated: isNegated, conditions: conditions)
  }

  /// `>=2.1`, `1.0..1.9`; `nil` for a version or a pattern of some.
  private static func versions(_ text: String) -> VersionRange? {
    func rest(_ count: Int) -> String { String(text.dropFirst(count)) }
    if text.hasPrefix(">=") { return VersionRange(lower: (rest(2), true)) }
    if text.hasPrefix("<=") { return VersionRange(upper: (rest(2), true)) }
    if text.hasPrefix(">") { return VersionRange(lower: (rest(1), false)) }
    if text.hasPrefix("<") { return VersionRange(upper: (rest(1), false)) }
    let ends = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, !ends[0].isEmpty, !ends[1].isEmpty else { return nil }
    return VersionRange(lower: (String(ends[0]), true), upper: (String(ends[1]), true))
  }

  // MARK: Values

  private enum ValueKind { case bare, quoted, search }

  private mutating func value(isNested: Bool) throws(Problem) -> (String, ValueKind) {
    if next == "\"" { return (try quoted(isNested: isNested), .quoted) }
    if next == "/" { return (try search(isNested: isNested), .search) }
    var text = ""
    var depth = 0
    let start = index
    while let scalar = next, !Self.isBlank(scalar) {
      if scalar == "[" { depth += 1 }
      if scalar == "]" {
        if isNested, depth == 0 { break }
        depth -= 1
      }
      if scalar == "\"" { throw problem("a quotation mark within a word") }
      text.unicodeScalars.append(scalar)
      index += 1
    }
    guard !text.isEmpty, ![">", ">=", "<", "<="].contains(text) else {
      throw problem("a value is missing", at: start)
    }
    return (text, .bare)
  }

  private mutating func quoted(isNested: Bool) throws(Problem) -> String {
    let start = index
    index += 1
    var text = ""
    while let scalar = next, scalar != "\"" {
      index += 1
      if scalar == "\\" {
        guard let escaped = next, escaped == "\"" || escaped == "\\" else {
          throw problem("after a backslash in quotation marks stands \" or \\")
        }
        text.unicodeScalars.append(escaped)
        index += 1
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    guard take("\"") else { throw problem("the quotation mark is not closed", at: start) }
    guard !text.isEmpty else { throw problem("a value is missing", at: start) }
    try endOfWord(isNested: isNested)
    return text
  }

  private mutating func search(isNested: Bool) throws(Problem) -> String {
    let start = index
    index += 1
    var text = ""
    while let scalar = next, scalar != "/" {
      text.unicodeScalars.append(scalar)
      index += 1
      if scalar == "\\", let escaped = next {
        text.unicodeScalars.append(escaped)
        index += 1
      }
    }
    guard take("/") else { throw problem("the / that ends the pattern is missing", at: start) }
    guard !text.isEmpty else { throw problem("a pattern is missing", at: start) }
    guard next.map({ Self.isBlank($0) || isNested && $0 == "]" }) ?? true else {
      throw problem("after /pattern/ a blank is expected; put paths in quotation marks")
    }
    return text
  }

  private func endOfWord(isNested: Bool) throws(Problem) {
    guard next.map({ Self.isBlank($0) || isNested && $0 == "]" }) ?? true else {
      throw problem("a blank is missing")
    }
  }

  // MARK: Actions

  private mutating func action(
    _ name: String, _ actions: inout CustomRuleActions, at start: Int
  ) throws(Problem) {
    switch name {
    case "above": actions.dropsAbove = true
    case "below": actions.dropsBelow = true
    case "extend": actions.extends = true
    case "stop": actions.stops = true
    case "+app", "-app":
      guard actions.isApp == nil else {
        throw problem("+app and -app exclude each other", at: start)
      }
      actions.isApp = name == "+app"
    case "class", "name", "fingerprint", "max-frames", "link":
      guard take("=") else { throw problem("= is missing after '\(name)'") }
      return try valued(name, &actions)
    default:
      if Self.conditions.contains(name) || name.hasPrefix("tag.") {
        throw problem("'\(name)' is a condition: a : is missing")
      }
      throw problem(Self.unknown("action", name, among: Self.actions), at: start)
    }
    guard next != "=" else { throw problem("'\(name)' takes no value") }
    try endOfWord(isNested: false)
  }

  private mutating func valued(
    _ name: String, _ actions: inout CustomRuleActions
  ) throws(Problem) {
    let start = index
    if name == "fingerprint" { return actions.fingerprint = try fingerprint() }
    let (text, kind) = try value(isNested: false)
    guard kind != .search else { throw problem("'\(name)' takes no pattern", at: start) }
    switch name {
    case "class":
      guard let frameClass = FrameClass(rawValue: text) else {
        let known = ["death", "base", "glue", "system", "unknown", "app", "void"]
        throw problem(Self.unknown("class", text, among: known), at: start)
      }
      actions.frameClass = frameClass
    case "name":
      try check(text, at: start)
      actions.name = text
    case "max-frames":
      guard let count = Int(text), CustomRules.Limit.frames.contains(count) else {
        let limit = CustomRules.Limit.frames
        throw problem("max-frames is from \(limit.lowerBound) to \(limit.upperBound)", at: start)
      }
      actions.maxFrames = count
    default:
      guard let linking = GroupLinking(text) else {
        throw problem("link is off, or a likeness from 0.01 to 1, not '\(text)'", at: start)
      }
      actions.linking = linking
    }
  }

  private func check(_ text: String, at start: Int) throws(Problem) {
    guard text.utf8.count <= CustomRules.Limit.name else {
      throw problem("the text has more than \(CustomRules.Limit.name) bytes", at: start)
    }
    guard Scrubbing.scrub(text, limit: SigningLimits.nameBytes).text == text else {
      throw problem("the text has characters that cannot be shown", at: start)
    }
  }

  private mutating func fingerprint() throws(Problem) -> [FingerprintPart] {
    var parts: [FingerprintPart] = []
    repeat {
      let start = index
      guard parts.count < CustomRules.Limit.parts else {
        throw problem("a fingerprint has at most \(CustomRules.Limit.parts) parts", at: start)
      }
      let (text, kind) = try value(isNested: false)
      switch kind {
      case .search: throw problem("a fingerprint takes no pattern", at: start)
      case .bare where text.hasPrefix("{"): parts.append(try placeholder(text, at: start))
      case .bare, .quoted:
        try check(text, at: start)
        parts.append(.text(text))
      }
    } while findWord() && (next == "\"" || next == "{")
    return parts
  }

  private func placeholder(_ text: String, at start: Int) throws(Problem) -> FingerprintPart {
    switch text {
    case "{default}": return .standard
    case "{category}": return .category
    case "{type}": return .type
    default:
      if text.hasPrefix("{tag."), text.hasSuffix("}"), text.utf8.count > 6 {
        return .tag(String(text.dropFirst(5).dropLast()))
      }
      let known = ["{default}", "{category}", "{type}", "{tag.NAME}"]
      throw problem(Self.unknown("placeholder", text, among: known), at: start)
    }
  }
}
