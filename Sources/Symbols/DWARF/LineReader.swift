internal import Bytes

/// The line table of the current unit: its files by number, and its rows.
struct LineReader: ~Copyable {
  private var header: LineHeader?
  /// The offset of the table of ``header``.
  private var offset: UInt64?
  private var directories = Table<TextReference>()
  var files = Table<LineFile>()
  /// For each file of the table its number in the output, from 1; 0 where it has none, all ones
  /// where it was not requested.
  private(set) var numbers = Table<UInt32>()
  private var compilationDirectory = TextReference.none
  /// The tables whose rows have been read.
  private(set) var done: Set<UInt64> = []
  /// How many more bytes of headers, and of programs, may be read.
  private(set) var budget: Int
  private(set) var programBudget: Int
  var rangeOwners = RangeOwners()
  /// The number of the table of each sequence.
  var owners = Table<UInt32>()
  /// The number of the current table.
  var tableNumber: UInt32 = 0
  /// Whether it reads for ``LinePrefetch``: files then have the numbers of the table, and nothing is
  /// owned.
  let isAhead: Bool
  private let ahead: LinePrefetch?

  init(
    sectionSize: Int, limits: DWARFLimits, isAhead: Bool = false, ahead: LinePrefetch? = nil
  ) {
    self.isAhead = isAhead
    self.ahead = ahead
    budget = sectionSize * limits.rereading + limits.slack
    programBudget = sectionSize * limits.expansion + limits.slack
  }

  /// Where the table lies in the section; `nil` where there is none.
  var range: Range<Int>? {
    guard let header, let offset, let start = Int(exactly: offset), start < header.end else {
      return nil
    }
    return start..<header.end
  }

  /// Clears the table: the unit has none.
  mutating func forget() {
    header = nil
    offset = nil
  }

  /// Reads the table at `offset` for `unit`, its rows only the first time.
  mutating func read(
    at offset: UInt64, unit: Unit, _ spans: borrowing SectionSpans, space: CodeSpace,
    limits: DWARFLimits, into output: inout CodeTables
  ) {
    if self.offset == offset, header != nil, compilationDirectory == unit.compilationDirectory {
      return
    }
    guard budget > 0 else {
      forget()
      output.notes.add(
        "line table: limit on reading again is reached at \(offset.hexadecimal)",
        limit: limits.notes)
      return
    }
    guard let header = readHead(at: offset, unit: unit, spans) else {
      output.notes.add(
        "line table: damaged or unknown header at \(offset.hexadecimal)",
        limit: limits.notes)
      return
    }
    self.offset = offset
    let isNew = done.insert(offset).inserted
    budget -= header.program - Int(clamping: offset)
    tableNumber &+= 1
    guard isNew else { return }
    programBudget -= header.end - header.program
    guard programBudget > 0 else {
      output.notes.add(
        "line table: limit on reading again is reached at \(offset.hexadecimal)",
        limit: limits.notes)
      return
    }
    if let ahead, take(ahead, at: offset, spans, limits: limits, into: &output) { return }
    run(header, spans, space: space, limits: limits, into: &output)
  }

  /// Reads the header of a table, whose files have no numbers then; `nil` when it is too damaged to
  /// use.
  mutating func readHead(
    at offset: UInt64, unit: Unit, _ spans: borrowing SectionSpans
  ) -> LineHeader? {
    forget()
    header = LineHeader.read(
      at: offset, unit: unit, spans, defaultAddressSize: unit.header.encoding.addressSize,
      directories: &directories, files: &files)
    compilationDirectory = unit.compilationDirectory
    numbers.reset(to: .max, count: files.count)
    return header
  }

