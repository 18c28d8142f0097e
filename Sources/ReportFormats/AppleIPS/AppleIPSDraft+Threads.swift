internal import Bytes
internal import CrashModel
internal import JSON

extension AppleIPSDraft {
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
      // The thread stands in the report before it is read whole, for a cut in the middle of it.
      let index = report.threads.count
      report.threads.append(CrashThread(index: index))
      try readThread(&reader, index)
    }
  }

  private mutating func readThread(
    _ reader: inout JSONReader, _ index: Int
  ) throws(ParseError) {
    var queue: String?
    while try reader.nextKey() {
      if reader.keyIs("frames") {
        try Self.readFrames(
          &reader, into: &report.threads[index].frames, first: .exact, counting: &frameCount)
      } else if reader.keyIs("threadState") {
        try readState(&reader, index)
      } else if reader.keyIs("id") {
        keepFirst(&report.threads[index].id, try reader.readUInt64())
      } else if reader.keyIs("triggered") {
        if try reader.readBool() == true { report.threads[index].crashed = true }
      } else if reader.keyIs("name") {
        keepFirst(&report.threads[index].name, try reader.readString())
      } else if reader.keyIs("queue") {
        keepFirst(&queue, try reader.readString())
      }
    }
    if report.threads[index].name?.isEmpty != false { report.threads[index].name = queue }
  }

  /// Reads the frames of one stack, youngest first; damage leaves those that stood before it.
  ///
  /// An inlined call stands before the frame that holds it and shares its offset, so both point at
  /// the same kind of place: the first that is not inlined ends the youngest frame.
  ///
  /// - Parameters:
  ///   - frames: Where they go; if some are there already, these are passed over.
  ///   - first: What the youngest frame points at; every other is a return address.
  static func readFrames(
    _ reader: inout JSONReader, into frames: inout [Frame], first: CodePosition,
    counting count: inout Int
  ) throws(ParseError) {
    let isSecond = !frames.isEmpty
    guard try reader.beginArray() else { return }
    var position = first
    while try reader.nextElement() {
      guard !isSecond else { continue }
      count += 1
      guard count <= AppleLimits.frames, try reader.beginObject() else { continue }
      var frame = Frame(position: position)
      try readFrame(&reader, into: &frame)
      if !frame.inlined { position = .returnAddress }
      frames.append(frame)
    }
  }

  private static func readFrame(
    _ reader: inout JSONReader, into frame: inout Frame
  ) throws(ParseError) {
    while try reader.nextKey() {
      if reader.keyIs("imageOffset") {
        if frame.imageOffset == nil {
          frame.imageOffset = try reader.readUInt64().map { ImageOffset($0) }
        }
      } else if reader.keyIs("imageIndex") {
        keepFirst(&frame.image, try reader.readInt())
      } else if reader.keyIs("symbol") {
        keepFirst(&frame.function, try reader.readString())
      } else if reader.keyIs("symbolLocation") {
        keepFirst(&frame.symbolOffset, try reader.readUInt64())
      } else if reader.keyIs("sourceFile") {
        keepFirst(&frame.file, try reader.readString())
      } else if reader.keyIs("sourceLine") {
        if let line = try reader.readInt(), line > 0 { keepFirst(&frame.line, line) }
      } else if reader.keyIs("inline") {
        if try reader.readBool() == true { frame.inlined = true }
      }
    }
  }

  /// `threadState`: an array of numbered registers, and named ones beside it.
  private mutating func readState(
    _ reader: inout JSONReader, _ index: Int
  ) throws(ParseError) {
    guard try reader.beginObject() else { return }
    let isSecond = !report.threads[index].registers.isEmpty
    while try reader.nextKey() {
      let kind = try reader.peek()
      if kind == .array {
        let isX = reader.keyIs("x")
        let prefix = isX ? "x" : reader.key
        _ = try reader.beginArray()
        var number = 0
        while try reader.nextElement() {
          guard let value = try Self.readRegisterValue(&reader), !isSecond else { continue }
          keepRegister(prefix + String(number), value, index)
          number += 1
        }
      } else if kind == .object {
        let name = reader.key
        if let value = try Self.readRegisterValue(&reader), !isSecond {
          keepRegister(name, value, index)
        }
      }
    }
  }

  private static func readRegisterValue(_ reader: inout JSONReader) throws(ParseError) -> UInt64? {
    guard try reader.beginObject() else { return nil }
    var value: UInt64?
    while try reader.nextKey() {
      if reader.keyIs("value") { keepFirst(&value, try reader.readUInt64()) }
    }
    return value
  }

  private mutating func keepRegister(_ name: String, _ value: UInt64, _ index: Int) {
    guard report.threads[index].registers.count < AppleLimits.registers else {
      reach(AppleLimits.registers, of: "registers of a thread")
      return
    }
    report.threads[index].registers.append(Register(name, value))
  }
}
