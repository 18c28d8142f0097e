import Arguments
import ServerCore

/// The server address in a sign-in link.
struct SignInLinkOptions {
  @Option(
    "--server-url", help: "The address of the server, as people reach it.", value: "URL")
  var url = "http://127.0.0.1:8080"

  func address(_ code: String) -> String { Self.address(code, at: url) }

  /// - Parameter url: With or without a trailing slash.
  static func address(_ code: String, at url: String) -> String {
    (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/sign-in?code=" + code.inAddress
  }
}
