/// The heaviest path through a tree of calls, followed while the tree's lines go by.
///
/// At each call the one below it with the most samples is followed, of equals the first. Lists that are
/// sorted by count have that one first; those in the order of time need not.
struct AppleCallPath {
  private var calls: [(column: Int, count: Int)] = []
  /// The depth of a call that is lighter than the one on the path; everything below it is skipped.
  private var skipped: Int?
  private let base: Int

  /// - Parameter base: The depth of what the tree hangs from.
  init(below base: Int = -1) { self.base = base }

  /// Takes the next call of the tree.
  ///
  /// - Returns: How many calls of the path it comes after; `nil` when it is not on the path.
  /// - Complexity: O(1) over all calls of a tree, amortised.
  mutating func place(column: Int, count: Int) -> Int? {
    guard column > base else { return nil }
    if let skipped, column > skipped { return nil }
    skipped = nil
    // The call that stands where this one would.
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
