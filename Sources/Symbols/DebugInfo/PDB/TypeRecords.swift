internal import Bytes
internal import ObjectFormats

/// The records of a type stream, by number.
///
///     OFFSET  SIZE  FIELD
///          0     4  version, 20040203
///          4     4  size of this header
///          8     4  number of the first record
///         12     4  number after the last
///         16     4  size of the records
///     a record
///          0     2  size of what follows
///          2     2  kind
///
/// Source: LLVM docs, "The PDB TPI and IPI Streams".
struct TypeRecords: ~Copyable {
  private let records: ByteView
  private let first: UInt32
  private let starts: Table<UInt32>
  /// The error that cut the records off.
  let damage: ParseError?

  /// No records.
  init() {
    records = .empty
    first = 0
    starts = Table()
    damage = nil
  }

  /// - Throws: ``ParseError`` when the stream cannot be read, or is not there.
  init(_ stream: Int, of file: PDBFile) throws(ParseError) {
    let view = try file.container.stream(stream)
    var head = ByteReader(view.bytes, reading: "type stream")
    let version: UInt32 = try head.read()
    guard version == 20_040_203 else { throw head.error(.unsupported("version \(version)")) }
    let headerSize: UInt32 = try head.read()
    let first: UInt32 = try head.read()
    try head.skip(4)
    let size: UInt32 = try head.read()
    let records = try view.slice(at: UInt64(headerSize), count: UInt64(size), of: "type records")
    var starts = Table<UInt32>()
    var reader = ByteReader(records.bytes, reading: "type records")
    var damage: ParseError?
    do throws(ParseError) {
      while !reader.isAtEnd {
        let start = UInt32(truncatingIfNeeded: reader.position)
        try reader.skip(Int(try reader.read(UInt16.self)))
        starts.append(start)
      }
    } catch {
      damage = error
    }
    self.damage = damage
    self.records = records
    self.first = first
    self.starts = starts
  }

  /// A record: its kind and what follows.
  func record(_ number: UInt32) -> (kind: UInt16, data: ByteView)? {
    guard number >= first, Int(number - first) < starts.count else { return nil }
    let start = Int(starts[Int(number - first)])
    var reader = ByteReader(records.bytes, reading: "type record")
    guard (try? reader.seek(to: start)) != nil, let size = try? reader.read(UInt16.self), size >= 2,
      let kind = try? reader.read(UInt16.self)
    else { return nil }
    return (kind, records.clamped((start + 4)..<(start + 2 + Int(size))))
  }
}
