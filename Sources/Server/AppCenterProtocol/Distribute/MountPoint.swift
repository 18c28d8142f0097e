package import HTTP
internal import WebServer

/// Where the addresses of update clients begin: operators may put a server below any path, which the
/// clients keep before what they append.
package enum MountPoint {
  /// Parts of a path before those that are known.
  private static let depth = 3

  /// Patterns of what may stand before a route, the shortest first.
  package static let prefixes = (0...depth).map { count in
    (0..<count).map { "/:prefix\($0)" }.joined()
  }

  /// This server in the addresses that it writes, with the path that it is below: `https://example.com/crashes`.
  /// The operator's address may have the path already.
  package static func base(of head: RequestHead) -> String { head.address(of: path(of: head)) }

  /// The path that the server is below, empty where it is below none.
  package static func path(of head: RequestHead) -> String {
    var parts = (0..<depth).compactMap { head.parameters["prefix\($0)"] }
    // The address that SDKs are given ends with it.
    if parts.last == "v0.1" { parts.removeLast() }
    return parts.map { "/" + $0.inAddress }.joined()
  }
}
