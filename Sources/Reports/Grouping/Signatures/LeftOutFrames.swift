internal import CrashModel

/// The ranges of a stack as the walk saw them, to explain why frames gave no token.
struct LeftOutFrames {
  /// The functions of the recursion that overflowed the stack.
  private let turn: Set<UInt64>
  private let reason: LeftOut?
  private let start: Int
  private let end: Int?
  private let kept: Set<Int>?

  init(_ frames: [ClassifiedFrame], _ walk: SignatureWalk) {
    reason = walk.leftOut
    start = walk.start
    end = walk.end
    kept = walk.kept
    if walk.leftOut == .outside {
      let used = Set(walk.used)
      turn = Set(frames.filter { used.contains($0.index) }.map { $0.hash })
    } else {
      turn = []
    }
  }

  /// The reason why a frame gave no token.
  func leftOut(_ frame: ClassifiedFrame) -> LeftOut {
    switch reason {
    case .complete: return .complete
    case .outside: return turn.contains(frame.hash) ? .repeated : .outside
    default: break
    }
    if frame.index < start { return .above }
    if let end, frame.index > end { return .below }
    if let kept, !kept.contains(frame.index) { return .repeated }
    switch frame.frameClass {
    case .death, .base, .glue, .void: return .byClass
    case .system, .unknown, .app: return reason ?? .byClass
    }
  }
}
