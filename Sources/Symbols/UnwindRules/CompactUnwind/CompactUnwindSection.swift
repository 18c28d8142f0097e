internal import Bytes
internal import Identifiers
internal import ObjectFormats

/// `__unwind_info` of a Mach-O file: for ranges of code a number that says how its frames look.
///
///     OFFSET  SIZE  FIELD
///          0     4  version, 1
///          4     4  offset of the common encodings (u32 each)
///          8     4  how many of them
///         12     4  offset of the personality functions
///         16     4  how many of them
///         20     4  offset of the first level
///         24     4  entries of the first level, the last of which only says where the code ends
///
/// An entry of the first level: the first address (4), from the start of the image; offset of its page
/// (4; 0 for none); offset of its language data (4). A page of the second level begins with its kind:
///
///     2 regular     u16 offset of the entries in the page, u16 count;
///                   entries: address (4), encoding (4)
///     3 compressed  u16 offset of the entries in the page, u16 count, u16 offset of the page's own
///                   encodings, u16 count; entries: 24 bits address from the page's first one, 8 bits
///                   index of the encoding, first the common ones, then the page's
///
/// Source: mach-o/compact_unwind_encoding.h of LLVM's libunwind.
struct CompactUnwindSection: Sendable {
  let bytes: ByteView
  let endianness: Endianness
  let architecture: Architecture
  /// The bytes of code, and their offset from the image base, for encodings that point into it.
  let code: [(start: UInt32, bytes: ByteView)]

  private static let regularPage: UInt32 = 2
  private static let compressedPage: UInt32 = 3

  /// One function, or a run of them, of the first or the second level.
  private struct Function {
    let start: UInt32
    let encoding: UInt32
  }

  /// - Returns: `nil` where `object` has no such section, or none with contents.
  /// - Throws: ``ParseError`` where its bytes cannot be had.
  init?(_ object: ObjectFile) throws(ParseError) {
    guard object.container == .machO, let section = object.section(named: "unwind_info"),
      section.hasContents
    else { return nil }
    bytes = try object.contents(of: section)
    endianness = object.endianness
    architecture = object.architecture
    var code: [(start: UInt32, bytes: ByteView)] = []
    for section in object.sections where section.isExecutable && section.hasContents {
      guard section.address >= object.imageBase,
        let start = UInt32(exactly: section.address - object.imageBase),
        let bytes = try? object.contents(of: section)
      else { continue }
      code.append((start, bytes))
    }
    self.code = code
  }

  /// A section without an object around it.
  init(bytes: ByteView, endianness: Endianness, architecture: Architecture, code: ByteView) {
    self.bytes = bytes
    self.endianness = endianness
    self.architecture = architecture
    self.code = [(0, code)]
  }

  /// Hands the rules of every function to `builder`. Damage costs the page that it touches.
  func read(into builder: inout UnwindBuilder, rank: UInt32) {
    builder.allow(bytes: bytes.count)
    builder.sources.insert(.compact)
    do throws(ParseError) {
      var reader = ByteReader(bytes.bytes, reading: "unwind_info", endianness: endianness)
      let version: UInt32 = try reader.read()
      guard version == 1 else { throw reader.error(.unsupported("version \(version)")) }
      let commonOffset: UInt32 = try reader.read()
      let commonCount: UInt32 = try reader.read()
      try reader.skip(8)
      let indexOffset: UInt32 = try reader.read()
      let indexCount: UInt32 = try reader.read()
      let common = try numbers(at: UInt64(commonOffset), count: UInt64(commonCount))
      let index = try numbers(at: UInt64(indexOffset), count: UInt64(indexCount) * 3)
      let encoder = try CompactUnwindRules(architecture)
      for entry in 0..<max(index.count / 3 - 1, 0) {
        let (start, page, end) = (index[entry * 3], index[entry * 3 + 1], index[entry * 3 + 3])
        guard page != 0, start < end, !builder.isExhausted else { continue }
        do throws(ParseError) {
          // Many pages may be one and the same.
          try builder.spend(Int(page) < bytes.count ? pageCount(at: Int(page)) : 0)
          let functions = try functions(at: Int(page), first: start, common: common)
          try add(functions, end: end, rank: rank, encoder, to: &builder)
        } catch {
          builder.note(error.description)
        }
      }
    } catch {
      builder.note(error.description)
    }
  }

