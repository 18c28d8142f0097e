internal import Bytes

extension Headline.Kind {
  /// A line that ``KernelEvent`` knows.
  static let kernelEvent = Headline.Kind("kernel event")
  /// A line that continues the report of another.
  static let kernelFollowUp = Headline.Kind("kernel follow-up")
  /// `[    0.000000] Command line: `.
  static let kernelBoot = Headline.Kind("kernel boot")
}

extension LinuxKernelReader {
  /// Parts of first lines, with the start of the line's own text; `nil` if it varies.
  private static let marks: [(mark: StaticString, lead: StaticString?)] = [
    ("BUG: ", "BUG: "), ("WARNING: ", "WARNING: "), ("INFO: ", "INFO: "), ("UBSAN: ", "UBSAN: "),
    ("Oops: ", "Oops: "), ("Internal error: ", "Internal error: "),
    ("not syncing: ", "Kernel panic"), ("protection fault: ", "general"),
    ("opcode: ", "invalid"), (".c:", "ernel BUG at "), (".h:", "ernel BUG at "),
    (".rs:", "ernel BUG at "), (".S:", "ernel BUG at "),
    ("Unable to handle kernel ", "Unable to handle kernel "),
    ("Unhandled fault: ", "Unhandled fault: "), ("Alignment trap: ", "Alignment trap: "),
    ("PANIC: double fault", "PANIC: double fault"), ("): ", "BUG "),
    ("oom-killer: ", nil), ("ut of memory: Kill", nil),
    ("watchdog: Watchdog detected hard LOCKUP", "Watchdog detected"),
    ("allocation failure: order:", nil), (": nobody cared", "irq "),
    ("unregister_netdevice: waiting for ", "unregister_netdevice: "),
    ("Machine Check Exception: ", nil),
    ("unreferenced object 0x", "unreferenced object 0x"),
    ("]: Machine check events logged", "Machine check events"),
    ("VFS: Close: file count is 0", "VFS: Close"), ("VFS: Busy inodes after", "VFS: Busy"),
    ("RTNL: assertion failed", "RTNL: "), (": 0000 [#", nil),
  ]

  static let headlines =
    marks.flatMap { mark, lead in
      [
        HeadlineRule(.kernelEvent, mark) { text, found, lines in
          event(text, found, lead, &lines, continues: false)
        },
        HeadlineRule(.kernelFollowUp, mark, role: .continues) { text, found, lines in
          event(text, found, lead, &lines, continues: true)
        },
      ]
    } + [
      HeadlineRule(.kernelBoot, "] Command line: ", role: .continues) { text, found, lines in
        let start = lines.start(of: found, in: text)
        let line = KernelLine(text.part(start..<(found + 1)))
        guard let time = line.time, text.part(start..<(found + 1)).part(time).trimmed.has("0.")
        else {
          return nil
        }
        return Headline.Location(start: start + line.start, content: found + 16)
      }
    ]

  /// The length of the line that is read before a mark.
  private static let leadLimit = 512
  /// The longest distance of the text from the start of a mark.
  private static let leadReach = 16

  private static func event(
    _ text: RawSpan, _ mark: Int, _ lead: StaticString?, _ lines: inout LineStarts, continues: Bool
  ) -> Headline.Location? {
    let start = max(lines.start(of: mark, in: text), mark - leadLimit)
    let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 1024)
    let line = text.part(start..<end)
    let prefix = KernelLine(line)
    var content = prefix.content
    if let lead {
      let searched = line.upTo(mark - start + leadReach + lead.utf8CodeUnitCount)
      guard var first = searched.findLast(lead), first >= content else { return nil }
      // `kernel BUG at`, `Kernel BUG at`
      if line.has("ernel BUG at ", at: first), first > 0 { first -= 1 }
      // Longer words belong to other text: `ODEBUG: `.
      if first > 0, line.byte(first - 1).isLetter || line.byte(first - 1).isDigit { return nil }
      content = first
    }
    let isKernel =
      prefix.time != nil || (prefix.start > 0 && line.upTo(prefix.start).ends(with: "kernel: "))
    let words = line.from(content).trimmed
    // `---[ end Kernel panic - not syncing: ... ]---` is the end of a report.
    if line.upTo(content).trimmed.ends(with: "---[ end") { return nil }
    guard let event = KernelEvent(words.name, isKernel: isKernel) else { return nil }
    let isSequel = event.continues && !stands(alone: event, at: start, prefix, line, in: text)
    guard isSequel == continues else { return nil }
    // If only the text shows that the kernel wrote it, the text must be at the start.
    var first = isKernel ? prefix.start : content
    if !isKernel {
      for lead in KernelEvent.leads where line.upTo(first).name.hasSuffix(lead) {
        first -= lead.utf8.count
      }
    }
    return Headline.Location(start: start + max(first, 0), content: start + content)
  }

  /// Whether a line that mostly continues a report begins one: another kernel, another event, or long after
  /// the report before.
  ///
  /// - Complexity: O(n) over a log, as the search ends at the preceding line with an event.
  private static func stands(
    alone event: KernelEvent, at start: Int, _ prefix: KernelLine, _ line: RawSpan, in text: RawSpan
  ) -> Bool {
    let time = prefix.seconds(in: line)
    var end = start
    let first = max(0, start - FormatLimits.followUpBytes)
    while end > first {
      let from = text.between(first, end - 1).findLast(10).map { first + $0 + 1 } ?? first
      let other = text.part(from..<(end - 1)).upTo(leadLimit)
      end = from
      let otherPrefix = KernelLine(other)
      let words = other.from(otherPrefix.content).trimmed
      guard words.byteCount > 8 else { continue }
      // A memory leak, which another tool may have reported in the line before.
      if event.type == "memory leak" { return !words.contains("BUG: memory leak") }
      let otherTime = otherPrefix.seconds(in: other)
      if words.has("Command line: "), otherTime.map({ $0 < 1 }) ?? false { return true }
      guard let before = KernelEvent(words.name, isKernel: true) else { continue }
      if let time, let otherTime, !KernelParser.storySeconds.contains(time - otherTime) {
        return true
      }
      return !event.follows.isEmpty && !event.follows.contains(before.type)
    }
    return event.type == "memory leak"
  }
}
