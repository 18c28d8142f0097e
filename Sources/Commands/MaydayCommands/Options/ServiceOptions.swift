import Alerts
import Arguments
import Bytes
import CommandSupport
import CrashClient
import CrashService
import CrashStore
import Glibc
import Rendering
import ServerStore
import Terminal

/// The service that answers: a home of this machine, or a server.
struct ServiceOptions {
  @Option("--server", help: "Use this server: https://crashes.example.org.", value: "URL")
  private var namedServer: String?
  @Option("--token", help: "API token for the server; $MAYDAY_TOKEN is safer.", value: "TOKEN")
  var token: String?
  @Option("--token-file", help: "File that contains the API token.", value: "FILE")
  var tokenFile: String?
  @OptionGroup var authority = AuthorityOptions()
  @OptionGroup var home = HomeOptions()

  /// The server that is asked; `nil` for a home. A home on the command line counts more than a server of the
  /// environment or the configuration.
  var server: String? {
    HomeOptions.isNamed && !HomeOptions.isOnCommandLine("--server") ? nil : namedServer
  }

  /// - Throws: `UsageError` if the command line names both a home and a server.
  private func checkPlace() throws {
    guard let server, let folder = home.home else { return }
    if HomeOptions.isNamed { throw UsageError("--server and --home name two places: give one") }
    guard !HomeOptions.isOnCommandLine("--server") else { return }
    Console.say("Asking \(server.printable), not the home \(folder.printable): both are set.")
  }

  /// The alerts of the home or of the server.
  ///
  /// - Parameter makesHome: Whether to create a home that does not exist.
  func alerts(makingHome makesHome: Bool = false) throws -> any AlertService {
    guard server != nil else {
      let store = makesHome ? try home.open() : try home.openForReading()
      return LocalAlerts(AlertsTable(in: try ServerStore(opening: store.home)), in: store)
    }
    return try remote()
  }

  private static let longestToken = 4_096

  /// - Parameter makesHome: Whether to create a home that does not exist.
  func service(makingHome makesHome: Bool = false) throws -> any CrashService {
    guard server == nil else { return try remote() }
    let store = makesHome ? try home.open() : try home.openForReading()
    return LocalService(
      home: try home.folder(), store: store, archive: ReportArchive.bytes(of:in:))
  }

  private func remote() throws -> RemoteService {
    try checkPlace()
    // Few tries, since a user is waiting for the answer.
    return try RemoteService(
      ServerAddress(server ?? "", option: "--server"), token: try secret(),
      sender: authority.sender(tries: 3))
  }

  /// - Throws: ``CommandFailure`` for an invalid token; a line break in it would begin another
  ///   header.
  private func secret() throws -> String? {
    guard
      var text = try tokenFile.map({
        try ByteView(reading: $0, limit: Self.longestToken).text
      }) ?? token ?? server.flatMap({ StoredTokens().token(for: $0) })
    else { return nil }
    while text.last?.isWhitespace == true { text.removeLast() }
    guard !text.isEmpty, !text.contains(where: { $0.isWhitespace || $0.isNewline }) else {
      throw CommandFailure(
        (tokenFile.map { "\($0.printable): contains no token" })
          ?? "the token must not contain spaces",
        .wrongUsage)
    }
    return text
  }
}
