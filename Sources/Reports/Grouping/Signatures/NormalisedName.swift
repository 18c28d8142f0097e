internal import CrashModel

/// A name as it is in a signature, with the rules that match it; for a frame without a function, the name of
/// its image in brackets.
final class NormalisedName: Sendable {
  /// The name as the report has it, for the record of steps.
  let subject: String
  /// Empty where the report has no name.
  let token: String
  /// For a Swift function, the token without its module, as Swift's backtracer prints it.
  let short: String?
  /// FNV-1a of the token, to compare quickly; never in a key.
  let hash: UInt64
  /// Rules that match, the strongest first; their conditions on the image are still to be tested.
  let rules: [Int32]
  /// The verdict of the strongest rule, if it depends on the name alone.
  let settled: FrameVerdict?
  /// Whether it is the name of a function.
  let isFunction: Bool
  /// The rule that takes the function for a sign of missing memory.
  let memoryRule: RuleName?
  /// The rule that takes the function for one that calls the methods of tests.
  let testRule: RuleName?
  /// The rule that takes the function for one of a bundled library.
  let packageRule: RuleName?

  /// Whether a function of the app with that name only forwards to the next.
  let handsOn: Bool

  init(_ raw: String, rules version: RulesVersion) {
    let table = version.classes
    let normalised = NameNormaliser.normalise(raw)
    let bytes = normalised.isNoFunction ? [] : normalised
    token = bytes.text
    subject = Self.shortened(raw)
    let isMangledSwift = FrameClassifier.isSwift(raw)
    short = isMangledSwift ? SwiftName.withoutModule(bytes)?.text : nil
    hash = PatternTable.hash(bytes)
    rules = bytes.isEmpty ? [] : table.matches(bytes, hash: hash)
    memoryRule = bytes.isEmpty ? nil : version.memory.match(bytes, hash: hash)?.name
    let strongest = rules.first.map { table.rule($0) }
    // A name that was mangled has its module, which distinguishes the library's functions from all
    // others.
    let settled =
      strongest?.isUnconditional == true
      ? strongest : isMangledSwift || bytes.isEmpty ? nil : version.swift.rule(for: bytes)
    self.settled = settled.flatMap(FrameVerdict.init)
    // Only a function of the app may forward to the next, and only one at a thread's bottom calls tests.
    let settledClass = settled?.frameClass
    handsOn =
      settledClass != nil && settledClass != .system
      ? false : version.extend.match(bytes, hash: hash) != nil
    testRule = strongest?.frameClass == .base ? version.tests.match(bytes, hash: hash)?.name : nil
    packageRule = settledClass == nil ? version.packages.match(bytes, hash: hash)?.name : nil
    isFunction = true
  }

  /// The name of a frame without a function.
  init(image token: String) {
    self.token = token
    subject = token
    short = nil
    hash = PatternTable.hash(NameBytes(token.utf8))
    rules = []
    memoryRule = nil
    testRule = nil
    packageRule = nil
    handsOn = false
    settled = nil
    isFunction = false
  }

  /// A function, or a frame without one, by the name that a rule gives it.
  init(_ other: NormalisedName, renamed token: String, short: String? = nil) {
    self.token = token
    subject = other.subject
    self.short = short
    hash = PatternTable.hash(NameBytes(token.utf8))
    rules = []
    memoryRule = nil
    testRule = nil
    packageRule = nil
    handsOn = false
    settled = nil
    isFunction = true
  }

  /// The class of the method.
  var ofClass: NormalisedName {
    NormalisedName(self, renamed: Self.className(token), short: short.map(Self.className))
  }

  /// `-[CartTests testTotal]` and `shop.CartTests.total` are of `CartTests` and `shop.CartTests`; a function
  /// without a class stays as it is.
  private static func className(_ method: String) -> String {
    let bytes = NameBytes(method.utf8)
    if bytes.at(1) == UInt8(ascii: "["), let blank = bytes.firstIndex(of: 0x20) {
      return Array(bytes[2..<blank]).text
    }
    let name = bytes.prefix { $0 != UInt8(ascii: "(") }
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return method }
    // `Shop.total()` is a function of the module.
    if name.count < bytes.count, name.firstIndex(of: UInt8(ascii: ".")) == dot { return method }
    return Array(bytes[..<dot]).text
  }

  static func shortened(_ raw: String) -> String {
    raw.utf8.count <= SigningLimits.rememberedNameBytes
      ? raw : String(decoding: raw.utf8.prefix(SigningLimits.rememberedNameBytes), as: UTF8.self)
  }

  /// For a frame without function and image.
  static let nothing = NormalisedName(image: "")
}

extension NormalisedName: NameCacheValue {
  var memoText: String { subject }
}

/// A rule's verdict on a frame.
struct FrameVerdict: Sendable {
  let frameClass: FrameClass
  let rule: RuleName
  var dropsAbove = false
  var isEntry = false

  init(_ frameClass: FrameClass, _ rule: RuleName) {
    self.frameClass = frameClass
    self.rule = rule
  }

  /// Nothing so far.
  static let undecided = FrameVerdict(.void, RuleName(""))

  /// `nil` for a rule that gives no class.
  init?(_ rule: CompiledRule) {
    guard let frameClass = rule.frameClass else { return nil }
    self.init(frameClass, rule.name)
    dropsAbove = rule.dropsAbove
    isEntry = rule.isEntry
  }
}
