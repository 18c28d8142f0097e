package import HTTP
package import ServerCore

/// The routes to which Crashpad, Breakpad, Electron and similar clients send dumps.
package enum BreakpadRoutes {
  /// Size limit of a dump with its attachments, as sent.
  private static let limit = ByteCount.mebibytes(100)
  private static let deadline: Duration = .seconds(600)

  /// Adds these routes to a server's router.
  package static func add(to router: inout Router, _ context: ServerContext) {
    for (pattern, answer) in [
      ("/minidump", BreakpadEndpoint.Answer.id), ("/submit", .socorro),
    ] {
      let endpoint = BreakpadEndpoint(context: context, answer: answer)
      router.add(
        "POST", pattern, body: .sent(limit: limit), deadline: deadline,
        before: endpoint.authorization
      ) { try endpoint.submit($0) }
    }
  }
}
