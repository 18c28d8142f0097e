internal import Bytes
internal import Identifiers

/// The facts of a PE file's headers, as ``ObjectFile`` asks for them.
extension PEFile {
  /// The path of the PDB that the file names, as it was where the file was linked.
  package var programDatabase: String? {
    codeView.flatMap { $0.path.isEmpty ? nil : $0.path }
  }

  /// Where the unwind information of the functions lies, from the image base.
  package var exceptionTable: Range<UInt32>? {
    guard let table = header.exceptions else { return nil }
    let end = table.address.addingReportingOverflow(table.size)
    return end.overflow ? nil : table.address..<end.partialValue
  }

  var architecture: Architecture { Architecture(peMachine: header.machine) }

  var kind: ObjectKind {
    header.characteristics & PEHeader.flagLibrary != 0 ? .library : .executable
  }

  /// The time stamp in eight digits and the size of the image, as symbol servers file programs.
  ///
  /// Source: Microsoft, "SymStore", the folders of a symbol store.
  var codeID: CodeID? {
    CodeID(header.timeStamp.hexadecimalDigits(8) + String(header.imageSize, radix: 16))
  }

  var executableRanges: [Range<UInt64>] {
    sections.filter(\.isExecutable).compactMap { section in
      let start = header.imageBase.addingReportingOverflow(UInt64(section.address))
      let end = start.partialValue.addingReportingOverflow(UInt64(section.size))
      return start.overflow || end.overflow ? nil : start.partialValue..<end.partialValue
    }.merged()
  }

  var objectSections: [ObjectSection] {
    zip(sections, sectionNames).map { section, name in
      var size = UInt64(section.contentSize)
      var compression = SectionCompression.none
      if name.hasPrefix(".zdebug_"),
        let view = try? bytes.slice(
          at: UInt64(section.fileOffset), count: size, of: "PE section"),
        let header = GNUCompressionHeader(parsing: view)
      {
        size = header.size
        compression = .gnuZlib
      }
      return ObjectSection(
        name: name, segment: nil, address: header.imageBase &+ UInt64(section.address),
        size: section.contentSize == 0 ? UInt64(section.size) : size,
        fileOffset: UInt64(section.fileOffset), fileSize: UInt64(section.contentSize),
        isExecutable: section.isExecutable, compression: compression)
    }
  }
}
