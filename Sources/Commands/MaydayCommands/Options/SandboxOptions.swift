import CrashModel
import Archives
import Arguments
import Glibc

/// The required protection of the machine from child processes that read files from outside.
struct SandboxOptions {
  @Flag("--require-sandbox", help: "Refuse to run if the kernel lacks landlock or seccomp.")
  var isRequired

  /// The environment variable of the flag, which holds for every command.
  static let variable = "MAYDAY_REQUIRE_SANDBOX"

  /// Whether the variable's text turns it on; a misspelt text does.
  static func isOn(_ text: String?) -> Bool {
    guard let text, !text.isEmpty else { return false }
    return !["0", "no", "false", "off"].contains(text.lowercased())
  }

  /// - Throws: ``CommandFailure`` where the sandbox is not complete.
  static func require() throws {
    do throws(ArchiveError) {
      try ArchiveReader.requireSandbox()
    } catch {
      // The reason for an incomplete sandbox names the option already.
      if case .incompleteSandbox = error.kind { throw CommandFailure(error.reason.printable) }
      throw CommandFailure("--require-sandbox: \(error.reason.printable)")
    }
    // The worker of a server is this program again.
    setenv(variable, "1", 1)
  }
}

/// A command that reads files from outside.
protocol SandboxedCommand: Command {
  var sandbox: SandboxOptions { get }
}
