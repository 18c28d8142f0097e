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

@Suite("Images whose frames reports name themselves are not missing")
struct NamedImageTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  private static let id = DebugID(uuid: [1, 2, 3])

  /// A report whose only image has no debug file.
  private func report(
    _ key: String, named: Bool, version: String = "1.0", decides: Bool = false, id: DebugID? = id
  ) -> CrashReport {
    var report = StoreFixture.report(
      key, provisional: decides, waitsFor: decides ? [id].compactMap(\.self) : [], version: version)
    var image = LoadedImage(name: "Tern", debugID: id)
    image.symbols = SymbolStatus(.missing)
    report.images = [image]
    let frame = Frame(
      position: .exact, image: 0, function: "draw", file: "draw.swift", line: named ? 7 : nil)
    report.threads = [CrashThread(index: 0, crashed: true, frames: [frame, frame])]
    return report
  }

  /// Stores a report with a readable document.
  @discardableResult
  private func add(_ text: String, _ report: CrashReport) throws -> String {
    let id = ReportID.ids(of: ByteView(text.utf8), app: "Tern", count: 1)[0]
    let submission = Submission(
      bytes: ByteView(text.utf8), source: text, received: StoreFixture.start, app: "Tern")
    let document = ByteView(report.document(id: id, received: StoreFixture.start))
    try store.reports.add(submission, reports: [(report, document)])
    return id
  }

  /// The missing images of all reports, of those that match a query and of a release, as `reports in groups`.
  private func missing(version: String = "1.0") throws -> [[String]] {
    let query = try Query("version:\(version)", now: StoreFixture.start)
    let lists = try [
      store.debugFiles.missing().images, store.debugFiles.missing(of: query).images,
      store.debugFiles.missing(of: Release(version: version, build: "7"), app: "Tern"),
    ]
    return lists.map { $0.map { "\($0.reports) in \($0.groups)" } }
  }

  @Test("An image is missing for the reports that do not name it, and for no others")
  func counts() throws {
    try add("a", report("k1", named: true))
    #expect(try missing() == [[], [], []])
    try add("b", report("k1", named: false))
    try add("c", report("k2", named: true))
    #expect(try missing() == [["1 in 1"], ["1 in 1"], ["1 in 1"]])
    // All are reprocessed when the file comes.
    #expect(try store.reports.waiting(for: Self.id).count == 3)
    try fixture.check()
  }

  @Test("Without a build id, an image is missing under its name, or not at all")
  func nameless() throws {
    try add("a", report("k1", named: true, id: nil))
    #expect(try missing() == [[], [], []])
    try add("b", report("k1", named: false, id: nil))
    #expect(try missing() == [["1 in 1"], ["1 in 1"], ["1 in 1"]])
  }

  @Test("An image that keeps a title provisional is missing, whatever the report names")
  func provisional() throws {
    try add("a", report("k1", named: true, decides: true))
    #expect(try missing() == [["1 in 1"], ["1 in 1"], ["1 in 1"]])
    #expect(try store.debugFiles.missing().images[0].provisionalGroups == 1)
    try fixture.check()
  }

  @Test("Reprocessing, merges and removal keep the counts")
  func changes() throws {
    let one = try add("a", report("k1", named: true))
    let two = try add("b", report("k2", named: false))
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(try missing() == [["1 in 1"], ["1 in 1"], ["1 in 1"]])
    try fixture.check()
    try fixture.reprocess([(one, report("k1", named: false)), (two, report("k2", named: true))])
    #expect(try missing() == [["1 in 1"], ["1 in 1"], ["1 in 1"]])
    try store.retention.remove(reports: [one], at: StoreFixture.start)
    #expect(try missing() == [[], [], []])
    try store.triage.unmerge(["TERN-2"], by: "ann")
    try store.retention.remove(reports: [two], at: StoreFixture.start)
    #expect(try missing() == [[], [], []])
    try fixture.check()
  }

  @Test("A home of an earlier version finds out what its reports name when it is opened")
  func upgraded() throws {
    try add("a", report("k1", named: true))
    try add("b", report("k2", named: false))
    // Its document is not readable.
    try fixture.file("c", [report("k3", named: true)])
    try fixture.forgetNames()
    #expect(try missing() == [["3 in 3"], ["3 in 3"], ["3 in 3"]])
    let again = try CrashStore(checking: store.home)
    #expect(try again.debugFiles.missing().images.map(\.reports) == [2])
    #expect(try missing() == [["2 in 2"], ["2 in 2"], ["2 in 2"]])
    let unread = try again.read {
      try $0.requiredInteger("SELECT count(*) FROM waiting WHERE named IS NULL")
    }
    #expect(unread == 0)
  }
}
