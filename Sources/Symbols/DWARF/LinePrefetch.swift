internal import Bytes

/// Line tables that were read before anyone knew the units that name them: while the units were
/// still being decompressed.
///
/// Their paths need the units' folders; until then a row has the number that the table gives its
/// file.
public final class LinePrefetch: Sendable {
  /// The results of a line table: slices of ``files`` and ``sequences``.
  struct Contents: Sendable {
    /// How many files its head names.
    var fileCount: Int
    var files: Range<Int>
    var sequences: Range<Int>
  }

  /// By where they begin in the section.
  private let tables: [UInt64: Contents]
  /// The files that programs name, by their offsets in the headers.
  let files: Table<UInt32>
  let sequences: Table<LineSequence>
  /// The file of each is its index in the header of the table plus 1.
  let rows: Table<LineRow>

  /// Reads one table after the other as long as `isWanted` says so. Those that are damaged are left
  /// to the readers of units, who tell of it.
  ///
  /// - Parameter sections: With all that line tables refer to.
  public init(
    _ sections: DWARFSections, space: CodeSpace, limits: DWARFLimits = DWARFLimits(),
    while isWanted: () -> Bool
  ) {
    let spans = SectionSpans(sections)
    var reader = LineReader(sectionSize: sections.line.count, limits: limits, isAhead: true)
    var output = CodeTables()
    var tables: [UInt64: Contents] = [:]
    var files = Table<UInt32>()
    var offset = 0
    while offset < sections.line.count, isWanted() {
      let start = (files: files.count, sequences: output.sequences.count)
      guard
        let found = reader.readAhead(
          at: offset, spans, space: space, limits: limits, files: &files, into: &output),
        output.notes.count == 0
      else { break }
      if let fileCount = found.fileCount {
        tables[UInt64(offset)] = Contents(
          fileCount: fileCount, files: start.files..<files.count,
          sequences: start.sequences..<output.sequences.count)
      }
      offset = found.end
    }
    if output.rows.count >= limits.rows {
      // The readers of units find out what is within the limit; then there are not two of each row.
      tables = [:]
      output.rows = Table()
    }
    self.tables = tables
    self.files = files
    var sequences = Table<LineSequence>()
    var rows = Table<LineRow>()
    swap(&sequences, &output.sequences)
    swap(&rows, &output.rows)
    self.sequences = sequences
    self.rows = rows
  }

  func table(at offset: UInt64) -> Contents? { tables[offset] }
}

extension LineReader {
  /// Reads the table at `offset` for ``LinePrefetch``.
  ///
  /// - Returns: Where it ends, and the number of its files unless the program itself adds some;
  ///   `nil` for a damaged head.
  fileprivate mutating func readAhead(
    at offset: Int, _ spans: borrowing SectionSpans, space: CodeSpace, limits: DWARFLimits,
    files named: inout Table<UInt32>, into output: inout CodeTables
  ) -> (end: Int, fileCount: Int?)? {
    guard let header = readHead(at: UInt64(offset), unit: .unknown, spans),
      header.end > offset
    else { return nil }
    let fileCount = files.count
    guard fileCount < limits.files else { return (header.end, nil) }
    run(header, spans, space: space, limits: limits, into: &output)
    guard files.count == fileCount else { return (header.end, nil) }
    for fileIndex in 0..<fileCount where numbers[fileIndex] != .max {
      named.append(UInt32(truncatingIfNeeded: fileIndex))
    }
    return (header.end, fileCount)
  }

  /// Takes over the rows of a table that was read ahead, as ``run(_:_:space:limits:into:)`` would
  /// have left them; false where that is not known.
  mutating func take(
    _ ahead: LinePrefetch, at offset: UInt64, _ spans: borrowing SectionSpans, limits: DWARFLimits,
    into output: inout CodeTables
  ) -> Bool {
    guard let table = ahead.table(at: offset), table.fileCount == files.count else { return false }
    let rowCount = table.sequences.reduce(0) { $0 + Int(ahead.sequences[$1].rowCount) }
    guard output.rows.count + rowCount <= limits.rows else { return false }
    for index in table.files {
      let fileIndex = Int(ahead.files[index])
      if numbers[fileIndex] == .max { _ = addFile(fileIndex, spans, limits: limits, into: &output) }
    }
    for index in table.sequences {
      var sequence = ahead.sequences[index]
      guard rangeOwners.assign(start: sequence.start, end: sequence.end, for: tableNumber) else {
        continue
      }
      let firstRow = output.rows.count
      var last: UInt64 = 0
      let rows = Int(sequence.firstRow)..<Int(sequence.firstRow &+ sequence.rowCount)
      for index in rows {
        var row = ahead.rows[index]
        if row.file > 0 { row = row.inFile(numbers[Int(row.file) - 1]) }
        // Two files of the table may be one.
        if row.location == last, output.rows.count > firstRow { continue }
        output.rows.append(row)
        last = row.location
      }
      sequence.firstRow = UInt32(truncatingIfNeeded: firstRow)
      sequence.rowCount = UInt32(truncatingIfNeeded: output.rows.count - firstRow)
      output.sequences.append(sequence)
      owners.append(tableNumber)
    }
    return true
  }
}
