public import Bytes
internal import CrashModel
public import Identifiers
internal import ManagedMetadata
internal import Retracing
internal import SourceMaps

/// A file that maps frames of a virtual machine to the names and lines of their source: a mapping of R8 or
/// ProGuard, a source map, a portable PDB.
public struct MappingFile: Sendable {
  /// The format of the file.
  public enum Kind: String, Sendable, CaseIterable {
    /// A mapping of R8 or ProGuard.
    case r8 = "mapping"
    /// A source map of a bundler, a minifier or a compiler to JavaScript.
    case sourceMap = "source-map"
    /// A portable PDB of a compiler for .NET.
    case portablePDB = "portable-pdb"

    /// The code that it explains.
    public var architecture: Architecture {
      switch self {
      case .r8: .jvm
      case .sourceMap: .javaScript
      case .portablePDB: .cil
      }
    }

    /// The kind of a file by its first ``headCount`` bytes; `nil` for anything else.
    static func recognise(_ head: ByteView) -> Kind? {
      if PortablePDB.mayBegin(head) { return .portablePDB }
      if SourceMap.mayBegin(head) { return .sourceMap }
      return R8Header.recognises(head) ? .r8 : nil
    }

    /// The bytes of the start that determine the kind of a file.
    static let headCount = R8Header.headCount
  }

  /// An id by which reports name it.
  public struct Identity: Hashable, Sendable {
    public let debugID: DebugID
    /// A longer id, which must be the same where both are known.
    public let codeID: CodeID?

    public init(debugID: DebugID, codeID: CodeID? = nil) {
      self.debugID = debugID
      self.codeID = codeID
    }
  }

  /// The location where it was found, for display.
  public let path: String
  /// The name of the file itself.
  public let name: String
  public let kind: Kind
  /// The most specific identity first.
  public let identities: [Identity]
  /// The scripts that a source map explains.
  package private(set) var scripts: [ScriptPath] = []
  private let source: SourceFile

  /// - Parameter script: The script beside a source map, if there is one.
  /// - Throws: ``ParseError`` where it is damaged, or of another kind than expected.
  init(
    path: String, name: String, kind: Kind, in source: SourceFile,
    beside script: (path: String, bytes: ByteView)? = nil
  ) throws(ParseError) {
    self.path = path
    self.name = name
    self.kind = kind
    self.source = source
    switch kind {
    case .r8: identities = R8Identity.identities(of: source.bytes, named: name)
    case .sourceMap:
      let identity = try SourceMapIdentity(of: source.bytes, path: path, script: script)
      identities = identity.identities
      scripts = identity.scripts
    case .portablePDB:
      identities = [Identity(debugID: try PortablePDB(parsing: source.bytes).debugID)]
    }
  }

  public var architecture: Architecture { kind.architecture }

  /// The names within its release: a release has one mapping of R8, and a source map for each script. A
  /// portable PDB is found by its id alone.
  package var releaseNames: [String] {
    switch kind {
    case .r8: [""]
    case .sourceMap: scripts.map(\.name)
    case .portablePDB: []
    }
  }

  public var debugID: DebugID? { identities.first?.debugID }

  /// Facts about its contents.
  public struct Facts: Sendable, Equatable {
    public var compiler: String?
    public var compilerVersion: String?
    /// The build's name for it: `48ffd94`.
    public var mapID: String?
    /// The number of classes in it.
    public var classes: Int
  }

  /// The facts of a mapping of R8; `nil` for other kinds.
  ///
  /// - Complexity: O(n) in the size of the file.
  public var facts: Facts? {
    switch kind {
    case .r8:
      let mapping = R8Mapping(source.bytes)
      return Facts(
        compiler: mapping.header.compiler, compilerVersion: mapping.header.compilerVersion,
        mapID: mapping.header.mapID, classes: mapping.classCount)
    case .sourceMap, .portablePDB: return nil
    }
  }

  /// The reason why the end of a mapping of R8 or ProGuard seems to be missing, as text: its last line is
  /// unterminated, or its content does not have the SHA-256 that R8 wrote above it. Other kinds can only be
  /// read completely.
  ///
  /// - Complexity: O(n) in the size of the file.
  package var truncation: String? {
    guard kind == .r8 else { return nil }
    let bytes = source.bytes
    // The last character of class and comment lines is known.
    if !bytes.endsWithLine, bytes.count == 0 || ![0x3a, 0x7d].contains(bytes[bytes.count - 1]) {
      return "cut off: its last line has no end"
    }
    return R8Header.contradicts(bytes)
      ? "cut off or changed: its content does not have the SHA-256 that pg_map_hash names" : nil
  }

  /// The whole file, as it is to be stored.
  public var fileBytes: ByteView { source.bytes }

  /// The SHA-256 of the file's bytes as 64 hexadecimal digits.
  ///
  /// - Complexity: O(n) in the size of the file the first time, O(1) after that.
  public var digest: String { source.digest }
}
