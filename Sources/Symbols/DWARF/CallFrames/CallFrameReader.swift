internal import Bytes

/// Reads the entries of a section of call frame information.
///
/// The entry of a function:
///
///     SIZE     FIELD
///     4/12     length of what follows (4 bytes of ones before it: 64-bit form)
///     4/8      its common entry: in .debug_frame the offset, in .eh_frame (always 4 bytes) how many
///              bytes before this field
///     n        address of the function
///     n        length of its code
///     LEB128   with "z": length of the augmentation data, then the data
///     n        instructions
///
/// Source: DWARF 5, section 6.4.1; LSB Core 5.0, section 10.6.1.
package struct CallFrameReader: ~Copyable {
  let section: CallFrameSection
  private var commons: [Result<CommonEntry, ParseError>] = []
  private var commonsByOffset: [Int: Int] = [:]
  /// The row that is being made.
  var row = CallFrameRules()
  /// The rules that the common entries begin with, one after the other.
  var commonRules = Table<CallFrameRules.Rule>()
  /// Remembered rows, and the rules of all of them.
  var states = Table<State>()
  var stateRules = Table<CallFrameRules.Rule>()

  /// A remembered row.
  struct State: BitwiseCopyable {
    let head: CallFrameRules.Head
    let ruleCount: Int
  }

  package init(_ section: CallFrameSection) { self.section = section }

  /// Hands the rows of every function to `output`. Damage costs the entry that it touches.
  package mutating func read<Output: CallFrameOutput & ~Copyable>(into output: inout Output) {
    let bytes = section.bytes
    var offset = 0
    while offset < bytes.count {
      var next = bytes.count
      do throws(ParseError) {
        guard let entry = try header(at: offset) else {
          // Zeros end a section before linking; linked ones may go on.
          offset += 4
          continue
        }
        next = entry.end
        if !entry.isCommon { try readFunction(entry, into: &output) }
      } catch {
        output.note("\(section.isEHFrame ? "eh_frame" : "debug_frame"): \(error)")
      }
      offset = next
    }
  }

  // MARK: Headers

  /// The kind of an entry.
  private struct Header {
    let isCommon: Bool
    /// Where the common entry lies.
    let common: Int
    /// The bytes after the header.
    let contents: Int
    let end: Int
  }

  private func error(_ kind: ParseError.Kind, at offset: Int) -> ParseError {
    ParseError(kind, in: "call frame entry", at: offset)
  }

  /// - Returns: `nil` for four zeros.
  private func header(at offset: Int) throws(ParseError) -> Header? {
    guard offset >= 0, offset <= section.bytes.count else {
      throw error(
        .outOfBounds(
          offset: UInt64(clamping: offset), count: 4, size: section.bytes.count), at: offset)
    }
    var reader = ByteReader(
      section.bytes.bytes, reading: "call frame entry", endianness: section.endianness)
    try reader.seek(to: offset)
    var length = UInt64(try reader.read(UInt32.self))
    guard length != 0 else { return nil }
    let is64Bit = length == 0xffff_ffff
    if is64Bit {
      length = try reader.read()
    } else if length >= 0xffff_fff0 {
      throw error(.invalid("a length of \(length.hexadecimal)"), at: offset)
    }
    guard length <= UInt64(reader.remaining) else {
      throw error(
        .outOfBounds(offset: UInt64(reader.position), count: length, size: section.bytes.count),
        at: offset)
    }
    let idOffset = reader.position
    let end = idOffset + Int(length)
    let size = is64Bit && !section.isEHFrame ? 8 : 4
    let id = try reader.readUnsigned(size: size)
    guard reader.position <= end else {
      throw error(.invalid("an entry without an id"), at: offset)
    }
    if section.isEHFrame {
      return Header(
        isCommon: id == 0, common: idOffset &- Int(id), contents: reader.position, end: end)
    }
    let isCommon = id == (size == 8 ? .max : 0xffff_ffff)
    return Header(
      isCommon: isCommon, common: Int(clamping: id), contents: reader.position, end: end)
  }

  // MARK: Common entries

  /// The common entry at `offset`, read when it is first asked for.
  private mutating func common<Output: CallFrameOutput & ~Copyable>(
    at offset: Int, _ output: inout Output
  ) throws(ParseError) -> CommonEntry {
    if let index = commonsByOffset[offset] { return try commons[index].get() }
    let result: Result<CommonEntry, ParseError>
    do throws(ParseError) {
      result = .success(try readCommon(at: offset, &output))
    } catch {
      result = .failure(error)
    }
    commonsByOffset[offset] = commons.count
    commons.append(result)
    return try result.get()
  }

  private mutating func readCommon<Output: CallFrameOutput & ~Copyable>(
    at offset: Int, _ output: inout Output
  ) throws(ParseError) -> CommonEntry {
    guard let header = try header(at: offset), header.isCommon else {
      throw error(.invalid("no common entry"), at: offset)
    }
    let bytes = section.bytes
    var reader = ByteReader(
      bytes.bytes.extracting(0..<header.end), reading: "common call frame entry",
      endianness: section.endianness)
    try reader.seek(to: header.contents)
    var common = try CommonEntry(reading: &reader, addressSize: section.addressSize)
    row.clear()
    row.head.returnAddressRegister = common.returnAddressRegister
    row.head.isSignalFrame = common.isSignalFrame
    try reader.seek(to: common.instructions.lowerBound)
    var program = CallFrameProgram(common, start: 0, end: 0, isCommon: true)
    try program.run(&reader, &self, &output)
    common.head = row.head
    let start = commonRules.count
    row.save(to: &commonRules)
    common.rules = start..<commonRules.count
    return common
  }

  // MARK: Functions

  private mutating func readFunction<Output: CallFrameOutput & ~Copyable>(
    _ header: Header, into output: inout Output
  ) throws(ParseError) {
    let common = try common(at: header.common, &output)
    let bytes = section.bytes
    var reader = ByteReader(
      bytes.bytes.extracting(0..<header.end), reading: "call frame entry",
      endianness: section.endianness)
    try reader.seek(to: header.contents)
    let encoding = PointerEncoding(common.addressEncoding)
    let mask: UInt64 = common.addressSize == 4 ? 0xffff_ffff : .max
    let address =
      try encoding.read(&reader, addressSize: common.addressSize, bases: section.bases) & mask
    let size = try encoding.readValue(&reader, addressSize: common.addressSize) & mask
    guard size > 0, let start = section.offset(ofCode: address) else { return }
    let (end, overflow) = UInt64(start).addingReportingOverflow(size)
    guard !overflow, end <= UInt64(UInt32.max) else {
      throw error(.invalid("code of \(size) bytes"), at: header.contents)
    }
    if common.hasAugmentationLength {
      let length = try reader.readULEB128()
      guard length <= UInt64(reader.remaining) else {
        throw reader.error(.invalid("augmentation data of \(length) bytes"))
      }
      try reader.skip(Int(length))
    }
    row.restore(common.head, commonRules, common.rules)
    states.removeAll()
    stateRules.removeAll()
    output.open(start, UInt32(end))
    var program = CallFrameProgram(common, start: start, end: UInt32(end), isCommon: false)
    do throws(ParseError) {
      try program.run(&reader, &self, &output)
      output.close(at: nil)
    } catch {
      // The rules before the damage are right.
      output.close(at: UInt32(clamping: program.location))
      throw error
    }
  }
}
