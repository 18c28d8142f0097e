internal import Bytes
internal import DWARF
internal import ObjectFormats

/// The lines of a module, and the declarations of the functions that were inlined into it.
///
/// A row of subsections, each with its kind and size in four bytes, and padded to a multiple of
/// four.
///
///     0xf2  lines: offset and section of the code, flags, size; then for each file its index among
///           the checksums, the number of lines, the size, and for each line an offset and the line
///           in the low 24 bits; with flag 1 the columns, four bytes each, after them
///     0xf4  checksums, one a file: offset of the path in `/names`, size of the checksum, its kind, the
///           checksum; padded to a multiple of four
///     0xf6  inlined functions: form; for each its item, file and line, and in form 1 more files
///
/// Source: LLVM docs, "CodeView Symbol Records" and `llvm/DebugInfo/CodeView`;
/// CV_DebugSLinesHeader_t and its neighbours in Microsoft's cvinfo.h.
struct ModuleLines: ~Copyable {
  /// Code from one line.
  struct Row: BitwiseCopyable {
    /// The address where the linker placed it.
    var start: UInt32
    /// Exclusive.
    var end: UInt32
    var location: Location
  }

  struct Location: BitwiseCopyable, Hashable {
    /// The number of the file in the output; 0 for none.
    var file: UInt32 = 0
    var line: UInt32 = 0
    var column: UInt32 = 0
  }

  /// The declaration of an inlined function.
  struct Inlinee {
    /// The file by its index among the checksums.
    let file: UInt32
    let line: UInt32
  }

  /// Sorted, without overlaps.
  private(set) var rows = Table<Row>()
  private(set) var inlinees: [UInt32: Inlinee] = [:]
  /// The module's imports from others.
  private(set) var imports: [CrossModuleItems.Import] = []
  private var checksums = ByteView.empty
  private var files: [UInt32: UInt32] = [:]

  /// Lines that mark code without a line: compiler-generated code that debuggers step over or into.
  ///
  /// Source: Microsoft, DIA SDK, "IDiaLineNumber::get_lineNumber".
  private static let noLines: ClosedRange<UInt32> = 0xf0_0f00...0xfe_efee

  init() {}

  /// Reads the data after the symbols of module `index`. Damage ends the subsection that it is in.
  mutating func read(
    _ view: ByteView, module index: Int, _ names: inout FileNames,
    file: PDBFile, contributions: borrowing ContributionMap, builder: inout CodeTablesBuilder
  ) {
    func note(_ error: ParseError, _ builder: inout CodeTablesBuilder) {
      builder.note("PDB module \(index): \(error)")
    }
    // The checksums may follow the lines that refer to them.
    do throws(ParseError) {
      try Self.forEachPart(of: view) { kind, part in
        do throws(ParseError) {
          switch kind {
          case .fileChecksums where checksums.isEmpty: checksums = part
          case .inlineeLines: try readInlinees(part)
          case .crossModuleImports: try CrossModuleItems.read(part, into: &imports)
          case .crossModuleExports where !part.count.isMultiple(of: 8):
            throw ParseError(
              .truncated(needed: 8, left: part.count % 8), in: "exported items", at: part.count)
          default: break
          }
        } catch {
          note(error, &builder)
        }
      }
    } catch {
      note(error, &builder)
    }
    var sorted = Table<Row>()
    // Damage between the subsections has been noted.
    try? Self.forEachPart(of: view) { kind, part in
      guard kind == .lines else { return }
      do throws(ParseError) {
        try readLines(
          part, module: index, &names, file: file, contributions: contributions, into: &sorted,
          builder: &builder)
      } catch {
        note(error, &builder)
      }
    }
    settle(sorted)
  }

