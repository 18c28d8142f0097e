package import Bytes

/// A PDB 7.0: a Microsoft-compatible linker's information about a program.
///
///     STREAM  CONTENTS
///          1  version, time stamp, age, GUID, and the numbers of the streams that have names
///          2  types
///          3  DBI: modules, sections
///          4  names of functions and of namespaces
///
/// Source: LLVM docs, "The PDB File Format".
package struct PDBFile: Sendable {
  private static let version70: UInt32 = 20_000_404
  static let magic20 = Array("Microsoft C/C++ program database 2.00\r\n\u{1a}JG".utf8)
  static let magicPortable = Array("BSJB".utf8)

  package let container: MSFFile
  /// The id of the program without its last part.
  let guid: [UInt8]
  /// How often the file was written.
  private let fileAge: UInt32
  /// `nil` for a PDB of types only.
  package let dbi: DBIHeader?
  let sections: [PESection]
  package let addresses: PDBAddressMap
  private let info: ByteView

  /// Whether `view` begins like a PDB of any kind, including unsupported ones.
  static func isHeader(_ view: ByteView) -> Bool {
    MSFFile.isHeader(view) || view.starts(with: magic20) || view.starts(with: magicPortable)
  }

  /// - Throws: ``ParseError`` for the older PDB 2.0 and the portable PDB of .NET, and when the
  ///   streams that list all others cannot be read.
  init(parsing view: ByteView) throws(ParseError) {
    if view.starts(with: Self.magic20) {
      throw ParseError(.unsupported("PDB 2.0, of Visual C++ 6 and before"), in: "PDB", at: 0)
    }
    if view.starts(with: Self.magicPortable) {
      throw ParseError(.unsupported("a portable PDB, of .NET"), in: "PDB", at: 0)
    }
    let container = try MSFFile(parsing: view)
    let info = try container.stream(1)
    var reader = ByteReader(info.bytes, reading: "PDB info stream")
    let version: UInt32 = try reader.read()
    guard version >= Self.version70 else {
      throw reader.error(.unsupported("version \(version)"))
    }
    try reader.skip(4)
    fileAge = try reader.read()
    guid = ByteView(copying: try reader.readBytes(16)).array
    let stream = try container.stream(3)
    let dbi = stream.isEmpty ? nil : try DBIHeader(parsing: stream)
    let original = try Self.sections(in: container, stream: dbi?.originalSectionHeaders)
    sections = try Self.sections(in: container, stream: dbi?.sectionHeaders)
    var moves = ByteView.empty
    if let stream = dbi?.mapToSource { moves = try container.stream(stream) }
    addresses = PDBAddressMap(sections: original.isEmpty ? sections : original, moves: moves)
    self.container = container
    self.info = info
    self.dbi = dbi
  }

  private static func sections(
    in container: MSFFile, stream: Int?
  ) throws(ParseError) -> [PESection] {
    guard let stream else { return [] }
    let view = try container.stream(stream)
    var reader = ByteReader(view.bytes, reading: "PDB section headers")
    var sections: [PESection] = []
    while reader.remaining >= PESection.byteCount, sections.count < Int(UInt16.max) {
      sections.append(try PESection(reading: &reader))
    }
    return sections
  }

  /// The age that the program was linked with: the DBI stream's. That of the info stream also
  /// counts later changes to the file (`pdbstr`); it is used where the linker left the other at 0,
  /// and for a PDB of types.
  ///
  /// Source: LLVM docs, "The PDB DBI (Debug Info) Stream", "Age"; Breakpad and symbolic use it too.
  var age: UInt32 {
    guard let dbi, dbi.age > 0 else { return fileAge }
    return dbi.age
  }

  /// The number of a stream that has a name, such as `/names`.
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     4  size of the names
  ///          4     n  names, with a NUL each
  ///        4+n     4  number of entries
  ///        8+n     4  number of places for them
  ///       12+n    4k  number of words, which tell by a bit each place that is used
  ///       ...     4k  number of words, which tell each place that was
  ///       ...     8k  for each used place the offset of a name, and a stream
  ///
  /// Source: LLVM docs, "The PDB Info Stream", "Named Stream Map"; "The PDB Serialized Hash Table
  /// Format".
  package func namedStream(_ name: String) throws(ParseError) -> Int? {
    for entry in try namedStreams() where entry.name == name { return entry.stream }
    return nil
  }

  /// The streams that have names, in the order of the file.
  package func namedStreams() throws(ParseError) -> [(name: String, stream: Int)] {
    var reader = ByteReader(info.bytes, reading: "PDB named streams")
    try reader.seek(to: 28)
    guard !reader.isAtEnd else { return [] }
    let size: UInt32 = try reader.read()
    let names = try info.slice(at: UInt64(reader.position), count: UInt64(size), of: "PDB names")
    try reader.skip(Int(size))
    let count: UInt32 = try reader.read()
    try reader.skip(4)
    for _ in 0..<2 {
      let words: UInt32 = try reader.read()
      guard Int(words) <= reader.remaining / 4 else {
        throw reader.error(.invalid("\(words) words of bit masks"))
      }
      try reader.skip(Int(words) * 4)
    }
    var streams: [(name: String, stream: Int)] = []
    // Names do not overlap.
    var budget = names.count
    for _ in 0..<min(Int(count), ObjectLimits.pdbStreams) {
      let offset: UInt32 = try reader.read()
      let stream: UInt32 = try reader.read()
      guard Int(offset) < names.count else { continue }
      let end = min(names.count, Int(offset) + ObjectLimits.streamNameBytes)
      let tail = names.clamped(Int(offset)..<min(end, Int(offset) + budget))
      var text = ByteReader(tail.bytes, reading: "PDB names")
      guard let name = try? text.readCString() else { continue }
      budget -= name.byteCount
      streams.append((name.text, Int(stream)))
    }
    return streams
  }

  /// The parts of the program; those after a damaged record are missing.
  ///
  /// - Complexity: O(n) in the size of the records.
  package func modules() -> [PDBModule] { readModules().modules }

  /// The modules like ``modules()``, with the damage that ended the list.
  package func readModules() -> (modules: [PDBModule], damage: ParseError?) {
    guard let dbi else { return ([], nil) }
    var modules: [PDBModule] = []
    var reader = ByteReader(dbi.modules.bytes, reading: "PDB module list")
    do throws(ParseError) {
      while !reader.isAtEnd { modules.append(try PDBModule(reading: &reader)) }
    } catch {
      return (modules, error)
    }
    return (modules, nil)
  }
}
