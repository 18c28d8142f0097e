internal import CrashModel
internal import Identifiers

/// A frame with its token and class.
struct ClassifiedFrame {
  /// Index in the chosen stack, inlined frames counted.
  let index: Int
  /// The function's name, or its replacement.
  private(set) var spelling: NormalisedName
  /// Equal where the tokens are; never in a key.
  private(set) var hash: UInt64
  var frameClass: FrameClass
  var rule: String
  /// Whether the frames above it are irrelevant.
  var dropsAbove: Bool
  let isInlined: Bool
  /// Whether the app's own code begins with it.
  let isEntry: Bool
  /// The rule by which a function of the app may be a bundled library's.
  var packageRule: String?
  /// Whether it is a script's, and no rule says that it only forwards.
  var isScript = false
  // Effects of custom rules.
  /// Whether the frames below it are irrelevant.
  var dropsBelow = false
  /// Whether a custom rule makes it forward to the next.
  var extends = false
  /// Whether the walk ends with it, whatever its class.
  var stops = false
  /// For a frame of the app without a function, the location that replaces it.
  var location: ProvisionalLocation?

  var token: String { spelling.token }

  init(
    _ index: Int, _ spelling: NormalisedName, _ verdict: FrameVerdict, isInlined: Bool,
    location: ProvisionalLocation? = nil
  ) {
    self.index = index
    self.spelling = spelling
    hash = spelling.hash
    frameClass = verdict.frameClass
    rule = verdict.rule
    dropsAbove = verdict.dropsAbove
    isEntry = verdict.isEntry
    self.isInlined = isInlined
    self.location = location
  }

  /// Gives it another name, which makes it a named frame.
  mutating func rename(_ name: String) {
    spelling = NormalisedName(spelling, renamed: name)
    hash = spelling.hash
    location = nil
  }

  /// Whether it lies in an image that the report does not list or does not name.
  var isUnlisted: Bool { frameClass == .void && location != nil }

  /// Whether it is certainly the app's own code.
  var isOwn: Bool { (frameClass == .app || location != nil) && packageRule == nil }

  /// Replaces the method by its class.
  mutating func nameForClass(by rule: String) {
    spelling = spelling.ofClass
    hash = spelling.hash
    self.rule = rule
  }

  /// `nil` for a frame without a function.
  var name: NormalisedName? { spelling.isFunction ? spelling : nil }
}

/// The location in an image of a frame whose function is not known yet.
final class ProvisionalLocation {
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
    guard let first = self[...].firstPosition(where: { $0.packageRule != nil }),
      self[first...].firstPosition(where: { $0.isOwn }) != nil
    else { return }
    for index in indices[first...] {
      guard let rule = self[index].packageRule else { continue }
      self[index].packageRule = nil
      self[index].frameClass = .system
      self[index].rule = rule
    }
  }
}

extension ArraySlice<ClassifiedFrame> {
  /// The index of the first frame that fits. It borrows each frame: the library's own search copies them,
  /// which costs more than the rest.
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
