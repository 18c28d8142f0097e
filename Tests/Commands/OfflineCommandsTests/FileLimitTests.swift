import Bytes
import Files
import Glibc
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("Limits for each file") struct FileLimitTests {
  private let folder = ScratchFolder()
  private static let symbols = ["--symbols", Samples.symbolsFolder]
  private static let limits = ["--per-file-seconds", "60", "--per-file-memory", "2GiB"]

  @Test("Files that stay below the limits are read as without limits")
  func equal() {
    for command in [
      ["triage", Samples.folder, "--json"], ["symbolicate", Samples.folder, "--ndjson"],
      ["symbolicate", Samples.path("apple-ips"), "--full"],
      ["triage", Samples.folder, "--json", "--app", "Tern"],
    ] {
      let free = Run(command + Self.symbols)
      let limited = Run(command + Self.symbols + Self.limits)
      #expect(free.status == limited.status && free.output.count > 1_000, "\(command)")
      #expect(free.output == limited.output, "\(command)")
      #expect(free.errors == limited.errors, "\(command)")
    }
  }

  @Test("Members of archives, and files whose names cannot be shown, are read too")
  func members() throws {
    let report = try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips"))
    folder.write("dumps/a\u{1b}[31m.ips", report.array)
    folder.write("dumps/b\\x41.ips", report.array + [0x0a])
    var archive = ZipBuilder()
    archive.add(Array("x.ips".utf8), report.array + [0x20])
    archive.add("y.txt", "no report")
    folder.write("dumps/c.zip", archive.bytes)
    let free = Run(["triage", folder.path("dumps"), "--json"])
    let limited = Run(["triage", folder.path("dumps"), "--json"] + Self.limits)
    #expect(free.status == 0 && free.output.contains("c.zip!x.ips"))
    #expect(free.output == limited.output)
  }

  /// A report of 400,000 frames, which takes 300 MB to read.
  private func large() -> [UInt8] {
    let head = #"{"bug_type":"309","timestamp":"2026-01-01 00:00:00.00 +0000","app_name":"tern"}"#
    let frame = #"{"imageOffset":16,"imageIndex":0}"#
    let frames = [String](repeating: frame, count: 400).joined(separator: ",")
    let thread = #"{"id":1,"frames":[\#(frames)]}"#
    let threads = [String](repeating: thread, count: 1_000).joined(separator: ",")
    let body = #"{"procName":"tern","threads":[\#(threads)],"usedImages":[],"faultingThread":0}"#
    return Array((head + "\n" + body).utf8)
  }

  private func trace(_ number: Int) -> [UInt8] {
    Array("Exception in thread \"main\" java.lang.Error: \(number)\n\tat a.b.c(D.java:1)\n".utf8)
  }

  @Test("A file that takes too much memory costs itself, and is named with the limit")
  func memory() throws {
    folder.write("dumps/a-large.ips", large())
    for number in 0..<12 { folder.write("dumps/\(number).txt", trace(number)) }
    let words = "its memory is limited to 64 MiB"
    let run = Run(["triage", folder.path("dumps"), "--json", "--per-file-memory", "64MiB"])
    let document = try JSONDocument.parse(ByteView(run.output.utf8)).value
    let refused = document["unrecognised"]?.array ?? []
    #expect(refused.count == 1 && refused.first?["foreign"]?.bool == false)
    #expect(refused.first?["reason"]?.string?.contains(words) == true, "\(refused)")
    #expect(document["counts"]?["reports"]?.integer == 12)
    let lines = Run(
      ["symbolicate", folder.path("dumps"), "--ndjson", "--per-file-memory", "64MiB"])
    #expect(lines.status == 0 && lines.output.split(separator: "\n").count == 13)
    #expect(lines.output.contains(words))
  }

  @Test("A file that takes too much time costs itself, and is named with the limit")
  func time() throws {
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    let cache = folder.path("cache")
    let options = ["--cache", cache, "--per-file-seconds", "1"] + Self.symbols
    #expect(Run(["triage", sample] + options).status == 0)
    let names = try FolderListing.names(in: cache).filter { $0.hasSuffix(".symcache") }
    #expect(!names.isEmpty)
    // Who needs these caches waits for this test.
    let locks = try names.map { name in
      unlink("\(cache)/\(name)")
      return try OpenFile.changing("\(cache)/\(name).tmp", isMade: true).take()
    }
    defer { for lock in locks { close(lock) } }
    for lock in locks { #expect(flock(lock, LOCK_EX) == 0) }
    let trace = folder.write("trace.txt", trace(0))
    let run = Run(["triage", sample, trace] + options)
    #expect(
      run.status == 0 && run.output.contains("it takes more than 1 s to read"), "\(run.output)")
    #expect(run.errors.contains("1 report in 1 group"), "\(run.errors)")
  }

  @Test("Limits that no file could keep are refused")
  func usage() {
    #expect(Run(["triage", "x", "--per-file-seconds", "0"]).status == 2)
    #expect(Run(["symbolicate", "x", "--per-file-memory", "1MB"]).status == 2)
  }
}
