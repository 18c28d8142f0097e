internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers

/// A report as the text of `minidump-stackwalk --human`, for tools and people who read that.
///
///     Operating system: Linux
///                       6.1.0 #1 SMP
///     CPU: amd64
///          4 CPUs
///
///     Crash reason:  SIGSEGV / SEGV_MAPERR
///     Crash address: 0x0000000000000010
///     Process uptime: not available
///
///     Thread 0 main (crashed) - tid: 4611
///      0  tern!load [tern.c : 12]
///          rip = 0x0000000000401d72
///         Found by: given as instruction pointer in context
///
///     Loaded modules:
///     0x00400000 - 0x00419fff  tern  ???  (main)
///
/// Source: rust-minidump, `minidump-processor/src/process_state.rs` and `minidump-unwind/src/lib.rs`.
package struct StackwalkText {
  private let facts: StackwalkFacts
  private var report: CrashReport { facts.report }

  package init(_ report: CrashReport) { facts = StackwalkFacts(report) }

  package func text() -> String {
    var lines = system() + [""] + reason()
    lines.append(
      "Process uptime: "
        + (report.process.uptime.flatMap { Int64(exactly: $0.rounded(.down)) }.map {
          "\($0) seconds"
        } ?? "not available"))
    lines.append("")
    if let count = report.tags[.memoryMappings] {
      lines += ["Linux memory map count: \(count.printable)", ""]
    }
    if let index = facts.requestingThread {
      let state = facts.isCrash ? "crashed" : "requested dump, did not crash"
      lines += stack(of: index, state: " (\(state))") + [""]
    }
    for index in report.threads.indices where index != facts.requestingThread {
      lines += stack(of: index, state: "")
    }
    return (lines + modules()).joined(separator: "\n") + "\n"
  }

  // MARK: The head

  private func system() -> [String] {
    var lines = ["Operating system: \(facts.systemName?.printable ?? "unknown")"]
    if let version = facts.systemVersion {
      lines.append(String(repeating: " ", count: 18) + version.printable)
    }
    lines.append("CPU: \(facts.processor.printable)")
    if let info = report.tags[.cpuInfo] { lines.append("     \(info.printable)") }
    if let count = facts.processorCount { lines.append("     \(count) CPU\(count > 1 ? "s" : "")") }
    if let values = facts.distribution?.map(\.value.printable) {
      lines.append("Linux \(values[0]) \(values[1]) - \(values[2]) (\(values[3]))")
    }
    return lines
  }

  private func reason() -> [String] {
    var lines: [String] = []
    if let reason = facts.reason {
      lines.append("Crash reason:  \(reason.printable)")
      if let address = facts.crashAddress {
        lines.append("Crash address: \(facts.address(address))")
      }
      lines += fault()
    } else {
      lines.append("No crash")
    }
    if let message = report.reason.message ?? report.reason.exception?.message {
      lines.append("Assertion: \(message.printable)")
    }
    return lines
  }

  /// Returns the memory accesses of the faulting instruction.
  private func fault() -> [String] {
    guard let fault = report.reason.fault else { return [] }
    var lines: [String] = []
    if let instruction = fault.instruction {
      lines.append("Crashing instruction: `\(instruction.printable)`")
      let accesses = fault.accesses.filter { $0.kind != .execute }
      lines.append(
        accesses.isEmpty ? "No memory accessed by instruction" : "Memory accessed by instruction:")
      for (index, access) in accesses.enumerated() {
        let kind =
          switch access.kind {
          case .read: "Read"
          case .write: "Write"
          default: "ReadWrite"
          }
        lines.append("  \(index). Address: \(facts.address(access.address.value))")
        lines.append("     Size: \(access.size.map(String.init) ?? "Unknown")")
        if access.isGuardPage { lines.append("     This address falls in a likely guard page.") }
        lines.append("     Access type: \(kind)")
      }
    }
    if !fault.bitFlips.isEmpty {
      lines.append("Crashing address may be the result of a flipped bit:")
    }
    for (index, flip) in fault.bitFlips.enumerated() {
      let register = flip.register.map { $0.printable + "=" } ?? ""
      let thousandths = String(Int((flip.confidence * 1000).rounded())).zeroPadded(to: 4)
      lines.append(
        "  \(index). Valid address: \(register)\(facts.address(flip.address.value)) "
          + "(\(thousandths.dropLast(3)).\(thousandths.suffix(3)))")
    }
    return lines
  }

  // MARK: Stacks

  private func stack(of index: Int, state: String) -> [String] {
    let thread = report.threads[index]
    let id = thread.id.map { " - tid: \($0)" } ?? ""
    var lines = ["Thread \(index) \(thread.name?.printable ?? "")\(state)\(id)"]
    if thread.frames.isEmpty { lines.append("<no frames>") }
    var isFirst = true
    for (number, frame) in thread.frames.enumerated() {
      lines.append(String(number).padded(to: 2, right: true) + "  " + location(of: frame))
      if !frame.inlined {
        lines += registers(
          isFirst ? facts.registers(of: thread) : facts.ordered(frame.registers))
        isFirst = false
      }
      let trust = frame.inlined ? FrameTrust.inline : frame.trust
      lines.append("    Found by: \(trust.stackwalkText)")
    }
    return lines
  }

  /// `tern!load [tern.c : 12]`, `tern!load + 0x12`, `tern + 0x1d72`, `0x401d72`.
  private func location(of frame: Frame) -> String {
    let instruction = facts.instruction(of: frame)
    let function = (frame.function ?? frame.symbol)?.printable
    let module = facts.image(of: frame).map { StackwalkFacts.lastPart($0.name).printable }
    var text = module ?? ""
    if let function {
      text += (module == nil ? "" : "!") + function
      if let file = frame.file, let line = frame.line {
        text += " [\(StackwalkFacts.lastPart(file).printable) : \(line)]"
      } else if let offset = facts.functionOffset(of: frame) {
        text += " + \(offset.hexadecimal)"
      }
      return text
    }
    guard let instruction else { return module ?? "unknown" }
    guard let image = facts.image(of: frame), let base = image.base?.value, base <= instruction
    else { return facts.address(instruction) }
    return text + " + \((instruction - base).hexadecimal)"
  }

  private func registers(_ registers: [Register]) -> [String] {
    let columns = facts.isNarrow ? 4 : 2
    return stride(from: 0, to: registers.count, by: columns).map { start in
      let cells = registers[start..<min(start + columns, registers.count)].map { register in
        let name = register.name.printable.padded(to: 7, right: true)
        return "\(name) = \(facts.address(register.value))"
      }
      return " " + cells.joined()
    }
  }

  // MARK: Modules

  private func modules() -> [String] {
    let main = facts.mainImage
    let placed = report.images.enumerated().compactMap { index, image in
      image.base.map { (index: index, base: $0.value, image: image) }
    }
    var lines = ["", "Loaded modules:"]
    for (index, base, image) in placed.sorted(by: { ($0.base, $0.index) < ($1.base, $1.index) }) {
      let last = base &+ max(image.size ?? 1, 1) &- 1
      let name = StackwalkFacts.lastPart(image.name).printable
      let version = image.version?.printable ?? "???"
      lines.append(
        "\(Self.short(base)) - \(Self.short(last))  \(name)  \(version)"
          + (index == main ? "  (main)" : ""))
    }
    return lines + ["", "Unloaded modules:"] + unloadedModules()
  }

  private func unloadedModules() -> [String] {
    report.unloadedImages.compactMap { image in
      guard let base = image.base?.value else { return nil }
      let last = base &+ max(image.size ?? 1, 1) &- 1
      let name = StackwalkFacts.lastPart(image.name).printable
      return "\(Self.short(base)) - \(Self.short(last))  \(name)"
    }
  }

  /// Returns a number with at least eight digits.
  private static func short(_ value: UInt64) -> String {
    "0x" + String(value, radix: 16).zeroPadded(to: 8)
  }
}
