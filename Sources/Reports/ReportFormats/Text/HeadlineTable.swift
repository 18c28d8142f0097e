internal import Bytes

/// The headlines of all log readers, and the search for their marks.
struct HeadlineTable: Sendable {
  struct Entry: Sendable {
    let rule: HeadlineRule
    /// Index of the reader that declares it.
    let reader: Int
  }

  private struct Known: Hashable {
    let kind: Headline.Kind
    let mark: String
  }

  let entries: [Entry]
  let search: MarkSearch

  init(_ readers: [any LogReader.Type]) {
    var entries: [Entry] = []
    var known: Set<Known> = []
    for (index, reader) in readers.enumerated() {
      // Formats with the same text before their reports declare the same rules.
      for rule in reader.headlines
      where known.insert(Known(kind: rule.kind, mark: rule.mark.description)).inserted {
        entries.append(Entry(rule: rule, reader: index))
      }
    }
    self.entries = entries
    search = MarkSearch(Self.marks(of: entries), groups: MarkGroups(Self.builtInGroups))
  }

  /// The marks that are searched for.
  static func marks(of entries: [Entry]) -> [MarkSearch.Mark] {
    entries.map { MarkSearch.Mark($0.rule.mark, after: $0.rule.neighbour) }
  }
}
