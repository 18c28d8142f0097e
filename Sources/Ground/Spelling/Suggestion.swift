/// Suggestions for misspelt words.
public enum Suggestion {
  /// The letters to which words are cut: the comparison takes time proportional to the product of their
  /// lengths.
  private static let letterLimit = 64

  /// The candidate closest to `word`, or `nil` when none is close.
  ///
  /// A candidate is close if at most a third of the word's letters are wrong, or if it is the only one that
  /// begins with the word. Among equally close candidates the first counts.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
    let best = ranked.min { $0.distance < $1.distance }
    if let best, best.distance <= max(1, min(word.count, best.name.count) / 3) { return best.name }
    let continued = candidates.filter { word.count >= 3 && $0.hasPrefix(word) }
    return continued.count == 1 ? continued.first : nil
  }

  /// How many letters must be inserted, removed, replaced or swapped with a neighbour to make one word
  /// the other.
  ///
  /// - Complexity: O(n * m); both words are cut at 64 letters.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.prefix(letterLimit))
    let right = Array(right.prefix(letterLimit))
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(
          previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          cost = min(cost, beforePrevious[column - 2] + 1)
        }
        current.append(cost)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
