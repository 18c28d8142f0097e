import Bytes
import CrashModel
import Database
import Identifiers
import Query
import ReportDocument
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// A store with random reports, and the searchable facts of each in memory.
final class SearchFixture {
  let fixture: StoreFixture
  var store: CrashStore { fixture.store }
  private var random: SplitMix
  private var stored = 0
  /// Searchable facts of each report, by id; without its group.
  private(set) var known: [String: CrashReport] = [:]
  /// Searchable facts of deleted reports, without their groups.
  private(set) var past: [ReportValues] = []

  static let versions = ["1.0", "1.9", "1.10", "2.0-beta", "2.0", "2.0.1", ""]
  static let builds = ["7", "12", "100", "512", ""]
  static let systems = [("iOS", "17.2"), ("iOS", "17.10"), ("macOS", "14.1"), ("Ubuntu", "")]
  static let devices = ["iPhone15,2", "iPad13,1", "Größe 9", ""]
  static let users = ["anna", "Bärbel@example.com", "user 42", "0042", ""]
  static let installs = ["i1", "i2", "i3", "I1", ""]
  static let functions = [
    "Foo.bar(_:)", "foo::Bar<int>::operator()(int)", "-[View draw:]", "main", "Größe.füllen()",
    "std::vector<char, std::allocator<char>>::at(unsigned long)", "a",
  ]
  static let files = ["/src/Renderer.swift", "Größe.cpp", "main.c", "/build/2026/gen-17.c"]
  static let messages = [
    "Index 57 out of range", "index 57 out of range", "Index 5 out of range", "null dereference",
    "object 0xdeadbeef00 was freed", "object 0x10 was freed at 12:30:05", "Übergabe 7 von 9", "",
    "5", "beef and 0xbeef", "id 3f2a77b1c9 is unknown", "say \"no\" | \\ *",
  ]
  static let sources = ["nightly/2026-05-01/a-17.ips", "nightly/b.zip!c.ips", "crash 7.txt", "-"]
  static let tags = ["Music", "Größe", "7", "two words"]

  init(seed: UInt64) throws {
    fixture = try StoreFixture()
    random = SplitMix(seed: seed)
  }

