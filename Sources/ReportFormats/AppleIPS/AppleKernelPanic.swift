internal import CrashModel

/// A kernel panic: the text that the kernel printed, out of a JSON report (`bug_type` 210, 151) or
/// on its own.
///
/// Source: `osfmk/kern/debug.c` and `osfmk/arm64/sleh.c`, `osfmk/i386/AT386/model_dep.c` of xnu.
struct AppleKernelPanic {
  let text: String

  /// Makes the report one of the panicked thread.
  func apply(to report: inout CrashReport) {
    report.kind = .other
    report.reason.type = "kernel panic"
    let lines = text.split(whereSeparator: \.isNewline)
    var message = String(lines.first ?? "")
    // `panic(cpu 0 caller 0x…): WHAT`: the caller differs from boot to boot.
    if message.hasPrefix("panic("), let end = message.firstRange(of: "): ") {
      message = String(message[end.upperBound...])
    }
    report.reason.message = message.cutMessage
    keepFirst(&report.process.name, "kernel")
    keepFirst(&report.app.name, "kernel")

    var frames: [Frame] = []
    var isPlainList = false
    var image = LoadedImage(name: "kernel")
    for line in lines {
      if frames.count >= AppleLimits.textLines { break }
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      if words.count >= 2, words[0] == "lr:", let address = Self.address(words[1]) {
        frames.append(Frame(address: Address(address), position: .returnAddress))
      } else if line.hasPrefix("Backtrace (CPU") {
        isPlainList = true
      } else if isPlainList, words.count >= 3, words[1] == ":", let address = Self.address(words[2])
      {
        var frame = Frame(address: Address(address), position: .returnAddress)
        // Some kernels print `IMAGE : SYMBOL + OFFSET` behind it.
        if words.count >= 6, words[4] == ":" {
          frame.function = String(words[5])
          if words.count >= 8, words[6] == "+" { frame.symbolOffset = Self.address(words[7]) }
        }
        frames.append(frame)
      } else if line.hasPrefix("Kernel UUID:") || line.hasPrefix("KernelCache UUID:") {
        image.debugID = words.last.flatMap { DebugID(String($0)) }
      } else if line.hasPrefix("Kernel text base:") {
        image.base = words.last.flatMap { Self.address($0) }.map { Address($0) }
      }
    }
    if image.base != nil || image.debugID != nil { report.images.append(image) }
    guard !frames.isEmpty else { return }
    report.threads = [CrashThread(index: 0, name: "panicked thread", crashed: true, frames: frames)]
    report.crashedThread = 0
  }

  private static func address(_ text: Substring) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
  }
}
