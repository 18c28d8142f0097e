/// The candidate that `word` was probably meant to be, or `nil` when none is near: a third of its
/// letters wrong at the most, or the start of exactly one.
func suggestion(for word: String, among candidates: [String]) -> String? {
  let word = word.lowercased()
  let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
  let best = ranked.min { $0.distance < $1.distance }
  if let best, best.distance <= max(1, min(word.count, best.name.count) / 3) { return best.name }
  let continued = candidates.filter { word.count >= 3 && $0.hasPrefix(word) }
  return continued.count == 1 ? continued.first : nil
}

/// How many letters must be put in, left out, replaced or swapped with a neighbour; both words are
/// cut at 40 letters.
private func distance(_ left: String, _ right: String) -> Int {
  let left = Array(left.prefix(40))
  let right = Array(right.prefix(40))
  var older: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var next = [row + 1]
    for column in right.indices {
      let isSame = left[row] == right[column]
      var cost = min(last[column + 1] + 1, next[column] + 1, last[column] + (isSame ? 0 : 1))
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, older[column - 1] + 1)
      }
      next.append(cost)
    }
    (older, last) = (last, next)
  }
  return last[right.count]
}
