internal import CrashService
package import HTTP

/// What requests may ask for and send, at most.
package enum APILimits {
  /// Elements of a list: the most, and how many without `limit`.
  package static let list = (most: 1_000, usual: 100)
  /// Lines of source around each location.
  package static let sourceLines = 1_000
  /// Digests of one question for what is known.
  package static let digests = 10_000
  /// Releases of one request.
  package static let releases = 1_000
  /// A report or an archive of reports, as it is sent and decompressed.
  package static let report: ByteCount = .mebibytes(100)
  /// Debug files.
  package static let symbols: ByteCount = .gibibytes(4)
  /// A file of a release.
  package static let artefact: ByteCount = .gibibytes(4)
  /// JSON bodies.
  package static let document: ByteCount = .mebibytes(1)
}
