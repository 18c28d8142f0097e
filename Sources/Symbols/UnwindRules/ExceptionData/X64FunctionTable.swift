internal import Bytes
internal import ObjectFormats

/// The function table (`.pdata`) of 64-bit x86 Windows programs.
///
///     OFFSET  SIZE  FIELD
///          0     4  start of the function, from the image base
///          4     4  its end
///          8     4  its unwind information; bit 0 set: another entry of this table
///
/// Functions without an entry preserve all registers and the stack pointer.
///
/// Source: Microsoft, "x64 exception handling", "struct RUNTIME_FUNCTION".
struct X64FunctionTable {
  private static let entrySize = 12
  /// The longest chain of unwind information.
  private static let chainLimit = 32
  private static let stackPointer: UInt8 = 7
  private static let returnAddress: UInt16 = 16
  /// The DWARF numbers of the registers by their numbers in instructions.
  private static let registers: [UInt16] = [
    0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15,
  ]
  private static let xmm: UInt16 = 17

  let image: LoadedSections

  /// Passes the rules of the functions in `table` to `builder`. Damage costs only the function that
  /// it affects.
  func read(_ table: ByteView, into builder: inout UnwindBuilder, rank: UInt32) {
    builder.sources.insert(.exceptionData)
    // Unwind information may be shared by any number of functions.
    builder.allow(bytes: table.count + image.count)
    var reader = ByteReader(table.bytes, reading: "function table")
    while reader.remaining >= Self.entrySize, !builder.isExhausted {
      do throws(ParseError) {
        let start: UInt32 = try reader.read()
        let end: UInt32 = try reader.read()
        let info: UInt32 = try reader.read()
        guard start < end else { continue }
        try add(start, end, info: info, rank: rank, to: &builder)
      } catch {
        builder.note(error.description)
      }
    }
  }

  /// The unwind information at `address`, followed by the chained ones.
  private func chain(at address: UInt32) throws(ParseError) -> [X64UnwindInfo] {
    var chain: [X64UnwindInfo] = []
    var next: UInt32? = address
    while var address = next {
      guard chain.count < Self.chainLimit else {
        throw ParseError(
          .limit(name: "chained informations", value: Self.chainLimit), in: "unwind info",
          at: Int(address))
      }
      if address & 1 != 0 {
        let entry = try image.bytes(
          at: address & ~3, count: Self.entrySize, of: "function table")
        address = entry.bytes.word32(at: 8)
        guard address & 1 == 0 else {
          throw ParseError(.invalid("a circle of entries"), in: "function table", at: Int(address))
        }
      }
      guard let bytes = image.bytes(at: address) else {
        throw ParseError(
          .outOfBounds(offset: UInt64(address), count: 4, size: image.count), in: "unwind info",
          at: Int(address))
      }
      let info = try X64UnwindInfo(parsing: bytes)
      chain.append(info)
      next = info.parent
    }
    return chain
  }

  private func add(
    _ start: UInt32, _ end: UInt32, info: UInt32, rank: UInt32, to builder: inout UnwindBuilder
  ) throws(ParseError) {
    let chain = try chain(at: info)
    guard let first = chain.first else { return }
    let codeCount = chain.reduce(chain.count) { $0 + $1.codes.count }
    try builder.spend(codeCount)
    builder.open(start, end, rank: rank)
    // A row for each step of the prologue; after it all steps have been executed.
    var offsets: [UInt8] = first.codes.map(\.offset) + [0]
    offsets.sort()
    var last: UInt8?
    for offset in offsets where offset != last && UInt32(offset) < end - start {
      last = offset
      try builder.spend(codeCount)
      let undo = try undo(chain, codes: first.codes.filter { $0.offset <= offset }[...])
      try undo.setRules(in: &builder)
      try builder.addRow(start + UInt32(offset))
    }
    builder.close()
    try addEpilogues(chain, start, end, rank: rank, to: &builder)
  }

