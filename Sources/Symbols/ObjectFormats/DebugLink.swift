public import Bytes
internal import Compression

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

  /// The ``checksum`` of a file with these bytes.
  ///
  /// - Complexity: O(n).
  public static func checksum(of file: ByteView) -> UInt32 { CRC32.checksum(of: file) }
}
