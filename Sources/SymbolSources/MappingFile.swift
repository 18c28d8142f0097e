public import Bytes
public import CrashModel
internal import Hashing
internal import Retracing

/// A file that gives frames of a virtual machine the names and lines of their source: a mapping of R8 or
/// ProGuard.
public struct MappingFile: Sendable {
  /// What it is written in.
  public enum Kind: String, Sendable, CaseIterable {
    /// Of R8 or ProGuard.
    case r8 = "mapping"

    /// The code that it explains.
    public var architecture: Architecture {
      switch self {
      case .r8: .jvm
      }
    }

    /// The kind of a file by its first ``headCount`` bytes; `nil` for anything else.
    static func recognise(_ head: ByteView) -> Kind? {
      R8Header.recognises(head) ? .r8 : nil
    }

    /// So many bytes of a file show what it is.
    static let headCount = R8Header.headCount
  }

  /// An id by which reports name it.
  public struct Identity: Hashable, Sendable {
    public let debugID: DebugID
    /// A longer one, which must be the same where both are known.
    public let codeID: CodeID?

    public init(debugID: DebugID, codeID: CodeID? = nil) {
      self.debugID = debugID
      self.codeID = codeID
    }
  }

  /// Where it was found, for people.
  public let path: String
  /// The name of the file itself.
  public let name: String
  public let kind: Kind
  /// That by which it is known best first.
  public let identities: [Identity]
  private let source: SourceFile

  init(path: String, name: String, kind: Kind, in source: SourceFile) {
    self.path = path
    self.name = name
    self.kind = kind
    self.source = source
    identities =
      switch kind {
      case .r8: R8Identity.identities(of: source.bytes)
      }
  }

  public var architecture: Architecture { kind.architecture }
  public var debugID: DebugID? { identities.first?.debugID }

  /// What can be said of its contents.
  public struct Facts: Sendable, Equatable {
    public var compiler: String?
    public var compilerVersion: String?
    /// What the build calls it: `48ffd94`.
    public var mapID: String?
    /// How many classes it names.
    public var classes: Int
  }

  /// - Complexity: O(n) in the size of the file.
  public var facts: Facts {
    switch kind {
    case .r8:
      let mapping = R8Mapping(source.bytes)
      return Facts(
        compiler: mapping.header.compiler, compilerVersion: mapping.header.compilerVersion,
        mapID: mapping.header.mapID, classes: mapping.classCount)
    }
  }

  /// The whole file, as it is to be kept.
  public var fileBytes: ByteView { source.bytes }

  /// The SHA-256 of the file's bytes as 64 hexadecimal digits.
  ///
  /// - Complexity: O(n) in the size of the file the first time, O(1) after that.
  public var digest: String { source.digest }
}
