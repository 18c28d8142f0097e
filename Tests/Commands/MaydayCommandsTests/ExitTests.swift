import Archives
import Arguments
import Bytes
import CommandSupport
import CrashInput
import Glibc
import Terminal
import Testing

@testable import MaydayCommands

@Suite("Error messages and exit codes")
struct ExitTests {
  @Test(
    "Each error has its code",
    arguments: [
      (FileError("open", path: "a", code: ENOENT), .notFound),
      (FileError("open", path: "a", code: EACCES), .notAllowed),
      (FileError("write", path: "a", code: ENOSPC), .failed),
      (UsageError("x"), .wrongUsage), (BrokenPipe(), .fine),
      (CommandFailure("x", .incomplete), .incomplete), (CommandFailure("x"), .failed),
      (AlreadyReported(code: .notFound), .notFound),
      (ParseError(.notRecognised, in: "x", at: 0), .failed),
      (InputError.file(FileError("open", path: "a", code: EPERM)), .notAllowed),
      (InputError.debugFile, .failed),
      (ArchiveError(.encrypted, in: "a.zip"), .failed),
    ] as [(any Error, ExitCode)])
  func codes(error: any Error, code: ExitCode) {
    #expect(Exit.describe(error).code == code)
  }

  @Test("Names from input are made printable")
  func printable() {
    let error = FileError("open", path: "a\u{1b}[2J", code: ENOENT)
    #expect(
      Exit.describe(error).message == "a\\x1b[2J: cannot open: No such file or directory")
    #expect(Exit.describe(UsageError("no \u{7}")).message == "no \\x07")
  }

  @Test("Exit codes are the documented ones")
  func numbers() {
    let codes: [ExitCode] = [
      .fine, .failed, .wrongUsage, .notFound, .notAllowed, .unreachable, .incomplete, .conditionMet,
    ]
    #expect(codes.map(\.rawValue) == Array(0...7))
  }
}
