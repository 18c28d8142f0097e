internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report from the fields of its message.
struct PLCrashParser {
  private struct StackEntry {
    var address: UInt64
    var symbol: String?
    var symbolStart: UInt64
  }

  private struct ThreadEntry {
    var thread: CrashThread
    var stack: [StackEntry] = []
  }

  private var report = CrashReport(format: .plCrash)
  private var threads: [ThreadEntry] = []
  private var exception: (name: String?, reason: String?, stack: [StackEntry])?
  private var machCodes: [UInt64] = []
  private var machType: UInt64?
  private var signalCode: String?
  private var processor: Architecture?
  private var systemArchitecture: Architecture?
  private var start: UInt64?
  private var frameCount = 0

  // MARK: Reading

  /// Damage loses the field that it affects; a truncated file loses the rest.
  ///
  /// - Throws: ``ParseError`` when nothing was read.
  mutating func read(_ bytes: RawSpan, from position: Int) throws(ParseError) {
    var reader = ProtobufFields(bytes, position..<bytes.byteCount)
    var count = 0
    while true {
      do throws(ParseError) {
        guard let field = try reader.next() else { break }
        count += 1
        do throws(ParseError) { try read(field, bytes) } catch { note(error) }
      } catch {
        guard count > 0 else { throw error }
        // Writers create the file before its length is known.
        if !isFill(bytes.from(reader.position &- 1)) { note(error) }
        break
      }
    }
  }

  /// A text of the report. The crash may have overwritten it: then it is left out.
  private mutating func text(_ bytes: RawSpan, _ range: Range<Int>) -> String? {
    guard let text = bytes.protobufText(range) else { return nil }
    guard text.unicodeScalars.contains("\u{fffd}") else { return text }
    let note = "texts that the crash had overwritten were left out"
    if !report.notes.contains(note) { report.notes.append(note) }
    return nil
  }

  private func isFill(_ bytes: RawSpan) -> Bool {
    for index in 0..<min(bytes.byteCount, 4096) where bytes.byte(index) != 0 { return false }
    return true
  }

  private mutating func note(_ error: ParseError) {
    if report.notes.count < 4 { report.notes.append("the report is damaged: \(error.description)") }
  }

  private mutating func read(
    _ field: ProtobufFields.Field, _ bytes: RawSpan
  ) throws(ParseError) {
    var reader = ProtobufFields(bytes, field.range)
    switch field.number {
    case 1: while let field = try reader.next() { readSystem(field, bytes) }
    case 2:
      while let field = try reader.next() {
        switch field.number {
        case 1: report.app.identifier = text(bytes, field.range)
        case 2: report.app.build = text(bytes, field.range)
        case 3: report.app.version = text(bytes, field.range)
        default: break
        }
      }
    case 3: try readThread(bytes, field.range)
    case 4: try readImage(bytes, field.range)
    case 5: try readException(bytes, field.range)
    case 6: try readSignal(bytes, field.range)
    case 7: while let field = try reader.next() { readProcess(field, bytes) }
    case 8:
      while let field = try reader.next() {
        if field.number == 1 { report.device.model = text(bytes, field.range) }
        if field.number == 2 { processor = try readProcessor(bytes, field.range) }
        if field.number == 4 { report.tags[.cpuCount] = String(field.unsigned) }
      }
    case 9:
      while let field = try reader.next() {
        // The app requested a report and continued.
        if field.number == 1, field.isTrue { report.kind = .handled }
        if field.number == 2, field.range.count == 16 {
          report.incident = DebugID(uuid: bytes.protobufBytes(field.range)).description.uppercased()
        }
      }
    case 10: readCustomData(bytes.part(field.range))
    default: break
    }
  }

  /// 1 system, 2 version, 3 processor, 4 seconds since 1970, 5 build.
  private mutating func readSystem(_ field: ProtobufFields.Field, _ bytes: RawSpan) {
    switch field.number {
    case 1:
      switch field.unsigned {
      case 0: report.os.name = "macOS"
      case 1: report.os.name = "iOS"
      case 2:
        report.os.name = "iOS"
        report.tags[.platform] = "iOS simulator"
      case 4: report.os.name = "tvOS"
      default: break
      }
    case 2: report.os.version = text(bytes, field.range)
    case 3:
      // 6 means any later processor.
      let known: [Architecture] = [.i386, .x86_64, .armv6, .ppc, .ppc64, .armv7]
      if let index = field.int, known.indices.contains(index) { systemArchitecture = known[index] }
    case 4:
      if field.signed > 0, field.signed < 1 << 40 { report.time = Timestamp(seconds: field.signed) }
    case 5: report.os.build = text(bytes, field.range)
    default: break
    }
  }

