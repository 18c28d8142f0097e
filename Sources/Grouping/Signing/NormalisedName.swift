internal import CrashModel
internal import Synchronization

/// A name as it is in a signature, with the rules that fit it; for a frame without a function,
/// the name of its image in brackets.
final class NormalisedName: Sendable {
  /// The name as the report has it, for the record of steps.
  let subject: String
  /// Empty where the report has no name.
  let token: String
  /// For a Swift function, the token without its module, as Swift's backtracer prints it.
  let short: String?
  /// FNV-1a of the token, to compare quickly; never in a key.
  let hash: UInt64
  /// Rules that fit, the strongest first; what they ask of the image is still to be tested.
  let rules: [Int32]
  /// The strongest rule, when it asks for nothing but the name.
  let settled: ListedRule?
  /// Whether it is a function's.
  let isFunction: Bool
  /// The rule that takes the function for a sign of missing memory.
  let memoryRule: String?

  /// Whether a function of the app of that name only hands on to the next.
  let handsOn: Bool

  init(_ raw: String, edition: RuleEdition) {
    let table = edition.classes
    let bytes = NameNormaliser.normalise(raw)
    token = bytes.text
    subject = Self.shortened(raw)
    let isMangledSwift = FrameClassifier.isSwift(raw)
    short = isMangledSwift ? SwiftName.withoutModule(bytes)?.text : nil
    hash = PatternTable.hash(bytes)
    rules = bytes.isEmpty ? [] : table.matches(bytes, hash: hash)
    memoryRule =
      bytes.isEmpty
      ? nil
      : edition.memory.matches(bytes, hash: hash).first.map { edition.memory.rules[Int($0)].id }
    handsOn = edition.extend.match(bytes) != nil
    let strongest = rules.first.map { table.rules[Int($0)] }
    // A name that was mangled has its module, which distinguishes the library's functions from all
    // others.
    settled =
      strongest?.isUnconditional == true
      ? strongest : isMangledSwift || bytes.isEmpty ? nil : edition.swift.rule(for: bytes)
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
    handsOn = false
    settled = nil
    isFunction = false
  }

  /// A function, or a frame without one, by the name that a rule gives it.
  init(_ other: NormalisedName, renamed token: String) {
    self.token = token
    subject = other.subject
    short = nil
    hash = PatternTable.hash(NameBytes(token.utf8))
    rules = []
    memoryRule = nil
    handsOn = false
    settled = nil
    isFunction = true
  }

  static func shortened(_ raw: String) -> String {
    raw.utf8.count <= SigningLimits.rememberedNameBytes
      ? raw : String(decoding: raw.utf8.prefix(SigningLimits.rememberedNameBytes), as: UTF8.self)
  }

  /// For a frame without function and image.
  static let nothing = NormalisedName(image: "")
}

/// Names that were normalised before. This memory changes the time, never the result.
final class NameMemo: Sendable {
  private let names = Mutex<[RawText: NormalisedName]>([:])
  private let edition: RuleEdition
  private let capacity: Int

  init(edition: RuleEdition, capacity: Int) {
    self.edition = edition
    self.capacity = capacity
  }

  func name(_ raw: String) -> NormalisedName {
    guard capacity > 0, raw.utf8.count <= SigningLimits.rememberedNameBytes else {
      return NormalisedName(raw, edition: edition)
    }
    let key = RawText(raw)
    if let known = names.withLock({ $0[key] }) { return known }
    let name = NormalisedName(raw, edition: edition)
    names.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[key] = name
    }
    return name
  }
}
