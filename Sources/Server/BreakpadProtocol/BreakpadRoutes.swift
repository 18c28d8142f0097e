package import HTTP
package import WebServer

/// What Crashpad, Breakpad, Electron and their kin send dumps to.
package enum BreakpadRoutes {
  /// Of a dump with its attachments, as it is sent.
  private static let limit = ByteCount.mebibytes(100)
  private static let deadline: Duration = .seconds(600)

  /// Adds them to the routes of a server.
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
