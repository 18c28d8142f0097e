internal import Bytes
internal import CrashModel
internal import Identifiers

/// The facts of an ELF file's headers, as ``ObjectFile`` asks for them.
extension ELFFile {
  var architecture: Architecture {
    Architecture(
      elfMachine: header.machine, addressSize: addressSize, isLittleEndian: endianness == .little)
  }

  var kind: ObjectKind {
    switch header.type {
    case ELFType.relocatable: return .relocatable
    case ELFType.core: return .core
    case ELFType.executable: return isWithoutCode ? .debugFile : .executable
    case ELFType.shared:
      if isWithoutCode { return .debugFile }
      let dynamic = ELFDynamic(file: self)
      if dynamic?.isProgram == true { return .executable }
      let hasInterpreter = segments.contains { $0.type == ELFProgramHeader.typeInterpreter }
      return hasInterpreter && dynamic?.hasLibraryName != true ? .executable : .library
    default: return ObjectKind("elf-\(header.type)")
    }
  }

  /// Whether the bytes of all code were left out, as `objcopy --only-keep-debug` does.
  private var isWithoutCode: Bool {
    let code = sections.filter { $0.isExecutable && $0.size > 0 }
    return !code.isEmpty && !code.contains { $0.hasContents }
  }

  /// The build id; `nil` when there is none or it is all zeros.
  var buildID: [UInt8]? {
    guard let id = content(of: .buildID)?.array, id.contains(where: { $0 != 0 }) else { return nil }
    return id
  }

  /// The package that it was installed from.
  var package: ImagePackage? { content(of: .package).flatMap { ImagePackage(note: $0) } }

  /// The content of a note: from the sections, whose offsets are right in separate debug files too, else
  /// from the segments.
  private func content(of note: ELFNote) -> ByteView? {
    for section in sections where section.type == ELFSectionHeader.typeNote {
      if let view = try? bytes(of: section),
        let content = note.content(in: view, endianness: endianness, alignment: 4)
      {
        return content
      }
    }
    for segment in segments where segment.type == ELFProgramHeader.typeNote {
      if header.type != ELFType.core,
        let view = try? bytes.slice(
          at: segment.offset, count: segment.fileSize, of: "ELF notes"),
        let content = note.content(
          in: view, endianness: endianness, alignment: segment.alignment)
      {
        return content
      }
    }
    return nil
  }

  /// The id by which reports know this file.
  ///
  /// Without a build id it is the first page of `.text`, its pieces of sixteen bytes combined by
  /// exclusive or. Only a little-endian file's id has its first parts turned round: the others are
  /// in the order of a GUID already.
  ///
  /// Source: Breakpad, `src/common/linux/file_id.cc`.
  func debugID(buildID: [UInt8]?) -> DebugID? {
    guard let id = buildID ?? textHash else { return nil }
    return endianness == .little ? DebugID(buildID: id) : DebugID(uuid: id)
  }

  private var textHash: [UInt8]? {
    guard header.type != ELFType.relocatable, header.type != ELFType.core,
      let index = index(named: ".text"), let text = try? bytes(of: sections[index])
    else { return nil }
    var hash = [UInt8](repeating: 0, count: 16)
    for (index, byte) in text.clamped(0..<4096).array.enumerated() { hash[index & 15] ^= byte }
    return hash.allSatisfy { $0 == 0 } ? nil : hash
  }

  /// Where the loader puts the first segment, by the link: its address down to a page.
  var imageBase: UInt64 {
    let first = segments.first { $0.type == ELFProgramHeader.typeLoad }
    return (first?.address ?? 0) & ~0xfff
  }

  var executableRanges: [Range<UInt64>] {
    let code = sections.filter(\.isExecutable).compactMap { range($0.address, $0.size) }
    if !code.isEmpty { return code.merged() }
    return segments.filter {
      $0.type == ELFProgramHeader.typeLoad && $0.flags & ELFProgramHeader.flagExecutable != 0
    }.compactMap { range($0.address, $0.memorySize) }.merged()
  }

  private func range(_ start: UInt64, _ size: UInt64) -> Range<UInt64>? {
    let end = start.addingReportingOverflow(size)
    return end.overflow || size == 0 ? nil : start..<end.partialValue
  }

  var objectSections: [ObjectSection] {
    zip(sections, sectionNames).map { section, name in
      var size = section.size
      var compression = SectionCompression.none
      if section.isCompressed && section.hasContents {
        let header = compressionHeader(of: section)
        size = header?.size ?? 0
        compression = header?.compression ?? .unknown(0)
      } else if name.hasPrefix(".zdebug_"), let start = try? bytes(of: section),
        let header = GNUCompressionHeader(parsing: start)
      {
        size = header.size
        compression = .gnuZlib
      }
      return ObjectSection(
        name: name, segment: nil, address: section.isAllocated ? section.address : 0, size: size,
        fileOffset: section.offset, fileSize: section.hasContents ? section.size : 0,
        isExecutable: section.isExecutable, compression: compression)
    }
  }

  private func compressionHeader(of section: ELFSectionHeader) -> ELFCompressionHeader? {
    guard let view = try? bytes(of: section) else { return nil }
    return try? ELFCompressionHeader(
      parsing: view, endianness: endianness, addressSize: addressSize)
  }

  package var debugLink: DebugLink? {
    guard let index = index(named: ".gnu_debuglink"), let view = try? bytes(of: sections[index])
    else { return nil }
    return try? DebugLink(parsing: view, endianness: endianness)
  }

  package var alternateLink: AlternateLink? {
    if let index = index(named: ".gnu_debugaltlink"), let view = try? bytes(of: sections[index]) {
      return try? AlternateLink(parsing: view)
    }
    return supplementarySection(isSupplementary: false)
  }

  /// The id by which others name this file, if it holds what they have in common.
  var supplementaryID: [UInt8]? {
    supplementarySection(isSupplementary: true)?.codeID.bytes
  }

  private func supplementarySection(isSupplementary: Bool) -> AlternateLink? {
    guard let index = index(named: ".debug_sup"), let view = try? bytes(of: sections[index]) else {
      return nil
    }
    return try? AlternateLink(
      parsingSection: view, endianness: endianness, isSupplementary: isSupplementary)
  }
}
