/// The candidate that `word` was probably meant to be, or `nil` when none is near.
///
/// Near is a third of the word's letters wrong at the most, or a start of exactly one candidate.
func suggestion(for word: String, among candidates: [String]) -> String? {
  let ranked = candidates.map { (name: $0, distance: editDistance(word, $0)) }
  let best = ranked.min { $0.distance < $1.distance }
  if let best, best.distance <= max(1, min(word.count, best.name.count) / 3) { return best.name }
  let continued = candidates.filter { word.count >= 3 && $0.hasPrefix(word) }
  return continued.count == 1 ? continued.first : nil
}

/// How many letters must be put in, left out, replaced or swapped with a neighbour.
///
/// - Complexity: O(n * m); both words are cut at 64 letters.
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left.prefix(64))
  let right = Array(right.prefix(64))
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

/// What a misspelt word was probably meant to be.
public enum Suggestion {
  /// The candidate that is near, or `nil` when none is.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    suggestion(for: word, among: candidates)
  }
}
