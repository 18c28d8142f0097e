public import Bytes
internal import Compression
public import CrashModel

/// The name of the file that holds the debug information of a stripped ELF file.
///
///     OFFSET  SIZE  FIELD
///          0     n  file name without a folder, with a NUL
///          n   0-3  zeros up to a multiple of 4
///          m     4  CRC-32 of that file, in this file's byte order
///
/// Source: GDB manual, "Debugging Information in Separate Files", `.gnu_debuglink`.
public struct DebugLink: Hashable, Sendable {
  public let name: String
  public let checksum: UInt32

  public init(name: String, checksum: UInt32) {
    self.name = name
    self.checksum = checksum
  }

  init(parsing view: ByteView, endianness: Endianness) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "debug link", endianness: endianness)
    name = try reader.readCString().text
    try reader.skip((4 &- reader.position & 3) & 3)
    checksum = try reader.read()
  }

  /// What ``checksum`` is for a file of these bytes.
  ///
  /// - Complexity: O(n).
  public static func checksum(of file: ByteView) -> UInt32 { CRC32.checksum(of: file) }
}

/// The file that holds what the debug information of several ELF files has in common.
///
///     OFFSET  SIZE  FIELD
///          0     n  path, with a NUL
///          n     m  build id of that file, to the end of the section
///
/// Source: dwz(1) and GDB manual, "Debugging Information in Separate Files", `.gnu_debugaltlink`.
public struct AlternateLink: Hashable, Sendable {
  public let path: String
  public let codeID: CodeID

  init(parsing view: ByteView) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "alternate debug link")
    path = try reader.readCString().text
    guard reader.remaining > 0, reader.remaining <= ObjectLimits.buildIDBytes else {
      throw reader.error(.invalid("a build id of \(reader.remaining) bytes"))
    }
    codeID = CodeID(view.clamped(reader.position..<view.count).array)
  }
}
