internal import Bytes

/// The head of a line number program.
///
/// Source: DWARF 5, section 6.2.4; DWARF 4, the same section, for versions 2 to 4.
struct LineHeader {
  var version: UInt16 = 0
  var addressSize = 0
  var minimumInstructionLength: UInt64 = 1
  var maximumOperations: UInt64 = 1
  var lineBase: Int64 = 0
  var lineRange: UInt64 = 1
  var opcodeBase: UInt8 = 0
  /// Where the lengths of the standard opcodes lie, from opcode 1 on.
  var opcodeLengths = 0
  /// Where the program begins and ends in the section.
  var program = 0
  var end = 0
}

/// A file or directory of a line table, by the place of its name.
struct LineFile: BitwiseCopyable {
  var name = TextReference.none
  var directory: UInt64 = 0
  /// The text of the file, where the table holds it.
  var text = TextReference.none
  /// Where its MD5 lies in the section; -1 without one.
  var checksum = -1
}

extension LineHeader {
  /// Fields of a file or directory; the standard has five, and each may take no bytes.
  private static let fieldLimit = 32

  /// Reads the head at `offset`, directories and files with it; `nil` when it is damaged beyond use.
  static func read(
    at offset: UInt64, unit: Unit, _ spans: borrowing SectionSpans, defaultAddressSize: Int,
    directories: inout Table<TextReference>, files: inout Table<LineFile>
  ) -> LineHeader? {
    directories.removeAll()
    files.removeAll()
    var cursor = Cursor(
      spans.line, isBigEndian: spans.isBigEndian, from: Int(clamping: offset),
      to: spans.line.byteCount)
    var header = LineHeader()
    var encoding = unit.header.encoding
    encoding.offsetSize = 4
    var length = UInt64(cursor.u32())
    if length == 0xffff_ffff {
      encoding.offsetSize = 8
      length = cursor.u64()
    }
    guard !cursor.failed else { return nil }
    // A table that is cut off is read as far as it goes.
    cursor.limit(to: cursor.offset + Int(min(length, UInt64(cursor.remaining))))
    header.end = cursor.end
    header.version = cursor.u16()
    guard (2...5).contains(header.version) else { return nil }
    header.addressSize = defaultAddressSize
    if header.version >= 5 {
      header.addressSize = Int(cursor.byte())
      _ = cursor.byte()  // the size of a segment selector
    }
    encoding.addressSize = header.addressSize
    let headerLength = cursor.unsigned(size: encoding.offsetSize)
    guard !cursor.failed, headerLength <= UInt64(cursor.remaining) else { return nil }
    header.program = cursor.offset + Int(headerLength)
    header.minimumInstructionLength = UInt64(cursor.byte())
    if header.version >= 4 { header.maximumOperations = UInt64(cursor.byte()) }
    _ = cursor.byte()  // whether rows begin as statements
    header.lineBase = Int64(Int8(bitPattern: cursor.byte()))
    header.lineRange = UInt64(cursor.byte())
    header.opcodeBase = cursor.byte()
    header.opcodeLengths = cursor.offset
    if header.opcodeBase > 0 { cursor.skip(Int(header.opcodeBase) - 1) }
    guard !cursor.failed else { return nil }
    cursor.limit(to: header.program)
    if header.version >= 5 {
      readEntries(&cursor, unit: unit, encoding: encoding, spans) { directories.append($0.name) }
      readEntries(&cursor, unit: unit, encoding: encoding, spans) { files.append($0) }
    } else {
      readOldEntries(&cursor, &directories, &files)
    }
    return header
  }

  /// Directories and files up to version 4: texts, each list ended by an empty one.
  private static func readOldEntries(
    _ cursor: inout Cursor, _ directories: inout Table<TextReference>,
    _ files: inout Table<LineFile>
  ) {
    while !cursor.isAtEnd {
      let start = cursor.offset
      cursor.skipString()
      if cursor.offset == start + 1 || cursor.failed { break }
      directories.append(TextReference(.line, start))
    }
    while !cursor.isAtEnd {
      let start = cursor.offset
      cursor.skipString()
      if cursor.offset == start + 1 || cursor.failed { break }
      let directory = cursor.uleb()
      cursor.skipLEB()  // time
      cursor.skipLEB()  // length
      files.append(LineFile(name: TextReference(.line, start), directory: directory))
    }
  }

  /// Directories or files of version 5: a description of the fields, then the entries.
  ///
  /// Source: DWARF 5, section 6.2.4.1; for texts LLVM, docs, "DWARF extensions: source text embedding".
  private static func readEntries(
    _ cursor: inout Cursor, unit: Unit, encoding: UnitEncoding, _ spans: borrowing SectionSpans,
    body: (LineFile) -> Void
  ) {
    let fieldCount = Int(cursor.byte())
    let formats = cursor.offset
    for _ in 0..<fieldCount {
      cursor.skipLEB()
      cursor.skipLEB()
    }
    let count = cursor.uleb()
    // Entries of no fields, or only of fields without bytes, could be four billion for nothing.
    guard fieldCount > 0, fieldCount <= Self.fieldLimit, !cursor.failed,
      count <= UInt64(cursor.remaining)
    else {
      if count > 0 { cursor.fail() }
      return
    }
    for _ in 0..<count {
      let entry = cursor.offset
      var fields = Cursor(
        spans.line, isBigEndian: spans.isBigEndian, from: formats, to: cursor.offset)
      var file = LineFile()
      for _ in 0..<fieldCount {
        let content = fields.uleb()
        var form = UInt16(clamping: fields.uleb())
        let start = cursor.offset
        let value = cursor.value(of: &form, constant: 0, encoding: encoding)
        if cursor.failed { return }
        switch LineContent(rawValue: content) {
        case .path: file.name = text(value, form: form, at: start, unit: unit, encoding, spans)
        case .directoryIndex: file.directory = value
        case .md5: if form == Form.data16 { file.checksum = start }
        case .llvmSource:
          file.text = text(value, form: form, at: start, unit: unit, encoding, spans)
        default: break
        }
      }
      guard cursor.offset > entry else {
        cursor.fail()
        return
      }
      body(file)
    }
  }

  private static func text(
    _ value: UInt64, form: UInt16, at start: Int, unit: Unit, _ encoding: UnitEncoding,
    _ spans: borrowing SectionSpans
  ) -> TextReference {
    switch form {
    case Form.string: return TextReference(.line, start)
    case Form.strp: return TextReference(.strings, Int(clamping: value))
    case Form.lineStrp: return TextReference(.lineStrings, Int(clamping: value))
    case Form.strx, Form.strx1, Form.strx2, Form.strx3, Form.strx4:
      guard
        let offset = SectionSpans.element(
          of: spans.stringOffsets, base: unit.stringOffsetsBase, index: value,
          size: encoding.offsetSize, isBigEndian: spans.isBigEndian)
      else { return .none }
      return TextReference(.strings, Int(clamping: offset))
    default: return .none
    }
  }
}