  /// `count` numbers of four bytes from `offset` on.
  private func numbers(at offset: UInt64, count: UInt64) throws(ParseError) -> [UInt32] {
    guard count > 0 else { return [] }
    let view = try bytes.slice(at: offset, count: count * 4, of: "unwind_info")
    var reader = ByteReader(view.bytes, reading: "unwind_info", endianness: endianness)
    var numbers: [UInt32] = []
    numbers.reserveCapacity(view.count / 4)
    while !reader.isAtEnd { numbers.append(try reader.read()) }
    return numbers
  }

  /// How many entries and encodings a page of the second level announces.
  private func pageCount(at page: Int) -> Int {
    let view = bytes.clamped(page..<page + 12)
    var reader = ByteReader(view.bytes, reading: "unwind_info page", endianness: endianness)
    guard let _ = try? reader.skip(6), let count = try? reader.read(UInt16.self) else { return 0 }
    guard let _ = try? reader.skip(2), let own = try? reader.read(UInt16.self) else {
      return Int(count)
    }
    return Int(count) + Int(own)
  }

  /// The functions of a page of the second level.
  private func functions(
    at page: Int, first: UInt32, common: [UInt32]
  ) throws(ParseError) -> [Function] {
    var reader = ByteReader(bytes.bytes, reading: "unwind_info page", endianness: endianness)
    try reader.seek(to: page)
    let kind: UInt32 = try reader.read()
    guard kind == Self.regularPage || kind == Self.compressedPage else {
      throw reader.error(.unsupported("a page of kind \(kind)"))
    }
    let entries = Int(try reader.read(UInt16.self))
    let count = Int(try reader.read(UInt16.self))
    var own: [UInt32] = []
    if kind == Self.compressedPage {
      let offset = Int(try reader.read(UInt16.self))
      let count = Int(try reader.read(UInt16.self))
      own = try numbers(at: UInt64(page + offset), count: UInt64(count))
    }
    try reader.seek(to: page + entries)
    var functions: [Function] = []
    for _ in 0..<count {
      let word: UInt32 = try reader.read()
      if kind == Self.regularPage {
        functions.append(Function(start: word, encoding: try reader.read()))
        continue
      }
      let index = Int(word >> 24)
      let encoding =
        index < common.count
        ? common[index] : index - common.count < own.count ? own[index - common.count] : nil
      let (start, overflow) = first.addingReportingOverflow(word & 0xff_ffff)
      guard let encoding, !overflow else {
        throw reader.error(.invalid("encoding \(index) of \(common.count + own.count)"))
      }
      functions.append(Function(start: start, encoding: encoding))
    }
    return functions
  }

  private func add(
    _ functions: [Function], end: UInt32, rank: UInt32, _ encoder: CompactUnwindRules,
    to builder: inout UnwindBuilder
  ) throws(ParseError) {
    for (index, function) in functions.enumerated() {
      let next = index + 1 < functions.count ? min(functions[index + 1].start, end) : end
      guard function.start < next else { continue }
      do throws(ParseError) {
        guard try encoder.setRules(of: function.encoding, in: &builder, code: codeBytes(function))
        else { continue }
      } catch {
        builder.note(error.description)
        continue
      }
      builder.open(function.start, next, rank: rank)
      try builder.addRow(function.start)
      builder.close()
    }
  }

  /// The code of `function` as far as an encoding can point into it; empty where the file has none.
  private func codeBytes(_ function: Function) -> ByteView {
    for section in code where function.start >= section.start {
      let offset = Int(function.start - section.start)
      if offset < section.bytes.count { return section.bytes.clamped(offset..<offset + 259) }
    }
    return .empty
  }
}
