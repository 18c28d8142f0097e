internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension AppleIPSParser {
  mutating func readThreads(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginArray() else { return }
    let isSecond = hasThreads
    hasThreads = true
    while try reader.nextElement() {
      if isSecond { continue }
      guard report.threads.count < AppleLimits.threads else {
        reach(AppleLimits.threads, of: "threads")
        continue
      }
      guard try reader.beginObject() else { continue }
      var thread = CrashThread(index: report.threads.count)
      // Also if the thread is truncated or damaged in the middle.
      defer { report.threads.append(thread) }
      try readThread(&reader, into: &thread)
    }
  }

  private mutating func readThread(
    _ reader: inout JSONReader, into thread: inout CrashThread
  ) throws(ParseError) {
    var queue: String?
    while try reader.nextKey() {
      if reader.keyIs("frames") {
        try Self.readFrames(
          &reader, into: &thread.frames, first: .exact, counting: &frameCount)
      } else if reader.keyIs("threadState") {
        try readState(&reader, into: &thread.registers)
      } else if reader.keyIs("id") {
        keepFirst(&thread.id, try reader.readUInt64())
      } else if reader.keyIs("triggered") {
        if try reader.readBool() == true { thread.crashed = true }
      } else if reader.keyIs("name") {
        keepFirst(&thread.name, try reader.readString())
      } else if reader.keyIs("queue") {
        keepFirst(&queue, try reader.readString())
      }
    }
    if thread.name?.isEmpty != false { thread.name = queue }
  }

  /// Reads the frames of one stack, youngest first; damage keeps those before it.
  ///
  /// An inlined call precedes the frame that contains it and shares its offset, so both point at the same
  /// kind of position: the first that is not inlined ends the youngest frame.
  ///
  /// - Parameters:
  ///   - frames: The destination; if it already has frames, these are skipped.
  ///   - first: The position of the youngest frame; every other is a return address.
  static func readFrames(
    _ reader: inout JSONReader, into frames: inout [Frame], first: CodePosition,
    counting count: inout Int
  ) throws(ParseError) {
    let isSecond = !frames.isEmpty
    guard try reader.beginArray() else { return }
    var position = first
    // The size of most stacks and states; growing moves them several times.
    frames.reserveCapacity(24)
    while try reader.nextElement() {
      guard !isSecond else { continue }
      count += 1
      guard count <= AppleLimits.frames, try reader.beginObject() else { continue }
      frames.append(try readFrame(&reader, position: position))
      if !frames[frames.count - 1].inlined { position = .returnAddress }
    }
  }

  private static func readFrame(
    _ reader: inout JSONReader, position: CodePosition
  ) throws(ParseError) -> Frame {
    var offset: UInt64?
    var image: Int?
    var symbol: String?
    var symbolOffset: UInt64?
    var file: String?
    var line: Int?
    var isInlined = false
    while try reader.nextKey() {
      if reader.keyIs("imageOffset") {
        if offset == nil { offset = try reader.readUInt64() }
      } else if reader.keyIs("symbol") {
        if symbol == nil { symbol = try reader.readString() }
      } else if reader.keyIs("imageIndex") {
        if image == nil { image = try reader.readInt() }
      } else if reader.keyIs("symbolLocation") {
        if symbolOffset == nil { symbolOffset = try reader.readUInt64() }
      } else if reader.keyIs("sourceLine") {
        if line == nil, let number = try reader.readInt(), number > 0 { line = number }
      } else if reader.keyIs("sourceFile") {
        if file == nil { file = try reader.readString() }
      } else if reader.keyIs("inline") {
        if try reader.readBool() == true { isInlined = true }
      }
    }
    // The text of an assertion, given as an inlined symbol, ends with its line end.
    if let text = symbol, text.utf8.last == 0x0A { symbol = text.trimmingBlankEnds() }
    return Frame(
      position: position, image: image, imageOffset: offset.map { ImageOffset($0) },
      function: symbol, symbolOffset: symbolOffset, file: file, line: line, inlined: isInlined)
  }

  /// `threadState`: an array of numbered registers, and named ones.
  private mutating func readState(
    _ reader: inout JSONReader, into registers: inout [Register]
  ) throws(ParseError) {
    let isSecond = !registers.isEmpty
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      let kind = try reader.peek()
      if kind == .array {
        let isX = reader.keyIs("x")
        if isX { registers.reserveCapacity(36) }
        let prefix = isX ? "x" : reader.key
        _ = try reader.beginArray()
        var number = 0
        while try reader.nextElement() {
          if let value = try Self.readRegisterValue(&reader), !isSecond {
            let name =
              isX && number < Self.generalRegisters.count
              ? Self.generalRegisters[number] : prefix + String(number)
            keep(Register(name, value), in: &registers)
          }
          number += 1
        }
      } else if kind == .object {
        let name = reader.key
        if let value = try Self.readRegisterValue(&reader), !isSecond {
          keep(Register(name, value), in: &registers)
        }
      }
    }
  }

  private static let generalRegisters = (0..<31).map { "x\($0)" }

  private static func readRegisterValue(_ reader: inout JSONReader) throws(ParseError) -> UInt64? {
    guard try reader.beginObject() else { return nil }
    var value: UInt64?
    while try reader.nextKey() {
      if reader.keyIs("value"), value == nil { value = try reader.readUInt64() }
    }
    return value
  }

  private mutating func keep(_ register: Register, in registers: inout [Register]) {
    guard registers.count < AppleLimits.registers else {
      reach(AppleLimits.registers, of: "registers of a thread")
      return
    }
    registers.append(register)
  }
}
