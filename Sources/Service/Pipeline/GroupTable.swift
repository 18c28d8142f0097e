internal import CrashModel
internal import Identifiers
internal import Likeness
internal import TriageModel

/// Groups in memory, by the same rules as in the store: the order of the reports does not matter.
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
  private var count = 0

  mutating func add(_ processed: ProcessedReport, id: String, source: String) {
    guard let signature = processed.report.signature else { return }
    let key = Key(app: processed.app, key: signature.key)
    readings[key, default: []].formUnion(
      signature.exactAlternativeKeys.map { Key(app: processed.app, key: $0) })
    weakReadings[key, default: []].formUnion(
      signature.weakAlternativeKeys.map { Key(app: processed.app, key: $0) })
    let app = processed.report.app
    builds[key, default: []].insert(Release(version: app.version ?? "", build: app.build ?? ""))
    let contents = GroupContents(
      processed, signature: signature, id: id, source: source, position: count)
    count += 1
    classes.join(contents, at: key)
    statements.add(processed.report, signature, app: processed.app, key: key)
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
    for (key, contents) in classes {
      let root = roots[key] ?? key
      var contents = contents
      contents.isNamed = key == root
      groups.join(contents, at: root)
    }
    return groups.sorted { left, right in
      let (one, other) = (left.value.summary, right.value.summary)
      guard one.reports == other.reports else { return one.reports > other.reports }
      let titles = (one.signature.text, other.signature.text)
      return titles.0 == titles.1 ? left.key < right.key : titles.0 < titles.1
    }.map(\.value)
  }
}

extension Dictionary where Value == GroupContents {
  fileprivate mutating func join(_ contents: GroupContents, at key: Key) {
    guard let index = index(forKey: key) else {
      self[key] = contents
      return
    }
    values[index].join(contents)
  }
}
