import Bytes
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("symbols unwind")
struct UnwindCommandTests {
  static let program = Samples.debugFile("variants/plain")

  private func json(_ run: Run) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  @Test("Rules of addresses are a table, and objects in JSON")
  func addresses() throws {
    let text = Run(["symbols", "unwind", Self.program, "0x0"])
    #expect(text.status == 0 && text.output == "ADDRESS  CFA       RULES\n0x0      no rules\n")
    let all = Run(["symbols", "unwind", Self.program, "--json"])
    let rows = try #require(try json(all).array)
    #expect(rows.count > 10 && all.errors == "")
    let first = try #require(rows.first?["address"]?.string)
    let end = try #require(rows.first?["end"]?.string)
    #expect(first.hasPrefix("0x") && end.hasPrefix("0x"))
    let one = Run(["symbols", "unwind", Self.program, first, "--ndjson"])
    #expect(
      one.output == """
        {"address":"\(first)","cfa":{"register":"rsp","number":7,"offset":8},"rules":[{"register":\
        "rip","number":16,"rule":"saved","offset":-8}],"return_address":"rip"}

        """)
    let line = Run(["symbols", "unwind", Self.program, first])
    #expect(line.output.split(separator: "\n").last == "\(first)  rsp+8  ra=c-8")
  }

  @Test("Addresses of a process are relative to the load address")
  func loaded() throws {
    let rows = try #require(
      try json(Run(["symbols", "unwind", Self.program, "--json", "-l", "0x7f0000000000"])).array)
    #expect(rows.allSatisfy { $0["address"]?.string?.hasPrefix("0x7f00") == true })
  }

  @Test("A file without rules is empty, a missing one is an error")
  func none() {
    let empty = Run(["symbols", "unwind", Samples.debugFile("variants/symtab-only"), "--json"])
    #expect(empty.status == 0)
    let missing = Run(["symbols", "unwind", "no/such/file"])
    #expect(missing.status == 3 && missing.errors.contains("cannot open"))
  }

  @Test("A stored file is shown by its id, and its rules are cached")
  func stored() throws {
    let folder = ScratchFolder()
    let home = folder.path("home")
    let file = Samples.debugFile("variants/cpp-gcc")
    #expect(Run(["symbols", "add", file, "--home", home]).status == 0)
    let files = try #require(
      try json(Run(["symbols", "list", "--json", "--home", home])).array)
    let id = try #require(files.first?["debug_id"]?.string)
    let shown = Run(["symbols", "show", id, "--home", home])
    #expect(shown.output.contains("Unwind    24 rows from debug_frame, "))
    let records = try json(Run(["symbols", "show", id, "--json", "--home", home])).array
    let unwind = records?.first?["unwind"]
    #expect(unwind?["rows"]?.unsigned == 24)
    let caches = try folder.names("home/caches").filter { $0.hasSuffix(".unwind") }
    #expect(caches.count == 1)
    let stored = Run(["symbols", "unwind", id, "--home", home])
    #expect(stored.output == Run(["symbols", "unwind", file]).output && stored.status == 0)
    // Damaged rules are rebuilt.
    let path = "home/caches/" + (caches.first ?? "")
    let whole = try ByteView(reading: folder.path(path), limit: 1 << 20).array
    folder.write(path, Array("MAYUNWD".utf8))
    #expect(Run(["symbols", "unwind", id, "--home", home]).output == stored.output)
    #expect(try ByteView(reading: folder.path(path), limit: 1 << 20).array == whole)
  }
}
