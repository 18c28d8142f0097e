internal import Bytes
internal import CrashModel
internal import Identifiers

/// Builds a Swift backtrace from its lines.
struct SwiftTextParser {
  /// The section of the report that the lines belong to.
  private enum Section {
    case head, thread, registers, images, other
  }

  private var section = Section.head
  private(set) var threads: [CrashThread] = []
  private(set) var crashed: Int?
  private(set) var architecture: Architecture?
  private(set) var os = OperatingSystem()
  private(set) var notes: [String] = []
  /// The frames of each thread as printed.
  private var lines: [[SwiftFrameLine]] = []
  private var images: [LoadedImage] = []
  private var crashRegisters: [Register] = []
  private var droppedFrames = 0
  private var droppedThreads = 0
  private var droppedImages = 0
  private var seen: Set<String> = []
  private(set) var isComplete = false

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    guard line.byteCount > 0 else { return true }
    if line.has("Thread "), startThread(line) { return true }
    if line.has("Backtrace took ") {
      isComplete = true
      return false
    }
    if line.has("Platform: ") {
      readPlatform(line.from(10))
      return true
    }
    if line.has("Registers:") {
      section = .registers
      return true
    }
    if line.has("Images:") || line.has("Images (") {
      section = .images
      return true
    }
    if line.has("Crashing address is unreadable") || line.has("Press space to interact") {
      return true
    }
    switch section {
    case .thread: if !takeFrame(line) { takeRegisters(line) }
    case .registers: takeRegisters(line)
    case .images: takeImage(line)
    case .head, .other: break
    }
    return true
  }

  /// `Thread N`, its name in quotes if it has one, `crashed`, a colon.
  private mutating func startThread(_ line: RawSpan) -> Bool {
    var position = 7
    guard let number = line.decimal(at: &position),
      line.byteOrZero(line.byteCount - 1) == UInt8(ascii: ":")
    else { return false }
    let rest = line.part(position..<line.byteCount - 1).trimmed
    var name: String?
    var words = rest
    if rest.has("\""), let close = rest.findLast(UInt8(ascii: "\"")), close > 0 {
      name = rest.part(1..<close).name
      words = rest.from(close + 1).trimmed
    }
    let hasCrashed = words.has("crashed")
    guard words.byteCount == 0 || hasCrashed else { return false }
    guard threads.count < FormatLimits.stacks else {
      droppedThreads += 1
      section = .other
      return true
    }
    threads.append(
      CrashThread(index: Int(clamping: number), name: name, crashed: hasCrashed))
    lines.append([])
    if hasCrashed, crashed == nil { crashed = threads.count - 1 }
    section = .thread
    return true
  }

  private mutating func takeFrame(_ line: RawSpan) -> Bool {
    guard let thread = threads.indices.last else { return false }
    guard let frame = SwiftFrameLine(line) else { return line.has("...") }
    if frame.address == nil, frame.symbol == nil, frame.image == nil {
      return line.ends(with: "...")
    }
    // `INDEX ...` denotes omitted frames.
    if frame.address == nil, frame.symbol == "..." { return true }
    guard lines[thread].count < FormatLimits.framesPerStack else {
      droppedFrames += 1
      return true
    }
    lines[thread].append(frame)
    return true
  }

  /// `NAME 0xVALUE  …` or several pairs on a line.
  private mutating func takeRegisters(_ line: RawSpan) {
    var position = 0
    while position < line.byteCount {
      let start = position
      while position < line.byteCount, !line.byte(position).isBlank { position += 1 }
      let name = line.part(start..<position)
      guard name.byteCount > 0, name.byteCount < 12, name.byte(0).isLetter else { return }
      position = line.skippingBlanks(from: position)
      guard let value = line.hexadecimal(at: &position) else { return }
      let register = Register(name.name, value)
      if section == .registers {
        guard crashRegisters.count < FormatLimits.registers else { return }
        crashRegisters.append(register)
      } else if let thread = threads.indices.last {
        guard threads[thread].registers.count < FormatLimits.registers else { return }
        threads[thread].registers.append(register)
      }
      position = line.skippingBlanks(from: position)
    }
  }

  /// `0xSTART–0xEND BUILDID NAME PATH`; the dash is U+2013.
  private mutating func takeImage(_ line: RawSpan) {
    var position = 0
    guard let start = line.hexadecimal(at: &position) else { return }
    if line.has("\u{2013}", at: position) {
      position += 3
    } else if line.byteOrZero(position) == UInt8(ascii: "-") {
      position += 1
    } else {
      return
    }
    guard let end = line.hexadecimal(at: &position), end >= start else { return }
    guard images.count < FormatLimits.images else {
      droppedImages += 1
      return
    }
    var rest = line.from(position).trimmed
    var code: CodeID?
    if rest.has("<no build ID>") {
      rest = rest.from(13).trimmed
    } else if let blank = rest.find(32), let id = CodeID(rest.upTo(blank).name) {
      code = id
      rest = rest.from(blank + 1).trimmed
    }
    // The path begins at the first blank that a path can follow; a name may hold blanks too.
    var split: Int?
    var from = 0
    while let blank = rest.find(32, from: from) {
      let next = rest.byteOrZero(blank + 1)
      let isDrive = next.isLetter && rest.has(":\\", at: blank + 2)
      if next == UInt8(ascii: "/") || next == UInt8(ascii: "~") || next == UInt8(ascii: "[")
        || isDrive
      {
        split = blank
        break
      }
      from = blank + 1
    }
    let name = rest.upTo(split ?? rest.byteCount).trimmed
    var image = LoadedImage(name: name.name, base: Address(start), size: end - start)
    if let split {
      let path = rest.from(split + 1).trimmed
      if path.byteCount > 0 { image.path = path.name }
    }
    image.codeID = code
    images.append(image)
  }

  /// `x86_64 Linux (Debian GNU/Linux 12 (bookworm))`, `arm64 macOS 14.0 (23A344)`.
  private mutating func readPlatform(_ text: RawSpan) {
    let platform = SwiftPlatform(withArchitecture: text)
    architecture = platform.architecture
    os = platform.os
  }

  /// Fills `report` with the threads and images.
  consuming func finish(_ report: inout CrashReport) {
    report.os = os
    report.device.architecture = architecture
    let isDarwin = os.name.map { $0 != "Linux" && $0 != "Windows" } ?? false
    for index in images.indices {
      images[index].architecture = architecture
      guard let code = images[index].codeID else { continue }
      images[index].debugID = isDarwin ? DebugID(uuid: code.bytes) : DebugID(buildID: code.bytes)
    }
    var table = SwiftImages(images)
    for index in threads.indices { threads[index].frames = Self.frames(lines[index], &table) }
    if let crashed, threads[crashed].registers.isEmpty {
      threads[crashed].registers = crashRegisters
    }
    report.threads = threads
    report.crashedThread = crashed
    report.images = table.images
    let program = table.program(threadName: threads.first { $0.index == 0 }?.name)
    report.process.name = program.name
    report.process.path = program.path
    report.app.name = program.name
    for (count, what, limit) in [
      (droppedFrames, "frames", "\(FormatLimits.framesPerStack) a stack"),
      (droppedThreads, "threads", "\(FormatLimits.stacks) a report"),
      (droppedImages, "images", "\(FormatLimits.images) a report"),
    ] where count > 0 {
      notes.append("\(count) \(what) beyond the limit of \(limit) were left out")
    }
    if threads.isEmpty { notes.append("the report has no thread") }
    report.notes += notes
  }

  private static func frames(
    _ lines: [SwiftFrameLine], _ images: inout SwiftImages
  ) -> [Frame] {
    // The friendly preset leaves the flags out. Then only the youngest frame, with the calls inlined in it,
    // is at the instruction itself.
    let hasFlags = lines.contains { $0.isReturnAddress || $0.isAsync }
    let youngest = lines.first?.address
    var frames: [Frame] = []
    frames.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      let isReturn =
        hasFlags
        ? line.isReturnAddress : index > 0 && (line.address == nil || line.address != youngest)
      var frame = Frame(
        address: line.address.map(Address.init),
        position: isReturn ? .returnAddress : .exact,
        symbolOffset: line.symbolOffset, file: line.location?.file, line: line.location?.line,
        column: line.location?.column, inlined: line.isInlined)
      if let symbol = line.symbol {
        if SwiftFrameLine.isMangled(symbol) {
          frame.symbol = symbol
        } else {
          frame.function = symbol
        }
      }
      frame.image = images.index(named: line.image, at: line.address)
      if let image = frame.image, let address = frame.address {
        frame.imageOffset = images.images[image].offset(of: address)
      }
      frames.append(frame)
    }
    return frames
  }
}
