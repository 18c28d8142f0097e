import Arguments
import CrashService
import ServerCore

/// The server address in a sign-in link.
struct SignInLinkOptions {
  @Option(
    "--server-url",
    help: "The address of the server, as people reach it; by default that of --server.",
    value: "URL")
  var url: String?

  private static let defaultURL = "http://127.0.0.1:8080"

  /// Returns the link at the address that was given, or else at that of the server that made it.
  func address(_ link: SignInLink) -> String {
    if let url { return Self.address(link.code, at: url) }
    return link.url ?? Self.address(link.code, at: Self.defaultURL)
  }

  /// - Parameter url: With or without a trailing slash.
  static func address(_ code: String, at url: String) -> String {
    (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/sign-in?code=" + code.inAddress
  }
}
