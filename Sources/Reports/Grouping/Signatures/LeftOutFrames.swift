internal import CrashModel

/// The ranges of a stack as the walk saw them, to explain why frames gave no token.
struct LeftOutFrames {
  /// The functions of the recursion that overflowed the stack.
  private let turn: Set<UInt64>
  private let walk: SignatureWalk

  init(_ frames: [ClassifiedFrame], _ walk: SignatureWalk) {
    self.walk = walk
    if walk.leftOut == .outside {
      let used = Set(walk.used)
      turn = Set(frames.filter { used.contains($0.index) }.map { $0.hash })
    } else {
      turn = []
    }
  }

  /// The reason why a frame gave no token.
  func leftOut(_ frame: ClassifiedFrame) -> LeftOut {
    switch walk.leftOut {
    case .complete: return .complete
    case .outside: return turn.contains(frame.hash) ? .repeated : .outside
    default: break
    }
    if frame.index < walk.start { return .above }
    if let end = walk.end, frame.index > end { return .below }
    if let kept = walk.kept, !kept.contains(frame.index) { return .repeated }
    switch frame.frameClass {
    case .death, .base, .glue, .void: return .byClass
    case .system, .unknown, .app: return walk.leftOut ?? .byClass
    }
  }
}