  /// The steps that take the frame down when `codes` of the first information have been executed,
  /// and all of those chained to it.
  private func undo(
    _ chain: [X64UnwindInfo], codes: ArraySlice<X64UnwindInfo.Code>
  ) throws(ParseError) -> EpilogueSimulator {
    var undo = EpilogueSimulator(
      stackPointer: Self.stackPointer, returnAddressRegister: UInt8(Self.returnAddress))
    var hasMachineFrame = false
    // Saved registers are relative to the frame pointer as soon as there is one.
    var base = undo.stack
    if let first = chain.first, first.frameRegister != 0,
      first.parent != nil
        || codes.contains(where: { $0.operation == X64UnwindInfo.Operation.setFrame })
    {
      base = EpilogueSimulator.RegisterOffset(
        register: UInt8(Self.registers[Int(first.frameRegister)]), offset: -first.frameOffset)
    }
    for (index, info) in chain.enumerated() {
      for code in index == 0 ? codes : info.codes[...] {
        try Self.step(code, info, base, &undo, &hasMachineFrame)
      }
    }
    if !hasMachineFrame {
      undo.restore(Self.returnAddress, at: 0)
      undo.free(8)
    }
    return undo
  }

  private static func step(
    _ code: X64UnwindInfo.Code, _ info: X64UnwindInfo, _ base: EpilogueSimulator.RegisterOffset,
    _ undo: inout EpilogueSimulator, _ hasMachineFrame: inout Bool
  ) throws(ParseError) {
    typealias Operation = X64UnwindInfo.Operation
    let register = registers[Int(code.info)]
    func slot(_ offset: Int64) -> EpilogueSimulator.RegisterOffset {
      EpilogueSimulator.RegisterOffset(register: base.register, offset: base.offset + offset)
    }
    switch code.operation {
    case Operation.push:
      undo.restore(register, at: 0)
      undo.free(8)
    case Operation.allocateLarge:
      undo.free(Int64(code.operand) * (code.info == 0 ? 8 : 1))
    case Operation.allocateSmall: undo.free(Int64(code.info) * 8 + 8)
    case Operation.setFrame:
      let frame = registers[Int(info.frameRegister)]
      guard info.frameRegister != 0, !undo.hasRestored(frame) else {
        throw ParseError(.invalid("a frame without its register"), in: "unwind info", at: 0)
      }
      undo.setStack(to: UInt8(frame), plus: -info.frameOffset)
    case Operation.save: undo.restore(register, from: slot(Int64(code.operand) * 8))
    case Operation.saveFar: undo.restore(register, from: slot(Int64(code.operand)))
    case Operation.saveXMM:
      undo.restore(xmm + UInt16(code.info), from: slot(Int64(code.operand) * 16))
    case Operation.saveXMMFar:
      undo.restore(xmm + UInt16(code.info), from: slot(Int64(code.operand)))
    case Operation.machineFrame:
      // An interrupt pushed, from the top down: ss, rsp, flags, cs, rip, and perhaps an error code.
      let skipped: Int64 = code.info == 0 ? 0 : 8
      undo.restore(returnAddress, at: skipped)
      undo.restore(UInt16(stackPointer), at: skipped + 24)
      undo.free(skipped + 40)
      undo.flags.insert(.signalFrame)
      hasMachineFrame = true
    default: break
    }
  }

  /// The rows of epilogues that version 2 describes. They begin with the first register that is
  /// popped; a pop takes a byte, of the newer registers two.
  private func addEpilogues(
    _ chain: [X64UnwindInfo], _ start: UInt32, _ end: UInt32, rank: UInt32,
    to builder: inout UnwindBuilder
  ) throws(ParseError) {
    typealias Operation = X64UnwindInfo.Operation
    guard let info = chain.first, let first = info.epilogues.first else { return }
    // The pushes are contiguous, perhaps in chained information; anything put on the stack after
    // them has been removed.
    let tail =
      chain.lazy.map { $0.codes.drop { $0.operation != Operation.push } }
      .first { !$0.isEmpty } ?? []
    let isMirrored = tail.allSatisfy { code in
      code.operation == Operation.push || code.operation == Operation.machineFrame
        // The flags, which popfq pops.
        || code.operation == Operation.allocateSmall && code.info == 0
    }
    guard isMirrored, first > 0 else { return }
    for distance in info.epilogues where distance <= end - start {
      try builder.spend(tail.count * tail.count)
      let epilogueStart = end - distance
      let epilogueEnd = epilogueStart + min(info.epilogueSize, distance)
      builder.open(epilogueStart, epilogueEnd, rank: rank)
      var address = epilogueStart
      for index in tail.startIndex...tail.endIndex where address < epilogueEnd {
        let undo = try undo([info], codes: tail[index...])
        try undo.setRules(in: &builder)
        try builder.addRow(address)
        if index < tail.endIndex {
          address += tail[index].operation == Operation.push && tail[index].info >= 8 ? 2 : 1
        }
      }
      builder.close()
    }
  }
}
