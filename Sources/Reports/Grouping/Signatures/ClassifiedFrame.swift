internal import CrashModel
internal import Identifiers

/// A frame with its token and class.
///
/// It counts no references, as frames are copied often: ``KeptParts`` has what they refer to.
@safe
struct ClassifiedFrame: Sendable {
  /// Index in the chosen stack, inlined frames counted.
  var index: Int
  private var uncountedSpelling: Unmanaged<NormalisedName>
  private unowned(unsafe) var uncountedLocation: ProvisionalLocation?
  /// Equal where the tokens are; never in a key.
  private(set) var hash: UInt64
  /// The rule that gave the class.
  var ruleName: RuleName
  /// The rule by which a function of the app may be a bundled library's.
  var packageRule: RuleName?
  var frameClass: FrameClass
  /// Whether the frames above it are irrelevant.
  var dropsAbove: Bool
  var isInlined = false
  /// Whether the app's own code begins with it.
  var isEntry: Bool
  /// Whether its function is called when memory runs out.
  private(set) var isOfMemory: Bool
  /// Whether it has a function's name, or one in its place.
  private(set) var isNamed: Bool
  /// Whether ``subject`` is the function's name in the report.
  var hasPlainSubject = false
  /// Whether it is a script's, and no rule says that it only forwards.
  var isScript = false
  // Effects of custom rules.
  /// Whether the frames below it are irrelevant.
  var dropsBelow = false
  /// Whether a custom rule makes it forward to the next.
  var extends = false
  /// Whether the walk ends with it, whatever its class.
  var stops = false

  init(_ spelling: NormalisedName, _ verdict: FrameVerdict) {
    index = 0
    unsafe uncountedSpelling = Unmanaged.passUnretained(spelling)
    unsafe uncountedLocation = nil
    hash = spelling.hash
    isNamed = spelling.isFunction
    isOfMemory = spelling.memoryRule != nil
    ruleName = verdict.rule
    frameClass = verdict.frameClass
    dropsAbove = verdict.dropsAbove
    isEntry = verdict.isEntry
  }

  /// The function's name, or its replacement.
  var spelling: NormalisedName { unsafe uncountedSpelling.takeUnretainedValue() }

  var token: String {
    // Without counting a reference to the name.
    unsafe uncountedSpelling._withUnsafeGuaranteedRef { $0.token }
  }

  /// The name as the report has it.
  var subject: String { unsafe uncountedSpelling._withUnsafeGuaranteedRef { $0.subject } }

  /// For a Swift function, the token without its module.
  var shortToken: String? {
    isNamed ? unsafe uncountedSpelling._withUnsafeGuaranteedRef { $0.short } : nil
  }

  /// For a frame of the app without a function, the location that replaces it.
  var location: ProvisionalLocation? { unsafe uncountedLocation }

  var isLocated: Bool { unsafe uncountedLocation != nil }

  /// The rule that gave the class, as it is shown.
  var rule: String { ruleName.text }

  mutating func take(_ verdict: FrameVerdict) {
    ruleName = verdict.rule
    frameClass = verdict.frameClass
    dropsAbove = verdict.dropsAbove
    isEntry = verdict.isEntry
  }

  mutating func locate(at location: ProvisionalLocation?, keeping parts: KeptParts) {
    unsafe uncountedLocation = location.map(parts.keep)
  }

  mutating func dropLocation() { unsafe uncountedLocation = nil }

  private mutating func spell(_ name: NormalisedName, keeping parts: KeptParts) {
    unsafe uncountedSpelling = Unmanaged.passUnretained(parts.keep(name))
    hash = name.hash
    isNamed = name.isFunction
    isOfMemory = name.memoryRule != nil
  }

  /// Gives it another name, which makes it a named frame.
  mutating func rename(_ name: String, keeping parts: KeptParts) {
    spell(NormalisedName(spelling, renamed: name), keeping: parts)
    dropLocation()
  }

  /// Replaces the method by its class.
  mutating func nameForClass(by rule: RuleName, keeping parts: KeptParts) {
    spell(spelling.ofClass, keeping: parts)
    ruleName = rule
  }

  /// Whether it lies in an image that the report does not list or does not name.
  var isUnlisted: Bool { frameClass == .void && isLocated }

  /// Whether it is certainly the app's own code.
  var isOwn: Bool { (frameClass == .app || isLocated) && packageRule == nil }
}

/// The location in an image of a frame whose function is not known yet.
final class ProvisionalLocation: Sendable {
  /// `[App 5f2a91c0]+0x1f3c`: image, the start of its debug id, offset; `[?]+0x1f3c` where the
  /// report does not say which image it is.
  let token: String
  /// `nil` if the report does not identify the image's build.
  let debugID: DebugID?

  init(token: String, debugID: DebugID?) {
    self.token = token
    self.debugID = debugID
  }
}

extension [ClassifiedFrame] {
  /// Makes bundled libraries foreign code if the app's own code is below them.
  mutating func noteLibraries() {
    guard let first = firstIndex(where: { $0.packageRule != nil }),
      self[first...].contains(where: { $0.isOwn })
    else { return }
    for index in indices[first...] {
      guard let rule = self[index].packageRule else { continue }
      self[index].packageRule = nil
      self[index].frameClass = .system
      self[index].ruleName = rule
    }
  }
}

extension ArraySlice<ClassifiedFrame> {
  /// The index of the first frame that fits.
  @inline(__always)
  func firstPosition(where fits: (borrowing ClassifiedFrame) -> Bool) -> Int? {
    let span = self.span
    for index in span.indices where fits(span[index]) { return startIndex + index }
    return nil
  }

  /// The index of the last frame that fits.
  @inline(__always)
  func lastPosition(where fits: (borrowing ClassifiedFrame) -> Bool) -> Int? {
    let span = self.span
    var index = span.count
    while index > 0 {
      index -= 1
      if fits(span[index]) { return startIndex + index }
    }
    return nil
  }
}
