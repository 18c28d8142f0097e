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

/// How many letters must be put in, left out or replaced; both words are cut at 40 letters.
private func distance(_ left: String, _ right: String) -> Int {
  let left = Array(left.prefix(40))
  let right = Array(right.prefix(40))
  var row = Array(0...right.count)
  for (index, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for (column, other) in right.enumerated() {
      let cost = min(row[column] + 1, row[column + 1] + 1, diagonal + (letter == other ? 0 : 1))
      diagonal = row[column + 1]
      row[column + 1] = cost
    }
  }
  return row[right.count]
}
