import Arguments
import Glibc

/// Who does what a history will tell of.
struct AuthorOptions {
  @Option("--as", help: "Record this name; by default your login name.", value: "NAME")
  var given: String?

  /// The name that the history shows.
  var name: String {
    if let given { return given }
    guard let user = getpwuid(geteuid()), let name = user.pointee.pw_name else {
      return "user \(geteuid())"
    }
    return String(cString: name)
  }
}