  /// The number in the output of the file that the unit's table numbers `index`; 0 where it has
  /// none.
  @inline(__always)
  mutating func file(
    _ index: UInt64, _ spans: borrowing SectionSpans, limits: DWARFLimits,
    into output: inout CodeTables
  ) -> UInt32 {
    guard let header else { return 0 }
    // Numbered from 1 up to version 4, where 0 means none; from 0 in version 5.
    let position = header.version >= 5 ? index : index &- 1
    guard position < UInt64(files.count) else { return 0 }
    let known = numbers[Int(truncatingIfNeeded: position)]
    if known != .max { return known }
    return addFile(Int(truncatingIfNeeded: position), spans, limits: limits, into: &output)
  }

  mutating func defineFile(_ file: LineFile) {
    guard files.count < 1 << 20 else { return }
    files.append(file)
    numbers.append(.max)
  }

  /// Joins the path of a file as other readers do: the name alone where it is absolute; otherwise
  /// preceded by its directory, and by the compilation directory where that directory is relative,
  /// except that directory 0 of version 5 is the compilation directory itself.
  @inline(never)
  mutating func addFile(
    _ position: Int, _ spans: borrowing SectionSpans, limits: DWARFLimits,
    into output: inout CodeTables
  ) -> UInt32 {
    if isAhead {
      numbers[position] = UInt32(truncatingIfNeeded: position) &+ 1
      return numbers[position]
    }
    let file = files[position]
    let version = header?.version ?? 4
    var directory = TextReference.none
    if version >= 5 {
      if file.directory < UInt64(directories.count) {
        directory = directories[Int(truncatingIfNeeded: file.directory)]
      }
    } else if file.directory > 0, file.directory <= UInt64(directories.count) {
      directory = directories[Int(truncatingIfNeeded: file.directory) - 1]
    }
    let begin = output.files.begin()
    if !isAbsolute(file.name, spans) {
      if limits.joinsCompilationFolder {
        if version < 5 || file.directory != 0, !isAbsolute(directory, spans) {
          append(compilationDirectory, to: begin, spans, limits, &output)
        }
        append(directory, to: begin, spans, limits, &output)
      } else if file.directory != 0 {
        append(directory, to: begin, spans, limits, &output)
      }
    }
    append(file.name, to: begin, spans, limits, &output)
    var number: UInt32 = 0
    if file.name.isNone {
      _ = output.files.finish(begin, limit: 0)
    } else if let index = output.files.finish(begin, limit: limits.files - 1) {
      number = UInt32(truncatingIfNeeded: index) &+ 1
    }
    numbers[position] = number
    return number
  }

  private func append(
    _ text: TextReference, to begin: Int, _ spans: borrowing SectionSpans, _ limits: DWARFLimits,
    _ output: inout CodeTables
  ) {
    let span = spans.span(of: text)
    let count = span.textLength(from: text.offset, limit: limits.pathLength)
    output.files.append(span, from: text.offset, count: count, to: begin)
  }

  /// Whether a path is absolute, on POSIX or Windows.
  private func isAbsolute(_ text: TextReference, _ spans: borrowing SectionSpans) -> Bool {
    let span = spans.span(of: text)
    var cursor = Cursor(
      span, isBigEndian: false, from: text.offset, to: span.byteCount)
    let first = cursor.byte()
    let second = cursor.byte()
    let third = cursor.byte()
    func isSeparator(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }
    if first == UInt8(ascii: "/") { return true }
    if first == UInt8(ascii: "\\") { return second == first }
    return second == UInt8(ascii: ":") && isSeparator(third)
  }
}

extension LineReader {
  /// Reads only the header of the table at `offset`, and passes each of its files to `body`, with
  /// its number in the output.
  mutating func readFiles(
    at offset: UInt64, unit: Unit, _ spans: borrowing SectionSpans, limits: DWARFLimits,
    into output: inout CodeTables, body: (UInt32, LineFile) -> Void
  ) {
    forget()
    guard budget > 0, let header = readHead(at: offset, unit: unit, spans) else { return }
    budget -= header.program - Int(clamping: offset)
    for index in 0..<files.count where !files[index].text.isNone || files[index].checksum >= 0 {
      let number = addFile(index, spans, limits: limits, into: &output)
      if number > 0 { body(number, files[index]) }
    }
  }
}
