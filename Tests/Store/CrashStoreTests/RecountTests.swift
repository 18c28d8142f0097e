import Bytes
import CrashModel
import Database
import Identifiers
import ReportDocument
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Sums are kept as rows are added, moved and deleted; a recount must always agree.
@Suite("Sums and recounts")
struct RecountTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  private static let apps = ["Tern", "Other", "Third"]

  private func report(_ random: inout SplitMix) -> CrashReport {
    let key = random.below(7)
    let isWaiting = random.below(2) == 0
    var report = StoreFixture.report(
      isWaiting ? "p\(key)" : "k\(key)", alternatives: key < 2 ? ["k\(key + 4)"] : [],
      provisional: isWaiting,
      waitsFor: isWaiting ? [DebugID(uuid: [UInt8(1 + random.below(3)), 9])] : [],
      version: "\(1 + random.below(3)).0",
      install: random.below(5) == 0 ? nil : "\(random.below(4))",
      seconds: Int64(random.below(6 * 86_400)), os: random.pick(["iOS", "macOS", ""]))
    report.user = random.pick(["anna", "jo", nil])
    report.reason.message = random.pick(["out of range", nil])
    report.images = [1, 2, 3].map { number in
      var image = LoadedImage(name: "Module \(number)", debugID: DebugID(uuid: [UInt8(number), 9]))
      image.symbols = SymbolStatus(random.below(2) == 0 ? .missing : .found, tried: [])
      return image
    }
    let frames = (0..<3).map { image in
      // Some reports name their frames in an image themselves.
      let isNamed = (key + image) % 2 == 0
      return Frame(
        position: .exact, image: image, function: isNamed ? "draw" : nil, file: nil,
        line: isNamed ? 7 : nil)
    }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    return report
  }

  private func add(
    _ number: Int, to store: CrashStore, _ random: inout SplitMix
  ) throws {
    let app = random.pick(Self.apps)
    let reports = (0...random.below(2)).map { _ in report(&random) }
    let text = "submission \(random.below(number + 2))"
    let isLimited = random.below(4) > 0
    let day = isLimited ? 5 : random.below(6)
    try file(
      text, reports, app: app, seconds: Int64(day * 86_400 + random.below(86_400)), to: store,
      isLimited: isLimited)
  }

  /// Stores reports with readable documents.
  private func file(
    _ text: String, _ reports: [CrashReport], app: String, seconds: Int64 = 0, to store: CrashStore,
    isLimited: Bool = false
  ) throws {
    let ids = ReportID.ids(of: ByteView(text.utf8), app: app, count: reports.count)
    let time = Timestamp(seconds: StoreFixture.start.seconds + seconds)
    let submission = try PreparedSubmission(
      Submission(bytes: ByteView(text.utf8), source: text, received: time, app: app),
      reports: zip(ids, reports).map { id, report in
        (report, ByteView(report.document(id: id, received: time)))
      })
    try store.reports.add([submission], isLimited: isLimited)
  }

  /// Does one random thing.
  ///
  /// - Returns: Its name.
  private func act(_ number: Int, _ random: inout SplitMix) throws -> String {
    let groups = try store.groups.list().items.map(\.id).sorted()
    let reports = try store.reports.list().map(\.id)
    guard let group = groups.randomElement(using: &random), reports.count > 5 else {
      try add(number, to: store, &random)
      return "add"
    }
    let now = Timestamp(seconds: StoreFixture.start.seconds + 86_400 * 7)
    switch random.below(100) {
    case 0..<40:
      try add(number, to: store, &random)
      return "add"
    case 40..<55:
      let app = group.prefix { $0 != "-" }
      let other = random.pick(groups.filter { $0.hasPrefix(app) })
      if other != group { try store.triage.merge([other], into: group, by: "ann") }
      return "merge"
    case 55..<62:
      let parts = try store.groups.list().items.flatMap(\.merged).sorted()
      if let part = parts.randomElement(using: &random) {
        try store.triage.unmerge([part], by: "ann")
      }
      return "unmerge"
    case 62..<67:
      let keys = try store.triage.keys(ofGroup: group).map(\.key)
      if let key = keys.randomElement(using: &random) {
        try store.triage.split(group, keys: [key], by: "ann")
      }
      return "split by key"
    case 67..<70:
      try store.triage.split(group, where: "version:>=\(1 + random.below(3)).0", by: "ann")
      return "split by rule"
    case 70..<75:
      try store.triage.undo([group], by: "bob")
      return "undo"
    case 75..<82:
      let some = reports.shuffled(using: &random).prefix(1 + random.below(4))
      try fixture.reprocess(some.map { ($0, report(&random)) })
      return "reprocess"
    case 82..<86:
      try store.retention.remove(
        reports: Array(reports.shuffled(using: &random).prefix(2)), at: now)
      return "remove"
    case 86..<90:
      let retention = Retention(
        days: 2 + random.below(5), bytes: nil, perGroup: random.below(2) == 0 ? 3 : nil)
      _ = try store.retention.expire(
        retention, of: random.pick(store.apps.list().map(\.name)), at: now)
      return "expire"
    case 90..<93:
      _ = try store.retention.erase(
        random.below(2) == 0
          ? .user([random.pick(["anna", "jo"])]) : .install(["\(random.below(4))"]),
        at: now)
      return "erase"
    case 93..<95:
      try store.apps.clear(app: random.pick(Self.apps))
      return "clear"
    case 95..<97:
      let other = try CrashStore(checking: fixture.folder.path("other \(number)"))
      for _ in 0..<8 { try add(number + 5, to: other, &random) }
      _ = try store.archive.importAll(from: other)
      return "import"
    default:
      let (old, new) = ("Third", "Other")
      guard try Set(store.apps.list().map(\.name)).isSuperset(of: [old, new]) else { return "add" }
      var last = 0
      for submission in try store.apps.submissions(of: old, after: 0, limit: 1_000) {
        last = submission.row
      }
      _ = try store.apps.finishMove(of: old, into: new, through: last)
      return "move an app"
    }
  }

  /// Makes the next reports the last ones of the first chunk of the index, and the deleted ones the last ones
  /// of their first chunk: so both are settled soon.
  private func beginBeforeChunk() throws {
    try fixture.file("first", [StoreFixture.report("first")])
    try store.retention.remove(reports: store.reports.list().map(\.id), at: StoreFixture.start)
    try fixture.file("second", [StoreFixture.report("first", seconds: 9)])
    try store.write(.global) { database in
      try database.execute("PRAGMA defer_foreign_keys = ON")
      try database.run("UPDATE reports SET id = \(SearchChunk.size - 100)")
      try database.run("UPDATE search_facts SET report = \(SearchChunk.size - 100)")
      try database.run("UPDATE search_past SET id = \(SearchChunk.size - 30)")
    }
  }

  /// The settled part of the index equals its rows.
  private func checkColumns(_ when: String) throws {
    let wrong = try store.read { database -> [String] in
      var wrong: [String] = []
      let stale = try SearchChunk.stale(in: database)
      for (chunk, table, id) in [
        (0, "search_facts", "report"), (SearchChunk.firstPast, "search_past", "id"),
      ] where !stale.contains(chunk) {
        for field in [SearchField.group, .install, .user] {
          let settled = try database.prepare(
            "SELECT bytes FROM search_columns WHERE id = ?1", [field.rawValue << 32 | chunk])
          guard try settled.step() else { continue }
          var column: [Int] = []
          let isColumn = try settled.withBlob("bytes") { SearchChunk.decode($0, into: &column) }
          var expected = [Int](repeating: 0, count: SearchChunk.size)
          let rows = try database.prepare(
            "SELECT \(id), \(field.sqlName) FROM \(table) WHERE \(id) < \(SearchChunk.size)")
          while try rows.step() { expected[rows.int(0)] = rows.int(1) }
          if !isColumn || column != expected { wrong.append("\(table) \(field)") }
        }
      }
      return wrong
    }
    #expect(wrong == [], "\(when)")
  }

  /// A home of an earlier version, which does not know what reports name themselves, finds it out.
  private func checkFillOfNames() throws {
    func named() throws -> [String] {
      try store.read { database in
        let rows = try database.prepare("SELECT report, image FROM waiting WHERE named = 1")
        var named: [String] = []
        while try rows.step() { try named.append("\(rows.int("report")) \(rows.int("image"))") }
        return named.sorted()
      }
    }
    let before = try named()
    #expect(!before.isEmpty)
    try fixture.forgetNames()
    #expect(try named() == [])
    try store.fillNamedImages()
    #expect(try named() == before)
    let wrong = try store.read { database in
      try StoreFixture.recounts.filter { try database.integer($0) != nil }
    }
    #expect(wrong == [], "after the names were filled in")
  }

  @Test(
    "A recount says the same after each of thousands of random operations",
    arguments: 0..<UInt64(TestSize.of(small: 1, all: 10)))
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var done: [String: Int] = [:]
    var counted = 0
    try store.retention.setDailyLimit(1)
    try beginBeforeChunk()
    for number in 0..<700 {
      do {
        let kind = try act(number, &random)
        done[kind, default: 0] += 1
        let wrong = try store.read { database in
          try StoreFixture.recounts.filter { try database.integer($0) != nil }
        }
        #expect(wrong == [], "seed \(seed), step \(number): \(kind)")
        if number % 7 == 0 { try checkColumns("seed \(seed), step \(number): \(kind)") }
      } catch is ActionError {
        done["refused", default: 0] += 1
      }
      if number % 50 == 0 { #expect(try store.ledger.get().faults == []) }
      counted = max(
        counted,
        try store.read { try $0.requiredInteger("SELECT count(*) FROM counted_reports") })
    }
    #expect(done.count == 14, "\(done)")
    #expect(counted > 5)
    #expect(try store.read { try $0.requiredInteger("SELECT count(*) FROM search_columns") } > 0)
    try checkFillOfNames()
    let restored = try store.restored(as: fixture.folder.path("restored"))
    let wrong = try restored.read { database in
      try StoreFixture.recounts.filter { try database.integer($0) != nil }
    }
    #expect(wrong == [])
    #expect(try restored.reports.totals().counted == store.reports.totals().counted)
    #expect(try restored.ledger.get().faults == [])
  }

  @Test("Reports that take the numbers of removed ones in a settled chunk are found")
  func numbersGivenAgain() throws {
    try beginBeforeChunk()
    for number in 0..<130 { try fixture.file("more \(number)", [StoreFixture.report("first")]) }
    let reports = { try store.read { try $0.requiredInteger("SELECT max(id) FROM reports") } }
    #expect(try reports() >= SearchChunk.size)
    try store.write(.global) { _ = try SearchChunk.settle(atMost: 9, in: $0) }
    for first in [SearchChunk.size - 50, SearchChunk.size] {
      let last = first < SearchChunk.size ? SearchChunk.size - 1 : Int.max
      let names = try store.read { database -> [String] in
        let rows = try database.prepare(
          "SELECT name FROM reports WHERE id BETWEEN ?1 AND ?2", [first, last])
        var names: [String] = []
        while try rows.step() { try names.append(rows.text("name")) }
        return names
      }
      try store.retention.remove(reports: names, at: StoreFixture.start)
    }
    // They were removed by an earlier version, which gave such numbers again.
    try store.write(.global) { try $0.run("DELETE FROM last_numbers") }
    try fixture.file("again", [StoreFixture.report("other")])
    #expect(try reports() < SearchChunk.size)
    try checkColumns("given again")
  }

  @Test("An app merged into one that has its reports and has split their group: the split stays")
  func moveIntoSplit() throws {
    for app in ["Other", "Tern"] {
      for version in ["1.0", "2.0"] {
        try file(version, [StoreFixture.report("k", version: version)], app: app, to: store)
      }
    }
    let other = try store.groups.list().items.map(\.id).filter { $0 != "TERN-1" }
    #expect(other.count == 1)
    try store.triage.note(other, "words", by: "ann")
    let part = try store.triage.split("TERN-1", where: "version:>=2.0", by: "ann").new.id
    let last = try #require(try store.apps.submissions(of: "Other", after: 0, limit: 9).last)
    #expect(try store.apps.finishMove(of: "Other", into: "Tern", through: last.row))
    #expect(try store.apps.list().map(\.name) == ["Tern"])
    #expect(try store.groups.get(part).reports == 1 && store.groups.get("TERN-1").reports == 1)
    #expect(try store.groups.history(ofGroup: "TERN-1").map(\.detail).contains("words"))
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try store.groups.get("TERN-1").reports == 2)
    try fixture.check()
  }

  @Test("A home has no trigger: the program counts by itself")
  func triggers() throws {
    let count = try store.read {
      try $0.requiredInteger("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'")
    }
    #expect(count == 0)
  }
}
