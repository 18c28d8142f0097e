import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashClient
import CrashService
import CrashStore
import Documents
import Glibc
import Identifiers
import JSON
import ModelContext
import Rendering
import ServerStore
import Terminal

/// `mayday mcp`
struct ModelContextCommand: Command {
  static let name = "mcp"
  static let summary = "Give language models tools over stored reports (MCP)."
  static let discussion = """
    A server of the Model Context Protocol on standard input and output: editors and agents start \
    it themselves. Its tools list, show, explain and search, and resolve a group after a \
    confirmation. With --server, the server answers, and the token's scopes decide which tools are \
    there.
    """
  static let examples = [
    Example("mayday mcp", "What an editor starts for the home of this user."),
    Example("mayday mcp --server https://crashes.example.org", "For a server."),
  ]

  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()

  func run() throws {
    let service = try home.service()
    let console = Console(colour: .never)
    let answer = try (service as? RemoteService).map(Self.forwarding) ?? answering(service)
    var session = ModelContextSession(
      reading: STDIN_FILENO, write: { try console.write($0) }, answer: answer)
    try session.run()
  }

  /// Answers from a home.
  private func answering(_ service: any CrashService) throws -> ModelContextSession.Answer {
    let name = author.name
    let store = (service as? LocalService)?.store
    let lookUp: ToolHost.LookUp? = store.map { store in
      { offsets, id, architecture in
        let image = try StoredLookUp.image(of: id, architecture: architecture, in: store)
        var writer = JSONWriter()
        writer.write(try StoredLookUp.look(up: offsets, in: image, of: store))
        return try JSONDocument.parse(ByteView(writer.takeBytes())).value
      }
    }
    let server = ModelContextServer(
      try ToolHost(
        service: service, scopes: Set(TokenScope.allCases), lookUp: lookUp,
        address: home.pageAddress()
      ) { decision, ids in
        try service.decide(decision, about: ids, by: name)
      })
    return { message, _ in server.answer(to: message) }
  }

  /// Passes messages on to a server; what keeps it from answering is the error of the request.
  private static func forwarding(_ service: RemoteService) -> ModelContextSession.Answer {
    { message, bytes in
      do {
        return try service.answer(toMessage: ByteView(bytes))?.array
      } catch {
        let text = FailureText.describe(error).message
        guard case .request(let id, _, _) = message else {
          Console.say("mayday: \(text)")
          return nil
        }
        return RPCError(.internalError, text).response(to: id)
      }
    }
  }
}
