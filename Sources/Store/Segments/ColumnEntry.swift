internal import Bytes

/// How the rows of a column are stored.
enum ColumnEncoding: UInt8 {
  case constant = 0
  case plain = 1
  case runs = 2
}

/// The entry of a column in the directory of a segment; see ``SegmentFormat``.
struct ColumnEntry {
  var column: SegmentColumn
  var kind: SegmentColumnDeclaration.Kind
  var encoding = ColumnEncoding.constant
  /// Sizes in bytes.
  var width = 0
  var dictionaryWidth = 0
  var dictionaryCount = 0
  var runCount = 0
  var checksum: UInt32 = 0
  /// Added to dictionary entries and numbers; the value itself where it is constant.
  var base = 0
  /// Start of the section, in bytes from the start of the file.
  var offset = 0

  /// The parts of the section, from its start, in bytes.
  struct Parts {
    var dictionary = 0..<0
    var starts = 0..<0
    var values = 0..<0
    var limits = 0..<0

    var size: Int { SegmentFormat.aligned(limits.upperBound) }
  }

  /// - Parameter rowCount: The number of rows of the segment.
  func parts(rowCount: Int) -> Parts {
    var end = 0
    func next(_ size: Int) -> Range<Int> {
      let start = SegmentFormat.aligned(end)
      end = start + size
      return start..<end
    }
    var parts = Parts()
    parts.dictionary = next(dictionaryCount * dictionaryWidth)
    parts.starts = next(runCount * 4)
    let values = encoding == .plain ? (rowCount + 63) / 64 * 64 : runCount
    parts.values = next(values * width)
    let isLimited = encoding == .plain && kind == .number
    parts.limits = next(isLimited ? SegmentFormat.blockCount(rowCount) * 2 * width : 0)
    return parts
  }

  /// For errors: `segment column 12`.
  var structure: String { "segment column \(column.rawValue)" }
}

extension ColumnEntry {
  /// Reads an entry and checks all that can be said without its section.
  ///
  /// - Parameters:
  ///   - reader: A reader at the start of the entry.
  ///   - fileSize: In bytes.
  /// - Throws: ``ParseError`` for what the format does not allow.
  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, rowCount: Int, fileSize: Int) throws(ParseError) {
    let start = reader.position
    column = SegmentColumn(rawValue: try reader.read())
    let kind = SegmentColumnDeclaration.Kind(rawValue: try reader.read())
    let encoding = ColumnEncoding(rawValue: try reader.read())
    width = Int(try reader.read(UInt8.self))
    dictionaryWidth = Int(try reader.read(UInt8.self))
    try reader.skip(3)
    dictionaryCount = Int(try reader.read(UInt32.self))
    runCount = Int(try reader.read(UInt32.self))
    checksum = try reader.read()
    try reader.skip(4)
    base = try reader.read()
    let offset: UInt64 = try reader.read()
    let size: UInt64 = try reader.read()
    guard let kind, let encoding else {
      throw ParseError(.invalid("an unknown kind or encoding"), in: "segment column", at: start)
    }
    self.kind = kind
    self.encoding = encoding
    guard isConsistent(rowCount: rowCount) else {
      throw ParseError(.invalid("widths and counts that do not fit"), in: structure, at: start)
    }
    guard size == UInt64(parts(rowCount: rowCount).size) else {
      throw ParseError(.invalid("a size that does not fit"), in: structure, at: start + 40)
    }
    guard offset <= UInt64(fileSize), size <= UInt64(fileSize) - offset,
      offset % UInt64(SegmentFormat.alignment) == 0
    else {
      throw ParseError(
        .outOfBounds(offset: offset, count: size, size: fileSize), in: structure, at: start + 32)
    }
    self.offset = Int(offset)
  }

  private func isConsistent(rowCount: Int) -> Bool {
    let widths = [1, 2, 4, 8]
    if encoding == .constant {
      return width == 0 && dictionaryWidth == 0 && dictionaryCount == 0 && runCount == 0
    }
    guard rowCount > 0, widths.contains(width),
      encoding == .runs ? (1...rowCount).contains(runCount) : runCount == 0,
      encoding == .runs || !SegmentColumn.sorted.contains(column)
    else { return false }
    switch kind {
    case .number: return encoding == .plain && dictionaryWidth == 0 && dictionaryCount == 0
    case .code:
      return (1...rowCount).contains(dictionaryCount) && widths.contains(dictionaryWidth)
        && width < 8 && dictionaryCount <= 1 << (width * 8)
    }
  }

  func write(to bytes: inout Table<UInt8>, rowCount: Int) {
    bytes.append(column.rawValue)
    bytes.append(kind.rawValue)
    bytes.append(encoding.rawValue)
    bytes.append(UInt8(width))
    bytes.append(littleEndian: UInt32(dictionaryWidth))
    bytes.append(littleEndian: UInt32(dictionaryCount))
    bytes.append(littleEndian: UInt32(runCount))
    bytes.append(littleEndian: UInt64(checksum))
    bytes.append(littleEndian: base)
    bytes.append(littleEndian: UInt64(offset))
    bytes.append(littleEndian: UInt64(parts(rowCount: rowCount).size))
  }
}