  private mutating func readProcess(_ field: ProtobufFields.Field, _ bytes: RawSpan) {
    switch field.number {
    case 1:
      report.process.name = text(bytes, field.range)
      report.app.name = report.process.name
    case 2: report.process.pid = field.int
    case 3: report.process.path = text(bytes, field.range)
    case 4: report.tags[.processParent] = text(bytes, field.range)
    case 6: if !field.isTrue { report.tags[.processTranslated] = "true" }
    case 7: start = field.unsigned
    default: break
    }
  }

  /// 1 the encoding of the numbers that follow (1: Mach's), 2 type, 3 subtype.
  private func readProcessor(
    _ bytes: RawSpan, _ range: Range<Int>
  ) throws(ParseError) -> Architecture? {
    var reader = ProtobufFields(bytes, range)
    var isMach = false
    var type: UInt64?
    var subtype: UInt64 = 0
    while let field = try reader.next() {
      if field.number == 1 { isMach = field.unsigned == 1 }
      if field.number == 2 { type = field.unsigned }
      if field.number == 3 { subtype = field.unsigned }
    }
    guard isMach, let type = type.flatMap({ UInt32(exactly: $0) }) else { return nil }
    return Architecture(machCPU: type, subtype: UInt32(truncatingIfNeeded: subtype))
  }

  /// 1 number, 2 frames, 3 crashed, 4 registers.
  private mutating func readThread(_ bytes: RawSpan, _ range: Range<Int>) throws(ParseError) {
    guard threads.count < AppleLimits.threads else {
      reach(AppleLimits.threads, of: "threads")
      return
    }
    var reader = ProtobufFields(bytes, range)
    var entry = ThreadEntry(thread: CrashThread(index: threads.count))
    // A truncated last thread keeps the part before the cut.
    defer { threads.append(entry) }
    while let field = try reader.next() {
      switch field.number {
      case 1: entry.thread.index = field.int ?? entry.thread.index
      case 2: try readFrame(bytes, field.range, into: &entry.stack)
      case 3: entry.thread.crashed = field.isTrue
      case 4:
        var part = ProtobufFields(bytes, field.range)
        var register = Register("", 0)
        while let field = try part.next() {
          if field.number == 1 { register.name = bytes.part(field.range).name }
          if field.number == 2 { register.value = field.unsigned }
        }
        if entry.thread.registers.count < AppleLimits.registers {
          entry.thread.registers.append(register)
        }
      default: break
      }
    }
  }

  /// 3 address, 6 symbol: 1 name, 2 its start.
  private mutating func readFrame(
    _ bytes: RawSpan, _ range: Range<Int>, into stack: inout [StackEntry]
  ) throws(ParseError) {
    guard frameCount < AppleLimits.frames else {
      reach(AppleLimits.frames, of: "frames")
      return
    }
    frameCount += 1
    var reader = ProtobufFields(bytes, range)
    var entry = StackEntry(address: 0, symbolStart: 0)
    while let field = try reader.next() {
      if field.number == 3 { entry.address = field.unsigned }
      guard field.number == 6 else { continue }
      var part = ProtobufFields(bytes, field.range)
      while let field = try part.next() {
        if field.number == 1 { entry.symbol = text(bytes, field.range) }
        if field.number == 2 { entry.symbolStart = field.unsigned }
      }
    }
    stack.append(entry)
  }

  /// 1 address, 2 size, 3 path, 4 UUID, 5 processor.
  private mutating func readImage(_ bytes: RawSpan, _ range: Range<Int>) throws(ParseError) {
    guard report.images.count < AppleLimits.images else {
      reach(AppleLimits.images, of: "images")
      return
    }
    var reader = ProtobufFields(bytes, range)
    var image = LoadedImage(name: "???")
    while let field = try reader.next() {
      switch field.number {
      case 1: image.base = Address(field.unsigned)
      case 2: image.size = field.unsigned
      case 3:
        image.path = text(bytes, field.range)
        image.name = image.path.map { AppleNames.lastPart($0) } ?? "???"
      case 4:
        let id = DebugID(uuid: bytes.protobufBytes(field.range))
        if field.range.count == 16, !id.isZero { image.debugID = id }
      case 5: image.architecture = try readProcessor(bytes, field.range)
      default: break
      }
    }
    report.images.append(image)
  }

  /// 1 name, 2 reason, 3 frames.
  private mutating func readException(_ bytes: RawSpan, _ range: Range<Int>) throws(ParseError) {
    var reader = ProtobufFields(bytes, range)
    var stack: [StackEntry] = []
    var name: String?
    var reason: String?
    while let field = try reader.next() {
      if field.number == 1 { name = text(bytes, field.range) }
      if field.number == 2 { reason = text(bytes, field.range) }
      if field.number == 3 { try readFrame(bytes, field.range, into: &stack) }
    }
    exception = (name, reason, stack)
  }

