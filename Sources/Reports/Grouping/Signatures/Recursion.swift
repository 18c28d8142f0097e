internal import CrashModel

/// Reduces the repeated turns of a recursion to one.
enum Recursion {
  /// The frames that remain when each cycle that repeats often enough is reduced to one turn.
  ///
  /// - Complexity: O(frames × longest cycle).
  static func collapsed(_ frames: ArraySlice<ClassifiedFrame>) -> ArraySlice<ClassifiedFrame> {
    guard let kept = RecursionCycles.kept(hashes(frames)) else { return frames }
    let first = frames.startIndex
    return kept.map { frames[first + $0] }[...]
  }

  /// A number for each frame, equal where the tokens are; frames without information are equal to no other.
  private static func hashes(_ frames: ArraySlice<ClassifiedFrame>) -> [UInt64] {
    var hashes: [UInt64] = []
    hashes.reserveCapacity(frames.count)
    let span = frames.span
    for index in 0..<span.count {
      hashes.append(
        span[index].frameClass == .void ? UInt64(span[index].index) : span[index].hash | 1 << 63)
    }
    return hashes
  }

  /// The first cycle of `frames`: its length, and the frames of all its turns.
  static func firstRun(_ frames: [ClassifiedFrame]) -> (length: Int, frames: Range<Int>)? {
    let hashes = hashes(frames[...])
    for start in frames.indices {
      if let (length, end) = RecursionCycles.cycle(hashes, at: start) {
        return (length, start..<end)
      }
    }
    return nil
  }

  /// The first cycle of `frames`, rotated so that it begins with its smallest token.
  static func firstCycle(_ frames: [ClassifiedFrame]) -> [ClassifiedFrame]? {
    guard let run = firstRun(frames) else { return nil }
    let turn = Array(frames[run.frames.prefix(run.length)])
    // The smallest of all rotations, as the smallest token may be in it twice.
    let best = turn.indices.min { left, right in
      rotated(turn, left).lexicographicallyPrecedes(rotated(turn, right))
    }
    return best.map { Array(turn[$0...] + turn[..<$0]) }
  }

  private static func rotated(_ turn: [ClassifiedFrame], _ start: Int) -> [String] {
    (turn[start...] + turn[..<start]).map { $0.token }
  }
}
