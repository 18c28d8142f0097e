internal import Bytes
internal import CrashModel

/// Reports in the log of the Linux kernel: oopses, panics, warnings, lockups, and findings of its sanitizers
/// and lock checks, for all architectures.
///
///     [  116.957737] ------------[ cut here ]------------
///     [  116.963070] refcount_t: increment on 0; use-after-free.
///     [  116.968562] WARNING: CPU: 1 PID: 4353 at lib/refcount.c:153 refcount_inc+0x47/0x50
///     [  116.983645] CPU: 1 PID: 4353 Comm: tern Not tainted 4.14.89+ #6
///     [  117.081277] RIP: 0010:refcount_inc+0x47/0x50
///     [  117.090000] Call Trace:
///     [  117.094735]  usb_get_urb+0x3e/0x60 [usbcore]
///     [  117.099735] ---[ end trace 170f72f747744a94 ]---
///
/// Sources: `kernel/panic.c`, `lib/dump_stack.c`, `lib/bug.c`, `mm/kasan/report.c`, `arch/*/kernel/traps.c`
/// and `arch/*/mm/fault.c` of Linux.
enum LinuxKernelReader: LogReader {
  static let format = ReportFormat.linuxKernel
  static let fileExtension = "txt"

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let line = text.part(headline.line).upTo(FormatLimits.lineBytes)
    let prefix = KernelLine(line)
    let words = line.from(headline.content - headline.line.lowerBound).trimmed
    if headline.kind == .kernelBoot { return restart(section, line, in: text) }
    guard let event = KernelEvent(words.name, isKernel: true) else { return nil }
    var parser = KernelParser(event, words, prefix, in: line)
    section.forEachLineBefore(in: text) { parser.takeBefore($0) }
    section.forEachLine(in: text) { parser.take($0) }
    if prefix.caller != nil, !parser.isComplete { readOn(section, in: text, &parser) }
    // A subject, a list of titles: text of the kernel without its report.
    let before = line.upTo(headline.start - headline.line.lowerBound).trimmed
    let isQuoted = before.byteCount > 0 && !before.ends(with: "kernel:")
    if isQuoted, parser.isEmpty { return nil }
    return LoggedReport(report: parser.finished())
  }

  /// If the kernel names the task of each line, another task's report may be in between.
  /// the lines.
  private static func readOn(
    _ section: ReportSection, in text: RawSpan, _ parser: inout KernelParser
  ) {
    let end = min(text.byteCount, section.range.upperBound + FormatLimits.followUpBytes)
    var cursor = LineCursor(section.range.upperBound..<end)
    while let range = cursor.next(in: text) {
      guard parser.takeOwn(text.part(range).trimmed) else { return }
    }
  }

  /// Reports a kernel's start after another one that ended without an explanation.
  private static func restart(
    _ section: ReportSection, _ line: RawSpan, in text: RawSpan
  ) -> LoggedReport? {
    var ran: Double?
    section.forEachLineBefore(in: text) { line in
      guard let time = KernelLine(line).time else { return }
      let seconds = Double(line.part(time).trimmed.name) ?? 0
      ran = max(ran ?? 0, seconds)
    }
    guard let ran, ran > 1 else { return nil }
    var report = CrashReport(format: .linuxKernel)
    report.reason.type = "unexpected kernel reboot"
    report.tags[.title] = report.reason.type
    report.app.name = KernelParser.appName
    report.os.name = KernelParser.appName
    report.process.name = KernelParser.processName
    report.process.uptime = ran
    return LoggedReport(report: report)
  }
}
