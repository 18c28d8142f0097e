import TestSupport
import Testing

/// What the fuzzer found once, through the entry that found it.
@Suite("Findings of the fuzzer")
struct FuzzRegressionTests {
  private static let folder = Samples.root + "/Tests/FuzzRegressions"
  private static let findings = Run(
    ["-c", "find \"$0\" -type f ! -name README.md | sort", folder], program: "/bin/sh"
  ).output.split(separator: "\n").map(String.init)

  @Test("None comes back", arguments: findings)
  func again(path: String) throws {
    let entry = try #require(path.split(separator: "/").dropLast().last)
    let program = BuiltProgram.mayday + "-fuzz"
    let script = "ulimit -S -v 2000000; exec timeout 60 \"$0\" \"$@\""
    let run = Run(["-c", script, program, String(entry), path], program: "/bin/sh")
    #expect(run.status == 0 && run.output == "\(path): fine\n", "\(run.errors)")
  }
}
