public import Bytes

extension ObjectFile {
  /// The evidence that the end of the file is missing: the first part that its headers place beyond its end.
  ///
  /// Headers are at the beginning of most files, so a truncated one, as after an interrupted upload or copy,
  /// still looks like a small valid one. In a universal file it is the slice that counts. `nil` for formats
  /// whose headers give no end: Breakpad's text, and WebAssembly, whose sections are followed one by one when
  /// it is opened.
  public var truncation: ParseError? {
    for part in filedParts {
      let (end, overflow) = part.offset.addingReportingOverflow(part.size)
      guard overflow || end > UInt64(bytes.count) else { continue }
      return ParseError(
        .outOfBounds(offset: part.offset, count: part.size, size: bytes.count),
        in: "cut-off file: \(part.name)", at: Int(clamping: part.offset))
    }
    return nil
  }
}

/// A part of a file listed by a header.
struct FiledPart {
  /// The display name: `section .text`.
  let name: String
  let offset: UInt64
  let size: UInt64
}

extension ELFFile {
  /// The sections with contents; without section headers, the loaded segments.
  var filedParts: [FiledPart] {
    if sections.isEmpty {
      return segments.filter { $0.fileSize > 0 }.map {
        FiledPart(name: "segment", offset: $0.offset, size: $0.fileSize)
      }
    }
    return sections.indices.filter { sections[$0].hasContents && sections[$0].size > 0 }.map {
      FiledPart(
        name: "section \(sectionNames[$0])", offset: sections[$0].offset, size: sections[$0].size)
    }
  }
}

extension MachOFile {
  /// The segments in the file, and the symbols. A dSYM repeats the segments of its program without their
  /// bytes.
  var filedParts: [FiledPart] {
    var parts = segments.filter { $0.fileSize > 0 }.map {
      FiledPart(
        name: $0.name.isEmpty ? "segment" : "segment \($0.name)", offset: $0.fileOffset,
        size: $0.fileSize)
    }
    if let symbols {
      let size = UInt64(MachSymbol.byteCount(addressSize: header.addressSize))
      parts.append(
        FiledPart(
          name: "symbols", offset: UInt64(symbols.offset), size: UInt64(symbols.count) * size))
      parts.append(
        FiledPart(
          name: "names of symbols", offset: UInt64(symbols.names.offset),
          size: UInt64(symbols.names.size)))
    }
    return parts.filter { $0.size > 0 }
  }
}

extension PEFile {
  /// The contents of sections, and the symbol table with its names. Tools that strip the code leave sections
  /// without an offset.
  var filedParts: [FiledPart] {
    var result = sections.indices.filter {
      sections[$0].fileOffset > 0 && sections[$0].contentSize > 0
    }.map {
      FiledPart(
        name: "section \(sectionNames[$0])", offset: UInt64(sections[$0].fileOffset),
        size: UInt64(sections[$0].contentSize))
    }
    guard header.symbolTable > 0, header.symbolCount > 0 else { return result }
    let start = UInt64(header.symbolTable)
    let size = UInt64(header.symbolCount) * UInt64(COFFSymbol.byteCount)
    result.append(FiledPart(name: "symbols", offset: start, size: size))
    // The size of the names includes its own four bytes.
    let names = (try? bytes.slice(at: start + size, count: 4, of: "COFF strings")).map { head in
      (0..<4).reduce(0 as UInt64) { $0 | UInt64(head[$1]) << UInt64(8 * $1) }
    }
    result.append(
      FiledPart(name: "names of symbols", offset: start + size, size: max(names ?? 4, 4)))
    return result
  }
}

extension PDBFile {
  var filedParts: [FiledPart] {
    [FiledPart(name: "blocks", offset: 0, size: container.announcedSize)]
  }
}
