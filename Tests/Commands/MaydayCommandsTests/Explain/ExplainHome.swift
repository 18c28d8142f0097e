import Bytes
import JSON
import TestSupport

@testable import ProgramSupport

/// A home made by the built program from the samples, for the tests of explanations.
final class ExplainHome {
  let folder = ScratchFolder()
  let path: String

  init() { path = folder.path("home") }

  func mayday(_ words: String...) -> Run { run(words) }

  func run(_ words: [String]) -> Run { Run(words, environment: ["MAYDAY_HOME": path]) }

  func json(_ words: String...) throws -> JSONValue { try Self.parse(run(words + ["--json"])) }

  static func parse(_ run: Run) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  /// The ids of all reports.
  func reports() throws -> [String] {
    try (json("reports", "--limit", "0").array ?? []).compactMap { $0["id"]?.string }
  }
}
