internal import Bytes

/// The function table (`.pdata`) of 64-bit Arm Windows programs.
///
///     OFFSET  SIZE  FIELD
///          0     4  start of the function, from the image base
///          4     4  bits 0-1: 0 the rest is the address of its unwind information; otherwise
///                   ``ARM64PackedFunction``
///
/// Unwind information (`.xdata`):
///
///     BITS   FIELD
///      0-17  length of the function, in 4 bytes
///     18-19  version, 0
///        20  whether a handler follows
///        21  whether one epilogue is at the end, whose codes begin at the index in the next field
///     22-26  number of epilogues
///     27-31  words of codes; with 0 here and before, a second word has 16 bits for the number of
///            epilogues and 8 for the words
///
/// then a word for each epilogue (bits 0-17 its start, in 4 bytes; bits 22-31 the index of its first
/// code), then the codes, those of the prologue first and the last step of it first.
///
/// Source: Microsoft, "ARM64 exception handling".
struct ARM64FunctionTable {
  private static let entrySize = 8

  let image: LoadedSections

  /// Passes the rules of the functions in `table` to `builder`. Damage costs only the function that it
  /// affects.
  func read(_ table: ByteView, into builder: inout UnwindBuilder, rank: UInt32) {
    builder.sources.insert(.exceptionData)
    // Unwind information may be shared by any number of functions.
    builder.allow(bytes: table.count + image.count)
    var reader = ByteReader(table.bytes, reading: "function table")
    while reader.remaining >= Self.entrySize, !builder.isExhausted {
      do throws(ParseError) {
        let start: UInt32 = try reader.read()
        let word: UInt32 = try reader.read()
        switch word & 3 {
        case 0 where word != 0: try addFull(start, at: word, rank: rank, to: &builder)
        case 1, 2: try addPacked(start, ARM64PackedFunction(word), rank: rank, to: &builder)
        case 3: throw reader.error(.unsupported("an entry of kind 3"))
        default: break
        }
      } catch {
        builder.note(error.description)
      }
    }
  }

  private func addPacked(
    _ start: UInt32, _ function: ARM64PackedFunction, rank: UInt32,
    to builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard let codes = function.codes else {
      throw ParseError(.invalid("a packed frame"), in: "function table", at: Int(start))
    }
    let prologue = ARM64UnwindCodes(codes.prologue)
    var rows = Rows(length: function.length)
    if function.hasPrologue {
      rows.add(prologue: prologue)
      let count = UInt32(codes.epilogue.count) * 4 + 4
      if count <= function.length {
        rows.add(ARM64UnwindCodes(codes.epilogue), at: function.length - count)
      }
    } else {
      rows.add(body: prologue)
    }
    try rows.write(start, rank: rank, to: &builder)
  }

  private func addFull(
    _ start: UInt32, at address: UInt32, rank: UInt32, to builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard let bytes = image.bytes(at: address) else {
      throw ParseError(
        .outOfBounds(offset: UInt64(address), count: 4, size: image.count), in: "unwind info",
        at: Int(address))
    }
    var reader = ByteReader(bytes.bytes, reading: "unwind info", base: Int(address))
    let head: UInt32 = try reader.read()
    guard head >> 18 & 3 == 0 else {
      throw reader.error(.unsupported("version \(head >> 18 & 3)"))
    }
    let length = (head & 0x3_ffff) * 4
    let isSingle = head >> 21 & 1 == 1
    var epilogues = Int(head >> 22 & 31)
    var words = Int(head >> 27)
    if epilogues == 0 && words == 0 {
      let more: UInt32 = try reader.read()
      epilogues = Int(more & 0xffff)
      words = Int(more >> 16 & 0xff)
    }
    var scopes: [(start: UInt32, index: Int)] = []
    if !isSingle {
      for _ in 0..<epilogues {
        let scope: UInt32 = try reader.read()
        scopes.append(((scope & 0x3_ffff) * 4, Int(scope >> 22)))
      }
    }
    let codes = try reader.readBytes(words * 4)
    var rows = Rows(length: length)
    rows.add(prologue: try ARM64UnwindCodes(parsing: codes))
    if isSingle, epilogues < codes.byteCount {
      let epilogue = try ARM64UnwindCodes(parsing: codes.extracting(epilogues..<codes.byteCount))
      let count = epilogue.instructionBytes
      if count <= length { rows.add(epilogue, at: length - count) }
    }
    try builder.spend(scopes.count * 8)
    for scope in scopes where scope.index < codes.byteCount {
      rows.add(
        try ARM64UnwindCodes(parsing: codes.extracting(scope.index..<codes.byteCount)),
        at: scope.start)
    }
    try rows.write(start, rank: rank, to: &builder)
  }

  /// The rows of the ranges of a function.
  private struct Rows {
    /// In bytes.
    let length: UInt32
    private var body = ARM64UnwindCodes([])
    private var prologueCount = 0
    private var epilogues: [(start: UInt32, codes: ARM64UnwindCodes)] = []

    init(length: UInt32) { self.length = length }

    mutating func add(prologue: ARM64UnwindCodes) {
      body = prologue
      prologueCount = prologue.codes.count
    }

    mutating func add(body: ARM64UnwindCodes) { self.body = body }

    mutating func add(_ epilogue: ARM64UnwindCodes, at start: UInt32) {
      epilogues.append((start, epilogue))
    }

    func write(
      _ start: UInt32, rank: UInt32, to builder: inout UnwindBuilder
    ) throws(ParseError) {
      let (end, overflow) = start.addingReportingOverflow(length)
      guard !overflow, length > 0 else { return }
      builder.open(start, end, rank: rank)
      for count in 0...prologueCount where UInt32(count * 4) < length {
        try builder.spend(body.count)
        try body.undo(skipping: prologueCount - count).setRules(in: &builder)
        try builder.addRow(start + UInt32(count * 4))
      }
      builder.close()
      // A range that begins later takes precedence over the one around it.
      for epilogue in epilogues where epilogue.start > 0 && epilogue.start < length {
        let first = start + epilogue.start
        let size = min(epilogue.codes.instructionBytes, length - epilogue.start)
        builder.open(first, first + size, rank: rank)
        for count in 0...epilogue.codes.codes.count where UInt32(count * 4) < size {
          try builder.spend(epilogue.codes.count)
          try epilogue.codes.undo(skipping: count).setRules(in: &builder)
          try builder.addRow(first + UInt32(count * 4))
        }
        builder.close()
      }
    }
  }
}

extension ARM64UnwindCodes {
  /// The length of the epilogue that they describe: the return at the end belongs to it.
  fileprivate var instructionBytes: UInt32 { UInt32(codes.count) * 4 + (isChained ? 0 : 4) }
}
