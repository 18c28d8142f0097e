internal import Bytes
internal import CrashModel
internal import Identifiers

/// The protobuf message of a tombstone.
///
/// Source: `debuggerd/proto/tombstone.proto` of Android 12 to 16.
struct TombstoneMessage {
  /// Numbers of its fields.
  enum Number {
    static let arch: UInt64 = 1
    static let fingerprint: UInt64 = 2
    static let revision: UInt64 = 3
    static let timestamp: UInt64 = 4
    static let pid: UInt64 = 5
    static let tid: UInt64 = 6
    static let uid: UInt64 = 7
    static let commandLine: UInt64 = 9
    static let signal: UInt64 = 10
    static let abortMessage: UInt64 = 14
    static let causes: UInt64 = 15
    static let threads: UInt64 = 16
    static let uptime: UInt64 = 20
    static let crashDetails: UInt64 = 21
    static let guestThreads: UInt64 = 25
  }

  private let architectures = ["arm", "arm64", "x86", "x86_64", "riscv64", "none"]
  private var header = AndroidHeader(CrashReport(format: .androidTombstoneMessage))
  private var images = AndroidImages()
  private var crashedID: UInt64 = 0
  private var architecture: Int = 0
  private var threads: [CrashThread] = []
  private var guests: [CrashThread] = []
  private var otherStacks: [NamedStack] = []
  private var reason = CrashReason()
  private var causes: [String] = []
  private var leftOut = 0
  /// Whether the message has a signal or a thread: the other fields also fit other messages.
  private var hasContent = false

  /// - Throws: ``ParseError`` when the bytes are not such a message.
  static func report(of bytes: RawSpan) throws(ParseError) -> CrashReport {
    var message = TombstoneMessage()
    message.read(bytes)
    guard message.hasContent else {
      throw ParseError(.notRecognised, in: "protobuf message without a thread or a signal", at: 0)
    }
    return message.finished()
  }

  /// Damage loses the field that it affects; a truncated file loses the rest.
  private mutating func read(_ bytes: RawSpan) {
    var reader = ProtobufFields(bytes)
    while true {
      do throws(ParseError) {
        guard let field = try reader.next() else { return }
        do throws(ParseError) { try read(field, bytes) } catch { note(error) }
      } catch {
        note(error)
        return
      }
    }
  }

  private mutating func note(_ error: ParseError) {
    if header.report.notes.count < 4 {
      header.report.notes.append("the message is damaged: \(error.description)")
    }
  }

  private mutating func read(
    _ field: ProtobufFields.Field, _ bytes: RawSpan
  ) throws(ParseError) {
    switch field.number {
    case Number.arch: architecture = field.int ?? 0
    case Number.fingerprint: header.takeFingerprint(bytes.part(field.range).name)
    case Number.revision: keep(.hardwareRevision, bytes.protobufText(field.range))
    case Number.timestamp: header.setTime(bytes.part(field.range).name)
    case Number.pid: header.report.process.pid = field.int
    case Number.tid: crashedID = field.unsigned
    case Number.uid: keep(.processUser, String(field.unsigned))
    case Number.commandLine:
      if let command = bytes.protobufText(field.range) { header.setCommand(command) }
    case Number.signal: try readSignal(bytes, field.range)
    case Number.abortMessage: reason.message = bytes.protobufText(field.range)?.cutMessage
    case Number.causes: try readCause(bytes, field.range)
    case Number.threads: try readThread(bytes, field.range, isGuest: false)
    case Number.guestThreads: try readThread(bytes, field.range, isGuest: true)
    case Number.uptime: header.report.process.uptime = Double(field.unsigned)
    case Number.crashDetails: try readDetail(bytes, field.range)
    default: break
    }
  }

  private mutating func keep(_ tag: ReportTag, _ text: String?) {
    if header.report.tags[tag] == nil { header.report.tags[tag] = text }
  }

