internal import Bytes
internal import ObjectFormats

/// The index of unwind information of 32-bit Arm programs (`.ARM.exidx`), a row for each function by address.
///
///     OFFSET  SIZE  FIELD
///          0     4  start of the function: bits 0-30 its distance from this word, with a sign
///          4     4  1: the function cannot be unwound; with bit 31 the information itself; else bits 0-30
///                   are the distance of the information (`.ARM.extab`) from this word, with a sign
///
/// A row applies up to the next. Most code with a row of kind 1 was merely compiled without tables: linkers
/// add such a row for it. So it means that nothing is known, not that the stack ends.
///
/// Information begins with a word: with bit 31 set, bits 24-27 give the layout of the opcodes (``Model``);
/// otherwise it is the distance of a routine of the language, which in all languages is followed by words as
/// in model 1.
///
/// Source: Arm, "Exception Handling ABI for the Arm Architecture", sections 6 and 10.
struct ARMExceptionIndex {
  /// The layout of opcodes in the information, in bits 24-27 of its first word.
  private enum Model {
    /// Three opcodes in the word.
    static let short: UInt32 = 0
    /// The number of further words in bits 16-23, then opcodes.
    static let long: UInt32 = 1
    /// The layout of `long`; descriptors of handlers follow, with wider fields.
    static let longWithWideFields: UInt32 = 2
  }

  private static let entrySize: UInt32 = 8
  private static let cannotUnwind: UInt32 = 1
  private static let stackPointer: UInt8 = 13
  private static let linkRegister: UInt8 = 14

  let image: LoadedSections
  let endianness: Endianness
  /// The end of the code that begins at an offset from the image base; used for the last row.
  let end: (UInt32) -> UInt32?

  /// Passes the rules of the functions in the index to `builder`. Damage costs only the function that it
  /// affects.
  ///
  /// - Parameter range: The loaded range of the index, from the image base.
  func read(_ range: Range<UInt32>, into builder: inout UnwindBuilder, rank: UInt32) {
    builder.sources.insert(.exceptionIndex)
    // Information may be shared by any number of functions.
    builder.allow(bytes: range.count)
    var open: (start: UInt32, entry: UInt32)?
    func close(at end: UInt32?) {
      guard let open, let end, end > open.start else { return }
      do throws(ParseError) {
        try add(open.entry, open.start..<end, rank, &builder)
      } catch {
        builder.note(error.description)
      }
    }
    for entry in stride(from: range.lowerBound, to: range.upperBound, by: Int(Self.entrySize)) {
      guard range.upperBound - entry >= Self.entrySize, !builder.isExhausted else { break }
      do throws(ParseError) {
        // The lowest bit marks Thumb code.
        let start = try target(at: entry) & ~1
        close(at: start)
        open = (start, entry)
      } catch {
        builder.note(error.description)
      }
    }
    close(at: open.flatMap { end($0.start) })
  }

  private func add(
    _ entry: UInt32, _ code: Range<UInt32>, _ rank: UInt32, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    let word = try word(at: entry &+ 4)
    guard word != Self.cannotUnwind else { return }
    let opcodes = try opcodes(of: word, at: entry &+ 4)
    try builder.spend(opcodes.count)
    var undo = EpilogueSimulator(
      stackPointer: Self.stackPointer, returnAddressRegister: Self.linkRegister)
    guard try ARMUnwindCodes(opcodes).apply(to: &undo) else { return }
    // They are written for exceptions, which are thrown by calls.
    undo.flags.insert(.atCallsOnly)
    try undo.setRules(in: &builder)
    builder.open(code.lowerBound, code.upperBound, rank: rank)
    try builder.addRow(code.lowerBound)
    builder.close()
  }

  /// - Parameter word: The second word of a row, at `address`.
  private func opcodes(of word: UInt32, at address: UInt32) throws(ParseError) -> [UInt8] {
    if word >> 31 == 1 { return try opcodes(after: address, word) }
    let start = Self.target(of: word, at: address)
    let head = try self.word(at: start)
    if head >> 31 == 1 { return try opcodes(after: start, head) }
    // Words as in model 1 follow, with their number in the highest byte.
    let next = try self.word(at: start &+ 4)
    return try opcodes(next, from: 1, at: start &+ 4, further: next >> 24)
  }

  /// The opcodes of a word with bit 31, and of those after it.
  private func opcodes(after address: UInt32, _ word: UInt32) throws(ParseError) -> [UInt8] {
    switch word >> 24 & 0x0f {
    case Model.short: return try opcodes(word, from: 1, at: address, further: 0)
    case Model.long, Model.longWithWideFields:
      return try opcodes(word, from: 2, at: address, further: word >> 16 & 0xff)
    case let model: throw error(.unsupported("compact model \(model)"), at: address)
    }
  }

  /// - Parameter first: The index of the first byte of `word` to use, from the highest on.
  private func opcodes(
    _ word: UInt32, from first: Int, at address: UInt32, further: UInt32
  ) throws(ParseError) -> [UInt8] {
    var bytes = Self.bytes(of: word)[first...]
    for index in 0..<further {
      bytes += Self.bytes(of: try self.word(at: address &+ 4 &* (index + 1)))
    }
    return Array(bytes)
  }

  private static func bytes(of word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
  }

  /// The target of the word at `address`.
  private func target(at address: UInt32) throws(ParseError) -> UInt32 {
    Self.target(of: try word(at: address), at: address)
  }

  /// The target of a word whose bits 0-30 are a signed distance.
  private static func target(of word: UInt32, at address: UInt32) -> UInt32 {
    address &+ UInt32(bitPattern: Int32(bitPattern: word << 1) >> 1)
  }

  private func word(at address: UInt32) throws(ParseError) -> UInt32 {
    let bytes = try image.bytes(at: address, count: 4, of: "exception index")
    var reader = ByteReader(
      bytes.bytes, reading: "exception index", endianness: endianness, base: Int(address))
    return try reader.read()
  }

  private func error(_ kind: ParseError.Kind, at address: UInt32) -> ParseError {
    ParseError(kind, in: "exception index", at: Int(address))
  }
}

extension ARMExceptionIndex {
  /// Passes the rules of the functions of `object` to `builder`; an object that is not a 32-bit Arm program
  /// has none.
  static func read(_ object: ObjectFile, into builder: inout UnwindBuilder, rank: UInt32) {
    guard UnwindRegisters.family(of: object.architecture) == .arm,
      let section = object.section(named: "ARM.exidx"), section.hasContents,
      section.address >= object.imageBase,
      let start = UInt32(exactly: section.address - object.imageBase),
      let size = UInt32(exactly: section.size), size <= .max - start
    else { return }
    let base = object.imageBase
    let code = object.executableRanges
    let index = ARMExceptionIndex(
      image: LoadedSections(object), endianness: object.endianness,
      end: { start in
        let range = code.first { $0.contains(base &+ UInt64(start)) }
        return range.flatMap { UInt32(exactly: $0.upperBound &- base) }
      })
    index.read(start..<(start + size), into: &builder, rank: rank)
  }
}
