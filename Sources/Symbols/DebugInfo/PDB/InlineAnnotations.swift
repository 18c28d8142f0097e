internal import Bytes

/// The code of an inlined call and the lines that it comes from, as a program of small steps.
///
///      1  code offset            6  line, by a signed number        11  line and code offset by one:
///      2  segment                7  last line                           the low four bits are code
///      3  code, on by            8  kind of range                   12  length, and code on by
///      4  length of the last     9  column                          13  last column
///      5  file                  10  last column, by a signed number
///
/// Numbers take one, two or four bytes, which the first bits of the first byte tell; of a signed
/// one the lowest bit is the sign. A step that moves in the code begins a range, which ends at the
/// next or after its length.
///
/// Step 4 moves on in the code by the length, as LLVM writes it (MCCodeView). Step 12 does not: the
/// next distance counts from where its range began, as in files of Microsoft's compiler, whose line
/// tables have their edges there.
///
/// Source: INLINESITESYM and BinaryAnnotationOpcode in Microsoft's cvinfo.h.
struct InlineAnnotations {
  /// Code from one line.
  struct LineRange: BitwiseCopyable {
    /// From the start of the function.
    var start: UInt32
    /// Exclusive.
    var end: UInt32
    /// By its index among the checksums.
    var file: UInt32
    var line: UInt32
  }

  /// Adds the ranges of a call, in the order of the code.
  ///
  /// - Returns: Whether all steps could be read.
  static func read(
    _ view: ByteView, file: UInt32, line: UInt32, into lineRanges: inout Table<LineRange>
  ) -> Bool {
    var reader = ByteReader(view.bytes, reading: "inline site")
    let first = lineRanges.count
    var offset: UInt32 = 0
    var file = file
    var line = line
    // The range that has begun and has no end yet.
    var open: LineRange?

    func begin(_ lineRanges: inout Table<LineRange>) {
      if var last = open {
        last.end = offset
        append(last, to: &lineRanges, from: first)
      }
      open = LineRange(start: offset, end: offset, file: file, line: line)
    }

    while !reader.isAtEnd {
      guard let step = number(&reader).map({ InlineOpcode(rawValue: $0) }) else { return false }
      // Zeros fill the record up.
      if step == .invalid { break }
      guard step.rawValue <= InlineOpcode.changeColumnEnd.rawValue, let value = number(&reader)
      else { return false }
      switch step {
      case .codeOffset, .changeCodeOffset:
        guard advance(&offset, by: value) else { return false }
        begin(&lineRanges)
      case .changeCodeLength:
        guard advance(&offset, by: value) else { return false }
        if var last = open {
          last.end = offset
          append(last, to: &lineRanges, from: first)
        }
        open = nil
      case .changeFile: file = value
      case .changeLineOffset: line = line &+ signed(value)
      case .changeCodeOffsetAndLineOffset:
        line = line &+ signed(value >> 4)
        guard advance(&offset, by: value & 15) else { return false }
        begin(&lineRanges)
      case .changeCodeLengthAndCodeOffset:
        guard let distance = number(&reader), advance(&offset, by: distance) else { return false }
        begin(&lineRanges)
        let end = offset.addingReportingOverflow(value)
        guard !end.overflow, var last = open else { return false }
        last.end = end.partialValue
        append(last, to: &lineRanges, from: first)
        open = nil
      default: break
      }
    }
    return true
  }

  private static func append(
    _ lineRange: LineRange, to lineRanges: inout Table<LineRange>, from first: Int
  ) {
    guard lineRange.end > lineRange.start else { return }
    if lineRanges.count > first, var last = lineRanges.last, last.end == lineRange.start,
      last.file == lineRange.file, last.line == lineRange.line
    {
      last.end = lineRange.end
      lineRanges[lineRanges.count - 1] = last
    } else {
      lineRanges.append(lineRange)
    }
  }

  private static func advance(_ offset: inout UInt32, by distance: UInt32) -> Bool {
    let sum = offset.addingReportingOverflow(distance)
    offset = sum.partialValue
    return !sum.overflow
  }

  private static func signed(_ value: UInt32) -> UInt32 {
    value & 1 == 0 ? value >> 1 : 0 &- (value >> 1)
  }

  @_lifetime(reader: copy reader)
  private static func number(_ reader: inout ByteReader) -> UInt32? {
    guard let first = try? reader.read(UInt8.self) else { return nil }
    if first & 0x80 == 0 { return UInt32(first) }
    guard let second = try? reader.read(UInt8.self) else { return nil }
    if first & 0xc0 == 0x80 { return UInt32(first & 0x3f) << 8 | UInt32(second) }
    guard first & 0xe0 == 0xc0, let third = try? reader.read(UInt8.self),
      let fourth = try? reader.read(UInt8.self)
    else { return nil }
    return UInt32(first & 0x1f) << 24 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth)
  }
}
