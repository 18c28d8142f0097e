internal import CrashModel

/// The result of the custom rules for a report and the frames of one stack.
struct CustomRuleMatch {
  /// The result for one frame, each effect with the rule that has it.
  struct OfFrame {
    var frameClass: (value: FrameClass, rule: String)?
    var isApp: (value: Bool, rule: String)?
    var name: (value: String, rule: String)?
    var dropsAbove: (value: Bool, rule: String)?
    var dropsBelow: String?
    var extends: String?
    var stops: String?

    /// Whether the frame is the app's own, by the rules.
    var mark: Bool? {
      switch frameClass?.value {
      case .app: true
      case .system: false
      default: isApp?.value
      }
    }

    /// The rule that is shown for the frame.
    var rule: String? {
      (frameClass?.rule ?? isApp?.rule ?? dropsAbove?.rule) ?? dropsBelow ?? stops ?? extends
        ?? name?.rule
    }
  }

  private(set) var frames: [Int: OfFrame] = [:]
  private(set) var fingerprint: (parts: [FingerprintPart], rule: String)?
  private(set) var maxFrames: (count: Int, rule: String)?
  private(set) var linking: (value: GroupLinking, rule: String)?

  /// - Parameter stack: The facts of each frame that conditions test.
  /// - Complexity: O(rules × frames), times the bytes of patterns and names.
  init(_ rules: CustomRules, _ facts: RuleContext, _ stack: [FrameRuleContext]) {
    for rule in rules.rules where facts.fits(rule) {
      var holds = !rule.asksForFrame
      if rule.asksForFrame || rule.actions.concernsFrames {
        for index in stack.indices where stack.fit(rule, at: index) {
          holds = true
          guard rule.actions.concernsFrames else { break }
          frames[index, default: OfFrame()].take(rule)
        }
      }
      guard holds else { continue }
      if let parts = rule.actions.fingerprint { fingerprint = (parts, rule.id) }
      if let count = rule.actions.maxFrames { maxFrames = (count, rule.id) }
      if let value = rule.actions.linking { linking = (value, rule.id) }
    }
  }

  /// The decisions about the report as a whole.
  ///
  /// - Parameter text: The text that the key is made from.
  func steps(_ text: String) -> [SignatureStep] {
    var steps: [SignatureStep] = []
    if let fingerprint {
      steps.append(
        SignatureStep(
          subject: "fingerprint", result: text, rule: fingerprint.rule, used: !hasStandardText))
    }
    if let maxFrames {
      steps.append(
        SignatureStep(subject: "max-frames", result: "\(maxFrames.count)", rule: maxFrames.rule))
    }
    if let linking {
      steps.append(
        SignatureStep(
          subject: Signature.linkingSubject, result: linking.value.description, rule: linking.rule))
    }
    return steps
  }
}

extension CustomRuleMatch.OfFrame {
  fileprivate mutating func take(_ rule: CustomRule) {
    let (actions, id) = (rule.actions, rule.id)
    if let value = actions.frameClass {
      frameClass = (value, id)
      // As in the lists: the rule that gives the class decides whether the frames above count.
      dropsAbove = (actions.dropsAbove, id)
      isApp = nil
    } else if actions.dropsAbove {
      dropsAbove = (true, id)
    }
    if let value = actions.isApp {
      isApp = (value, id)
      frameClass = nil
    }
    if let value = actions.name { name = (value, id) }
    if actions.dropsBelow { dropsBelow = id }
    if actions.extends { extends = id }
    if actions.stops { stops = id }
  }
}

extension CustomRuleMatch {
  /// The text of the fingerprint.
  ///
  /// - Parameter standard: The text without it.
  func text(_ standard: String, _ facts: RuleContext) -> String {
    guard let fingerprint else { return standard }
    return fingerprint.parts.map { part in
      switch part {
      case .text(let text): text
      case .standard: standard
      case .category: facts.categoryWord
      case .type: Self.shown(facts.type, instead: "no type")
      case .tag(let name): Self.shown(facts.tag(name), instead: "no \(name)")
      }
    }.joined(separator: " | ")
  }

  /// Whether the standard text is part of the text.
  var hasStandardText: Bool { fingerprint?.parts.contains(.standard) ?? true }

  private static func shown(_ value: String?, instead: String) -> String {
    var bytes = Scrubbing.scrub(value ?? instead, limit: SigningLimits.nameBytes)
    Scrubbing.shorten(&bytes, to: SigningLimits.tokenBytes)
    return bytes.isEmpty ? instead : bytes.text
  }
}
