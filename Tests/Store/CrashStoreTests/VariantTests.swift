import Bytes
import CrashModel
import Database
import Query
import ReportDocument
import TestSupport
import Testing

@testable import CrashStore

@Suite("Variants of groups")
struct VariantTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  /// A report of one key with a stack of its own.
  private func report(_ stack: String, key: String = "k", version: String = "1.0") -> CrashReport {
    var report = StoreFixture.report(key, version: version)
    report.signature?.steps = stack.split(separator: " ").enumerated().map { index, name in
      SignatureStep(
        frame: index, subject: String(name), result: String(name), frameClass: "app", rule: "")
    }
    return report
  }

  /// `3 a b` for three reports whose stack is a, b.
  private func variants(of group: String) throws -> [String] {
    try store.groups.variants(ofGroup: group).variants.map { variant in
      ([String(variant.reports)] + variant.stack.calls.map(\.token)).joined(separator: " ")
    }
  }

  private func variant(_ stack: String, in group: String = "TERN-1") throws -> String {
    let all = try store.groups.variants(ofGroup: group).variants
    return try #require(
      all.first { $0.stack.calls.map(\.token).joined(separator: " ") == stack }
    ).id
  }

  @Test("A group's reports are counted by their stacks, and the type of the crash")
  func counts() throws {
    var other = report("a b")
    other.reason.type = "EXC_BREAKPOINT"
    try fixture.file("x", [report("a b"), report("a c"), report("a b"), other, report("a b")])
    let found = try store.groups.variants(ofGroup: "tern-1")
    #expect(found.count == 3 && found.group == "TERN-1")
    #expect(found.variants[0].reports == 3 && found.variants[0].stack.type == "EXC_BAD_ACCESS")
    #expect(Set(try variants(of: "TERN-1")) == ["3 a b", "1 a c", "1 a b"])
    #expect(try store.groups.variants(ofGroup: "TERN-1", limit: 1).variants.count == 1)
    #expect(try store.groups.variants(ofGroup: "TERN-1", limit: 1).count == 3)
    try fixture.check()
  }

  @Test("A variant is found by the start of its id")
  func search() throws {
    let ids = try fixture.file("x", [report("a b"), report("a c"), report("a b")])
    let id = try variant("a c")
    for text in ["variant:\(id)", "variant:\(id.prefix(6).uppercased())"] {
      let found = try store.reports.list(ReportQuery(Query(text, now: StoreFixture.start)))
      #expect(found.items.map(\.id) == [ids[1]], "\(text)")
    }
  }

  @Test("A group split by a variant gets the later reports of that variant")
  func split() throws {
    for (name, stack) in [("1", "a b"), ("2", "a c")] {
      let one = report(stack)
      let submission = Submission(
        bytes: ByteView(name.utf8), source: name, received: StoreFixture.start, app: "Tern")
      try store.reports.add(
        submission, reports: [(one, ByteView(one.document(id: "", received: nil)))])
    }
    try store.triage.split("TERN-1", where: "variant:\(variant("a c"))", by: "ann")
    #expect(try variants(of: "TERN-1") == ["1 a b"])
    #expect(try variants(of: "TERN-2") == ["1 a c"])
    let late = report("a c", version: "2.0")
    let submission = Submission(
      bytes: ByteView("3".utf8), source: "3", received: StoreFixture.start, app: "Tern")
    try store.reports.add(
      submission, reports: [(late, ByteView(late.document(id: "", received: nil)))])
    #expect(try variants(of: "TERN-2") == ["2 a c"])
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try variants(of: "TERN-1") == ["2 a c", "1 a b"])
    try fixture.check()
  }

  @Test("A stack is deleted with its last report")
  func forgetting() throws {
    let ids = try fixture.file("x", [report("a b"), report("a c"), report("a b")])
    try fixture.replace([(ids[1], report("d"))])
    #expect(try variants(of: "TERN-1") == ["2 a b", "1 d"])
    try fixture.check()
    _ = try store.retention.remove(reports: [ids[1]], at: StoreFixture.start)
    #expect(try variants(of: "TERN-1") == ["2 a b"])
    try fixture.check()
  }

  @Test("Reports stored before stacks were recorded get theirs from their documents")
  func filling() throws {
    let one = report("a b")
    let submission = Submission(
      bytes: ByteView("1".utf8), source: "1", received: StoreFixture.start, app: "Tern")
    try store.reports.add(
      submission, reports: [(one, ByteView(one.document(id: "", received: nil)))])
    // The document of this one cannot be read.
    try fixture.file("x", [report("c")])
    try store.write(.global) { database in
      try database.run("UPDATE reports SET variant = ''")
      try database.run("DELETE FROM stacks")
    }
    let again = try CrashStore(checking: store.home)
    let found = try again.groups.variants(ofGroup: "TERN-1").variants
    #expect(found.map(\.reports) == [1, 1])
    #expect(found.map { $0.stack.calls.map(\.token) }.contains(["a", "b"]))
    #expect(found.map(\.id).contains(""))
  }
}
