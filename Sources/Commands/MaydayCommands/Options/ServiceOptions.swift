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

/// The service that answers: a home of this machine, or a server.
struct ServiceOptions {
  @Option("--server", help: "Use this server: https://crashes.example.org.", value: "URL")
  var server: String?
  @Option("--token", help: "API token for the server; $MAYDAY_TOKEN is safer.", value: "TOKEN")
  var token: String?
  @Option("--token-file", help: "File that contains the API token.", value: "FILE")
  var tokenFile: String?
  @OptionGroup var authority = AuthorityOptions()
  @OptionGroup var home = HomeOptions()

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
    // Few tries, since a user is waiting for the answer.
    try RemoteService(
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