  /// A random report; few values, so that conditions match.
  func report() -> CrashReport {
    func some(_ text: String) -> String? { text.isEmpty ? nil : text }
    var report = CrashReport(
      format: random.pick([.appleIPS, .appleCrash, .sanitizer]),
      kind: random.pick([.crash, .crash, .handled, .hang]))
    report.app = AppIdentity(
      name: "Tern", version: some(random.pick(Self.versions)), build: some(random.pick(Self.builds))
    )
    report.time =
      random.below(9) == 0
      ? nil
      : Timestamp(
        seconds: StoreFixture.start.seconds - Int64(random.below(40) * 21_600),
        nanoseconds: Int32(random.below(3) * 500))
    let system = random.pick(Self.systems)
    report.os = OperatingSystem(name: system.0, version: some(system.1))
    report.device = Device(
      model: some(random.pick(Self.devices)), architecture: random.pick([.arm64, .x86_64, nil]))
    report.user = some(random.pick(Self.users))
    report.install = some(random.pick(Self.installs))
    report.process.uptime = random.pick([nil, 0, 0.25, 4.75, 100])
    report.reason = CrashReason(
      type: random.pick(["EXC_BAD_ACCESS", "EXC_CRASH", nil]),
      signal: random.pick(["SIGSEGV", "SIGBUS", "SIGABRT", nil]),
      code: random.pick(["KERN_INVALID_ADDRESS", nil]), address: Address(UInt64(random.below(99))),
      message: some(random.pick(Self.messages)))
    if random.below(3) == 0 {
      report.reason.exception = LanguageException(
        type: random.pick(["NSRangeException", "std::out_of_range"]),
        message: some(random.pick(Self.messages)))
    }
    report.images = [LoadedImage(name: "Tern"), LoadedImage(name: "UIKitCore")]
    report.images[random.below(2)].symbols = SymbolStatus(random.pick([.found, .missing]))
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: (0..<random.below(4)).map { _ in
          Frame(
            position: .exact, image: random.below(2), function: random.pick(Self.functions),
            file: random.pick(Self.files + [nil, nil]))
        })
    ]
    report.crashedThread = random.below(3) == 0 ? nil : 0
    if random.below(2) == 0 { report.tags[ReportTag("Category")] = random.pick(Self.tags) }
    if random.below(4) == 0 { report.tags[ReportTag("Stufe")] = "7" }
    let key = "k\(random.below(9))"
    report.signature = Signature(
      text: "\(key) | \(random.pick(Self.functions))", key: key,
      category: random.pick([.signal, .exception]), rules: "v1",
      isProvisional: random.below(5) == 0)
    return report
  }

  /// Stores the given number of reports.
  func file(_ count: Int) throws {
    let submissions = try (0..<count).map { _ in
      stored += 1
      let submission = Submission(
        bytes: ByteView("\(stored)".utf8), source: random.pick(Self.sources),
        received: Timestamp(seconds: StoreFixture.start.seconds - Int64(random.below(9) * 3600)),
        app: random.below(5) == 0 ? "Zebra" : "Tern")
      let report = report()
      return (
        report,
        try PreparedSubmission(
          submission, reports: [(report, ByteView(report.document(id: "", received: nil)))])
      )
    }
    let receipts = try store.reports.add(submissions.map(\.1))
    for (submission, receipt) in zip(submissions, receipts) {
      for report in receipt.reports { known[report.report] = submission.0 }
    }
  }

  /// Reprocesses some reports, with other values and keys.
  func replace(_ count: Int) throws {
    let summaries = try store.reports.list().items
    var replacements: [PreparedReplacement] = []
    for _ in 0..<count {
      let summary = random.pick(summaries)
      guard !replacements.contains(where: { $0.row.id == summary.id }) else { continue }
      let report = report()
      replacements.append(
        try PreparedReplacement(
          of: summary.id, received: summary.received, by: report,
          document: ByteView(report.document(id: summary.id, received: nil)), arrivals: .max))
      known[summary.id] = report
    }
    try store.write(.global) { database in
      for replacement in replacements {
        try database.run(
          "INSERT OR IGNORE INTO redo (app, report) SELECT app, id FROM reports WHERE name = ?1",
          replacement.row.id)
      }
    }
    try store.reports.replace(replacements.map { .replaced($0) })
    while try store.groups.settle() {}
  }

  /// Deletes some reports from the tables, and keeps the counts of their groups.
  func remove(_ count: Int) throws {
    for _ in 0..<count {
      let values = try values()
      var gone = random.pick(values)
      try store.write(.global) { database in
        let row: RowID<Tables.Reports> = try database.requiredID(
          "SELECT id FROM reports WHERE name = ?1", gone.id)
        let reports = try DeletedReports.Report.read([row], in: database)
        _ = try DeletedReports.erase(reports, .expired, in: database)
      }
      known[gone.id] = nil
      // Facts that may identify a person, and those of the report itself.
      (gone.id, gone.user, gone.message, gone.source, gone.tags) = ("", "", "", "", [:])
      (gone.attachments, gone.group) = ([], nil)
      past.append(gone)
    }
  }

  /// The searchable facts of each existing report.
  func values() throws -> [ReportValues] {
    var groups: [String: GroupValues] = [:]
    for group in try store.groups.list().items {
      groups[group.id] = GroupValues(
        name: group.id, state: group.state, assignee: group.assignee, reports: group.reports,
        installs: group.installs ?? 0,
        versions: group.versions.count, firstSeen: try #require(group.firstSeen),
        lastSeen: try #require(group.lastSeen))
    }
    return try store.reports.list().map { summary in
      var values = ReportValues(
        try #require(known[summary.id]), id: summary.id, app: summary.app, time: summary.time,
        received: summary.received, source: summary.source)
      values.group = groups[summary.group]
      values.attachments = try store.attachments.list(of: summary.id).map(\.name)
      return values
    }
  }

  /// Random conditions on the values of these reports.
  static func maker(seed: UInt64) -> QueryMaker {
    var maker = QueryMaker(seed: seed)
    maker.names = [
      "app": ["Tern", "Zebra"], "group": ["TERN-1", "ZEBRA-2"], "os": ["iOS", "iOS 17.2"],
      "device": devices, "arch": ["arm64"], "signal": ["SIGSEGV", "SIGBUS"],
      "type": ["EXC_CRASH", "NSRangeException"], "code": ["KERN_INVALID_ADDRESS"], "user": users,
      "tag.Category": tags, "tag.stufe": ["7"], "image": ["Tern", "UIKitCore"],
      "format": ["apple-ips"], "category": ["exception"], "os.build": ["x"], "process": ["y"],
      "attachment": ["log.txt"],
    ]
    maker.texts = [
      "message": messages, "function": functions, "file": files, "source": sources,
      "signature": ["k1 | main", "k2"], "reason": ["EXC_BAD_ACCESS (SIGSEGV)"] + messages,
    ]
    maker.versions = [
      "version": versions + ["2.0 (512)", "1.0 (7)"], "build": builds,
      "os.version": ["17.2", "17.10"],
    ]
    maker.numbers = [
      "reports": [1, 5, 20], "installs": [0, 1, 3], "versions": [1, 4], "uptime": [0, 4],
    ]
    maker.times = [
      "time": ["2d", "2023-11-10", "2023-11-10T18:00:00Z", "36h"], "received": ["3h", "today"],
      "first": ["8d", "2023-11-09"], "last": ["1d"],
    ]
    maker.choices = [
      "is": ["open", "ignored"], "kind": ["crash", "handled"], "state": ["open", "resolved"],
      "symbols": ["missing", "partial", "full"],
    ]
    return maker
  }
}
