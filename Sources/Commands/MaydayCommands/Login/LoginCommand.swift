import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashClient
import CrashService
import Glibc
import Terminal

/// `mayday login`
struct LoginCommand: Command {
  static let name = "login"
  static let summary = "Sign this machine in to a server, in the browser."
  static let discussion = """
    Prints an address and a code. Open the address in any browser where you are signed in, compare \
    the code, and allow the command. The token is stored in a file that only you can read, and is \
    used by every command that talks to this server, unless --token or $MAYDAY_TOKEN gives another \
    one. It allows no more than your account does, and is valid for 90 days.
    """
  static let examples = [
    Example("mayday login https://crashes.example.org", "Sign in."),
    Example("mayday groups --server https://crashes.example.org", "Ask it."),
    Example("mayday logout https://crashes.example.org", "Sign out."),
  ]

  @Argument("URL", help: "The server's address, https://crashes.example.org.") var url: String
  @OptionGroup var authority = AuthorityOptions()

  func validate() throws(UsageError) { _ = try ServerAddress(url, option: "URL") }

  func run() throws {
    let service = RemoteService(
      try ServerAddress(url, option: "URL"), token: nil, sender: try authority.sender(tries: 3))
    let started = try service.beginSignIn(named: Self.hostName)
    let console = Console(colour: .auto)
    console.say(
      """
      Open \(started.pageWithCode.printable)
      and check that the page shows the code \(started.userCode.printable)
      Waiting...
      """)
    let token = try Self.wait(for: started, from: service)
    try StoredTokens().set(token, for: url)
    console.say(
      """
      Signed in. The token is in \(StoredTokens().path?.printable ?? "")
      Commands ask this server with --server, or with: export MAYDAY_SERVER=\(url.printable)
      """)
  }

  /// Asks until someone decides, or the codes expire.
  private static func wait(for started: CommandSignIn, from service: RemoteService) throws -> String
  {
    let interval = min(max(started.interval, 1), 60)
    var left = min(max(started.lifetime, 1), 3_600)
    while left > 0 {
      sleep(UInt32(interval))
      left -= interval
      let answer = try service.finishSignIn(started)
      switch answer.state {
      case .waiting: continue
      case .granted:
        guard let token = answer.token else { break }
        return token
      case .refused: throw CommandFailure("the sign-in was refused on the page", .notAllowed)
      case .expired: left = 0
      }
    }
    throw CommandFailure("the command was not allowed in time; start it again", .notAllowed)
  }

  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "a command" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.isEmpty ? "a command" : name
  }
}

/// `mayday logout`
struct LogoutCommand: Command {
  static let name = "logout"
  static let summary = "Delete the token that login stored for a server."
  static let discussion = """
    The token on this machine is deleted. To end it on the server as well, sign the command out on \
    the account page.
    """
  static let examples = [Example("mayday logout https://crashes.example.org", "Sign out.")]

  @Argument("URL", help: "The server's address.") var url: String

  func validate() throws(UsageError) { _ = try ServerAddress(url, option: "URL") }

  func run() throws {
    guard try StoredTokens().set(nil, for: url) != nil else {
      throw CommandFailure("no token is stored for \(url.printable)", .notFound)
    }
    Console(colour: .auto).say("Signed out of \(url.printable)")
  }
}
