package import Bytes

/// The headers and the section table of a PE file.
package struct PEFile: Sendable {
  let bytes: ByteView
  let header: PEHeader
  let sections: [PESection]
  /// The names of ``sections``, long ones looked up.
  let sectionNames: [String]
  /// The first record of the debug directory that names a PDB or holds a build id.
  let codeView: CodeViewRecord?

  /// - Throws: ``ParseError`` when the bytes are not a PE image or its section table does not lie
  ///   in them.
  init(parsing view: ByteView) throws(ParseError) {
    bytes = view
    let header = try PEHeader(parsing: view)
    let table = try view.slice(
      at: UInt64(header.sectionTable),
      count: UInt64(header.sectionCount) * UInt64(PESection.byteCount), of: "PE section table")
    var reader = ByteReader(table.bytes, reading: "PE section", base: header.sectionTable)
    var sections: [PESection] = []
    while !reader.isAtEnd { sections.append(try PESection(reading: &reader)) }
    self.header = header
    self.sections = sections
    let strings = COFFStrings(in: view, header: header)
    sectionNames = sections.map { section in
      section.longNameOffset.flatMap { strings?.name(at: $0) } ?? section.plainName
    }
    codeView = Self.codeView(in: view, header: header, sections: sections)
  }

  /// The part of the file that is loaded at `address` from the image base, as far as it goes.
  func loaded(at address: UInt32) -> ByteView? { Self.loaded(at: address, in: bytes, sections) }

  private static func loaded(
    at address: UInt32, in bytes: ByteView, _ sections: [PESection]
  ) -> ByteView? {
    for section in sections {
      guard address >= section.address, address - section.address < section.fileSize else {
        continue
      }
      let start = UInt64(section.fileOffset) + UInt64(address - section.address)
      let end = UInt64(section.fileOffset) + UInt64(section.fileSize)
      guard start < UInt64(bytes.count) else { return nil }
      return bytes.clamped(Int(start)..<Int(min(end, UInt64(bytes.count))))
    }
    return nil
  }

  /// The first record of the debug directory that can be read.
  private static func codeView(
    in bytes: ByteView, header: PEHeader, sections: [PESection]
  ) -> CodeViewRecord? {
    debugData(ofType: 2, in: bytes, header: header, sections: sections).lazy
      .compactMap { try? CodeViewRecord(parsing: $0) }.first
  }

  /// The portable PDB that the file carries: "MPDB", its size, a deflate stream.
  ///
  /// Source: PE-COFF.md of dotnet/runtime, "Embedded Portable PDB Debug Directory Entry (type 17)".
  package var embeddedPortablePDB: ByteView? {
    Self.debugData(ofType: 17, in: bytes, header: header, sections: sections).first {
      $0.starts(with: "MPDB".utf8)
    }
  }

  /// The data of the entries of one type in the debug directory.
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0    12  characteristics, time stamp, version
  ///         12     4  type; 2 is CodeView
  ///         16     4  size of the data
  ///         20     4  address of the data, from the image base
  ///         24     4  offset of the data in the file
  ///
  /// Source: Microsoft, "PE Format", "Debug Directory".
  private static func debugData(
    ofType wanted: UInt32, in bytes: ByteView, header: PEHeader, sections: [PESection]
  ) -> [ByteView] {
    guard let directory = header.debug,
      let table = loaded(at: directory.address, in: bytes, sections)
    else { return [] }
    let size = min(table.count, Int(clamping: directory.size), ObjectLimits.debugEntries * 28)
    let entries = table.clamped(0..<size)
    var reader = ByteReader(entries.bytes, reading: "debug directory")
    var found: [ByteView] = []
    while reader.remaining >= 28 {
      guard (try? reader.skip(12)) != nil, let type = try? reader.read(UInt32.self),
        let size = try? reader.read(UInt32.self), (try? reader.skip(4)) != nil,
        let offset = try? reader.read(UInt32.self)
      else { break }
      guard type == wanted,
        let data = try? bytes.slice(
          at: UInt64(offset), count: UInt64(size), of: "debug directory's data")
      else { continue }
      found.append(data)
    }
    return found
  }
}

/// The string table after the symbol table: its size in four bytes, which count, then names with a
/// NUL each.
///
/// Source: Microsoft, "PE Format", "COFF String Table".
struct COFFStrings {
  let bytes: ByteView

  init?(in file: ByteView, header: PEHeader) {
    let start =
      UInt64(header.symbolTable) + UInt64(header.symbolCount) * UInt64(COFFSymbol.byteCount)
    guard header.symbolTable > 0,
      let head = try? file.slice(at: start, count: 4, of: "COFF strings")
    else { return nil }
    let size = (0..<4).reduce(0 as UInt64) { $0 | UInt64(head[$1]) << UInt64(8 * $1) }
    bytes = file.clamped(Int(start)..<Int(min(start + size, UInt64(file.count))))
  }

  /// A short name, such as a section has.
  func name(at offset: UInt64) -> String? {
    guard offset < UInt64(bytes.count) else { return nil }
    let tail = bytes.clamped(
      Int(offset)..<min(bytes.count, Int(offset) + ObjectLimits.sectionNameBytes))
    var reader = ByteReader(tail.bytes, reading: "COFF strings")
    return try? reader.readCString().text
  }
}
