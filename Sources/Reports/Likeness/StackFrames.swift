internal import CrashModel

/// The frames by which a stack is compared: without those at the top that show only how the process died, and
/// at most ``limit``.
///
/// A stack of nothing but such frames is compared by them.
struct StackFrames: Sequence {
  /// A deeper frame weighs less than a sixtieth.
  static let limit = 60

  struct Frame {
    /// The index in the stack's calls.
    let index: Int
    /// Counted from 1, without frames of which nothing is known.
    let position: Int
    let frameClass: FrameClass
  }

  private let frames: [Frame]

  init(_ stack: NormalisedStack) {
    let calls = stack.calls
    let top =
      calls.firstIndex { $0.frameClass != .death && $0.frameClass != .void } ?? calls.startIndex
    var frames: [Frame] = []
    frames.reserveCapacity(Swift.min(calls.count - top, Self.limit))
    for index in calls.indices[top...] where calls[index].frameClass != .void {
      guard frames.count < Self.limit else { break }
      frames.append(
        Frame(index: index, position: frames.count + 1, frameClass: calls[index].frameClass))
    }
    self.frames = frames
  }

  func makeIterator() -> IndexingIterator<[Frame]> { frames.makeIterator() }
}

extension FrameClass {
  /// The weight of a frame of the class at the top of a stack.
  var weight: UInt64 {
    let hundredths: UInt64 =
      switch self {
      case .app: 100
      case .system, .unknown: 50
      case .glue: 35
      case .base: 25
      case .death: 10
      case .void: 0
      }
    return FeatureEntry.unit * hundredths / 100
  }
}