  /// 1 number, 2 name, 3 code, 4 name of the code, 5 whether it was sent, 6 by which user, 7 and process,
  /// 8 whether there is an address, 9 the address.
  private mutating func readSignal(_ bytes: RawSpan, _ range: Range<Int>) throws(ParseError) {
    hasContent = true
    var reader = ProtobufFields(bytes, range)
    var number: UInt64 = 0
    var name: String?
    var code: Int64 = 0
    var codeName: String?
    var sender: (isKnown: Bool, user: Int64, process: Int64) = (false, 0, 0)
    var hasAddress = false
    var address: UInt64 = 0
    while let field = try reader.next() {
      switch field.number {
      case 1: number = field.unsigned
      case 2: name = bytes.protobufText(field.range)
      case 3: code = field.signed
      case 4: codeName = bytes.protobufText(field.range)
      case 5: sender.isKnown = field.isTrue
      case 6: sender.user = field.signed
      case 7: sender.process = field.signed
      case 8: hasAddress = field.isTrue
      case 9: address = field.unsigned
      default: break
      }
    }
    let isNamed = name?.hasPrefix("SIG") == true
    reason.signal =
      isNamed ? name : UInt32(exactly: number).flatMap(LinuxSignal.name) ?? "signal \(number)"
    reason.code = codeName ?? (code == 0 ? nil : String(code))
    if reason.code == "?" { reason.code = nil }
    if hasAddress { reason.address = Address(address) }
    if sender.isKnown {
      header.report.tags[.signalSender] = "pid \(sender.process), uid \(sender.user)"
    }
  }

  /// 1 text for display, 2 the memory error; its field 3 is the block of memory, with 3 and 5 the threads
  /// that allocated and freed it, and 4 and 6 their stacks.
  private mutating func readCause(_ bytes: RawSpan, _ range: Range<Int>) throws(ParseError) {
    var reader = ProtobufFields(bytes, range)
    while let field = try reader.next() {
      if field.number == 1, causes.count < 16, let text = bytes.protobufText(field.range) {
        causes.append(text)
      }
      guard field.number == 2 else { continue }
      var error = ProtobufFields(bytes, field.range)
      while let part = try error.next() {
        guard part.number == 3 else { continue }
        var heap = ProtobufFields(bytes, part.range)
        var allocated: (thread: UInt64, frames: [Frame]) = (0, [])
        var freed: (thread: UInt64, frames: [Frame]) = (0, [])
        while let fact = try heap.next() {
          switch fact.number {
          case 3: allocated.thread = fact.unsigned
          case 4: try readFrame(bytes, fact.range, into: &allocated.frames, firstIsExact: false)
          case 5: freed.thread = fact.unsigned
          case 6: try readFrame(bytes, fact.range, into: &freed.frames, firstIsExact: false)
          default: break
          }
        }
        addStack("deallocated by thread \(freed.thread)", freed.frames)
        addStack("allocated by thread \(allocated.thread)", allocated.frames)
      }
    }
  }

  private mutating func addStack(_ title: String, _ frames: [Frame]) {
    guard !frames.isEmpty else { return }
    guard otherStacks.count < FormatLimits.stacks else {
      leftOut += 1
      return
    }
    otherStacks.append(NamedStack(title: title, frames: frames))
  }

  /// 1 name, 2 bytes; added by programs.
  private mutating func readDetail(_ bytes: RawSpan, _ range: Range<Int>) throws(ParseError) {
    var reader = ProtobufFields(bytes, range)
    var name: String?
    var data: String?
    while let field = try reader.next() {
      if field.number == 1 { name = bytes.protobufText(field.range) }
      if field.number == 2 { data = bytes.protobufText(field.range) }
    }
    guard let name, let data, header.report.properties.count < FormatLimits.registers else {
      return
    }
    header.report.properties[name.cut(1024)] = data.cut(1024)
  }

  /// An entry of the map: 1 the thread's id, 2 the thread, with 1 id, 2 name, 3 registers, 4 frames.
  private mutating func readThread(
    _ bytes: RawSpan, _ range: Range<Int>, isGuest: Bool
  ) throws(ParseError) {
    hasContent = true
    let count = threads.count + guests.count
    guard count < FormatLimits.stacks else {
      leftOut += 1
      return
    }
    var entry = ProtobufFields(bytes, range)
    var thread = CrashThread(index: 0)
    var number: UInt64 = 0
    while let field = try entry.next() {
      if field.number == 1 { number = field.unsigned }
      guard field.number == 2 else { continue }
      var reader = ProtobufFields(bytes, field.range)
      while let part = try reader.next() {
        switch part.number {
        case 1: thread.id = part.unsigned
        case 2: thread.name = bytes.protobufText(part.range)
        case 3: try readRegister(bytes, part.range, into: &thread.registers)
        case 4:
          try readFrame(bytes, part.range, into: &thread.frames, firstIsExact: true)
        default: break
        }
      }
    }
    if thread.id == nil || thread.id == 0 { thread.id = number }
    if isGuest { guests.append(thread) } else { threads.append(thread) }
  }

