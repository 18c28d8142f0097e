package import Bytes

/// The start of the DBI stream, which describes the program's parts, and its substreams.
///
///     OFFSET  SIZE  FIELD
///          0     4  all ones
///          4     4  version, 19990903
///          8     4  age
///         12     2  stream of global symbols
///         16     2  stream of public symbols
///         20     2  stream of symbol records
///         24     4  size of the modules
///         28     4  size of the section contributions
///         32     4  size of the section map
///         36     4  size of the source files
///         40     4  size of the type servers
///         48     4  size of the optional streams
///         52     4  size of the names for edit and continue
///         56     2  flags
///         58     2  machine
///         64        the substreams: modules, contributions, section map, source files, type servers,
///                   edit and continue, optional streams
///
/// Source: LLVM docs, "The PDB DBI (Debug Info) Stream".
package struct DBIHeader: Sendable {
  private static let size = 64
  /// The number of a missing stream.
  private static let none: UInt16 = .max

  package let age: UInt32
  let publics: Int?
  let symbolRecords: Int?
  let machine: UInt16
  /// The records of the modules.
  package let modules: ByteView
  package let contributions: ByteView
  /// The numbers of the streams that only some PDBs have, 2 bytes each.
  private let optional: [UInt16]

  init(parsing view: ByteView) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "DBI stream")
    try reader.expect(UInt32.max)
    let version: UInt32 = try reader.read()
    guard version == 19_990_903 || version == 19_970_606 || version == 19_960_307 else {
      throw reader.error(.unsupported("version \(version)"))
    }
    age = try reader.read()
    try reader.skip(4)
    let publics: UInt16 = try reader.read()
    try reader.skip(2)
    let records: UInt16 = try reader.read()
    try reader.skip(2)
    self.publics = publics == Self.none ? nil : Int(publics)
    symbolRecords = records == Self.none ? nil : Int(records)
    var sizes: [UInt32] = []
    for _ in 0..<5 { sizes.append(try reader.read()) }
    try reader.skip(4)
    let optionalSize: UInt32 = try reader.read()
    sizes.append(try reader.read())
    sizes.append(optionalSize)
    try reader.skip(2)
    machine = try reader.read()
    var offset = UInt64(Self.size)
    var parts: [ByteView] = []
    for size in sizes {
      parts.append(try view.slice(at: offset, count: UInt64(size), of: "DBI substream"))
      offset += UInt64(size)
    }
    modules = parts[0]
    contributions = parts[1]
    let last = parts[6]
    var streams = ByteReader(last.bytes, reading: "DBI optional streams")
    var optional: [UInt16] = []
    while streams.remaining >= 2, optional.count < 16 { optional.append(try streams.read()) }
    self.optional = optional
  }

  /// The number of one of the optional streams.
  private func optional(_ index: Int) -> Int? {
    index < optional.count && optional[index] != Self.none ? Int(optional[index]) : nil
  }

  /// `FPO_DATA` of functions without a frame pointer.
  var frameless: Int? { optional(0) }
  /// `FRAMEDATA`, its successor.
  var frameData: Int? { optional(9) }
  /// The origin of code that was moved after linking.
  var mapToSource: Int? { optional(3) }
  /// The section headers of the program.
  var sectionHeaders: Int? { optional(5) }
  /// The section headers before code was moved.
  var originalSectionHeaders: Int? { optional(10) }
}
