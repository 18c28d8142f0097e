package import Bytes

/// The part of a program that one object file, or the linker itself, contributed.
///
///     OFFSET  SIZE  FIELD
///          4    28  its first section contribution
///         34     2  stream of its symbols and lines; all ones for none
///         36     4  size of the symbols in it, with four bytes before them
///         40     4  size of the lines of an older form after them
///         44     4  size of the lines after those
///         64     n  its name, with a NUL
///       64+n     m  the archive that it came from, with a NUL; then zeros up to a multiple of 4
///
/// Source: LLVM docs, "The PDB DBI (Debug Info) Stream", "Module Info Substream".
package struct PDBModule: Sendable {
  package let stream: Int?
  /// In lower case: other modules refer to it by name, in either case.
  package let name: String
  let symbolBytes: Int
  private let oldLineBytes: Int
  let lineBytes: Int

  init(reading reader: inout ByteReader) throws(ParseError) {
    try reader.skip(34)
    let stream: UInt16 = try reader.read()
    self.stream = stream == .max ? nil : Int(stream)
    symbolBytes = Int(try reader.read(UInt32.self))
    oldLineBytes = Int(try reader.read(UInt32.self))
    lineBytes = Int(try reader.read(UInt32.self))
    try reader.skip(16)
    name = try reader.readCString().text.lowercased()
    _ = try reader.readCString()
    try reader.skip(min((4 &- reader.position & 3) & 3, reader.remaining))
  }

  /// - Throws: ``ParseError`` where the module has more than its stream.
  package func check(_ stream: ByteView) throws(ParseError) {
    let count = symbolBytes + oldLineBytes + lineBytes
    guard count <= stream.count else {
      throw ParseError(
        .outOfBounds(offset: 0, count: UInt64(count), size: stream.count), in: "symbols and lines",
        at: 0)
    }
  }

  /// The symbol records in the module's stream.
  package func symbols(in stream: ByteView) -> ByteView {
    stream.clamped(4..<max(4, symbolBytes))
  }

  /// The subsections with lines in the module's stream.
  package func lines(in stream: ByteView) -> ByteView {
    let start = symbolBytes + oldLineBytes
    return stream.clamped(start..<(start + lineBytes))
  }
}
