/// Takes repeated turns of a recursion once.
enum RecursionV1 {
  /// The frames that stay when each cycle that repeats often enough is kept for one turn.
  ///
  /// - Complexity: O(frames × longest cycle).
  static func collapsed(_ frames: [ClassifiedFrameV1]) -> [ClassifiedFrameV1] {
    guard frames.count >= LimitsV1.cycleRepeats else { return frames }
    var kept: [ClassifiedFrameV1] = []
    kept.reserveCapacity(frames.count)
    var index = 0
    while index < frames.count {
      if let (length, end) = cycle(frames, at: index) {
        kept.append(contentsOf: frames[index..<(index + length)])
        index = end
      } else {
        kept.append(frames[index])
        index += 1
      }
    }
    return kept
  }

  /// The shortest cycle that begins at `start` and repeats often enough: its length, and where its
  /// last whole turn ends.
  static func cycle(_ frames: [ClassifiedFrameV1], at start: Int) -> (length: Int, end: Int)? {
    for length in 1...LimitsV1.cycle {
      guard start + length * LimitsV1.cycleRepeats <= frames.count else { return nil }
      var end = start + length
      while end < frames.count, same(frames[end], frames[end - length]) { end += 1 }
      let turns = (end - start) / length
      if turns >= LimitsV1.cycleRepeats { return (length, start + turns * length) }
    }
    return nil
  }

  /// The first cycle of `frames`, turned so that it begins with its smallest token.
  static func firstCycle(_ frames: [ClassifiedFrameV1]) -> [ClassifiedFrameV1]? {
    for start in frames.indices {
      guard let (length, _) = cycle(frames, at: start) else { continue }
      let turn = Array(frames[start..<(start + length)])
      // Of all turns the smallest in whole, as the smallest token may stand in it twice.
      let best = turn.indices.min { left, right in
        rotated(turn, left).lexicographicallyPrecedes(rotated(turn, right))
      }
      return best.map { Array(turn[$0...] + turn[..<$0]) }
    }
    return nil
  }

  private static func rotated(_ turn: [ClassifiedFrameV1], _ start: Int) -> [String] {
    (turn[start...] + turn[..<start]).map { $0.token }
  }

  private static func same(_ left: ClassifiedFrameV1, _ right: ClassifiedFrameV1) -> Bool {
    left.hash == right.hash && left.token == right.token && left.frameClass != .void
  }
}
