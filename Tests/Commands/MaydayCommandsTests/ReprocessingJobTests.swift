import Bytes
import Database
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

@Suite("Late symbols", .serialized)
struct ReprocessingJobTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func mayday(_ words: String...) -> Run { Run(words + ["--home", home]) }

  /// A file with two reports of two apps.
  private func twoApps() throws -> String {
    let one = String(decoding: try Samples.bytes(Samples.appleText), as: UTF8.self)
    let two = String(decoding: try Samples.bytes(Self.other), as: UTF8.self)
      .replacing("Process:             Tern", with: "Process:             Skua")
      .replacing("/Tern.app/Tern", with: "/Skua.app/Skua")
    return folder.write("two.crash", Array((two + "\n" + one).utf8))
  }

  private static let other = "apple-crash/raised-exception-1.0.0-ios-arm64.crash"

  @Test("An interrupted run is finished by the next command")
  func retry() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    #expect(mayday("symbols", "retry", "--json").json["done"]?.integer == 0)
    #expect(mayday("symbols", "add", Samples.symbols).status == 0)
    let facts = StoreFacts(home)
    // As if the run had died before it reprocessed the first report.
    do {
      let database = try Connection(opening: home + "/mayday.db")
      try database.execute(
        "INSERT INTO redo (app, report) SELECT app, id FROM reports WHERE id % 2 = 0")
    }
    let run = mayday("symbols", "retry")
    #expect(run.status == 0 && run.errors == "16 reports reprocessed\n", "\(run.errors)")
    #expect(StoreFacts(home) == facts)
    HomeCare.expectWhole(home)
  }

  @Test("A report that cannot be reprocessed is reported, does not stop others, and is retried")
  func problems() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    let database = try Connection(opening: home + "/blobs/small.db")
    let victim = try #require(
      mayday("reports", "--json").json.array?.first { $0["symbols"]?.string == "missing" }?["id"]?
        .string)
    let submission = try #require(
      try Connection(opening: home + "/mayday.db").text(
        """
        SELECT hex(digest) FROM submissions JOIN reports ON reports.submission = submissions.id
        WHERE name = ?1
        """, victim))
    try database.execute("CREATE TABLE aside AS SELECT * FROM contents")
    try database.execute("DELETE FROM contents WHERE hex(digest) = '\(submission)'")
    let added = mayday("symbols", "add", Samples.symbols)
    #expect(added.status == 0)
    #expect(added.errors.contains("warning: 1 report could not be reprocessed"), "\(added.errors)")
    #expect(added.errors.contains("32 waiting reports reprocessed"), "\(added.errors)")
    let failing = mayday("symbols", "retry")
    #expect(failing.status == 6 && failing.output.hasPrefix(victim), "\(failing.output)")
    try database.execute("INSERT OR IGNORE INTO contents SELECT * FROM aside")
    let run = mayday("symbols", "retry", "--json")
    #expect(run.status == 0 && run.json["done"]?.integer == 1)
    let fresh = folder.path("fresh")
    #expect(Run(["symbols", "add", Samples.symbols, "--home", fresh]).status == 0)
    #expect(Run(["ingest", Samples.path("apple-ips"), "--home", fresh]).status == 0)
    #expect(
      StoreFacts(home).reports.map(\.signature) == StoreFacts(fresh).reports.map(\.signature))
  }

  @Test(
    "In a file of several apps each report is found again, whatever app was asked for",
    arguments: [[], ["--app", "Tern"], ["--app", "Shop"]])
  func severalApps(app: [String]) throws {
    let file = try twoApps()
    #expect(Run(["ingest", file, "--home", home] + app).status == 0)
    func apps() -> [String] { StoreFacts(home).reports.map { "\($0.id) \($0.text)" } }
    let count = StoreFacts(home).reports.count
    #expect(count == 2)
    #expect(mayday("symbols", "add", Samples.symbols).status == 0)
    let fresh = folder.path("fresh")
    #expect(Run(["symbols", "add", Samples.symbols, "--home", fresh]).status == 0)
    #expect(Run(["ingest", file, "--home", fresh] + app).status == 0)
    let expected = StoreFacts(fresh)
    for (report, other) in zip(StoreFacts(home).reports, expected.reports) {
      #expect(report.id == other.id && report.signature == other.signature)
      let documents = [home, fresh].map { home in
        Run(["show", report.id, "--json", "--home", home]).output.split(separator: "\n")
          .filter { !$0.contains("\"received\"") }
      }
      #expect(documents[0] == documents[1])
    }
  }
}
