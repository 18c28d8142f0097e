import Arguments
import Glibc

/// The author of a change, for the history.
struct AuthorOptions {
  @Option("--as", help: "Record this name; by default your login name.", value: "NAME")
  var given: String?

  /// The name shown in the history.
  var name: String {
    if let given { return given }
    guard let user = getpwuid(geteuid()), let name = user.pointee.pw_name else {
      return "user \(geteuid())"
    }
    return String(cString: name)
  }
}
