package import HTTP
internal import ServerCore

/// The path under which update clients reach the server: operators may serve it below any path, which the
/// clients keep before what they append.
package enum MountPoint {
  /// The maximum number of path components before the known ones.
  private static let depth = 3

  /// Patterns for the path before a route, shortest first.
  package static let prefixes = (0...depth).map { count in
    (0..<count).map { "/:prefix\($0)" }.joined()
  }

  /// Returns the server's address, including the path that it is served below: `https://example.com/crashes`.
  /// The operator's address may already contain the path.
  package static func base(of head: RequestHead) -> String { head.address(of: path(of: head)) }

  /// Returns the path that the server is served below; empty if there is none.
  package static func path(of head: RequestHead) -> String {
    var parts = (0..<depth).compactMap { head.parameters["prefix\($0)"] }
    // The address given to SDKs ends with it.
    if parts.last == "v0.1" { parts.removeLast() }
    return parts.map { "/" + $0.inAddress }.joined()
  }
}
