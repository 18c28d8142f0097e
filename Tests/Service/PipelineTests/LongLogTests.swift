import Bytes
import CrashInput
import CrashStore
import Identifiers
import Pipeline
import TestSupport
import Testing
import TriageModel

@Suite("Logs of more than 16 MiB")
struct LongLogTests {
  private let folder = ScratchFolder()
  private static let received = Timestamp(seconds: 1_790_000_000)

  /// A log of 18 MiB with the given number of reports.
  private func write(_ name: String, _ report: [UInt8], count: Int) {
    var block: [UInt8] = []
    while block.count < 18 << 20 / (count + 1) {
      block += Array("10:11:12.\(block.count) INFO GET /items/\(block.count): 200 in 3 ms\n".utf8)
    }
    var log = block
    for number in 0..<count { log += Array("request \(number)\n".utf8) + report + block }
    folder.write(name, log)
  }

  private var walker: InputWalker { InputWalker(dividing: LogChunker()) }

  @Test("It counts as one file, with all of its reports")
  func triage() throws {
    let sample = try #require(Samples.all(in: "sanitizer").first { $0.hasSuffix(".txt") })
    write("server.log", try Samples.bytes(sample), count: 30)
    let whole = try Triage(processor: Samples.processor()).run([folder.path])
    let parts = try Triage(processor: Samples.processor()).run([folder.path], walker: walker)
    #expect(parts.files == whole.files && parts.files.withReports == 1)
    #expect(parts.reports == whole.reports && parts.reports >= 30)
    #expect(parts.groups.map(\.summary.signature) == whole.groups.map(\.summary.signature))
    #expect(parts.refused.isEmpty)
  }

  @Test("It is refused once if it has no report, and if its candidates are not reports")
  func refused() throws {
    write("quiet.log", [], count: 0)
    write("odd.log", Array("==7==ERROR: AddressSanitizer\nTraceback\n".utf8), count: 12)
    let result = try Triage(processor: Samples.processor()).run([folder.path], walker: walker)
    #expect(result.files.total == 2 && result.reports == 0)
    #expect(result.refused.count == 2 && result.files.notReports == 2)
    #expect(Set(result.refused.map(\.reason)).isSubset(of: ["no report of a known format"]))
  }

  @Test("A store counts it as one file, and once")
  func ingest() throws {
    let sample = try #require(Samples.all(in: "sanitizer").first { $0.hasSuffix(".txt") })
    write("server.log", try Samples.bytes(sample), count: 30)
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let ingest = Ingest(into: store, processor: Samples.processor(), app: "Tern")
    let first = try ingest.run([folder.path], walker: walker, received: Self.received)
    #expect(first.reports >= 30 && first.files.total == 1 && first.files.withReports == 1)
    let again = try ingest.run([folder.path], walker: walker, received: Self.received)
    #expect(again.reports == 0 && again.files.total == 1 && again.files.duplicates == 1)
    #expect(try store.reports.totals().reports == first.reports)
  }
}
