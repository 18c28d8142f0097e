/// The heaviest path through a tree of calls, followed line by line.
///
/// At each call, the callee with the most samples is followed, or the first of several. Lists sorted by count
/// have it first; lists in order of time may not.
struct AppleCallPath {
  private var calls: [(column: Int, count: Int)] = []
  /// The depth of a call that is lighter than the one on the path; everything below it is skipped.
  private var skipped: Int?
  private let base: Int

  /// - Parameter base: The depth of the tree's parent.
  init(below base: Int = -1) { self.base = base }

  /// Takes the next call of the tree.
  ///
  /// - Returns: How many calls of the path it comes after; `nil` when it is not on the path.
  /// - Complexity: O(1) over all calls of a tree, amortised.
  mutating func follow(column: Int, count: Int) -> Int? {
    guard column > base else { return nil }
    if let skipped, column > skipped { return nil }
    skipped = nil
    // The call at the position of this one.
    var index = calls.count
    while index > 0, calls[index - 1].column >= column { index -= 1 }
    if index < calls.count, calls[index].count >= count {
      skipped = column
      return nil
    }
    calls.removeLast(calls.count - index)
    calls.append((column, count))
    return index
  }
}