  private mutating func readRegister(
    _ bytes: RawSpan, _ range: Range<Int>, into registers: inout [Register]
  ) throws(ParseError) {
    var reader = ProtobufFields(bytes, range)
    var register = Register("", 0)
    while let field = try reader.next() {
      if field.number == 1 { register.name = bytes.part(field.range).name }
      if field.number == 2 { register.value = field.unsigned }
    }
    if registers.count < FormatLimits.registers { registers.append(register) }
  }

  /// 1 address in the file, 2 address, 4 function, 5 offset in it, 6 file, 7 offset of the library in the
  /// file, 8 build id.
  private mutating func readFrame(
    _ bytes: RawSpan, _ range: Range<Int>, into frames: inout [Frame], firstIsExact: Bool
  ) throws(ParseError) {
    guard frames.count < FormatLimits.framesPerStack else {
      leftOut += 1
      return
    }
    var reader = ProtobufFields(bytes, range)
    var frame = Frame(position: frames.isEmpty && firstIsExact ? .exact : .adjusted)
    var relative: UInt64 = 0
    var address: UInt64 = 0
    var offset: UInt64 = 0
    var path: String?
    var fileOffset: UInt64 = 0
    var buildID: String?
    while let field = try reader.next() {
      switch field.number {
      case 1: relative = field.unsigned
      case 2: address = field.unsigned
      case 4: frame.function = bytes.protobufText(field.range)
      case 5: offset = field.unsigned
      case 6: path = bytes.protobufText(field.range)
      case 7: fileOffset = field.unsigned
      case 8: buildID = bytes.protobufText(field.range)
      default: break
      }
    }
    if frame.function != nil { frame.symbolOffset = offset }
    if address != 0 || path == nil { frame.address = Address(address != 0 ? address : relative) }
    if let path, path != "<unknown>" {
      frame.image = images.index(of: path, fileOffset: fileOffset, buildID: buildID)
      frame.imageOffset = ImageOffset(relative)
      // The linker's addresses begin at 0 in all libraries that Android loads since its version 6.
      if let image = frame.image, address >= relative, address > 0 {
        images.setBase(address - relative, of: image)
      }
    }
    frames.append(frame)
  }

  private consuming func finished() -> CrashReport {
    if architectures.indices.contains(architecture) {
      header.setArchitecture(architectures[architecture])
    }
    reason.message = reason.message.flatMap { $0.isEmpty ? nil : $0 }
    var report = header.finished()
    report.reason = reason
    if !causes.isEmpty { report.tags[.cause] = causes.joined(separator: "\n").cutMessage }
    if TombstoneSignal.isRequest(report.reason.signal) { report.kind = .other }
    // A map has no order; the crashed thread comes first, as in the text.
    let pid = report.process.pid.flatMap { UInt64(exactly: $0) }
    let crashed = crashedID != 0 ? crashedID : pid ?? 0
    threads.sort { left, right in
      (left.id == crashed ? 0 : 1, left.id ?? 0) < (right.id == crashed ? 0 : 1, right.id ?? 0)
    }
    for index in threads.indices {
      threads[index].index = index
      threads[index].crashed = index == 0 && threads[index].id == crashed
    }
    report.crashedThread = threads.first?.crashed == true ? 0 : nil
    report.threads = threads
    for guest in guests.sorted(by: { ($0.id ?? 0) < ($1.id ?? 0) }) where !guest.frames.isEmpty {
      otherStacks.append(
        NamedStack(title: "guest thread \(guest.id ?? 0)", frames: guest.frames))
    }
    report.otherStacks = otherStacks
    takeImages(into: &report)
    if report.threads.first?.frames.isEmpty ?? true {
      report.notes.append("the report has no stack")
    }
    if leftOut > 0 { report.notes.append("\(leftOut) parts beyond a limit were left out") }
    return report
  }

  /// The images in the order in which the threads name them, as in the text.
  private func takeImages(into report: inout CrashReport) {
    var newIndices = [Int?](repeating: nil, count: images.images.count)
    var ordered: [LoadedImage] = []
    func renumber(_ frames: inout [Frame]) {
      for index in frames.indices {
        guard let image = frames[index].image else { continue }
        if newIndices[image] == nil {
          newIndices[image] = ordered.count
          ordered.append(images.images[image])
        }
        frames[index].image = newIndices[image]
      }
    }
    for index in report.threads.indices { renumber(&report.threads[index].frames) }
    for index in report.otherStacks.indices { renumber(&report.otherStacks[index].frames) }
    for index in ordered.indices { ordered[index].architecture = report.device.architecture }
    report.images = ordered
  }
}