  /// 1 name, 2 name of the code, 3 address, 4 the exception of Mach: 1 type, 2 codes.
  private mutating func readSignal(_ bytes: RawSpan, _ range: Range<Int>) throws(ParseError) {
    var reader = ProtobufFields(bytes, range)
    while let field = try reader.next() {
      switch field.number {
      case 1: report.reason.signal = text(bytes, field.range)
      case 2: signalCode = text(bytes, field.range)
      case 3: report.reason.address = Address(field.unsigned)
      case 4:
        var part = ProtobufFields(bytes, field.range)
        while let field = try part.next() {
          if field.number == 1 { machType = field.unsigned }
          guard field.number == 2, machCodes.count < 8 else { continue }
          guard case .bytes(let range) = field.value else {
            machCodes.append(field.unsigned)
            continue
          }
          // Some encoders pack repeated numbers.
          machCodes += try packedNumbers(bytes, range)
        }
      default: break
      }
    }
  }

  private func packedNumbers(
    _ bytes: RawSpan, _ range: Range<Int>
  ) throws(ParseError) -> [UInt64] {
    var reader = ByteReader(bytes.part(range), reading: "PLCrashReporter report")
    var numbers: [UInt64] = []
    while !reader.isAtEnd, numbers.count < 8 { numbers.append(try reader.readULEB128()) }
    return numbers
  }

  /// Reads the app's own data in the report.
  private mutating func readCustomData(_ bytes: RawSpan) {
    guard bytes.byteCount > 0 else { return }
    let text = bytes.upTo(FormatLimits.nameBytes).text
    let isText = text.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" || $0 == "\t" }
    if isText, !text.unicodeScalars.contains("\u{fffd}") {
      report.properties["custom_data"] = text.cut(AppCenterLimits.textBytes)
    } else {
      report.notes.append("\(bytes.byteCount) bytes that the app added are not text")
    }
  }

  private mutating func reach(_ limit: Int, of what: String) {
    let note = "only the first \(limit) \(what) were read"
    if !report.notes.contains(note) { report.notes.append(note) }
  }

  // MARK: The report

  consuming func finished() -> CrashReport {
    // The device's processor may differ from the program's architecture.
    let architecture = report.images.first?.architecture ?? processor ?? systemArchitecture
    report.device.architecture = architecture
    if report.app.version == nil {
      report.app.version = report.app.build
      report.app.build = nil
    }
    if let start, let time = report.time, start > 0, start < 1 << 40 {
      report.process.uptime = Timestamp(seconds: Int64(start)).seconds(to: time)
    }
    let map = AppleAddressMap(report.images)
    for entry in threads {
      var thread = entry.thread
      thread.frames = Self.frames(entry.stack, map, first: .exact)
      report.threads.append(thread)
    }
    report.crashedThread = report.threads.firstIndex { $0.crashed }
    finishReason(map, isARM: architecture?.description.hasPrefix("arm") ?? true)
    if report.threads.isEmpty { report.notes.append("the report has no thread") }
    return report
  }

  private mutating func finishReason(_ map: AppleAddressMap, isARM: Bool) {
    if let machType, let type = UInt32(exactly: machType) {
      report.reason.type = MachException.name(type)
      report.tags[.exceptionCodes] =
        machCodes.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
      if let code = machCodes.first, code != 0 {
        report.reason.code = MachException.code(
          UInt32(truncatingIfNeeded: code), of: type, wide: code, isARM: isARM)
      }
      // The address of a bad access is the second code; the signal may not have it. Intel's processors do not
      // give the address of a general protection fault, and other exceptions have none.
      if type == 1, machCodes.count > 1 {
        report.reason.address = machCodes[0] == 13 && !isARM ? nil : Address(machCodes[1])
      } else if report.reason.address == Address(0) {
        report.reason.address = nil
      }
    } else if let signalCode, !signalCode.hasPrefix("#") {
      report.reason.code = signalCode
    }
    // Nothing was accessed: it is the address of the instruction that sent the signal.
    if report.reason.signal == "SIGABRT" { report.reason.address = nil }
    guard let exception else { return }
    report.reason.exception = LanguageException(
      type: exception.name, message: exception.reason?.cutMessage,
      frames: Self.frames(exception.stack, map, first: .returnAddress))
    report.reason.message = exception.reason?.cutMessage
  }

  private static func frames(
    _ stack: [StackEntry], _ map: AppleAddressMap, first: CodePosition
  ) -> [Frame] {
    stack.enumerated().map { index, entry in
      var frame = map.frame(at: entry.address, position: index == 0 ? first : .returnAddress)
      if let symbol = entry.symbol {
        // The names of the symbol table begin with an underscore, those of Objective-C methods do not.
        let isC = symbol.hasPrefix("_")
        frame.takeSymbol(isC ? String(symbol.dropFirst()) : symbol, start: entry.symbolStart)
      }
      return frame
    }
  }
}
