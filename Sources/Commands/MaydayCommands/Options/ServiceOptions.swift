import Rendering
import CrashModel
import CrashService
import CrashClient
import Arguments
import Bytes
import CrashStore
import Glibc

/// Where answers come from: a home of this machine, or a server.
struct ServiceOptions {
  @Option("--server", help: "Use this server: https://crashes.example.org.", value: "URL")
  var server: String?
  @Option("--token", help: "API token for the server; $MAYDAY_TOKEN is safer.", value: "TOKEN")
  var token: String?
  @Option("--token-file", help: "File that contains the API token.", value: "FILE")
  var tokenFile: String?
  @OptionGroup var authority = AuthorityOptions()
  @OptionGroup var home = HomeOptions()

  private static let longestToken = 4_096

  /// - Parameter makesHome: Whether a home that is not there is made.
  func service(makingHome makesHome: Bool = false) throws -> any CrashService {
    guard let server else {
      let store = makesHome ? try home.open() : try home.openForReading()
      return LocalService(
        home: try home.folder(), store: store, archive: ReportArchive.bytes(of:in:))
    }
    // Somebody waits for the answer.
    return try RemoteService(
      ServerAddress(server, option: "--server"), token: try secret(),
      sender: authority.sender(tries: 3))
  }

  /// - Throws: ``CommandFailure`` for what is not a token; a line break in it would be another
  ///   header.
  private func secret() throws -> String? {
    guard
      var text = try tokenFile.map({
        try ByteView(reading: $0, limit: Self.longestToken).text
      }) ?? token
    else { return nil }
    while text.last?.isWhitespace == true { text.removeLast() }
    guard !text.isEmpty, !text.contains(where: { $0.isWhitespace || $0.isNewline }) else {
      throw CommandFailure(
        (tokenFile.map { "\($0.printable): contains no token" }) ?? "--token has no blanks",
        .wrongUsage)
    }
    return text
  }
}
