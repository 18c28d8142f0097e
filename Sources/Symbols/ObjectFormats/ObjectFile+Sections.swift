public import Bytes
internal import Compression

extension ObjectFile {
  /// The section with a name that has no prefix: `debug_info` finds `.debug_info`, `.zdebug_info`,
  /// and `__debug_info` of Mach-O, where names are cut at sixteen bytes (`__debug_str_offs`).
  ///
  /// One with contents is preferred, and for Mach-O one of `__DWARF`.
  ///
  /// - Complexity: O(n) in the number of sections.
  public func section(named name: String) -> ObjectSection? {
    let names: [String] =
      switch container {
      case .elf, .pe, .pdb: ["." + name, ".z" + name]
      case .machO: ["__" + name, "__z" + name].map { String($0.prefix(MachSection.nameBytes)) }
      case .breakpad: []
      case .wasm: ["." + name]
      }
    var best: ObjectSection?
    var bestRank = -1
    for section in sections where names.contains(section.name) {
      let rank = (section.hasContents ? 2 : 0) + (section.segment == "__DWARF" ? 1 : 0)
      if rank > bestRank {
        best = section
        bestRank = rank
      }
    }
    return best
  }

  /// The bytes of a section, decompressed; none for a section without contents. In a relocatable
  /// file, debug information is relocated with the addends stored next to it.
  ///
  /// - Throws: ``ParseError`` when the section is outside the file, its data is damaged, or its
  ///   declared size exceeds what its bytes can hold.
  /// - Complexity: O(1) as stored; O(n) where it is compressed, each time.
  public func contents(of section: ObjectSection) throws(ParseError) -> ByteView {
    guard section.hasContents else { return .empty }
    let contents = try decompressed(section)
    guard kind == .relocatable, !section.isExecutable, container != .machO || section.isDWARF,
      let index = sections.firstIndex(of: section)
    else { return contents }
    if let file = elf { return try file.relocated(contents, ofSectionAt: index) }
    if let file = machO { return try file.relocated(contents, of: file.sections[index]) }
    return contents
  }

  /// The bytes of `section` and, in an ELF file before linking, of all sections with its name, one
  /// after another: from DWARF 5 on each type unit has a section of its own there, so that the
  /// linker can keep one of many.
  ///
  /// - Throws: The errors of ``contents(of:)``.
  /// - Complexity: That of ``contents(of:)`` for each.
  public func contents(ofAllLike section: ObjectSection) throws(ParseError) -> ByteView {
    guard kind == .relocatable, let file = elf else { return try contents(of: section) }
    let parts = sections.indices.filter {
      sections[$0].name == section.name && sections[$0].hasContents
    }
    // Overlapping sections are forged.
    let size = parts.reduce(0 as UInt64) { $0 &+ min(sections[$1].fileSize, UInt64(bytes.count)) }
    guard parts.count > 1, size <= UInt64(bytes.count) else { return try contents(of: section) }
    let tables = file.relocationTables
    var all: [UInt8] = []
    for part in parts {
      let contents = try decompressed(sections[part])
      guard contents.count <= ObjectLimits.sectionBytes - all.count else {
        throw ParseError(
          .limit(name: "bytes of a section", value: ObjectLimits.sectionBytes), in: section.name,
          at: Int(clamping: sections[part].fileOffset))
      }
      all += try file.relocated(contents, by: tables[part] ?? []).array
    }
    return ByteView(all)
  }

  private func decompressed(_ section: ObjectSection) throws(ParseError) -> ByteView {
    let stored = try bytes.slice(
      at: section.fileOffset, count: section.fileSize, of: section.name)
    let offset = Int(clamping: section.fileOffset)
    let headerSize: Int
    switch section.compression {
    case .none: return stored
    case .zlib, .zstd: headerSize = ELFCompressionHeader.byteCount(addressSize: addressSize)
    case .gnuZlib: headerSize = GNUCompressionHeader.byteCount
    case .unknown(let type):
      throw ParseError(
        .unsupported(type == 0 ? "a damaged compression header" : "compression \(type)"),
        in: section.name, at: offset)
    }
    let data = stored.clamped(min(headerSize, stored.count)..<stored.count)
    guard !section.isBeyondBelief else {
      throw ParseError(
        .invalid("\(data.count) bytes that announce \(section.size)"), in: section.name, at: offset)
    }
    do throws(CompressionError) {
      return section.compression == .zstd
        ? try Zstandard.decompress(data, size: section.size, limit: ObjectLimits.sectionBytes)
        : try Zlib.decompress(data, size: section.size, limit: ObjectLimits.sectionBytes)
    } catch {
      throw ParseError(.invalid(error.description), in: section.name, at: offset)
    }
  }
}
