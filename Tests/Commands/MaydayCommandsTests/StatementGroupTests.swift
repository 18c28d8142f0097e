import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Messages of one statement about different data are one group, in memory and in a store.
@Suite("Groups of one statement", .serialized)
struct StatementGroupTests {
  private let folder = ScratchFolder()

  private func panic(_ words: String, line: Int = 88, caller: String = "main") -> [UInt8] {
    Array(
      """
      thread 'main' panicked at src/till.rs:\(line):5:
      \(words)
      stack backtrace:
         0: rust_begin_unwind
         1: core::panicking::panic_fmt
         2: tern::till::open
                   at ./src/till.rs:\(line):5
         3: tern::\(caller)
                   at ./src/main.rs:8:5

      """.utf8)
  }

  private func titles(_ run: Run) -> [String] {
    (run.json["groups"]?.array ?? run.json.array ?? []).compactMap {
      $0["signature"]?["text"]?.string
    }
  }

  @Test("Names in the message of a panic make no groups")
  func names() throws {
    folder.write("in/ann.txt", panic("no till of ann"))
    folder.write("in/bob.txt", panic("bob has no till"))
    folder.write("in/cem.txt", panic("no till of cem", line: 91))
    let triage = Run(["triage", folder.path("in"), "--app", "tern", "--json"])
    let expected = [
      "panic: no till of ann | tern::till::open", "panic: no till of cem | tern::till::open",
    ]
    #expect(titles(triage).sorted() == expected)
    let home = folder.path("home")
    #expect(
      Run(["ingest", folder.path("in"), "--app", "tern", "--home", home]).status == 0)
    let groups = Run(["groups", "--home", home, "--json"])
    #expect(titles(groups).sorted() == expected, "\(groups.output)\(groups.errors)")
  }

  @Test("A helper called with different messages does not count as one statement")
  func helpers() {
    folder.write("in/a.txt", panic("no till", caller: "desk::sell"))
    folder.write("in/b.txt", panic("no coins", caller: "stock::count"))
    let triage = Run(["triage", folder.path("in"), "--app", "tern", "--json"])
    #expect(titles(triage).count == 2)
  }
}
