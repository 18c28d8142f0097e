/// Recursions in a stack: cycles of calls that repeat.
public enum RecursionCycles {
  /// The longest cycle that is looked for, in calls.
  public static let longestCycle = 10
  /// The fewest turns of a cycle that count as a recursion.
  public static let fewestTurns = 3

  /// The indices of the elements that stay when each recursion is kept for one turn, in their order;
  /// `nil` where nothing repeats.
  ///
  /// - Parameter names: A number for each call, equal for equal names.
  /// - Complexity: O(*n* × longest cycle).
  public static func kept(_ names: [UInt64]) -> [Int]? {
    guard var next = names.indices.first(where: { cycle(names, at: $0) != nil }) else { return nil }
    var kept = Array(0..<next)
    while next < names.count {
      if let (length, end) = cycle(names, at: next) {
        kept.append(contentsOf: next..<(next + length))
        next = end
      } else {
        kept.append(next)
        next += 1
      }
    }
    return kept
  }

  /// The shortest cycle that begins at `start` and repeats often enough: its length, and where its
  /// last whole turn ends.
  public static func cycle(_ names: [UInt64], at start: Int) -> (length: Int, end: Int)? {
    for length in 1...longestCycle {
      guard start + length * fewestTurns <= names.count else { return nil }
      guard names[start] == names[start + length] else { continue }
      var end = start + length
      while end < names.count, names[end] == names[end - length] { end += 1 }
      let turns = (end - start) / length
      if turns >= fewestTurns { return (length, start + turns * length) }
    }
    return nil
  }
}
