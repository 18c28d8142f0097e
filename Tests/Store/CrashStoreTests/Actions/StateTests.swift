import Bytes
import CrashModel
import Identifiers
import ReportDocument
import Testing
import TriageModel

@testable import CrashStore

@Suite("Group statuses")
struct StateTests {
  let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  private func add(
    _ name: String, _ version: String, install: String? = nil, seconds: Int64 = 0
  ) throws -> Receipt.StoredUnder {
    try fixture.add(
      name, StoreFixture.report("k", version: version, install: install, seconds: seconds))
  }

  /// Gives TERN-1, which must be open, a status.
  private func bring(to state: GroupState) throws {
    switch state {
    case .open: break
    case .resolved: try store.triage.resolve(["TERN-1"], .inRelease(Release("2.0")), by: "ann")
    case .ignored: try store.triage.ignore(["TERN-1"], IgnoreCondition(reports: 5), by: "ann")
    case .regressed:
      try store.triage.resolve(["TERN-1"], .inRelease(Release("2.0")), by: "ann")
      #expect(try add("back", "2.0").isRegression)
    }
    #expect(try fixture.state("TERN-1") == state)
  }

  enum Deed: String, CaseIterable {
    case resolve, reopen, ignore, assign, note, oldReport, newReport

    static let states: [GroupState] = [.open, .resolved, .ignored, .regressed]

    /// The status after it.
    func state(from state: GroupState) -> GroupState {
      switch self {
      case .resolve: .resolved
      case .reopen: .open
      case .ignore: .ignored
      case .assign, .note, .oldReport: state
      case .newReport: state == .resolved ? .regressed : state
      }
    }
  }

