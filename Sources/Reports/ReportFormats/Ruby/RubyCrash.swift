internal import Bytes
internal import CrashModel
internal import Identifiers

/// A crash of the interpreter itself.
///
///     till.rb:3: [BUG] Segmentation fault at 0x0000000000000018
///     ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]
///     -- Ruby level backtrace information ----------------------------------------
///     till.rb:9:in `<main>'                                        the oldest first
///     -- C level backtrace information -------------------------------------------
///     /lib/libruby-3.1.so.3.1(rb_vm_bugreport+0x8a8) [0x7f5a] ./vm_dump.c:759
///     * Process memory map:
///     7f5a38800000-7f5a38890000 r--p 00000000 fe:00 161 /lib/libruby-3.1.so.3.1
struct RubyCrash {
  private static let lines = 20_000

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var report = CrashReport(format: .ruby)
    let words = text.part(headline.content..<headline.line.upperBound).trimmed
    report.reason.type = "[BUG]"
    report.reason.message = words.name.cutMessage
    if words.has("Segmentation fault") { report.reason.signal = "SIGSEGV" }
    if words.has("Bus Error") { report.reason.signal = "SIGBUS" }
    report.reason.address = words.number(after: " at ").map { Address($0) }
    var native: [Frame] = []
    var script: [Frame] = []
    var images: [String: Int] = [:]
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var block = Block.other
    var registers: [Register] = []
    var map = ProcessMapText()
    var isKnown = false
    for _ in 0..<Self.lines {
      guard let range = lines.next(in: text) else { break }
      let line = text.part(range).trimmed
      if line.has("ruby "), report.tags[.wrapperRuntime] == nil {
        report.tags[.wrapperRuntime] = line.name.cut(256)
        isKnown = true
        if let open = line.findLast(UInt8(ascii: "[")), line.ends(with: "]") {
          let platform = line.part((open + 1)..<(line.byteCount - 1))
          report.device.architecture =
            platform.has("x86_64") || platform.has("x64")
            ? .x86_64 : platform.has("aarch64") || platform.has("arm64") ? .arm64 : nil
        }
      }
      if line.has("-- ") {
        isKnown = true
        block =
          line.has("-- Ruby level backtrace")
          ? .script
          : line.has("-- C level backtrace")
            ? .native : line.has("-- Machine register") ? .registers : .other
      } else if line.has("* Process memory map:") {
        block = .memory
      } else if block == .registers {
        readRegisters(line, into: &registers)
      } else if block == .memory {
        if !map.read(line), line.byteCount > 0, !line.has("[NOTE]"), !line.has("[IMPORTANT]") {
          break
        }
      } else if block == .script, let call = RubyLine(line),
        script.count < FormatLimits.framesPerStack
      {
        script.append(call.frame)
      } else if block == .native, line.byteCount > 0, native.count < FormatLimits.framesPerStack,
        let frame = nativeFrame(line, &images, &report)
      {
        native.append(frame)
      }
      end = lines.position
      if line.has("[NOTE]") || line.has("[IMPORTANT]") { break }
    }
    guard isKnown else { return nil }
    for index in native.indices {
      guard let image = native[index].image, let path = report.images[image].path,
        let range = map.ranges[path], let address = native[index].address,
        range.contains(address.value)
      else { continue }
      report.images[image].base = Address(range.lowerBound)
      report.images[image].size = range.upperBound - range.lowerBound
      native[index].imageOffset = ImageOffset(address.value - range.lowerBound)
    }
    script.reverse()
    RubyLine.markOwn(&script)
    report.crashedThread = 0
    report.threads = [
      CrashThread(
        index: 0, crashed: true, registers: registers, frames: native + script)
    ]
    return LoggedReport(report: report, end: end)
  }

  private enum Block { case other, script, native, registers, memory }

  /// ` RIP: 0x00007f5a3853e267 RBP: 0x000000000000000b`
  private static func readRegisters(_ line: RawSpan, into registers: inout [Register]) {
    var words = line.name.split(separator: " ")[...]
    while let name = words.popFirst(), let value = words.popFirst() {
      guard name.hasSuffix(":"), registers.count < FormatLimits.registers,
        let number = ByteView(value.utf8).bytes.unsignedNumber
      else { return }
      registers.append(Register(name.dropLast().lowercased(), number))
    }
  }

  private static func nativeFrame(
    _ line: RawSpan, _ images: inout [String: Int], _ report: inout CrashReport
  ) -> Frame? {
    guard let open = line.find("("), open > 0, let close = line.find(")", from: open) else {
      return nil
    }
    var frame = Frame(position: .returnAddress)
    let path = line.upTo(open).name
    let inside = line.part((open + 1)..<close)
    if let mark = line.find("[0x", from: close) {
      var index = mark + 1
      frame.address = line.hexadecimal(at: &index).map { Address($0) }
    }
    if images[path] == nil, report.images.count < FormatLimits.images {
      images[path] = report.images.count
      let name = path.split(separator: "/").last.map(String.init) ?? path
      report.images.append(LoadedImage(name: name, path: path.hasPrefix("/") ? path : nil))
    }
    frame.image = images[path]
    if let plus = inside.find("+0x") {
      var index = plus + 1
      frame.symbolOffset = inside.hexadecimal(at: &index)
      frame.function = plus > 0 ? inside.upTo(plus).name : nil
    } else if inside.has("0x") {
      var index = 0
      frame.address = frame.address ?? inside.hexadecimal(at: &index).map { Address($0) }
    } else if inside.byteCount > 0 {
      frame.function = inside.name
    }
    if let last = line.findLast(32), last > close {
      let location = SourceLocation(line.from(last + 1))
      if location.line != nil {
        frame.file = location.file
        frame.line = location.line
      }
    }
    return frame
  }
}
