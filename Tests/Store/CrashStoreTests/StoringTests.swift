import Bytes
import CrashModel
import Glibc
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite struct StoringTests {
  let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  @Test("Reports of one key share a group, over all versions")
  func groups() throws {
    try fixture.file(
      "a",
      [
        StoreFixture.report("k1", version: "1.10", install: "x", seconds: 50),
        StoreFixture.report("k2", version: "1.0", seconds: 10),
        StoreFixture.report("k1", version: "1.9", install: "y", seconds: 20),
        StoreFixture.report("k1", version: "1.9", install: "x", seconds: 30),
      ])
    let groups = try store.groups.list()
    #expect(groups.map(\.id) == ["TERN-1", "TERN-2"])
    let first = try #require(groups.first)
    #expect(first.app == "Tern")
    #expect(first.signature.text == "text of k1" && first.signature.key == "k1")
    #expect(first.reports == 3 && first.installs == 2 && groups[1].installs == nil)
    #expect(first.reason == "EXC_BAD_ACCESS (SIGSEGV) at 0x10")
    #expect(first.firstSeen == Timestamp(seconds: StoreFixture.start.seconds + 20))
    #expect(first.lastSeen == Timestamp(seconds: StoreFixture.start.seconds + 50))
    #expect(first.versions.map(\.version) == ["1.9 (7)", "1.10 (7)"])
    #expect(first.versions.map(\.reports) == [2, 1])
    try fixture.check()
  }

  @Test("The same bytes count once for an app, in one batch or later")
  func duplicates() throws {
    let one = try StoreFixture.prepared("one", [StoreFixture.report("k")])
    let first = try store.reports.add([one, one])
    #expect(first.map(\.isDuplicate) == [false, true])
    #expect(first[1].reports.map(\.group) == ["TERN-1"])
    #expect(try store.reports.add([one]).map(\.isDuplicate) == [true])
    let other = try StoreFixture.prepared("one", [StoreFixture.report("k")], app: "Other app")
    let receipt = try store.reports.add([other])[0]
    #expect(!receipt.isDuplicate && receipt.reports.first?.group == "OTHERAPP-1")
    #expect(receipt.reports.first?.report != first[0].reports.first?.report)
    #expect(try store.reports.totals().reports == 2)
    #expect(try store.reports.hasSubmission(digest: one.digest, app: "Tern"))
    #expect(try !store.reports.hasSubmission(digest: one.digest, app: "Nobody"))
    try fixture.check()
  }

  @Test("Ids depend only on the bytes")
  func ids() throws {
    let prepared = try StoreFixture.prepared(
      "two", [StoreFixture.report("k"), StoreFixture.report("k2")])
    let receipt = try store.reports.add([prepared])[0]
    #expect(
      receipt.reports.map(\.report)
        == ReportID.ids(of: ByteView("two".utf8), app: "Tern", count: 2))
    let again = try StoreFixture()
    #expect(try again.store.reports.add([prepared])[0] == receipt)
  }

  @Test("A report's own key wins over an alternative one; two alternative keys never merge")
  func alternativeKeys() throws {
    try fixture.file(
      "a",
      [
        StoreFixture.report("inlined", alternatives: ["physical"]),
        StoreFixture.report("physical"),
        StoreFixture.report("other", alternatives: ["third"]),
        StoreFixture.report("another", alternatives: ["third"]),
        StoreFixture.report("plain"), StoreFixture.report("from plain", alternatives: ["plain"]),
      ])
    #expect(
      try fixture.groups() == [
        "TERN-1: text of inlined, 2", "TERN-2: text of other, 1", "TERN-3: text of another, 1",
        "TERN-4: text of from plain, 2",
      ])
    try fixture.check()
  }

  @Test("Submissions that were not understood are stored, and can be retried")
  func problems() throws {
    let bytes = ByteView("what is this".utf8)
    var submission = Submission(
      bytes: bytes, source: "x", received: StoreFixture.start, app: "Tern", problem: "no format")
    let receipt = try store.reports.add(submission)
    #expect(receipt.reports.isEmpty && !receipt.isDuplicate)
    #expect(try store.reports.submission(receipt.submission).array == bytes.array)
    #expect(try store.reports.add(submission).isDuplicate)
    submission.problem = nil
    let later = try store.reports.add(
      submission, reports: [(StoreFixture.report("k"), ByteView([]))])
    #expect(!later.isDuplicate && later.reports.map(\.group) == ["TERN-1"])
    #expect(
      try store.reports.add(submission, reports: [(StoreFixture.report("k"), ByteView([]))])
        .isDuplicate)
    #expect(try store.reports.totals().submissions == 1)
    try fixture.check()
  }

  @Test("A clock that is ahead does not make a last report for ever")
  func clocks() throws {
    try fixture.file("a", [StoreFixture.report("k", seconds: 90_000_000)])
    #expect(try store.groups.list().first?.lastSeen == StoreFixture.start)
    try fixture.file("b", [StoreFixture.report("k", seconds: .min / 2)])
    try fixture.check()
  }

  @Test("Group numbers are not reused, nor are prefixes")
  func names() throws {
    for (app, prefix) in [
      ("Tern", "TERN"), ("tern", "TERN2"), ("TERN!", "TERN3"), ("4you", "APP4YOU"), ("日本", "APP"),
      ("a very long name of an app", "AVERYLONGNAM"),
    ] {
      let receipt = try store.reports.add([
        try StoreFixture.prepared(app, [StoreFixture.report("k")], app: app)
      ])
      #expect(receipt[0].reports.first?.group == "\(prefix)-1")
    }
    #expect(try store.apps.list().count == 6)
    for name in ["", "a\nb", String(repeating: "x", count: 300)] {
      #expect(throws: StoreError.invalidAppName(name)) {
        try StoreFixture.prepared("x", [], app: name)
      }
    }
  }

  @Test("A report without a signature is refused before anything is written")
  func unsigned() throws {
    var report = StoreFixture.report("k")
    report.signature = nil
    #expect(throws: StoreError.self) { try StoreFixture.prepared("x", [report]) }
  }

  @Test("A hundred submissions in one batch")
  func batch() throws {
    let prepared = try (0..<100).map {
      try StoreFixture.prepared("n\($0)", [StoreFixture.report("k\($0 % 7)", install: "\($0 % 5)")])
    }
    #expect(try store.reports.add(prepared).count == 100)
    #expect(try store.groups.list().count == 7)
    #expect(try store.groups.list().map(\.reports).reduce(0, +) == 100)
    try fixture.check()
  }
}
