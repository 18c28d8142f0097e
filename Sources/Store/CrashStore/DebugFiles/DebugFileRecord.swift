public import Identifiers

/// An uploaded file that explains an image.
public struct DebugFileRecord: Hashable, Sendable {
  public var debugID: DebugID
  public var codeID: CodeID?
  public var architecture: Architecture
  /// Its content, as given by the uploader: `debug-info`, `symbols`, `unwind-rules`; `split` and
  /// `shared` for files that continue the debug information of that id; or ``sourcesKind``.
  public var kind: String
  /// The file's name, for display.
  public var name: String
  /// The SHA-256 of the file, in hexadecimal. A universal file has several records with one digest.
  public var digest: String
  /// In bytes.
  public var size: Int
  public var added: Timestamp

  /// The kind of a file with sources, which explain no address: no report waits for it.
  public static let sourcesKind = "sources"

  public init(
    debugID: DebugID, codeID: CodeID?, architecture: Architecture, kind: String, name: String,
    digest: String, size: Int, added: Timestamp
  ) {
    self.debugID = debugID
    self.codeID = codeID
    self.architecture = architecture
    self.kind = kind
    self.name = name
    self.digest = digest
    self.size = size
    self.added = added
  }
}
