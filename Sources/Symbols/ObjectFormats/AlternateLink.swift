internal import Bytes
public import Identifiers

/// The file with the debug information shared by several ELF files, from the section `.gnu_debugaltlink`:
///
///     OFFSET  SIZE  FIELD
///          0     n  path, with a NUL
///          n     m  build id of that file, to the end of the section
///
/// or from `.debug_sup`, which that file has too:
///
///     OFFSET  SIZE  FIELD
///          0     2  version, 5
///          2     1  1 in the file itself, otherwise 0
///          3     n  path, with a NUL; empty in the file itself
///        3+n     m  length of the id, unsigned LEB128, and the id
///
/// Source: DWARF 5, section 7.3.6; dwz(1) and GDB manual, "Debugging Information in Separate Files", `.gnu_debugaltlink`.
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

  /// - Parameter isSupplementary: Whether to read the section of the shared file itself.
  init?(
    parsingSection view: ByteView, endianness: Endianness, isSupplementary: Bool
  ) throws(ParseError) {
    var reader = ByteReader(
      view.bytes, reading: "supplementary file", endianness: endianness)
    guard try reader.read(UInt16.self) == 5,
      try reader.read(UInt8.self) == (isSupplementary ? 1 : 0)
    else { return nil }
    path = try reader.readCString().text
    let count = try reader.readULEB128()
    guard count > 0, count <= UInt64(ObjectLimits.buildIDBytes), count <= UInt64(reader.remaining)
    else {
      throw reader.error(.invalid("an id of \(count) bytes"))
    }
    codeID = CodeID(view.clamped(reader.position..<(reader.position + Int(count))).array)
  }
}
