internal import CrashModel

/// A frame with its token and class.
struct ClassifiedFrame {
  /// Index in the chosen stack, inlined frames counted.
  let index: Int
  /// The function's name, or what stands for it.
  private(set) var spelling: NormalisedName
  /// Equal where the tokens are; never in a key.
  private(set) var hash: UInt64
  var frameClass: FrameClass
  var rule: String
  /// Whether the frames above it tell nothing.
  var dropsAbove: Bool
  let isInlined: Bool
  /// Whether the app's own code begins with it.
  let isEntry: Bool
  // What somebody's rules say besides.
  /// Whether the frames below it tell nothing.
  var dropsBelow = false
  /// Whether it only hands on to the next, though nothing else says so.
  var extends = false
  /// Whether the walk ends with it, whatever its class.
  var stops = false
  /// For a frame of the app without a function, the location that replaces it.
  var location: ProvisionalLocation?

  var token: String { spelling.token }

  init(
    index: Int, spelling: NormalisedName, frameClass: FrameClass, rule: String, dropsAbove: Bool,
    isInlined: Bool, isEntry: Bool = false, location: ProvisionalLocation? = nil
  ) {
    self.index = index
    self.spelling = spelling
    hash = spelling.hash
    self.frameClass = frameClass
    self.rule = rule
    self.dropsAbove = dropsAbove
    self.isInlined = isInlined
    self.isEntry = isEntry
    self.location = location
  }

  /// Gives it another name, by which it counts as named.
  mutating func rename(_ name: String) {
    spelling = NormalisedName(spelling, renamed: name)
    hash = spelling.hash
    location = nil
  }

  /// Whether it lies in an image that the report does not list or does not name.
  var isUnlisted: Bool { frameClass == .void && location != nil }

  /// Lets the method's class stand for it.
  mutating func nameForClass(by rule: String) {
    spelling = spelling.ofClass
    hash = spelling.hash
    self.rule = rule
  }

  /// `nil` for a frame without a function.
  var name: NormalisedName? { spelling.isFunction ? spelling : nil }
}

/// Where in an image a frame lies whose function is not known yet.
final class ProvisionalLocation {
  /// `[App 5f2a91c0]+0x1f3c`: image, the start of its debug id, offset; `[?]+0x1f3c` where the
  /// report does not say which image it is.
  let token: String
  /// `nil` when the report does not say which build the image is.
  let debugID: DebugID?

  init(token: String, debugID: DebugID?) {
    self.token = token
    self.debugID = debugID
  }
}
