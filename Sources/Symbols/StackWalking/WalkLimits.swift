/// The most that a walk takes, whatever a dump and its rules say.
enum WalkLimits {
  /// Frames of one stack that are counted, inlined calls not included.
  static let frames = 1 << 20
  /// The youngest frames of a stack that are given.
  static let youngestFrames = 3072
  /// The oldest frames that are given of a stack with more.
  static let oldestFrames = 1024
  /// Words above the stack pointer in which a return address is looked for.
  static let scannedWords = 40
  /// The same after a frame that is sure: its caller is near, but may keep large variables.
  static let scannedWordsAfterSureFrame = 160
  /// Words up to a frame pointer in which a return address is looked for that other rules confirm.
  static let confirmedWords = 512
  /// Registers that a function saves below its return address.
  static let savedRegisters = 6
  /// Words after a place where a return address is expected, when it is not there.
  static let searchedWords = 30
  /// How far above its place a saved frame pointer may point.
  static let frameSize: UInt64 = 128 << 10
  /// How far above the stack pointer a frame pointer is believed that leads to no other.
  static let lastFrameSize: UInt64 = 1024
  /// How far above the stack pointer a signal's registers of 64-bit Arm are looked for.
  static let signalFrameSize: UInt64 = 64 << 10
  /// How far a frame pointer of 64-bit Windows may point into the frame.
  static let frameOffsets: UInt64 = 240
  /// How far a leaf function's address may lie from its caller's where functions are not known.
  static let leafDistance: UInt64 = 4096
  /// Functions that wait for another, of one stack.
  static let continuations = 1024
  /// The youngest frames of a stack whose registers are given.
  static let framesWithRegisters = 64
  /// How many bytes of a function are looked at for what it keeps on the stack.
  static let prologueSize: UInt64 = 256
  /// Values on the stack of an expression.
  static let expressionDepth = 64
  /// Operations of one expression.
  static let expressionSteps = 4096
}

/// The work that the stacks of one report may take together.
public struct WalkBudget: Sendable {
  /// Frames that are given: what a report can hold.
  public static let frames = 1 << 18
  /// Frames that are walked, and words that are looked at.
  public static let steps = 1 << 23

  var frames: Int
  var steps: Int

  public init(frames: Int = Self.frames, steps: Int = Self.steps) {
    self.frames = frames
    self.steps = steps
  }

  /// Whether a stack was left out, or ended, because too much had been walked before.
  public var isSpent: Bool { frames <= 0 || steps <= 0 }
}
