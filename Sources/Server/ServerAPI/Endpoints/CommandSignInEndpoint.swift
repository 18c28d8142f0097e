internal import APIDocuments
internal import Bytes
internal import Documents
package import HTTP
package import ServerCore

/// Signs commands in: they ask for a token, which an account grants on the page `/sign-in/command`.
package struct CommandSignInEndpoint {
  package let context: ServerContext

  /// The longest name of a command that is shown, in characters.
  private static let longestName = 100

  package func begin(_ request: Request) throws -> Response {
    let input = try CommandSignInRequest(request)
    let waiting = CommandSignIns.Waiting(
      name: String(input.name.printable.prefix(Self.longestName)), peer: request.peer)
    if let wait = context.commandSignIns.take(from: request.head.network) {
      return .problem(
        .tooManyRequests, "too many commands asked from this address; try again in \(wait) s",
        code: .rateLimited)
    }
    guard let (deviceCode, userCode) = context.commandSignIns.begin(waiting) else {
      return .problem(
        .tooManyRequests, "too many commands wait to be signed in; try again in a few minutes",
        code: .rateLimited)
    }
    let page = request.head.origin + "/sign-in/command"
    return .document(status: .created) {
      $0.write(
        CommandSignIn(
          deviceCode: deviceCode, userCode: userCode, page: page,
          pageWithCode: page + "?code=" + userCode, lifetime: CommandSignIns.lifetime,
          interval: CommandSignIns.interval))
    }
  }

  package func finish(_ request: Request) throws -> Response {
    let answer = context.commandSignIns.answer(try CommandTokenRequest(request).deviceCode)
    let token =
      switch answer {
      case .waiting: CommandToken(state: .waiting)
      case .granted(let text): CommandToken(state: .granted, token: text)
      case .refused: CommandToken(state: .refused)
      case .expired: CommandToken(state: .expired)
      }
    var response = Response.document { $0.write(token) }
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
