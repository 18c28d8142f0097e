import TestSupport
import Testing

@testable import ProgramSupport

/// `--require-sandbox` on kernels that lack part of the sandbox.
@Suite(.enabled(if: OtherTool.path("python3") != nil, "python3 is not installed"))
struct SandboxRequirementTests {
  /// Runs a command as on a kernel without a system call.
  private static func program(without number: Int) -> [String] {
    let text = """
      import ctypes, os, sys
      libc = ctypes.CDLL(None, use_errno=True)
      class Rule(ctypes.Structure):
          _fields_ = [("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("k", ctypes.c_uint)]
      class Filter(ctypes.Structure):
          _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.POINTER(Rule))]
      prctl = 157 if \(number) == 317 else 0xffffffff
      rules = (Rule * 7)(
          Rule(0x20, 0, 0, 0), Rule(0x15, 4, 0, \(number)), Rule(0x15, 0, 2, prctl), Rule(0x20, 0, 0, 16),
          Rule(0x15, 1, 0, 22), Rule(6, 0, 0, 0x7fff0000), Rule(6, 0, 0, 0x50000 | 38))
      filter = Filter(7, rules)
      assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(filter)) == 0
      os.execv(sys.argv[1], sys.argv[1:])
      """
    return ["-c", text, BuiltProgram.mayday]
  }

  private func run(
    _ words: [String], without number: Int? = nil, environment: [String: String] = [:]
  ) throws -> Run {
    guard let number else { return Run(words, environment: environment) }
    let python = try #require(OtherTool.path("python3"))
    return Run(
      Self.program(without: number) + words, environment: environment, program: python)
  }

  /// landlock_create_ruleset and seccomp, on x86-64.
  private static let parts = [(444, "no landlock"), (317, "no seccomp")]

  @Test(
    "Commands that read files from outside refuse to run, by flag and by variable", arguments: parts
  )
  func refusals(number: Int, words: String) throws {
    let folder = ScratchFolder()
    let commands = [
      ["triage", folder.path], ["ingest", folder.path, "--home", folder.path("home")],
      ["serve", "--listen", "0", "--home", folder.path("home")],
    ]
    for command in commands {
      for (extra, environment) in [
        (["--require-sandbox"], [:]), ([], ["MAYDAY_REQUIRE_SANDBOX": "yes"]),
      ] {
        let run = try run(command + extra, without: number, environment: environment)
        #expect(run.status == 1, "\(command) \(extra)")
        #expect(run.errors.contains("--require-sandbox"), "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.ranges(of: "--require-sandbox").count == 1, "\(run.errors)")
      }
    }
    let other = try run(["version"], without: number, environment: ["MAYDAY_REQUIRE_SANDBOX": "0"])
    #expect(!other.errors.contains("sandbox"))
  }

  @Test("With the complete sandbox, nothing changes")
  func complete() throws {
    let folder = ScratchFolder()
    let run = try run(["triage", folder.path, "--require-sandbox"])
    #expect(!run.errors.contains("sandbox"), "\(run.errors)")
  }
}
