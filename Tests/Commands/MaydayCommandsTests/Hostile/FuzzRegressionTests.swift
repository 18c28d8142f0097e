import Glibc
import TestSupport
import Testing

@testable import ProgramSupport

/// Former findings of the fuzzer, through the entry point that found them.
@Suite("Findings of the fuzzer")
struct FuzzRegressionTests {
  private static let folder = Samples.root + "/Tests/FuzzRegressions"
  private static let findings = Result {
    try FolderListing.files(below: folder).filter { $0 != "README.md" }.map { "\(folder)/\($0)" }
  }

  @Test("There are findings to try") func listed() throws {
    #expect(try !Self.findings.get().isEmpty)
  }

  @Test(
    "No finding recurs",
    .enabled(
      if: access(BuiltProgram.mayday + "-fuzz", X_OK) == 0, "MAYDAY_TOOLS builds mayday-fuzz"),
    arguments: (try? findings.get()) ?? [])
  func again(path: String) throws {
    let entry = try #require(path.split(separator: "/").dropLast().last)
    let program = BuiltProgram.mayday + "-fuzz"
    let script = "ulimit -S -v 2000000; exec timeout 60 \"$0\" \"$@\""
    let run = Run(["-c", script, program, String(entry), path], program: "/bin/sh")
    #expect(run.status == 0 && run.output == "\(path): fine\n", "\(run.errors)")
  }
}