  /// Passes each subsection to `body`, with its kind.
  ///
  /// - Throws: ``ParseError`` for a truncated list, after the entries before that.
  static func forEachPart(
    of view: ByteView, body: (LineSubsection, ByteView) -> Void
  ) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "module lines")
    while !reader.isAtEnd {
      let kind: UInt32 = try reader.read()
      let size: UInt32 = try reader.read()
      let start = reader.position
      let end = start + Int(size)
      body(LineSubsection(rawValue: kind), view.clamped(start..<min(view.count, end)))
      try reader.skip(Int(size))
      try reader.seek(to: min(view.count, (end + 3) & ~3))
    }
  }

  private mutating func readInlinees(_ view: ByteView) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "inlined functions")
    let form: UInt32 = try reader.read()
    while !reader.isAtEnd {
      let item: UInt32 = try reader.read()
      let inlinee = Inlinee(file: try reader.read(), line: try reader.read())
      if inlinees[item] == nil { inlinees[item] = inlinee }
      if form == 1 { try reader.skip(Int(try reader.read(UInt32.self)) * 4) }
    }
  }

  private mutating func readLines(
    _ view: ByteView, module index: Int, _ names: inout FileNames, file: PDBFile,
    contributions: borrowing ContributionMap, into sorted: inout Table<Row>,
    builder: inout CodeTablesBuilder
  ) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "lines")
    let offset: UInt32 = try reader.read()
    let section: UInt16 = try reader.read()
    let flags: UInt16 = try reader.read()
    let size: UInt32 = try reader.read()
    guard let start = file.addresses.linked(section: section, offset: offset),
      contributions.isOwner(index, of: start)
    else { return }
    let limit = start.addingReportingOverflow(size)
    guard !limit.overflow else { return }
    let first = sorted.count
    var damage: ParseError?
    do throws(ParseError) {
      try readRows(
        &reader, from: start, size: size, hasColumns: flags & 1 != 0, &names, into: &sorted,
        builder: &builder)
    } catch {
      damage = error
    }
    Self.sort(&sorted, from: first)
    // A row ends where the next begins. Where several begin together, all but the last have no code of their
    // own; the first gets the byte that they mark, such as the brace that opens a function.
    for row in first..<max(first, sorted.count - 1) {
      let next = sorted[row + 1].start
      let isMark = next == sorted[row].start && (row == first || sorted[row - 1].start != next)
      sorted[row].end = isMark ? next &+ 1 : next
    }
    if let damage { throw damage }
  }

  /// Adds rows, whose code ends with that of the subsection.
  ///
  /// - Throws: ``ParseError`` where they are cut off, after the rows before that.
  @_lifetime(reader: copy reader)
  private mutating func readRows(
    _ reader: inout ByteReader, from start: UInt32, size: UInt32, hasColumns: Bool,
    _ names: inout FileNames, into sorted: inout Table<Row>, builder: inout CodeTablesBuilder
  ) throws(ParseError) {
    while !reader.isAtEnd {
      let checksum: UInt32 = try reader.read()
      let count: UInt32 = try reader.read()
      try reader.skip(4)
      guard Int(count) <= reader.remaining / (hasColumns ? 12 : 8) else {
        throw reader.error(.invalid("\(count) lines"))
      }
      let number = self.file(checksum, &names, &builder)
      let begin = sorted.count
      for _ in 0..<count {
        let distance: UInt32 = try reader.read()
        let word: UInt32 = try reader.read()
        let line = word & 0xff_ffff
        let isNone = line == Self.noLines.lowerBound || line == Self.noLines.upperBound
        sorted.append(
          Row(
            start: start &+ min(distance, size), end: start &+ size,
            location: Location(file: number, line: isNone ? 0 : line)))
      }
      guard hasColumns else { continue }
      for row in begin..<sorted.count {
        sorted[row].location.column = UInt32(try reader.read(UInt16.self))
        try reader.skip(2)
      }
    }
  }

  /// Sorts by start; rows with one start keep their order.
  private static func sort(_ rows: inout Table<Row>, from first: Int) {
    var isSorted = true
    for index in (first + 1)..<max(first + 1, rows.count)
    where rows[index].start < rows[index - 1].start {
      isSorted = false
      break
    }
    if isSorted { return }
    var part: [Row] = []
    for index in first..<rows.count { part.append(rows[index]) }
    part.sort { $0.start < $1.start }
    for index in 0..<part.count { rows[first + index] = part[index] }
  }

  /// Resolves overlaps: the row that begins first, or comes first, counts to its end.
  private mutating func settle(_ sorted: consuming Table<Row>) {
    Self.sort(&sorted, from: 0)
    var end: UInt32 = 0
    for index in 0..<sorted.count {
      var row = sorted[index]
      row.start = max(row.start, end)
      guard row.end > row.start else { continue }
      rows.append(row)
      end = row.end
    }
  }

  /// The number of the file whose checksum is at an offset; 0 where there is none.
  mutating func file(
    _ checksum: UInt32, _ names: inout FileNames, _ builder: inout CodeTablesBuilder
  ) -> UInt32 {
    if let known = files[checksum] { return known }
    var number: UInt32 = 0
    var reader = ByteReader(checksums.bytes, reading: "checksums")
    if (try? reader.seek(to: Int(checksum))) != nil, let name = try? reader.read(UInt32.self) {
      number = names.file(name, &builder)
    }
    files[checksum] = number
    return number
  }

  /// The first row that ends after `address`.
  func firstRow(endingAfter address: UInt32) -> Int {
    rows.lowerBound { $0.end <= address }
  }
}

/// The paths in the stream `/names`.
///
///     OFFSET  SIZE  FIELD
///          0     4  0xeffeeffe
///          4     4  version of the hash
///          8     4  size of the texts
///         12     n  texts, with a NUL each
///
/// Source: LLVM docs, "The PDB String Table".
struct FileNames: ~Copyable {
  private let texts: ByteView
  private var numbers: [UInt32: UInt32] = [:]

  /// No paths.
  init() { texts = .empty }

  /// - Throws: ``ParseError`` when the stream cannot be read; a PDB without one has no paths.
  init(_ file: PDBFile) throws(ParseError) {
    guard let stream = try file.namedStream("/names") else {
      texts = .empty
      return
    }
    let view = try file.container.stream(stream)
    var reader = ByteReader(view.bytes, reading: "PDB names")
    try reader.expect(0xeffe_effe as UInt32)
    try reader.skip(4)
    let size: UInt32 = try reader.read()
    texts = try view.slice(at: 12, count: UInt64(size), of: "PDB names")
  }

  /// The text at an offset; empty where there is none.
  func text(at offset: UInt32) -> String {
    let count = texts.bytes.textLength(from: Int(offset), limit: DWARFLimits().nameLength)
    return texts.clamped(Int(offset)..<(Int(offset) + count)).text
  }

  /// The number in the output of the path at an offset.
  mutating func file(_ offset: UInt32, _ builder: inout CodeTablesBuilder) -> UInt32 {
    if let known = numbers[offset] { return known }
    let count = texts.bytes.textLength(from: Int(offset), limit: DWARFLimits().nameLength)
    let path = texts.clamped(Int(offset)..<(Int(offset) + count))
    let number = count > 0 ? builder.addFile(path.bytes) : 0
    numbers[offset] = number
    return number
  }
}
