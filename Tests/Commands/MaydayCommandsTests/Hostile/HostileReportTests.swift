import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Malformed reports beside a valid one, which is always found.
@Suite("Hostile reports", .serialized)
struct HostileReportTests {
  private let folder = ScratchFolder()

  /// Triages the folder with a valid report added, which must be found.
  private func triage(_ words: String...) throws -> Run {
    try folder.copy(Samples.appleText, as: "in/good.crash")
    let run = Run(["triage", folder.path("in"), "--json"] + words)
    #expect(run.status == 0 && run.errors.contains("report"), "\(run.errors)")
    let members = run.json["groups"]?.array?.flatMap { $0["members"]?.array ?? [] } ?? []
    #expect(members.contains { $0["file"]?.string == folder.path("in/good.crash") })
    return run
  }

  @Test("An empty file, and one of spaces")
  func empty() throws {
    folder.write("in/empty.ips", [])
    folder.write("in/blank.crash", Array(repeating: 0x0a, count: 5_000))
    folder.write("in/zeros.ips", Array(repeating: 0, count: 5_000))
    let run = try triage()
    #expect(run.refusal(of: "empty.ips") == "empty file")
    #expect(run.refusal(of: "blank.crash") != nil && run.refusal(of: "zeros.ips") != nil)
    #expect(run.reportCount == 1)
  }

  @Test("A truncated report is a report with a note, or is refused with the position")
  func truncated() throws {
    let whole = try Samples.bytes(Samples.apple)
    let cuts = Array(stride(from: 1, to: whole.count, by: whole.count / 12))
    for count in cuts { folder.write("in/cut-\(count).ips", whole.prefix(count)) }
    let run = try triage()
    let refused = run.json["unrecognised"]?.array ?? []
    let count = try #require(run.reportCount)
    #expect(count + refused.count == cuts.count + 1 && count > 8)
    #expect(refused.allSatisfy { $0["reason"]?.string?.isEmpty == false })
    #expect(run.notes.contains { $0.contains("0x") || $0.contains("byte") }, "\(run.notes)")
  }

  @Test("A file of 5 GB is refused by its size, at once")
  func sparse() throws {
    _ = folder.sparse("in/huge.ips", try Samples.bytes(Samples.apple), size: 5 << 30)
    var run: Run?
    let time = try seconds { run = try triage() }
    #expect(
      run?.refusal(of: "huge.ips") == "5368709120 bytes exceed the limit of 268435456")
    #expect(time < 20)
    let home = folder.path("home")
    let ingest = Run(["ingest", folder.path("in"), "--home", home])
    #expect(ingest.status == 6 && ingest.errors.contains("1 report stored"), "\(ingest.errors)")
    #expect(ingest.output.contains("huge.ips"))
  }

  /// The reader of Apple's text examines each line, two hundred times slower in a debug build.
  #if DEBUG
    private static let appleLines = 500_000
  #else
    private static let appleLines = 10_000_000
  #endif

  @Test(
    "Ten million lines, with a report before them or none",
    arguments: [("", 10_000_000), (Samples.sanitizer, 10_000_000), (Samples.appleText, appleLines)])
  func lines(sample: String, count: Int) throws {
    var bytes = sample.isEmpty ? [] : try Samples.bytes(sample)
    let line = Array("12345 lines\n".utf8)
    bytes.reserveCapacity(bytes.count + count * line.count)
    for _ in 0..<count { bytes += line }
    let file = folder.write("lines.txt", bytes)
    bytes = []
    var run: Run?
    let time = seconds { run = Run(megabytes: 700, ["triage", file, "--json"]) }
    #expect(
      run?.status == (sample.isEmpty ? 1 : 0) && run?.reportCount == (sample.isEmpty ? 0 : 1),
      "\(run?.errors ?? "")")
    if sample.isEmpty { #expect(run?.refusal(of: file) == "no report of a known format") }
    #expect(time < 60)
  }

  @Test("JSON nested 100,000 deep loses the nested values, and reports the position")
  func nested() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let head = "{\"app_name\":\"Tern\",\"bug_type\":\"309\"}\n{\"procName\":\"Tern\",\"pid\":7,"
    folder.write("in/deep.ips", Array("\(head)\"threads\":\(deep),\"z\":1}".utf8))
    folder.write("in/open.ips", Array(("\(head)\"a\":" + deep.prefix(100_000)).utf8))
    folder.write("in/plain.json", Array(deep.utf8))
    let objects = String(repeating: "{\"a\":", count: 100_000)
    folder.write("in/objects.ips", Array("\(head)\"threads\":\(objects)".utf8))
    let run = try triage()
    #expect(run.reportCount == 4, "\(run.output)")
    #expect(
      run.notes.contains { $0.contains("limit of 128 levels of nesting reached at 0x") },
      "\(run.notes)")
    #expect(run.refusal(of: "plain.json") == "JSON, but no report of a known format")
  }

  @Test(
    "Numbers of billions, in every place of a report that counts or points",
    arguments: ["4294967295", "4294967296", "18446744073709551615", "-1", "1e300"])
  func numbers(number: String) throws {
    let text = String(decoding: try Samples.bytes(Samples.apple), as: UTF8.self)
    let fields = [
      "imageIndex", "imageOffset", "faultingThread", "pid", "base", "size", "symbolLocation", "id",
      "uptime", "value", "usedImages", "threads", "frames",
    ]
    var changed = 0
    for field in fields {
      for key in ["\"\(field)\":", "\"\(field)\" : "] {
        let parts = text.components(around: key)
        guard parts.count > 1 else { continue }
        let rest = parts.dropFirst().map { part in
          number + String(part.drop { "0123456789.-".contains($0) })
        }
        changed += 1
        folder.write("in/\(field).ips", Array((parts[0] + rest.map { key + $0 }.joined()).utf8))
      }
    }
    let crash = String(decoding: try Samples.bytes(Samples.appleText), as: UTF8.self)
    folder.write(
      "in/thread.crash", Array(crash.replacing("Thread 0", with: "Thread \(number)").utf8))
    #expect(changed > 6)
    let run = try triage()
    #expect(try #require(run.reportCount) > changed / 2)
  }

  @Test("Valid and malformed files in one folder and in one archive: every valid one is found")
  func mixed() throws {
    var zip = ZipBuilder()
    for (index, sample) in [Samples.apple, Samples.sanitizer].enumerated() {
      try folder.copy(sample, as: "in/\(index)-good")
      let bytes = try Samples.bytes(sample)
      folder.write("in/\(index)-bad", bytes.reversed())
      zip.add("bad\(index)".utf8, bytes.prefix(9))
      // Another file by its digest, the same report.
      zip.add("good\(index)".utf8, bytes + [0x0a])
    }
    folder.write("in/a.zip", zip.bytes)
    folder.write("in/cut.zip", zip.bytes.dropLast(zip.bytes.count / 2))
    let run = try triage()
    #expect(try #require(run.reportCount) >= 5)
    #expect(run.refusal(of: "0-bad") != nil && run.refusal(of: "a.zip!bad1") != nil)
  }
}

extension String {
  fileprivate func components(around mark: String) -> [String] {
    split(separator: mark, omittingEmptySubsequences: false).map(String.init)
  }
}
