internal import CrashService
package import HTTP

/// The limits on requests.
package enum APILimits {
  /// The maximum number of elements of a list, and the default without `limit`.
  package static let list = (most: 1_000, usual: 100)
  /// Lines of source around each location.
  package static let sourceLines = 1_000
  /// The maximum number of seconds to wait for a known fix.
  package static let longestWait = 5
  /// Digests in one request for known files.
  package static let digests = 10_000
  /// Releases in one request.
  package static let releases = 1_000
  /// The size of a report or an archive of reports, as sent and decompressed.
  package static let report: ByteCount = .mebibytes(100)
  /// The size of debug files.
  package static let symbols: ByteCount = .gibibytes(4)
  /// The size of a release file.
  package static let artefact: ByteCount = .gibibytes(4)
  /// The size of JSON bodies.
  package static let document: ByteCount = .mebibytes(1)
}
