public import Identifiers

/// A short text that identifies where a report crashed, with the steps that led to it.
public struct Signature: Hashable, Sendable {
  /// The text that users see, search and write rules about.
  public var text: String
  /// The group's key: 32 hexadecimal digits derived from app, rules and ``keyText``.
  public var key: String
  /// Keys of other readings of the same report, such as without inlined calls; a report whose key is new is
  /// also looked up under these.
  public var alternativeKeys: [String]
  public var category: SignatureCategory
  /// The version of the rules that made it: `v1`.
  public var rules: String
  /// Whether a missing debug file left offsets where function names belong; the key changes when the
  /// file arrives.
  public var isProvisional: Bool
  /// The debug ids whose debug files would make a provisional signature final.
  public var waitsFor: [DebugID]
  /// The steps of its computation: the choice of the stack and the category, then the frames from the top,
  /// then the texts of the alternative keys, in their order.
  public var steps: [SignatureStep]

  /// The subject of the steps that give the texts of alternative keys.
  public static var alternativeSubject: String { "alternative" }

  /// The rule of a step whose result is the first part of the text, but not part of the key.
  public static var titleRule: String { "in the title only" }

  /// The rule of a step whose result is the text of an alternative key that is only possibly right: compilers
  /// inline some functions and not others.
  public static var weakRule: String { "without a call that may be inlined" }

  /// The ``alternativeKeys`` that are only possibly right, the weak readings of ``KeyPartition``.
  public var weakAlternativeKeys: [String] {
    let last = steps.suffix(alternativeKeys.count)
    guard last.count == alternativeKeys.count else { return [] }
    return zip(alternativeKeys, last).compactMap { key, step in
      step.subject == Self.alternativeSubject && step.rule == Self.weakRule ? key : nil
    }
  }

  /// The other ``alternativeKeys``.
  public var exactAlternativeKeys: [String] {
    let weak = weakAlternativeKeys
    return alternativeKeys.filter { !weak.contains($0) }
  }

  /// The first part of the text, where it is not part of the key: the kind of a sanitizer's error. `nil`
  /// where all of the text is.
  public var titlePiece: String? {
    guard let step = steps.first(where: { $0.frame == nil && $0.rule == Self.titleRule }),
      text.hasPrefix(step.result + " | ")
    else { return nil }
    return step.result
  }

  /// The text that the key is made from.
  public var keyText: Substring {
    titlePiece.map { text.dropFirst($0.count + 3) } ?? text[...]
  }

  /// Whether this signature's text, rather than the other's, is the title of a group whose reports have both
  /// under one key: the longer text, which names the kind of the error, and among equally long ones the one
  /// that sorts first.
  public func isTitle(before other: Signature) -> Bool { isTitle(before: other.text) }

  /// Whether this signature's text is the title rather than that of another signature with its key.
  public func isTitle(before other: String) -> Bool {
    let (own, others) = (text.unicodeScalars.count, other.unicodeScalars.count)
    return own == others ? text.utf8.lexicographicallyPrecedes(other.utf8) : own > others
  }

  public init(
    text: String, key: String, alternativeKeys: [String] = [], category: SignatureCategory,
    rules: String, isProvisional: Bool = false, waitsFor: [DebugID] = [],
    steps: [SignatureStep] = []
  ) {
    self.text = text
    self.key = key
    self.alternativeKeys = alternativeKeys
    self.category = category
    self.rules = rules
    self.isProvisional = isProvisional
    self.waitsFor = waitsFor
    self.steps = steps
  }
}

/// The kind of failure that a signature is about; reports of different categories never share a group.
public enum SignatureCategory: String, Hashable, Sendable, CaseIterable {
  case handled, oom, watchdog, hang
  case stackOverflow = "stack-overflow"
  case assertion = "assert"
  case abort, exception, signal
}

/// One decision on the way to a signature.
public struct SignatureStep: Hashable, Sendable {
  /// Index of the frame in the chosen stack, inlined frames counted; `nil` for a decision about the
  /// report as a whole.
  public var frame: Int?
  /// The subject of the step: a frame's raw name, or the field of the report.
  public var subject: String
  /// The normalised name, or the value that was chosen.
  public var result: String
  /// The class assigned to the frame: `death`, `base`, `glue`, `system`, `unknown`, `app`, `void`.
  public var frameClass: String?
  /// The rule that decided: list and line, such as `death.rules:12`.
  public var rule: String
  /// Whether the frame's name is part of the text.
  public var used: Bool
  /// The reason why it is not; `nil` for a name that is, and for a decision about the report.
  public var leftOut: LeftOut?

  public init(
    frame: Int? = nil, subject: String, result: String, frameClass: String? = nil, rule: String,
    used: Bool = false, leftOut: LeftOut? = nil
  ) {
    self.frame = frame
    self.subject = subject
    self.result = result
    self.frameClass = frameClass
    self.rule = rule
    self.used = used
    self.leftOut = leftOut
  }
}

/// The reason why a frame's name is not part of a signature.
public enum LeftOut: String, Hashable, Sendable, CaseIterable {
  /// Its class is never used.
  case byClass = "class"
  /// It is above the frame with which the process ended.
  case above
  /// It is below the function that ends the walk.
  case below
  /// It is another turn of a recursion, which counts once.
  case repeated
  /// It is not part of the recursion that used up the stack.
  case outside
  /// The limit of platform functions and modules is reached before it.
  case surplus
  /// The report's message says more than functions that are not the app's.
  case words
  /// The text consists of the message alone.
  case complete
}
