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

  private let part: BatchPart
  /// The number of reports.
  private(set) var reports = 0
  /// The images without a debug file, with the number of reports that have each.
  private(set) var images: [(image: ImageFact, reports: Int)] = []

  /// - Throws: ``BatchError``; ``ParseError`` if a class has no reports, or a report no class or an image that is not
  ///   there.
  init(_ part: BatchPart) throws {
    self.part = part
    var images = RecordCursor<ImageFact>(part)
    while let image = try images.next() { self.images.append((image, 0)) }
    var classes = RecordCursor<ClassFact>(part)
    var records = RecordCursor<ReportFact>(part)
    var start = records.place
    var next = try records.next()
    var place = classes.place
    while let record = try classes.next() {
      var totals = ClassTotals(start: start)
      while let report = next,
        TextOrder.compare(report.app, record.app) == 0,
        TextOrder.compare(report.key, record.key) == 0
      {
        if totals.add(report) {
          for image in report.images {
            guard self.images.indices.contains(image) else {
              throw Self.damaged("an image that is not there")
            }
            self.images[image].reports += 1
          }
        }
        start = records.place
        next = try records.next()
      }
      guard totals.reports > 0 else { throw Self.damaged("a class without reports") }
      reports += totals.reports
      add(record, at: place, totals)
      place = classes.place
    }
    guard next == nil else { throw Self.damaged("a report without a class") }
  }

  private static func damaged(_ words: String) -> ParseError {
    ParseError(.invalid(words), in: "batch reports", at: 0)
  }

  private mutating func add(_ record: ClassFact, at place: RecordPlace, _ totals: ClassTotals) {
    let key = Key(app: record.app, key: record.key)
    classes[key] = GroupContents(record, at: place, totals)
    readings[key] = Set(record.readings.map { Key(app: record.app, key: $0) })
    weakReadings[key] = Set(record.weakReadings.map { Key(app: record.app, key: $0) })
    builds[key] = Set(record.builds)
    for statement in record.statements { statements.add(statement, app: record.app, key: key) }
  }

  /// The groups, those with the most reports first.
  func ranked() throws(BatchError) -> [GroupContents] {
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
    for key in groups.keys { try groups[key]?.finish(in: part) }
    return groups.sorted { left, right in
      let (one, other) = (left.value.summary, right.value.summary)
      guard one.reports == other.reports else { return one.reports > other.reports }
      let titles = (one.signature.text, other.signature.text)
      return titles.0 == titles.1 ? left.key < right.key : titles.0 < titles.1
    }.map(\.value)
  }
}
