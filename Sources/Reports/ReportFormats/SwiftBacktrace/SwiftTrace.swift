internal import Bytes
internal import CrashModel
internal import Identifiers

/// The stack that a Swift runtime prints itself after a fatal error, before 5.9 and if the backtracer is
/// switched off:
///
///     Fatal error: Index out of range: file a.swift, line 3
///     Current stack trace:
///     0    libswiftCore.so      0x00007f1b2c3d4e5f swift_reportError + 50
///     1    app                  0x0000558a1b2c3d4e <unavailable> + 4119
///     Illegal instruction (core dumped)
///
/// The addresses come from `backtrace(3)`: return addresses, the first one too. After `<unavailable>`, the
/// offset is relative to the image.
///
/// Source: `dumpStackTraceEntry` in the Swift runtime's `Errors.cpp`.
enum SwiftTrace {
  static func report(of section: ReportSection, in text: RawSpan) -> CrashReport? {
    var frames: [Frame] = []
    var images: [LoadedImage] = []
    var indices: [String: Int] = [:]
    var signal: String?
    var dropped = 0
    var others = 0
    section.forEachLine(in: text) { line in
      guard line.byteCount > 0 else { return true }
      guard let entry = Entry(line) else {
        signal = Self.signal(line)
        others += 1
        return signal == nil && others < 4
      }
      guard frames.count < FormatLimits.framesPerStack else {
        dropped += 1
        return true
      }
      var index = indices[entry.image]
      if index == nil, images.count < FormatLimits.images {
        index = images.count
        indices[entry.image] = index
        images.append(LoadedImage(name: entry.image))
      }
      var frame = Frame(address: Address(entry.address), position: .returnAddress, image: index)
      if let symbol = entry.symbol {
        if SwiftFrameLine.isMangled(symbol) {
          frame.symbol = symbol
        } else {
          frame.function = symbol
        }
        frame.symbolOffset = entry.offset
      } else if let offset = entry.offset {
        frame.imageOffset = ImageOffset(offset)
        if let index, offset <= entry.address {
          images[index].base = Address(entry.address - offset)
        }
      }
      frames.append(frame)
      return true
    }
    guard !frames.isEmpty else { return nil }
    for index in frames.indices where frames[index].imageOffset == nil {
      guard let image = frames[index].image, let base = images[image].base,
        let address = frames[index].address, address >= base
      else { continue }
      frames[index].imageOffset = ImageOffset(address.value - base.value)
    }
    var report = CrashReport(format: .swiftBacktrace)
    report.reason = CrashReason(
      type: "Fatal error", signal: signal,
      message: SwiftCrashMessage(before: section, in: text).message)
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    report.images = images
    let program = SwiftImages(images).program(threadName: nil)
    report.process.name = program.name
    report.app.name = program.name
    if dropped > 0 {
      report.notes.append(
        "\(dropped) frames beyond the limit of \(FormatLimits.framesPerStack) a stack were left out"
      )
    }
    return report
  }

  /// The line of a shell when a signal ends a program.
  private static func signal(_ line: RawSpan) -> String? {
    for (words, signal): (StaticString, String) in [
      ("Illegal instruction", "SIGILL"), ("Trace/breakpoint trap", "SIGTRAP"),
      ("Segmentation fault", "SIGSEGV"), ("Aborted", "SIGABRT"), ("Bus error", "SIGBUS"),
    ] where line.contains(words) {
      return signal
    }
    return nil
  }

  /// `INDEX IMAGE 0xADDRESS SYMBOL + OFFSET`.
  private struct Entry {
    var image: String
    var address: UInt64
    var symbol: String?
    var offset: UInt64?

    init?(_ line: RawSpan) {
      var position = 0
      guard line.decimal(at: &position) != nil, line.byteOrZero(position).isBlank,
        let found = line.find(" 0x", from: position)
      else { return nil }
      let image = line.part(position..<found).trimmed
      var digits = found + 1
      guard image.byteCount > 0, let address = line.hexadecimal(at: &digits) else { return nil }
      self.image = image.name
      self.address = address
      let rest = line.from(digits).trimmed
      guard let plus = rest.findLast(" + ") else {
        if rest.byteCount > 0, !rest.has("<unavailable>") { symbol = rest.name }
        return
      }
      var number = plus + 3
      offset = rest.decimal(at: &number)
      let name = rest.upTo(plus).trimmed
      if name.byteCount > 0, !name.has("<unavailable>") { symbol = name.name }
    }
  }
}
