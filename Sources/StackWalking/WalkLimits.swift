/// The most that a walk takes, whatever a dump and its rules say.
enum WalkLimits {
  /// Frames of one stack, inlined calls not counted.
  static let frames = 4096
  /// Words above the stack pointer in which a return address is looked for.
  static let scannedWords = 40
  /// The same after a frame that is sure: its caller is near, but may keep large variables.
  static let scannedWordsAfterSureFrame = 160
  /// How far above its place a saved frame pointer may point.
  static let frameSize: UInt64 = 128 << 10
  /// Values on the stack of an expression.
  static let expressionDepth = 64
  /// Operations of one expression.
  static let expressionSteps = 4096
}
