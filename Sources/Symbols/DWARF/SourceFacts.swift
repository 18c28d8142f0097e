public import Bytes

/// Facts of line tables about a source file besides its path.
public struct SourceFacts: Sendable {
  /// The joined path, as used by lines.
  public let path: String
  /// The text of the file, where the table contains it; not compressed.
  public let text: ByteView?
  /// The MD5 of the file that was compiled: sixteen bytes.
  public let checksum: [UInt8]?

  /// The files of all line tables with more facts than the path, each path once; only version 5 has
  /// them.
  ///
  /// - Complexity: O(n) in the size of the heads of the line tables.
  public static func reading(
    _ sections: borrowing DWARFSections, limits: DWARFLimits = DWARFLimits()
  ) -> [SourceFacts] {
    let space = CodeSpace(imageBase: 0, executable: [])
    let reader = InfoReader(sections, space: space, limits: limits)
    return reader.sourceFacts(SectionSpans(sections), sections)
  }
}

extension InfoReader {
  fileprivate consuming func sourceFacts(
    _ spans: borrowing SectionSpans, _ sections: borrowing DWARFSections
  ) -> [SourceFacts] {
    findUnits(spans)
    var files: [UInt32: LineFile] = [:]
    var done: Set<UInt64> = []
    for index in units.indices {
      guard prepare(index, spans) else { continue }
      let unit = units[index]
      units[index].abbreviations = nil
      guard let list = unit.statementList, done.insert(list).inserted else { continue }
      lines.readFiles(at: list, unit: unit, spans, limits: limits, into: &output) { number, file in
        // A unit without the text may precede one with it.
        if files[number]?.text.isNone ?? true { files[number] = file }
      }
    }
    var facts: [SourceFacts] = []
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      let range = output.files.range(of: Int(number) - 1)
      let path = unsafe output.files.bytes.span.bytes.extracting(range).text
      let checksum = file.checksum..<(file.checksum + 16)
      facts.append(
        SourceFacts(
          path: path, text: sections.text(of: file.text),
          checksum: file.checksum < 0 ? nil : sections.line.clamped(checksum).array))
    }
    return facts
  }
}

extension DWARFSections {
  /// The bytes up to the next NUL; `nil` for no text at all.
  fileprivate func text(of reference: TextReference) -> ByteView? {
    guard !reference.isNone else { return nil }
    let view = view(of: reference.section)
    let count = view.bytes.textLength(from: reference.offset, limit: view.count)
    return view.clamped(reference.offset..<(reference.offset + count))
  }
}
