public import Bytes
internal import DebugInfo
public import ObjectFormats

/// A file that holds a part of the debug information of others.
public struct SupplementaryFile: Sendable {
  public enum Kind: String, Sendable {
    /// Split units: `.dwo`, `.dwp`.
    case split
    /// Entries that dwz moved out of several files.
    case shared
  }

  /// Where it was found, for people.
  public let path: String
  public let kind: Kind
  public let object: ObjectFile
  let source: SourceFile

  init(path: String, kind: Kind, object: ObjectFile, in source: SourceFile) {
    self.path = path
    self.kind = kind
    self.object = object
    self.source = source
  }

  /// The name of the file itself.
  public var name: String { lastPathComponent(of: path) }

  /// The whole file, as it is to be kept.
  public var fileBytes: ByteView { source.bytes }

  /// The SHA-256 of the file's bytes as 64 hexadecimal digits.
  ///
  /// - Complexity: O(n) in the size of the file the first time, O(1) after that.
  public var digest: String { source.digest }
}
