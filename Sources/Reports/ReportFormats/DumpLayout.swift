public import Bytes
public import CrashModel

/// The structure of a dump's bytes, for removing private data: everything not listed here is process memory
/// or unknown.
public struct DumpLayout: Sendable {
  /// A text of the file that may be private.
  public struct Text: Sendable {
    public enum Encoding: Sendable {
      case utf8, utf16, utf16BigEndian
    }

    /// The bytes of the characters.
    public let range: Range<Int>
    public let encoding: Encoding
    /// The name of the value, where it has one: `password`.
    public let name: String?

    init(_ range: Range<Int>, _ encoding: Encoding, name: String? = nil) {
      self.range = range
      self.encoding = encoding
      self.name = name
    }
  }

  /// The registers of a thread.
  public struct Context: Sendable {
    public struct Register: Sendable {
      public let name: String
      public let range: Range<Int>
    }

    /// The system's identifier of the thread.
    public let thread: UInt64
    public let registers: [Register]
  }

  /// Structures that describe the dump and are kept; texts and contexts in them are changed.
  public internal(set) var structures: [Range<Int>] = []
  public internal(set) var texts: [Text] = []
  public internal(set) var contexts: [Context] = []
  /// Bytes that are replaced, so that readers do not look for what was removed.
  public internal(set) var patches: [(offset: Int, bytes: [UInt8])] = []
  /// Memory that readers of the dump need, beyond that of its stacks.
  public internal(set) var memory: [MemoryReads.Read] = []
  /// Parts of structures that hold data of the program.
  public internal(set) var zeros: [Range<Int>] = []
  /// Parts of the file that are removed entirely, by names for display.
  public internal(set) var removed: [String] = []
  public internal(set) var isBigEndian = false

  init() {}

  /// The layout of a dump; `nil` for any other file, and for dumps of kinds that cannot be scrubbed.
  ///
  /// - Throws: ``ParseError`` for a dump that is cut off before its directory.
  public init?(of bytes: ByteView) throws(ParseError) {
    if MinidumpFile.recognises(bytes) {
      self = try MinidumpLayout.layout(of: bytes)
    } else if CoreFile.recognises(bytes), let layout = try CoreLayout.layout(of: bytes) {
      self = layout
    } else {
      return nil
    }
  }
}
