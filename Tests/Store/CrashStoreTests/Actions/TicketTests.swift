import CrashModel
import Database
import Identifiers
import Testing
import TriageModel

@testable import CrashStore

@Suite("Tickets of groups, trackers of apps, and the text of notes")
struct TicketTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private static let seven = "https://github.com/acme/tern/issues/7"

  init() throws { fixture = try StoreFixture() }

  private func add(_ name: String, _ key: String) throws {
    try fixture.add(name, StoreFixture.report(key))
  }

  private func ticket(_ group: String) throws -> GroupTicket? {
    try store.groups.get(group).ticket
  }

  @Test("A ticket is set, closed, removed and undone, each with a line of the history")
  func ticket() throws {
    try add("a", "k1")
    let before = try fixture.tables()
    let set = try store.triage.setTicket(["TERN-1"], to: GroupTicket(url: Self.seven), by: "ann")
    #expect(set.map(\.ticket) == [GroupTicket(url: Self.seven)])
    #expect(try store.groups.list().items.map(\.ticket?.url) == [Self.seven])
    let closed = GroupTicket(url: Self.seven, state: .closed)
    try store.triage.setTicket(["TERN-1"], to: closed, by: "ann")
    try store.triage.setTicket(["TERN-1"], to: closed, by: "ann")
    try store.triage.setTicket(["TERN-1"], to: nil, by: "ann")
    #expect(try ticket("TERN-1") == nil)
    let lines = try fixture.lines("TERN-1").filter { $0.hasPrefix("ticketed") }
    #expect(
      lines == [
        "ticketed to \(Self.seven)", "ticketed to \(Self.seven), closed",
        "ticketed no longer to \(Self.seven)",
      ])
    try store.triage.undo(["TERN-1"], by: "bob")
    #expect(try ticket("TERN-1") == closed)
    try store.triage.undo(["TERN-1"], by: "bob")
    #expect(try ticket("TERN-1")?.state == .open)
    try store.triage.undo(["TERN-1"], by: "bob")
    #expect(try fixture.tables() == before)
  }

  @Test("An earlier ticket is not undone below a later one")
  func order() throws {
    try add("a", "k1")
    try store.triage.setTicket(["TERN-1"], to: GroupTicket(url: Self.seven), by: "ann")
    let line = try #require(try store.groups.history(ofGroup: "TERN-1").last).number
    try store.triage.setTicket(["TERN-1"], to: nil, by: "ann")
    #expect(throws: ActionError.self) {
      try store.triage.undo(["TERN-1"], line: line, by: "ann")
    }
  }

  @Test(
    "What is not an address of the web is refused",
    arguments: [
      "", "TERN-7", "javascript:alert(1)", "ftp://example.org/7", "https://", "https:///7",
      "https://ann@example.org/7", "https://example.org/a b", "https://example.org/\u{1b}[2J",
      "https://example.org/\"><script>",
      "https://example.org/" + String(repeating: "x", count: 2_000),
    ])
  func refused(url: String) throws {
    try add("a", "k1")
    #expect(throws: ActionError.invalidTicket(url)) {
      try store.triage.setTicket(["TERN-1"], to: GroupTicket(url: url), by: "ann")
    }
    #expect(try ticket("TERN-1") == nil)
  }

  @Test("A merged group takes over a ticket that it lacks, and loses it with the merge")
  func merge() throws {
    try add("a", "k1")
    try add("b", "k2")
    try store.triage.setTicket(["TERN-2"], to: GroupTicket(url: Self.seven), by: "ann")
    let before = try fixture.tables()
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(try ticket("TERN-1")?.url == Self.seven)
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try fixture.tables() == before)
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    // One that was set since stays.
    let other = GroupTicket(url: Self.seven + "0")
    try store.triage.setTicket(["TERN-1"], to: other, by: "ann")
    try store.triage.unmerge(["TERN-2"], by: "ann")
    #expect(try ticket("TERN-1") == other && ticket("TERN-2")?.url == Self.seven)
  }

  @Test("A tracker keeps its token for the same host, and gives it to no other")
  func tracker() throws {
    try add("a", "k1")
    func tracker() throws -> TicketTracker? { try store.apps.list().first?.tracker }
    var wanted = TicketTracker(
      .github, "https://github.com/acme/tern", token: "env:TOKEN", reports: 5)
    try store.apps.setTracker(wanted, of: "Tern")
    #expect(try tracker() == wanted)
    wanted.address = "https://github.com/acme/other"
    wanted.token = nil
    wanted.reports = nil
    wanted.users = 3
    try store.apps.setTracker(wanted, of: "Tern")
    #expect(try tracker()?.token == "env:TOKEN" && tracker()?.users == 3)
    wanted.address = "https://github.com.example.org/acme/tern"
    try store.apps.setTracker(wanted, of: "Tern")
    #expect(try tracker() == wanted)
    try store.apps.setTracker(nil, of: "Tern")
    #expect(try tracker() == nil)
    #expect(throws: StoreError.notFound("Nope")) { try store.apps.setTracker(wanted, of: "Nope") }
    for (kind, address, token) in [
      (.github, "acme/tern", nil), (.other, "https://example.org/new", nil),
      (.github, "https://github.com/acme/tern", "ghp_secret"),
    ] as [(TicketTracker.Kind, String, String?)] {
      #expect(throws: ActionError.self) {
        try store.apps.setTracker(TicketTracker(kind, address, token: token), of: "Tern")
      }
    }
  }

  @Test("Tickets of trackers with a token are due, the longest unchecked first")
  func due() throws {
    for key in ["k1", "k2", "k3"] { try add(key, key) }
    for number in 1...2 {
      let ticket = GroupTicket(url: "https://github.com/acme/tern/issues/\(number)")
      try store.triage.setTicket(["TERN-\(number)"], to: ticket, by: "ann")
    }
    func due(_ time: Int64) throws -> [TrackedTicket] {
      try store.triage.tickets(notCheckedSince: Timestamp(seconds: time), limit: 10)
    }
    #expect(try due(100).isEmpty)
    try store.apps.setTracker(
      TicketTracker(.github, "https://github.com/acme/tern", token: "env:TOKEN"), of: "Tern")
    let first = try due(100)
    #expect(first.map(\.group) == ["TERN-1", "TERN-2"])
    try store.triage.check(first[0], found: .closed, at: Timestamp(seconds: 50))
    #expect(try ticket("TERN-1")?.state == .closed)
    #expect(try fixture.lines("TERN-1").last == "ticketed to \(first[0].ticket.url), closed")
    #expect(try due(50).map(\.group) == ["TERN-2"])
    #expect(try due(51).map(\.group) == ["TERN-2", "TERN-1"])
    // Without a state nothing changes but the time.
    try store.triage.check(first[1], found: nil, at: Timestamp(seconds: 60))
    #expect(try ticket("TERN-2")?.state == .open)
    #expect(try due(60).map(\.group) == ["TERN-1"])
    // Another ticket was set meanwhile.
    try store.triage.setTicket(["TERN-2"], to: GroupTicket(url: Self.seven), by: "ann")
    try store.triage.check(first[1], found: .closed, at: Timestamp(seconds: 70))
    #expect(try ticket("TERN-2") == GroupTicket(url: Self.seven))
  }

  @Test("Lines of notes end with a line feed, also of those stored before")
  func lineEnds() throws {
    try add("a", "k1")
    try store.triage.note(["TERN-1"], "Repro:\r\n- zoom\r- pan\n", by: "ann")
    func detail() throws -> String? { try store.groups.history(ofGroup: "TERN-1").last?.detail }
    #expect(try detail() == "Repro:\n- zoom\n- pan\n")
    try store.write(.global) { database in
      #expect(
        try database.text("SELECT detail FROM group_history WHERE event = 'noted'")
          == "Repro:\n- zoom\n- pan\n")
      try database.run("UPDATE group_history SET detail = ?1 WHERE event = 'noted'", "a\r\nb")
    }
    #expect(try detail() == "a\nb")
  }
}
