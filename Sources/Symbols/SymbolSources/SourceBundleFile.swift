public import Bytes
public import Identifiers
internal import SourceText

/// A file with the sources of a build.
public struct SourceBundleFile: Sendable {
  /// Where it was found, for people.
  public let path: String
  /// The name of the file itself.
  public let name: String
  let bundle: SourceBundle
  private let source: SourceFile

  init(path: String, name: String, bundle: SourceBundle, in source: SourceFile) {
    self.path = path
    self.name = name
    self.bundle = bundle
    self.source = source
  }

  /// The build that the sources are of.
  public var debugID: DebugID? { bundle.debugID }
  public var codeID: CodeID? { bundle.codeID }
  public var architecture: Architecture { bundle.architecture }

  /// The whole file, as it is to be kept.
  public var fileBytes: ByteView { source.bytes }

  /// The SHA-256 of the file's bytes as 64 hexadecimal digits.
  ///
  /// - Complexity: O(n) in the size of the file the first time, O(1) after that.
  public var digest: String { source.digest }
}
