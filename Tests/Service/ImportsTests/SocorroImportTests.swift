import Bytes
import CrashModel
import CrashService
import CrashStore
import Identifiers
import Imports
import Query
import ReportDocument
import TestSupport
import Testing

@Suite struct SocorroImportTests {
  private static let id = "de1bb258-cbbf-4589-a673-34f800160918"

  private static let raw = """
    {"ProductName": "Tern", "Version": "1.2.0", "BuildID": "34", "CrashTime": "1714557600",
     "submitted_timestamp": "2024-05-01T10:00:00+00:00", "ReleaseChannel": "beta", "uuid": "\(id)"}
    """

  private static let processed = """
    {"uuid": "\(id)", "product": "Tern", "version": "1.2.0", "date_processed": "2024-05-01T11:00:00+00:00",
     "json_dump": {"crash_info": {"type": "SIGSEGV", "address": "0x18", "crashing_thread": 0},
     "modules": [], "threads": [{"frames": [{"frame": 0, "function": "tern::Basket::total",
     "file": "basket.cpp", "line": 12, "trust": "context"}]}]}}
    """

  private static var dump: [UInt8] {
    get throws { try Samples.bytes("minidump/null-read-1.1.0-gcc-O2.dmp") }
  }

  private func run(_ home: borrowing ImportHome) throws -> ImportResult {
    try SocorroImport(home.context(), app: nil).run([home.path])
  }

  private func only(_ home: borrowing ImportHome) throws -> (ReportSummary, StoredReport) {
    let reports = try home.store.reports.list(ReportQuery()).items
    #expect(reports.count == 1)
    let summary = try #require(reports.first)
    return (summary, try home.service.report(summary.id, sourceLines: nil))
  }

  @Test func `a dump is stored with the annotations of its raw crash`() throws {
    let home = try ImportHome()
    home.write(Self.raw, to: "v1/raw_crash/20240501/\(Self.id)")
    home.folder.write("export/v1/dump/\(Self.id)", try Self.dump)
    home.write("[\"upload_file_minidump\"]", to: "v1/dump_names/\(Self.id)")
    home.write(Self.processed, to: "v1/processed_crash/\(Self.id)")
    let result = try run(home)
    #expect(result.left == [])
    #expect(result.reports == 1)
    #expect(result.attachments == 2)
    let (summary, stored) = try only(home)
    #expect(summary.app == "Tern")
    #expect(summary.version == "1.2.0")
    #expect(summary.received.description == "2024-05-01T10:00:00Z")
    #expect(stored.report.format.description == "minidump")
    #expect(stored.report.properties["ReleaseChannel"] == "beta")
    #expect(stored.report.properties["crash_id"] == Self.id)
    let again = try run(home)
    #expect(again.reports + again.attachments == 0)
    #expect(again.known == 1)
  }

  @Test func `a crash without its dump is what the server made of it`() throws {
    let home = try ImportHome()
    home.write(Self.raw, to: "20240501/\(Self.id).json")
    home.write(Self.processed, to: "20240501/\(Self.id).processed.json")
    #expect(try run(home).reports == 1)
    let (summary, stored) = try only(home)
    #expect(summary.app == "Tern")
    #expect(stored.report.threads.first?.frames.first?.function == "tern::Basket::total")
    #expect(try home.store.attachments.get("raw_crash.json", of: summary.id).bytes.count > 0)
  }

  @Test func `files of no crash are named`() throws {
    let home = try ImportHome()
    home.write("just words", to: "README")
    home.write("memory", to: "v1/memory_report/\(Self.id)")
    let result = try run(home)
    #expect(result.reports == 0)
    #expect(
      Set(result.left.map(\.path)) == [
        home.path + "/README", home.path + "/v1/memory_report/\(Self.id)",
      ])
  }

  @Test func `a cut dump is refused with its path`() throws {
    let home = try ImportHome()
    home.write(Self.raw, to: "\(Self.id).json")
    home.folder.write("export/\(Self.id).dump", try Self.dump.prefix(20))
    let result = try run(home)
    #expect(result.reports + result.left.count > 0)
  }
}
