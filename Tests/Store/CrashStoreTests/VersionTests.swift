import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import CrashStore

@Suite("Versions of reports, and how they found their groups")
struct VersionTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private let debugID = DebugID(uuid: [9, 9])

  init() throws { fixture = try StoreFixture() }

  private func waiting(_ key: String) -> CrashReport {
    StoreFixture.report(key, provisional: true, waitsFor: [debugID])
  }

  private func replace(_ id: String, _ report: CrashReport, document: String) throws {
    let received = try store.reports.get(id).summary.received
    try fixture.ask(for: [id])
    try store.reports.replace([
      .replaced(
        PreparedReplacement(
          of: id, received: received, by: report, document: ByteView(document.utf8),
          arrivals: .max))
    ])
    while try store.groups.settle() {}
  }

  @Test("Each replaced document is stored, up to a limit, and the first of all")
  func bound() throws {
    let id = try fixture.file("a", [waiting("p")])[0]
    let first = try store.reports.get(id).document.text
    #expect(try store.reports.versions(of: id).isEmpty)
    let count = CrashStore.Reports.mostVersions + 5
    for number in 1...count {
      try replace(id, StoreFixture.report("k"), document: "{\"n\":\(number)}")
      // Once more, which changes nothing.
      try replace(id, StoreFixture.report("k"), document: "{\"n\":\(number)}")
    }
    let versions = try store.reports.versions(of: id)
    #expect(versions.count == CrashStore.Reports.mostVersions)
    #expect(versions.map(\.number) == [1] + Array((count - versions.count + 2)...count))
    #expect(try store.reports.document(of: versions[0]).text == first)
    #expect(try store.reports.document(of: versions[1]).text == "{\"n\":\(versions[1].number - 1)}")
    #expect(versions[0].arrived == [debugID] && versions[1].arrived.isEmpty)
    #expect(versions.allSatisfy { $0.group == "TERN-1" })
    try fixture.check()
  }

  @Test("Reports that change alike make one line of the history, many different ones a few")
  func history() throws {
    func told() throws -> [String] {
      try store.groups.history(ofGroup: "TERN-1").filter { $0.event == "symbolicated" }.map(
        \.detail)
    }
    let ids = try (0..<20).map { try fixture.file("\($0)", [waiting("p")])[0] }
    try fixture.replace(ids.map { (id: $0, report: StoreFixture.report("k")) })
    #expect(try told() == ["20 reports with 09090000: was text of p, is text of k"])
    let many = try (0..<20).map { try fixture.file("m\($0)", [waiting("m\($0)")])[0] }
    try fixture.replace(many.map { (id: $0, report: StoreFixture.report("k")) })
    let lines = try told()
    #expect(lines.count == 1 + 9)
    #expect(lines.reduce(0) { $0 + (Int($1.split(separator: " ")[0]) ?? 0) } == 40)
    #expect(lines.last == "12 reports with other signatures")
    // A later change is another line.
    let last = try fixture.file("z", [waiting("z")])[0]
    try fixture.replace([(id: last, report: StoreFixture.report("k"))])
    #expect(try told().count == lines.count + 1)
    try fixture.check()
  }

  @Test("Reports know how they found their groups")
  func found() throws {
    func found(_ id: String) throws -> MatchReason { try store.reports.membership(of: id).found }
    let first = try fixture.file("a", [StoreFixture.report("k", alternatives: ["o"])])[0]
    let same = try fixture.file("b", [StoreFixture.report("k")])[0]
    let reading = try fixture.file("c", [StoreFixture.report("o")])[0]
    let other = try fixture.file("d", [StoreFixture.report("x", alternatives: ["k"])])[0]
    #expect(try found(first) == .new)
    #expect(try found(same) == .key)
    #expect(try found(reading) == .reading)
    #expect(try found(other) == .alternative(key: "k"))
    let late = try fixture.file("e", [waiting("p")])[0]
    let followed = try fixture.file("f", [waiting("q")])[0]
    #expect(try store.reports.membership(of: late).group == "TERN-2")
    try fixture.replace([
      (id: late, report: StoreFixture.report("k")),
      (id: followed, report: StoreFixture.report("new")),
    ])
    #expect(try found(late) == .merged(from: "TERN-2"))
    #expect(try found(followed) == .followed)
    #expect(throws: StoreError.notFound("none")) { try store.reports.membership(of: "none") }
    for found: MatchReason in [
      .new, .key, .reading, .alternative(key: "k"), .followed, .moved(from: "A-1"),
      .merged(from: "A-2"), .unknown,
    ] {
      #expect(MatchReason(word: found.word, detail: found.detail) == found)
    }
    try fixture.check()
  }

  @Test("Pages of ids name every report once")
  func pages() throws {
    let ids = try (0..<7).map { try fixture.file("\($0)", [StoreFixture.report("k\($0 % 2)")])[0] }
    var seen: [String] = []
    var last: Int?
    while true {
      let page = try store.reports.ids(after: last, limit: 3)
      if page.ids.isEmpty { break }
      seen += page.ids
      last = page.last
    }
    #expect(seen == ids)
    let group = try store.reports.ids(inGroup: "TERN-1", limit: 100).ids
    #expect(group == stride(from: 0, to: 7, by: 2).map { ids[$0] })
    #expect(try store.reports.id(String(ids[3].prefix(12))) == ids[3])
    #expect(throws: StoreError.notFound("zz")) { try store.reports.id("zz") }
  }
}
