internal import Identifiers

/// The format of `.mdi` files: which debug files are on disk or on S3, by the ids and names under which they
/// are looked up.
///
/// An index only narrows a search: which of the named files explain an image is decided when they are opened. It can
/// therefore keep keys as hashes. All fixed numbers are little-endian.
///
///     OFFSET  SIZE  FIELD
///          0     8  "MDINDEX", 0
///          8     4  version, 1
///         12     4  size h of the head
///         16     h  the head: a JSON document, see ``SymbolIndexHead``
///     16 + h        blocks of files, then blocks of keys
///      d         n  the directory
///   d + n         8  d
///   d + n + 8     4  n
///   d + n + 12    4  CRC-32 of the bytes from 0 to 16 + h, followed by the directory
///   d + n + 16    8  "MDIEND", 0, 0, the last bytes of the file
///
/// The directory:
///
///     SIZE  FIELD
///        4  number of files
///        4  number of their blocks
///       16  each block: its offset (8), its size (4), its CRC-32 (4)
///        4  number of blocks of keys
///       24  each block: the hash of its first key (8), its offset (8), the number of its keys (4), its CRC-32 (4)
///
/// A block of files has ``filesInBlock`` of them, the last one the rest. In it, a *number* is unsigned
/// LEB128, a *text* is the number of its bytes and its bytes in UTF-8. A file is: text path; number size; its
/// state; number of its objects that count, plus one, or 0 if all count; the hash of each (8 bytes).
///
/// A path that begins with `s3://` is the address of an object of S3, `s3://bucket/key`; its state is a text,
/// the ETag as the server writes it, with its quotation marks: the object is asked for with it. Other paths
/// are absolute, on disk; the state is a number, the bits of the time of the last change in nanoseconds since
/// 1970.
///
/// Objects that others are read with are files of the index, too, found by ``SymbolIndexKey/beside(_:)``
/// alone: on S3, it costs a request to see whether there is one. They are scripts beside source maps, and the
/// property lists of dSYM bundles.
///
/// A block of keys has at most ``keysInBlock`` of them, each the hash of a key (8) and the number of a file (4), in
/// ascending order. Hashes are made by ``SymbolIndexKey``.
///
/// Versions: 1 is the first.
enum SymbolIndexFormat {
  static let magic = Array("MDINDEX\0".utf8)
  static let end = Array("MDIEND\0\0".utf8)
  static let version: UInt32 = 1
  static let fixedSize = 16
  static let trailerSize = 24
  static let fileEntrySize = 16
  static let keyEntrySize = 24
  static let keySize = 12
  static let filesInBlock = 128
  static let keysInBlock = 4_096
  static let mostHeadBytes = 64 << 20
  static let mostDirectoryBytes = 64 << 20
}

/// The key by which an image, or another file, looks a file up.
enum SymbolIndexKey {
  /// The sixteen bytes of a debug id.
  case debugID([UInt8])
  case codeID(String)
  /// The name of the file itself.
  case name(String)
  /// The container of the object: images that reports do not name are explained by the only file of a kind.
  case container(String)
  /// The id of a split unit in it.
  case splitUnit(UInt64)
  /// The name of an object file, or of a library of them, that the debug map of a program names.
  case objectFile(String)
  case mapping([UInt8])
  case mappingKind(String)
  /// The id of the build whose sources are in it.
  case sources([UInt8])
  /// The address of an object that another is read with.
  case beside(String)

  /// FNV-1a with 64 bits over the number of the case, from 1, and the bytes.
  var hash: UInt64 {
    switch self {
    case .debugID(let bytes): Self.hash(1, bytes)
    case .codeID(let text): Self.hash(2, text.utf8)
    case .name(let text): Self.hash(3, text.utf8)
    case .container(let text): Self.hash(4, text.utf8)
    case .splitUnit(let id): Self.hash(5, String(id, radix: 16).utf8)
    case .objectFile(let text): Self.hash(6, text.utf8)
    case .mapping(let bytes): Self.hash(7, bytes)
    case .mappingKind(let text): Self.hash(8, text.utf8)
    case .sources(let bytes): Self.hash(9, bytes)
    case .beside(let text): Self.hash(10, text.utf8)
    }
  }

  static func hash(_ kind: UInt8, _ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    hash = (hash ^ UInt64(kind)) &* 0x100_0000_01b3
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}

/// A file on disk or an object of S3 that has debug files, or is one.
struct IndexedFile: Equatable {
  /// The state of a file that an index is right for.
  enum State: Equatable {
    /// When the file was last changed, in nanoseconds since 1970.
    case changed(Int64)
    case entityTag(String)
  }

  /// The absolute path, or the address of an object.
  var path: String
  var size: Int
  var state: State
  /// The hashes of the objects that count; `nil` if all do. A file beside a program counts only for
  /// what belongs to that.
  var objects: [UInt64]?

  /// The hash of one of its objects.
  static func hash(of file: DebugFile) -> UInt64 {
    let parts = [
      file.path, file.debugID?.description ?? "", file.codeID?.description ?? "",
      file.architecture.description,
    ]
    return SymbolIndexKey.hash(0, parts.joined(separator: "\0").utf8)
  }
}
