internal import Bytes

/// Searches for the openings of document formats in one pass.
struct OpeningSearch: Sendable {
  struct Match {
    let start: Int
    /// Whether the text is specific to such reports, not the brace of any JSON object.
    let isNamed: Bool
  }

  /// The most objects that are checked; each line of a JSON log has one.
  private static let objects = 4_096
  private static let named = 10_000

  private let search: MarkSearch
  /// The mark of any object.
  private let object: Int

  init(_ openings: [StaticString]) {
    let object: StaticString = "{\""
    self.object = openings.count
    search = MarkSearch((openings + [object]).map { MarkSearch.Mark($0) })
  }

  /// The openings in `text` in order, one for each position.
  ///
  /// - Complexity: O(n).
  func matches(in text: RawSpan) -> [Match] {
    var matches: [Match] = []
    var objects = 0
    var previous: MarkSearch.Match?
    while let match = search.next(in: text, from: 0, after: previous) {
      previous = match
      let isNamed = match.mark != object
      if let last = matches.last, last.start == match.start, last.isNamed || !isNamed { continue }
      if isNamed {
        guard matches.count - objects < Self.named else { break }
      } else {
        guard objects < Self.objects else { continue }
        objects += 1
      }
      matches.append(Match(start: match.start, isNamed: isNamed))
    }
    // They are in the order of the searched bytes.
    return matches.sorted { $0.start < $1.start }
  }
}
