internal import Bytes
internal import CrashModel
internal import Identifiers

/// The stacks that gdb printed for Apport.
struct ApportStacks {
  private var printed: CrashReport?
  private var registers: [Register] = []

  init(_ file: ApportFile) {
    printed = Self.printed(file["Stacktrace"], file["ThreadStacktrace"])
    if printed == nil, let top = file["StacktraceTop"] {
      var number = -1
      let lines = top.split(whereSeparator: \.isNewline).map { line in
        number += 1
        return "#\(number)  \(line)"
      }
      printed = Self.printed(lines.joined(separator: "\n"), nil)
    }
    if printed == nil { printed = file["StacktraceAddressSignature"].flatMap(Self.addresses) }
    if let text = file["Registers"] { registers = Self.registers(text) }
  }

  private static func printed(_ stack: String?, _ threads: String?) -> CrashReport? {
    guard stack != nil || threads != nil else { return nil }
    var parser = DebuggerParser(.apport, isLLDB: false)
    for text in [stack, threads].compactMap({ $0 }) {
      let bytes = ByteView(text.utf8)
      var cursor = LineCursor(0..<bytes.count)
      while let range = cursor.next(in: bytes.bytes) {
        _ = parser.take(bytes.bytes.part(range).trimmed)
      }
    }
    return parser.finished()
  }

  /// `rax            0x0                 0`
  private static func registers(_ text: String) -> [Register] {
    var result: [Register] = []
    for line in text.split(whereSeparator: \.isNewline).prefix(FormatLimits.registers) {
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
      guard words.count > 1, words[1].hasPrefix("0x"),
        let value = UInt64(words[1].dropFirst(2), radix: 16)
      else { continue }
      result.append(Register(String(words[0]), value))
    }
    return result
  }

  /// `/opt/tern/tern:11:/opt/tern/tern+1234:/usr/lib/libc.so.6+2724a`: the program, the signal, and the file
  /// and offset of each call.
  private static func addresses(_ text: String) -> CrashReport? {
    let parts = text.split(separator: ":").dropFirst(2)
    var report = CrashReport(format: .apport)
    var frames: [Frame] = []
    for part in parts.prefix(FormatLimits.framesPerStack) {
      guard let plus = part.lastIndex(of: "+"),
        let offset = UInt64(part[part.index(after: plus)...], radix: 16)
      else { continue }
      let path = String(part[..<plus])
      let image = report.images.firstIndex { $0.path == path } ?? report.images.count
      if image == report.images.count {
        report.images.append(
          LoadedImage(
            name: path.split(separator: "/").last.map(String.init) ?? path, path: path))
      }
      frames.append(
        Frame(
          position: frames.isEmpty ? .exact : .returnAddress, image: image,
          imageOffset: ImageOffset(offset)))
    }
    guard !frames.isEmpty else { return nil }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    return report
  }

  /// Returns these stacks, unless the core of `report` is the better source: gdb without debug information
  /// names little.
  func better(than report: CrashReport) -> ApportStacks? {
    guard let printed else {
      return registers.isEmpty || !report.threads.isEmpty ? nil : self
    }
    guard report.memory != nil else { return self }
    let stack = printed.crashedThread.map { printed.threads[$0].frames } ?? []
    let named = stack.count { $0.function != nil }
    return 2 * named >= stack.count && named > 0 ? self : nil
  }

  /// Replaces the stacks of the core, whose registers and images are kept.
  func add(to report: inout CrashReport) {
    guard var printed else { return }
    let registersOfCore = Dictionary(
      report.threads.compactMap { thread in thread.id.map { ($0, thread.registers) } },
      uniquingKeysWith: { first, _ in first })
    for index in printed.threads.indices {
      if let id = printed.threads[index].id, let known = registersOfCore[id] {
        printed.threads[index].registers = known
      }
    }
    if let crashed = printed.crashedThread {
      if printed.threads[crashed].registers.isEmpty {
        printed.threads[crashed].registers = registers
      }
      setImagesOfFirst(&printed.threads[crashed])
    }
    for index in printed.threads.indices {
      for frame in printed.threads[index].frames.indices {
        setImage(&printed.threads[index].frames[frame], of: printed, in: &report)
      }
    }
    report.threads = printed.threads
    report.crashedThread = printed.crashedThread
    // The stacks are complete: there is nothing to walk.
    report.memory = nil
  }

  /// Adds the address of the youngest frame, which gdb omits if it is at the start of a line.
  private func setImagesOfFirst(_ thread: inout CrashThread) {
    guard let first = thread.frames.first, first.address == nil, !first.inlined,
      let counter = thread.registers.first(where: { ["rip", "eip", "pc"].contains($0.name) })
    else { return }
    thread.frames[0].address = Address(counter.value)
    thread.frames[0].position = .exact
  }

  /// Finds the image of a frame: by the address among those of the core or the map, or by gdb's name.
  private func setImage(_ frame: inout Frame, of printed: CrashReport, in report: inout CrashReport)
  {
    let named = frame.image.map { printed.images[$0] }
    frame.image = nil
    if let address = frame.address {
      var best: Int?
      for (index, image) in report.images.enumerated() where image.offset(of: address) != nil {
        if best.map({ (report.images[$0].base?.value ?? 0) < (image.base?.value ?? 0) }) ?? true {
          best = index
        }
      }
      if let best {
        frame.image = best
        frame.imageOffset = report.images[best].offset(of: address)
        return
      }
    }
    guard let named else { return }
    if let known = report.images.firstIndex(where: {
      $0.path == named.path && $0.name == named.name
    }) {
      frame.image = known
    } else if report.images.count < FormatLimits.images {
      frame.image = report.images.count
      report.images.append(named)
    }
  }
}
