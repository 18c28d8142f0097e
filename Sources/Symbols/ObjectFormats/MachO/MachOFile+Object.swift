internal import Bytes
internal import Identifiers

/// The load commands' facts, as ``ObjectFile`` asks for them.
extension MachOFile {
  var architecture: Architecture {
    Architecture(machCPU: header.cpuType, subtype: header.cpuSubtype)
  }

  var kind: ObjectKind {
    switch header.fileType {
    case MachFileType.object: .relocatable
    case MachFileType.execute, MachFileType.preload, MachFileType.dylinker: .executable
    case MachFileType.core: .core
    case MachFileType.dylib, MachFileType.bundle, MachFileType.dylibStub,
      MachFileType.kernelExtension:
      .library
    case MachFileType.dSYM: .debugFile
    default: ObjectKind("mach-\(header.fileType)")
    }
  }

  /// The address of `__TEXT`, where the header of the image lies.
  var imageBase: UInt64 { segments.first { $0.name == "__TEXT" }?.address ?? 0 }

  var executableRanges: [Range<UInt64>] {
    let code = sections.filter(\.hasInstructions).compactMap(\.range)
    if !code.isEmpty { return code.merged() }
    return segments.filter(\.isExecutable).compactMap { segment in
      let end = segment.address.addingReportingOverflow(segment.size)
      return end.overflow ? nil : segment.address..<end.partialValue
    }.merged()
  }

  var objectSections: [ObjectSection] {
    zip(sections, sectionHasBytes).map { section, hasBytes in
      var size = section.size
      var compression = SectionCompression.none
      if hasBytes, section.name.hasPrefix("__zdebug_"),
        let view = try? bytes.slice(
          at: UInt64(section.offset), count: section.size, of: "Mach-O section"),
        let header = GNUCompressionHeader(parsing: view)
      {
        size = header.size
        compression = .gnuZlib
      }
      return ObjectSection(
        name: section.name, segment: section.segment, address: section.address, size: size,
        fileOffset: UInt64(section.offset), fileSize: hasBytes ? section.size : 0,
        isExecutable: section.hasInstructions, compression: compression)
    }
  }
}
