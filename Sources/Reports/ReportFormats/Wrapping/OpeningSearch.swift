internal import Bytes

/// Searches for the texts with which reports begin that are files of their own, in one pass.
struct OpeningSearch: Sendable {
  struct Match {
    let start: Int
    /// Whether the text is one that such reports have, and not the brace of any object in JSON.
    let isNamed: Bool
  }

  /// Objects that are looked at; of a log in JSON each line has one.
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

  /// The openings in `text` in their order, those at one place once.
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
    // They come in the order of the bytes that were searched for.
    return matches.sorted { $0.start < $1.start }
  }
}
