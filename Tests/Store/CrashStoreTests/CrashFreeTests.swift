import Bytes
import CrashModel
import Database
import Identifiers
import TestSupport
import Testing

@testable import CrashStore

/// Crash-free rates, with counts that were worked out by hand from docs/use/crash-free.md.
@Suite("Crash-free rates of all clients") struct CrashFreeTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private static let start = StoreFixture.start
  private static let day: Int64 = 86_400
  private static let release = Release("1.0 (7)")

  init() throws { fixture = try StoreFixture() }

  private static func time(_ seconds: Int64) -> Timestamp {
    Timestamp(seconds: start.seconds + seconds)
  }

  /// A session that any client reports, the given number of seconds after the start.
  private static func session(
    _ id: String, of person: String? = nil, at seconds: Int64 = 0, _ status: SessionStatus = .ok,
    duration: Int64? = nil, release: Release = release
  ) -> SessionBatch.Session {
    SessionBatch.Session(
      id: id, person: person, release: release, started: time(seconds),
      duration: duration.map { Int($0) * 1_000_000 }, status: status)
  }

  @discardableResult
  private func add(
    _ sessions: [SessionBatch.Session], counts: [SessionBatch.Count] = []
  ) throws -> SessionReceipt {
    var batch = SessionBatch(app: "Tern", received: Self.time(2 * Self.day))
    (batch.sessions, batch.counts) = (sessions, counts)
    return try store.sessions.add(batch)
  }

  /// A report as it arrives by the API, a minidump or an `.ips`.
  @discardableResult
  private func crash(
    _ name: String, of install: String? = nil, user: String? = nil, in session: String? = nil,
    at seconds: Int64 = 1, version: String = "1.0", build: String = "7", kind: ReportKind = .crash
  ) throws -> [String] {
    var report = StoreFixture.report(
      "k", version: version, install: install, seconds: seconds, kind: kind)
    report.app.build = build
    report.user = user
    if let session { report.properties["session_id"] = session }
    return try fixture.file(name, [report])
  }

  private func figures(
    _ release: Release? = nil, from first: Int64 = -5, to last: Int64 = 5
  ) throws -> CrashFree {
    try store.sessions.crashFree(
      app: "Tern", from: Self.time(first * Self.day), to: Self.time(last * Self.day),
      release: release)
  }

  @Test("Crashes of clients other than the one that reports sessions count")
  func others() throws {
    try add((1...5).map { Self.session("s\($0)", of: "i\($0)") })
    #expect(try figures().sessionRate == 1)
    for number in 1...2 { try crash("c\(number)", of: "other \(number)") }
    let few = try figures(Self.release)
    #expect(few.sessions == 5 && few.crashedSessions == 2 && few.sessionRate == 0.6)
    #expect(few.installs == 7 && few.crashedInstalls == 2 && few.crashes == 2)
    #expect(few.userRate == 1 - 2.0 / 7)
    for number in 3...20 { try crash("c\(number)", of: "other \(number)") }
    let many = try figures(Self.release)
    #expect(many.crashedSessions == 20 && many.sessionRate == nil && many.userRate == nil)
    #expect(many.sessionGap?.contains("(20) than were reported (5)") == true)
    #expect(many.userGap?.contains("more users crashed (20)") == true)
  }

  @Test("A session that crashed and its report count once, in whatever order they come")
  func once() throws {
    try crash("before", of: "i1", in: "s1")
    try add([
      Self.session("s1", of: "i1", .crashed), Self.session("s2", of: "i2", .crashed),
      Self.session("s3", of: "i3", .crashed), Self.session("s4", of: "i4"),
    ])
    try crash("by id", in: "s2")
    try crash("by user and time", of: "i3", at: 30)
    try crash("twice", of: "i3", at: 31)
    let figures = try figures()
    #expect(figures.crashes == 4 && figures.crashedSessions == 3 && figures.sessions == 4)
    #expect(figures.crashedInstalls == 3 && figures.installs == 4 && figures.userRate == 0.25)
  }

  @Test("Crashes without a user are not counted in addition to crashed sessions without a report")
  func nobody() throws {
    try add(
      (1...10).map { Self.session("s\($0)", of: "i\($0)", $0 <= 3 ? .crashed : .exited) })
    try crash("a")
    try crash("b")
    #expect(try figures().crashedSessions == 3)
    #expect(try figures().userRate == 0.7)
    for name in ["c", "d"] { try crash(name) }
    let all = try figures()
    #expect(all.crashedSessions == 4 && all.crashesWithoutInstall == 1 && all.userRate == nil)
    #expect(all.userGap == "1 crash names no user" && all.sessionRate == 0.6)
  }

  @Test("A crash belongs to the last session of its user that had not ended")
  func sessions() throws {
    try add([
      Self.session("s1", of: "i1", at: 0, duration: 600),
      Self.session("s2", of: "i1", at: 7_200, duration: 600),
      Self.session("s3", of: "i2", at: 0),
      Self.session("s4", of: "i3", at: 0, .exited, duration: 10),
    ])
    try crash("in s2", of: "i1", at: 7_500)
    // For an installation whose last session continues.
    try crash("in s3", of: "i2", at: 50_000)
    try crash("in none", of: "i3", at: 5_000)
    let figures = try figures()
    #expect(figures.sessions == 4 && figures.crashedSessions == 3)
    #expect(figures.installs == 3 && figures.crashedInstalls == 3)
  }

  @Test("A crash counts on the day of its session, and for its release")
  func dayOfSession() throws {
    // The fixture's time is not midnight: a session a minute before the next one crashes after it.
    let midnight = Int64(Self.start.day + 1) * Self.day - Self.start.seconds
    try add([
      Self.session("s1", of: "i1", at: midnight - 60), Self.session("s2", of: "i2", at: midnight),
    ])
    try crash("late", in: "s1", at: midnight + 60, version: "9.9")
    let days = try store.sessions.crashFreeSpan(
      app: "Tern", days: Self.start.day..<(Self.start.day + 3)
    ).days
    #expect(days.map(\.figures.crashedSessions) == [1, 0])
    #expect(days.map(\.figures.sessionRate) == [0, 1])
    #expect(days.map(\.figures.userRate) == [0, 1])
    #expect(try figures(Self.release).crashedSessions == 1)
    #expect(try figures(Release("9.9")).isEmpty)
  }

  @Test("A crash without a build counts for each build of its version")
  func builds() throws {
    for build in ["7", "8"] {
      try add([
        Self.session("s\(build)", of: "i\(build)", release: Release(version: "1.0", build: build)),
        Self.session("t\(build)", of: "i\(build)", release: Release(version: "1.0", build: build)),
      ])
    }
    try crash("a", of: "x", build: "")
    for build in ["7", "8"] {
      #expect(try figures(Release(version: "1.0", build: build)).sessionRate == 0.5)
    }
    #expect(try figures(Release("1.0")).sessionRate == 0.75 && figures().crashedSessions == 1)
    let releases = try store.read { database in
      try CrashStore.Sessions.crashFreeReleases(
        app: AppsTable.known("Tern", in: database).row,
        days: Self.start.day...Self.start.day + 1, in: database)
    }
    #expect(releases[Release(version: "1.0", build: "7")]?.sessionRate == 0.5)
    #expect(releases[Release(version: "1.0", build: "8")]?.crashes == 1)
    let listed = try store.sessions.crashFreeReleases(
      app: "Tern", from: Self.start, to: Timestamp(day: Self.start.day + 1))
    #expect(listed[Release(version: "1.0", build: "8")]?.sessionRate == 0.5)
    // All builds of a version, without figures of users.
    var whole = try figures(Release("1.0"))
    (whole.installs, whole.crashedInstalls, whole.installsWithSessions) = (0, 0, 0)
    var version = try #require(listed[Release("1.0")])
    (version.installs, version.crashedInstalls, version.installsWithSessions) = (0, 0, 0)
    #expect(version == whole && listed.count == 3)
  }

  @Test("Crashes beyond the daily limit of their group count")
  func onlyCounted() throws {
    try store.retention.setDailyLimit(2)
    try add((1...10).map { Self.session("s\($0)", of: "i\($0)") })
    for number in 1...6 {
      let report = StoreFixture.report("k", version: "1.0", install: "i\(number)", seconds: 1)
      try store.reports.add(
        [StoreFixture.prepared("c\(number)", [report])], isLimited: true)
    }
    #expect(try store.reports.list().count == 2)
    let figures = try figures(Self.release)
    #expect(figures.crashes == 6 && figures.crashedSessions == 6 && figures.sessionRate == 0.4)
    #expect(figures.crashedInstalls == 6 && figures.installs == 10 && figures.userRate == 0.4)
  }

  @Test("Crashes that were only counted get the time, session and user from their client")
  func onlyCountedOfClient() throws {
    try store.retention.setDailyLimit(1)
    try add((1...4).map { Self.session("s\($0)", of: "i\($0)") })
    for number in 1...3 {
      // The device's clock is years behind.
      let report = StoreFixture.report("k", version: "1.0", seconds: -1_000 * Self.day)
      var batch = ClientBatch(app: "Tern", received: Self.time(60), install: "i\(number)")
      batch.reports = [
        ClientBatch.Report(
          try StoreFixture.prepared("c\(number)", [report]), id: "c\(number)", kind: .crash,
          session: number == 3 ? nil : "s\(number)", time: Self.time(60), version: "1.0", build: "7"
        )
      ]
      _ = try store.sessions.add(batch)
    }
    #expect(try store.reports.list().count == 1)
    let figures = try figures(Release(version: "1.0", build: ""))
    #expect(figures.crashes == 3 && figures.crashedSessions == 3 && figures.sessionRate == 0.25)
    #expect(figures.crashedInstalls == 3 && figures.userRate == 0.25)
    try fixture.check()
  }

  @Test("A crash whose own clock is outside the period counts if its session is within")
  func otherClock() throws {
    try add([Self.session("s1", of: "i1"), Self.session("s2", of: "i2"), Self.session("s3")])
    try crash("before", of: "i1", in: "s1", at: -3 * Self.day)
    try crash("after", of: "i2", in: "s2", at: 3 * Self.day)
    try crash("without", of: "i3", at: -3 * Self.day)
    try crash("of no session", in: "s9", at: -3 * Self.day)
    let figures = try figures(from: 0, to: 0)
    #expect(figures.crashes == 2 && figures.crashedSessions == 2 && figures.sessions == 3)
    #expect(try self.figures(Self.release, from: 0, to: 0) == figures)
  }

  @Test("Handled errors, hangs and memory kills are not crashes")
  func kinds() throws {
    try add([Self.session("s1", of: "i1", .errored), Self.session("s2", of: "i2", .abnormal)])
    for (number, kind) in [ReportKind.handled, .hang, .hang, .oom, .other].enumerated() {
      try crash("\(number)", of: "i1", in: "s1", kind: kind)
    }
    let figures = try figures()
    #expect(figures.sessionRate == 1 && figures.userRate == 1 && figures.crashes == 0)
    #expect(figures.hangs == 2 && figures.outOfMemory == 1)
  }

  @Test("Without sessions there is no rate, and the reason is given")
  func none() throws {
    try crash("a", of: "i1")
    let none = try figures()
    #expect(none.sessionRate == nil && none.userRate == nil && none.crashes == 1)
    #expect(none.sessionGap == "no sessions were reported" && none.userGap == none.sessionGap)
    try add([Self.session("s1"), Self.session("s2")])
    let unnamed = try figures()
    #expect(unnamed.sessionRate == 0.5 && unnamed.userGap == "no session names its user")
  }

  @Test("Counted sessions make a rate; their crashes are not counted in addition to reports")
  func counts() throws {
    let count = SessionBatch.Count(
      id: "c1", release: Self.release, started: Self.start, sessions: 100, crashed: 5)
    #expect(try add([], counts: [count, count]).new == 1)
    #expect(try add([], counts: [count]).known == 1)
    for number in 1...3 { try crash("a\(number)", of: "i\(number)") }
    let few = try figures(Self.release)
    #expect(few.sessions == 100 && few.crashedSessions == 5 && few.sessionRate == 0.95)
    #expect(few.userGap != nil)
    for number in 4...7 { try crash("a\(number)") }
    #expect(try figures(Self.release).crashedSessions == 7)
    let shown = try store.releases.figures(of: Self.release, app: "Tern", now: Self.start)
    #expect(shown.adoption.map(\.sessions) == [100] && shown.crashFree.sessions == 100)
    // In addition to sessions of others that name their users, none of which crashed.
    try add([Self.session("s1", of: "j")])
    #expect(try figures(Self.release).userRate == nil)
  }

  @Test(
    "A session is one however often it comes: the gravest status, the first start, the longest duration"
  )
  func again() throws {
    let parts = [
      Self.session("s1", at: 5), Self.session("s1", of: "i1", at: 0, .crashed),
      Self.session("s1", at: 9, .exited, duration: 40), Self.session("s1", duration: 3),
    ]
    for order in [parts, parts.reversed()] {
      let fixture = try StoreFixture()
      for part in order {
        var batch = SessionBatch(app: "Tern", received: Self.time(60))
        batch.sessions = [part]
        _ = try fixture.store.sessions.add(batch)
      }
      let figures = try fixture.store.sessions.crashFree(app: "Tern")
      #expect(figures.sessions == 1 && figures.crashedSessions == 1 && figures.installs == 1)
      let row = try fixture.store.read { database -> (Int, Int, String) in
        let rows = try database.prepare("SELECT started, duration, status FROM sessions")
        guard try rows.step() else { return (0, 0, "") }
        return try (rows.int("started"), rows.int("duration"), rows.text("status"))
      }
      #expect(row.0 == Self.start.microseconds && row.1 == 40_000_000 && row.2 == "crashed")
    }
    #expect(try add([Self.session("s1")]).new == 1)
    #expect(try add([Self.session("s1")]).known == 1)
    #expect(try add([Self.session("s1", .exited)]).changed == 1)
    // A UUID is the same in each spelling.
    let id = "5B1E6C1C-3C51-4F7E-9D3A-0A4D1F6B2C11"
    #expect(try add([Self.session(id), Self.session("{\(id.lowercased())}")]).known == 1)
  }

  @Test("Expired reports count as long as sessions are kept, deleted ones do not")
  func expired() throws {
    try add((1...4).map { Self.session("s\($0)", of: "i\($0)") })
    try crash("a", of: "i1", in: "s1")
    try crash("b", of: "i2", in: "s2")
    let gone = try crash("c", of: "i3", in: "s3")
    try store.retention.remove(reports: gone, at: Self.start)
    #expect(try figures().crashedSessions == 2)
    var retention = Retention()
    retention.days = 1
    let later = Self.time(10 * Self.day)
    _ = try store.retention.expire(retention, of: "Tern", at: later)
    // The newest of each group is kept.
    #expect(try store.reports.list().count == 1)
    let before = try figures(Self.release)
    #expect(before.crashedSessions == 2 && before.crashes == 2 && before.crashedInstalls == 2)
    _ = try store.sessions.expire(at: Self.time(92 * Self.day))
    let left = try figures()
    #expect(left.sessions == 0 && left.crashes == 1 && left.sessionRate == nil)
    try fixture.check()
  }

  @Test("An erasure deletes the sessions and expired crashes of a person, by any name")
  func erased() throws {
    try add([
      Self.session("s1", of: "phone"), Self.session("s2", of: "jo@example.com"),
      Self.session("s3", of: "other"),
    ])
    try crash("a", of: "phone", in: "s1")
    try crash("b", user: "jo@example.com", in: "s2")
    try crash("c", of: "other", in: "s3")
    var retention = Retention()
    retention.days = 1
    _ = try store.retention.expire(retention, of: "Tern", at: Self.time(10 * Self.day))
    let now = Self.time(10 * Self.day)
    for subject in [ErasureSubject.install(["phone"]), .user(["jo@example.com"])] {
      let dry = try store.retention.erase(subject, at: now, isDry: true)
      let count = try store.retention.erase(subject, at: now)
      // The exemplar of the group did not expire.
      #expect(dry == count && count.sessions == 1 && count.reports + count.expiredCrashes == 1)
    }
    let figures = try figures()
    #expect(figures.sessions == 1 && figures.crashes == 1 && figures.installs == 1)
    try fixture.check()
  }

  @Test("Crashes, and the sessions that they belong to, are found by indexes")
  func plans() throws {
    try add([Self.session("s1", of: "i1")])
    try store.read { database in
      for table in ["reports", "past_crashes"] {
        let rows = try database.prepare(
          "EXPLAIN QUERY PLAN "
            + CrashFreeScan.crashes(of: table, hasSessions: true, isOfRelease: true),
          [1, 0, 1, 0, "1.0"])
        var plan: [String] = []
        while try rows.step() { plan.append(try rows.text("detail")) }
        let text = plan.joined(separator: "\n")
        #expect(text.contains("SEARCH crash USING COVERING INDEX"), "\(text)")
        let time = table == "reports" ? "happened" : "time"
        #expect(text.contains("kind=? AND \(time)>?"), "\(text)")
        #expect(text.contains("SEARCH own USING PRIMARY KEY (app=? AND id=?)"), "\(text)")
        #expect(text.contains("sessions_by_install (install=? AND app=? AND started<?)"), "\(text)")
        #expect(!text.contains("SCAN"), "\(text)")
      }
    }
  }
}
