import Terminal
import Arguments
import Glibc
import HTTPClient

/// The certificate authorities that a client trusts.
struct AuthorityOptions {
  @Option(
    "--ca-file",
    help: "CA certificates (PEM) to trust instead of the system's.", value: "FILE"
  )
  var file: String?

  /// - Throws: ``CommandFailure`` for a file that cannot be read.
  func sender(tries: Int) throws -> WebSender {
    var plan = RetryPlan()
    plan.tries = tries
    if let file { try InputPaths.check([file]) }
    return try WebSender(
      agent: "mayday/\(MaydayProgram.version)", plan: plan, authorities: file)
  }
}
