internal import Bytes
internal import Identifiers

/// The result of a scan for debug files.
public struct DebugFileScan: Sendable {
  /// In the order of the paths, and of names inside folders.
  public var files: [DebugFile] = []
  /// Bundles of sources, which belong to debug files but are not debug files.
  public var bundles: [SourceBundleFile] = []
  /// Mappings of frames that have names instead of addresses.
  public var mappings: [MappingFile] = []
  /// Files with a part of the debug information of others.
  public var supplementary: [SupplementaryFile] = []
  /// Paths of Mach-O object files on disk, and of any libraries, which programs may refer to.
  public var objectFiles: [String] = []
  public var refusals: [DebugFileRefusal] = []
  /// Files that are not debug files at all: property lists, sources, compiler output.
  public var otherFiles = 0
  /// The releases of bundles in archives, by the paths of their lists.
  var bundleReleases: [String: Release] = [:]
  /// The bytes of those of ``objectFiles`` that are not on disk.
  var objectCopies: [String: ByteView] = [:]
  /// Bytes of archive members that ``files`` keep in memory.
  var keptBytes = 0

  public init() {}

  /// Whether there is nothing that explains an image.
  package var isEmpty: Bool { count == 0 && objectFiles.isEmpty }

  /// Adds what another scan found.
  package mutating func append(_ other: DebugFileScan) {
    files += other.files
    bundles += other.bundles
    mappings += other.mappings
    supplementary += other.supplementary
    objectFiles += other.objectFiles
    refusals += other.refusals
    otherFiles += other.otherFiles
    bundleReleases.merge(other.bundleReleases) { first, _ in first }
    objectCopies.merge(other.objectCopies) { first, _ in first }
    keptBytes += other.keptBytes
  }

  /// The number of useful files.
  var count: Int { files.count + supplementary.count + bundles.count + mappings.count }
}

/// A file that should be a debug file but cannot be used, or a path that cannot be read.
public struct DebugFileRefusal: Hashable, Sendable, CustomStringConvertible {
  public let path: String
  /// The reason as text, without the path.
  public let reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }
}
