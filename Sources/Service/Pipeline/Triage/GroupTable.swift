internal import Batches
internal import Bytes
internal import CrashModel
internal import Identifiers
internal import Likeness
internal import TriageModel

/// The groups of a batch, by the same rules as in the store.
struct GroupTable {
  private struct Key: Hashable, Comparable {
    let app: String
    let key: String

    static func < (left: Key, right: Key) -> Bool {
      (left.app, left.key) < (right.app, right.key)
    }
  }

  private var classes: [Key: GroupContents] = [:]
  private var readings: [Key: Set<Key>] = [:]
  private var weakReadings: [Key: Set<Key>] = [:]
  private var builds: [Key: Set<Release>] = [:]
  private var statements = StatementLinks<Key>()

  /// - Throws: ``ParseError`` if a class has no reports, or a report no class.
  init(_ batch: Batch) throws(ParseError) {
    var start = 0
    for record in batch.classes {
      let end =
        batch.reports[start...].firstIndex {
          !($0.app.utf8.elementsEqual(record.app.utf8) && $0.key == record.key)
        } ?? batch.reports.count
      guard start < end else { throw Self.damaged("a class without reports") }
      add(record, reports: batch.reports[start..<end])
      start = end
    }
    guard start == batch.reports.count else { throw Self.damaged("a report without a class") }
  }

  private static func damaged(_ words: String) -> ParseError {
    ParseError(.invalid(words), in: "batch reports", at: 0)
  }

  private mutating func add(_ record: ClassFact, reports: ArraySlice<ReportFact>) {
    let key = Key(app: record.app, key: record.key)
    classes[key] = GroupContents(record, reports: reports)
    readings[key] = Set(record.readings.map { Key(app: record.app, key: $0) })
    weakReadings[key] = Set(record.weakReadings.map { Key(app: record.app, key: $0) })
    builds[key] = Set(record.builds)
    for statement in record.statements { statements.add(statement, app: record.app, key: key) }
  }

  /// The groups, those with the most reports first.
  var ranked: [GroupContents] {
    let found = KeyPartition.roots(
      of: readings, weak: KeyPartition.unrefuted(weakReadings, builds: builds))
    let roots = statements.roots(found) { key in
      let text = classes[key]?.summary.signature.text ?? ""
      return (text.count, text)
    }
    var groups: [Key: GroupContents] = [:]
    for key in classes.keys.sorted() {
      guard var contents = classes[key] else { continue }
      let root = roots[key] ?? key
      contents.isNamed = key == root
      if groups[root] == nil { groups[root] = contents } else { groups[root]?.join(contents) }
    }
    for key in groups.keys { groups[key]?.finish() }
    return groups.sorted { left, right in
      let (one, other) = (left.value.summary, right.value.summary)
      guard one.reports == other.reports else { return one.reports > other.reports }
      let titles = (one.signature.text, other.signature.text)
      return titles.0 == titles.1 ? left.key < right.key : titles.0 < titles.1
    }.map(\.value)
  }
}
