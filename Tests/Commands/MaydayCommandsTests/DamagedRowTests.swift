import Database
import TestSupport
import Testing

@testable import ProgramSupport

/// No row of a damaged home can end the process, whatever its values.
@Suite("Damaged rows")
struct DamagedRowTests {
  /// Values that ended a command, as found by setting each column of every table for each command.
  struct Case: Sendable, CustomTestStringConvertible {
    let table: String
    let column: String
    let command: [String]
    var testDescription: String { "\(table).\(column): \(command.joined(separator: " "))" }
  }

  private static let cases = [
    Case(table: "search_facts", column: "version", command: ["reports", "version:1"]),
    Case(table: "search_facts", column: "version", command: ["groups", "--by", "version"]),
    Case(table: "group_days", column: "count", command: ["groups", "--trend"]),
    Case(table: "submissions", column: "bytes", command: ["gc"]),
  ]

  @Test("Numbers of any size in a row end no command", arguments: cases, [Int.max, .min, -1])
  func rows(changed: Case, number: Int) throws {
    let folder = ScratchFolder()
    let home = folder.path("home")
    #expect(
      Run(["ingest", Samples.path("apple-crash"), "--app", "Tern", "--home", home]).status == 0)
    #expect(Run(["apps", "set", "Tern", "--keep-days", "30", "--home", home]).status == 0)
    do {
      let database = try Connection(opening: home + "/mayday.db")
      try database.run("UPDATE \(changed.table) SET \(changed.column) = ?1", number)
      #expect(database.changes > 0)
    }
    let run = Run(changed.command + ["--home", home])
    // A signal gives a status of 128 or more.
    #expect((0..<128).contains(run.status), "\(run.errors)")
  }
}