  @Test(
    "Every deed from every state, and its undo", arguments: Deed.states, Deed.allCases)
  func table(state: GroupState, deed: Deed) throws {
    _ = try add("first", "1.0")
    try bring(to: state)
    let before = try fixture.tables()
    let line = try store.groups.history(ofGroup: "TERN-1").last?.number ?? 0
    switch deed {
    case .resolve: try store.triage.resolve(["TERN-1"], by: "bob")
    case .reopen: try store.triage.reopen(["TERN-1"], by: "bob")
    case .ignore: try store.triage.ignore(["TERN-1"], by: "bob")
    case .assign: try store.triage.assign(["TERN-1"], to: "eve", by: "bob")
    case .note: try store.triage.note(["TERN-1"], "words", by: "bob")
    case .oldReport: _ = try add("old", "1.9")
    case .newReport: _ = try add("new", "2.1")
    }
    #expect(try fixture.state("TERN-1") == deed.state(from: state))
    try fixture.check()
    guard deed != .oldReport, deed != .newReport else { return }
    let done = try store.groups.history(ofGroup: "TERN-1").filter { $0.number > line }
    guard deed != .reopen || state != .open else { return #expect(done.isEmpty) }
    #expect(done.map(\.author) == ["bob"] && done[0].isAction)
    try store.triage.undo(["TERN-1"], by: "eve")
    #expect(try fixture.tables() == before)
    let history = try store.groups.history(ofGroup: "TERN-1")
    #expect(history.last?.event == "undone" && history.last?.author == "eve")
    #expect(history.first { $0.number == done[0].number }?.undone == history.last?.number)
  }

  @Test(
    "Which report brings a resolved group back",
    arguments: [
      (Resolution.afterNewestSeen, "1.4", "1.4", false), (.afterNewestSeen, "1.4", "1.3.9", false),
      (.afterNewestSeen, "1.4", "1.4.1", true), (.afterNewestSeen, "1.4", "1.10", true),
      (.inRelease(Release("1.5")), "1.4", "1.4.9", false),
      (.inRelease(Release("1.5")), "1.4", "1.5", true),
      (.inRelease(Release("1.5")), "1.4", "2.0", true),
      (.inRelease(Release("1.5 (8)")), "1.4", "1.5", false),
      (.inRelease(Release("1.5 (7)")), "1.4", "1.5", true),
      (.inRelease(Release("1.5 (6)")), "1.4", "1.5", true),
      (.inRelease(Release("1.4")), "1.4", "1.4", true),
      (.next, "1.4", "1.5", false), (.next, "1.4", "1.6", false), (.next, "1.4", "1.6.1", true),
      (.inRelease(Release("1.5")), "1.4", "", false), (.afterNewestSeen, "1.4", "", false),
      // Spellings of one version, and versions before it.
      (.inRelease(Release("1.5.0")), "1.4", "1.5", true),
      (.inRelease(Release("1.5.0")), "1.4", "v1.5.0", true),
      (.inRelease(Release("v1.5")), "1.4", "1.4.9", false),
      (.inRelease(Release("1.5.0")), "1.4", "1.5.0rc1", false),
      (.inRelease(Release("1.5.0")), "1.4", "1.5 beta 2", false),
      (.afterNewestSeen, "1.4", "1.4.0", false), (.next, "1.5.0", "1.5", false),
      // Hashes: whichever was seen later.
      (.afterNewestSeen, "0abc12345", "f00dcafe1", true),
      (.afterNewestSeen, "f00dcafe1", "0abc12345", true),
    ])
  func regressions(
    resolution: Resolution, seen: String, reported: String, isRegression: Bool
  ) throws {
    _ = try add("first", seen, seconds: -60)
    // The app is ahead of the group.
    try fixture.add("other", StoreFixture.report("other", version: "1.6"))
    try store.triage.resolve(["TERN-1"], resolution, by: "ann")
    var report = StoreFixture.report("k", version: reported, seconds: 9_000_000)
    if reported.isEmpty { report.app.build = nil }
    #expect(try fixture.add("second", report).isRegression == isRegression)
    #expect(try fixture.state("TERN-1") == (isRegression ? .regressed : .resolved))
    let last = try #require(try store.groups.history(ofGroup: "TERN-1").last)
    guard isRegression else { return #expect(last.event == "resolved") }
    #expect(last.event == "regressed" && last.author == "mayday" && !last.isAction)
    #expect(last.detail.contains(reported) && last.detail.contains("report "))
    try fixture.check()
  }

  @Test("If no report ever named a version, the time of the crash decides")
  func withoutVersions() throws {
    var report = StoreFixture.report("k")
    report.app = AppIdentity(name: "Tern")
    try fixture.add("first", report)
    try store.triage.resolve(["TERN-1"], by: "ann")
    #expect(try store.groups.get("TERN-1").status.fix == GroupFix(.time))
    #expect(try !fixture.add("late", report).isRegression)
    report.time = Timestamp(seconds: CrashStore.now.seconds + 60)
    let id = ReportID.ids(of: .init("new".utf8), app: "Tern", count: 1)[0]
    let submission = Submission(
      bytes: .init("new".utf8), source: "new", received: CrashStore.now, app: "Tern")
    let document = report.document(id: id, received: CrashStore.now)
    #expect(
      try store.reports.add(submission, reports: [(report, .init(document))]).reports[0]
        .isRegression)
    #expect(try fixture.lines("TERN-1").last?.hasPrefix("regressed seen after") == true)
  }

  @Test("A set order decides, and the history shows it")
  func setOrder() throws {
    _ = try add("a", "1.4")
    for version in ["1.5", "2.0-beta"] {
      try fixture.add(version, StoreFixture.report("other", version: version))
    }
    try store.releases.setOrder(of: "Tern", ["1.4", "2.0-beta", "1.5"].map { Release($0) })
    #expect(
      try store.releases.list(of: "Tern").map(\.release.name) == [
        "1.4 (7)", "2.0-beta (7)", "1.5 (7)",
      ])
    try store.triage.resolve(["TERN-1"], .inRelease(Release("1.5")), by: "ann")
    #expect(try !add("b", "2.0-beta").isRegression)
    #expect(try add("c", "1.6").isRegression)
    #expect(
      try fixture.lines("TERN-1").last?.hasPrefix(
        "regressed seen in 1.6 (7), which is newer than 1.5 in the order set for the releases")
        == true)
    try store.releases.resetOrder(of: "Tern")
    #expect(
      try store.releases.list().map(\.release.version) == ["1.4", "1.5", "1.6", "2.0-beta"])
  }

  @Test("An ignored group reopens after N reports, N users, or a time")
  func ignored() throws {
    _ = try add("a", "1.0", install: "x")
    try store.triage.ignore(["TERN-1"], IgnoreCondition(reports: 3, users: 2), by: "ann")
    _ = try add("b", "1.0", install: "x")
    _ = try add("c", "1.0", install: "y")
    #expect(
      try store.groups.get("TERN-1").status.ignore == IgnoreCondition(reports: 1, users: 1))
    _ = try add("d", "1.0")
    #expect(try fixture.state("TERN-1") == .open)
    try store.triage.ignore(["TERN-1"], IgnoreCondition(users: 2), by: "ann")
    for (number, user) in ["x", "z", "z", "w"].enumerated() {
      #expect(try fixture.state("TERN-1") == .ignored)
      _ = try add("u\(number)", "1.0", install: user)
    }
    #expect(try fixture.state("TERN-1") == .open)
    let until = CrashStore.now
    try store.triage.ignore(["TERN-1"], IgnoreCondition(until: until), by: "ann")
    // It reopened at that time, whenever it is read.
    #expect(try fixture.state("TERN-1") == .open)
    let event = try #require(try store.groups.history(ofGroup: "TERN-1").last)
    #expect(event.event == "returned" && event.time.microseconds == until.microseconds)
    try store.triage.ignore(["TERN-1"], by: "ann")
    for number in 0..<9 { _ = try add("n\(number)", "9.0", install: "n\(number)") }
    #expect(try fixture.state("TERN-1") == .ignored)
    try fixture.check()
  }

  @Test("An undo counts the reports in between")
  func undoCounts() throws {
    _ = try add("a", "1.0")
    try store.triage.ignore(["TERN-1"], IgnoreCondition(reports: 2), by: "ann")
    try store.triage.resolve(["TERN-1"], .inRelease(Release("3.0")), by: "ann")
    _ = try add("b", "1.0")
    #expect(try store.triage.undo(["TERN-1"], by: "ann")[0].status.ignore?.reports == 1)
    try store.triage.resolve(["TERN-1"], .inRelease(Release("3.0")), by: "ann")
    _ = try add("c", "1.0")
    #expect(try store.triage.undo(["TERN-1"], by: "ann")[0].state == .open)
  }

  @Test("A change in the history can be undone by its number, unless a later one depends on it")
  func lines() throws {
    _ = try add("a", "1.0")
    try store.triage.note(["TERN-1"], "first", by: "ann")
    try store.triage.resolve(["TERN-1"], by: "ann")
    try store.triage.reopen(["TERN-1"], by: "ann")
    let history = try store.groups.history(ofGroup: "TERN-1")
    let number = Dictionary(uniqueKeysWithValues: history.map { ($0.event, $0.number) })
    let (noted, resolved) = (try #require(number["noted"]), try #require(number["resolved"]))
    #expect(
      throws: ActionError.undoFirst(resolved, later: number["reopened"] ?? 0, in: "TERN-1")
    ) { try store.triage.undo(["TERN-1"], line: resolved, by: "ann") }
    try store.triage.undo(["TERN-1"], line: noted, by: "ann")
    #expect(throws: ActionError.undoneBefore(noted)) {
      try store.triage.undo(["TERN-1"], line: noted, by: "ann")
    }
    let undo = try #require(try store.groups.history(ofGroup: "TERN-1").last?.number)
    #expect(throws: ActionError.cannotUndo(undo, event: "undone")) {
      try store.triage.undo(["TERN-1"], line: undo, by: "ann")
    }
    #expect(throws: ActionError.cannotUndo(number["opened"] ?? 0, event: "opened")) {
      try store.triage.undo(["TERN-1"], line: number["opened"], by: "ann")
    }
    #expect(throws: ActionError.noSuchLine(999, in: "TERN-1")) {
      try store.triage.undo(["TERN-1"], line: 999, by: "ann")
    }
    try store.triage.undo(["TERN-1"], by: "ann")
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(throws: ActionError.nothingToUndo("TERN-1")) {
      try store.triage.undo(["TERN-1"], by: "ann")
    }
    #expect(try fixture.state("TERN-1") == .open)
  }

  @Test("All groups or none; invalid names and notes are refused")
  func refused() throws {
    _ = try add("a", "1.0")
    #expect(throws: StoreError.notFound("TERN-9")) {
      try store.triage.resolve(["TERN-1", "TERN-9"], by: "ann")
    }
    #expect(try fixture.state("TERN-1") == .open)
    #expect(throws: ActionError.emptyNote) { try store.triage.note(["TERN-1"], " \n", by: "ann") }
    #expect(throws: ActionError.tooLong("the note", limit: CrashStore.Triage.noteLimit)) {
      try store.triage.note(["TERN-1"], String(repeating: "x", count: 100_000), by: "ann")
    }
    for name in ["", " ", "a\nb"] {
      #expect(throws: ActionError.invalidName(name)) {
        try store.triage.reopen(["TERN-1"], by: name)
      }
      #expect(throws: ActionError.invalidName(name)) {
        try store.triage.assign(["TERN-1"], to: name, by: "ann")
      }
    }
    #expect(try store.groups.history(ofGroup: "TERN-1").map(\.event) == ["opened"])
  }

  @Test("Releases exist when a report names them or a user adds them")
  func releases() throws {
    try store.releases.add([Release("2.0 (9)"), Release("1.0 (7)")], to: "Tern")
    _ = try add("a", "1.0", seconds: 5)
    _ = try add("b", "1.0", seconds: 3)
    let releases = try store.releases.list(of: "Tern")
    #expect(releases.map(\.release.name) == ["1.0 (7)", "2.0 (9)"])
    #expect(releases.map(\.reports) == [2, 0])
    #expect(releases[0].firstSeen?.seconds == StoreFixture.start.seconds + 3)
    #expect(releases[0].lastSeen?.seconds == StoreFixture.start.seconds + 5)
    #expect(throws: ActionError.releaseHasReports("1.0 (7)", app: "Tern")) {
      try store.releases.remove([Release("1.0")], of: "Tern")
    }
    #expect(try store.releases.remove([Release("2.0")], of: "Tern").count == 1)
    #expect(throws: ActionError.noSuchRelease("1", app: "Tern", near: "1.0 (7)")) {
      try store.releases.setOrder(of: "Tern", [Release("1")])
    }
    #expect(throws: StoreError.unknownApp("Nobody", near: nil)) {
      try store.releases.list(of: "Nobody")
    }
    #expect(throws: ActionError.invalidName("")) {
      try store.releases.add([Release("")], to: "Tern")
    }
  }
}
