internal import Archives
package import Arguments
internal import Bytes
internal import Glibc

/// Whether child processes that read untrusted files must be sandboxed.
package struct SandboxOptions {
  @Flag("--require-sandbox", help: "Refuse to run if the kernel lacks landlock or seccomp.")
  package var isRequired

  /// The environment variable for the flag, which applies to every command.
  package static let variable = "MAYDAY_REQUIRE_SANDBOX"

  package init() {}

  /// Whether the variable's value turns it on; a misspelt value does.
  package static func isOn(_ text: String?) -> Bool {
    guard let text, !text.isEmpty else { return false }
    return !["0", "no", "false", "off"].contains(text.lowercased())
  }

  /// - Throws: ``CommandFailure`` if the sandbox is incomplete.
  package static func require() throws {
    do throws(ArchiveError) {
      try ArchiveReader.requireSandbox()
    } catch {
      // The reason for an incomplete sandbox names the option already.
      if case .incompleteSandbox = error.kind { throw CommandFailure(error.reason.printable) }
      throw CommandFailure("--require-sandbox: \(error.reason.printable)")
    }
    // A server's worker is this program, too.
    setenv(variable, "1", 1)
  }
}

/// A command that reads untrusted files.
package protocol SandboxedCommand: Command {
  var sandbox: SandboxOptions { get }
}
