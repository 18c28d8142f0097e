internal import Bytes
package import CrashModel
internal import CrashService

/// A report in the form of Apple's text reports, for the tools that read those: symbolicatecrash,
/// Xcode, lldb's `crashlog`.
///
///     Incident Identifier, Process, … Report Version     who and when
///     Exception Type, … Triggered by Thread              what it died of
///     Application Specific Information                   what was said
///     Last Exception Backtrace, Thread 0 Crashed, …      the stacks
///     Thread 0 crashed with ARM Thread State (64-bit)    registers
///     Binary Images                                      what was loaded where
///
/// Reports of macOS have version 12, all others 104; the two differ in the width of the header, in the names
/// of threads and in the list of images. Information that the form cannot express is left out: columns,
/// folders of source files, tags, notes.
///
/// Source: reports of iOS 9 to 14 and macOS 10.13 to 12; the patterns with which symbolicatecrash of Xcode 4
/// and lldb's `crashlog.py` parse them.
package struct AppleCrashText {
  package let report: CrashReport
  /// A fallback for the incident's identifier if the report has none.
  package let id: String?

  private let layout: AppleImageLayout
  private let stacks: AppleStackText

  package init(_ report: CrashReport, id: String? = nil) {
    self.report = report
    self.id = id
    layout = AppleImageLayout(of: report)
    stacks = AppleStackText(report: report, layout: layout, isMac: report.os.name == "macOS")
  }

  private var isMac: Bool { report.os.name == "macOS" }

  package func text() -> String {
    var lines = AppleCrashHead(report: report, id: id, isMac: isMac).lines()
    lines += information()
    if let exception = report.reason.exception, !exception.frames.isEmpty {
      lines += ["Last Exception Backtrace:"]
      lines += stacks.lines(exception.frames, isCaughtInCall: true) + [""]
    }
    lines += otherStacks()
    for (number, thread) in report.threads.enumerated() {
      lines += heading(of: thread, number)
      lines += stacks.lines(thread.frames) + [""]
    }
    if isMac { lines.append("") }
    lines += registers()
    lines += ["Binary Images:"] + layout.lines(of: report, isMac: isMac) + [""]
    if isMac {
      if let model = report.device.model { lines += ["Model: " + model.appleLine, ""] }
    } else {
      lines += ["EOF", ""]
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Messages

  /// Returns the messages. Empty lines end the block, and a line that looks like a heading would begin
  /// another.
  private func information() -> [String] {
    var texts: [String] = []
    let message = report.reason.message ?? ""
    if let exception = report.reason.exception, let type = exception.type,
      !message.contains(type)
    {
      let reason = exception.message.map { ", reason: '\($0)'" } ?? ""
      texts.append("*** Terminating app due to uncaught exception '\(type)'\(reason)")
    }
    if !message.isEmpty && !texts.contains(where: { $0.contains(message) }) {
      texts.append(message)
    }
    let lines = texts.flatMap { $0.split(whereSeparator: \.isNewline) }
      .map { String($0).appleLine }
      .filter { line in line.contains { $0 != " " } }
      .map { Self.looksLikeHeading($0) ? "| " + $0 : $0 }
    return lines.isEmpty ? [] : ["Application Specific Information:"] + lines + [""]
  }

  private static let headings = [
    "Thread ", "Binary Images", "Last Exception Backtrace", "Application Specific ", "Process:",
    "Incident Identifier:", "Report Version:", "Exception ", "Dyld Error Message:",
    "Triggered by Thread:", "Crashed Thread:", "Translated Report", "Heaviest stack",
    "Call graph:", "STACK OF ", "Powerstats for:", "EOF",
  ]

  private static func looksLikeHeading(_ line: String) -> Bool {
    let text = line.drop { $0 == " " }
    return headings.contains { text.hasPrefix($0) }
  }

  // MARK: Stacks

  /// Returns stacks without a thread, under Apple's heading for them.
  private func otherStacks() -> [String] {
    var stacks = report.otherStacks
    var causes = report.reason.exception?.inner ?? []
    while !causes.isEmpty && stacks.count < 100 {
      let cause = causes.removeFirst()
      let title = [cause.type, cause.message].compactMap { $0 }.joined(separator: ": ")
      stacks.append(NamedStack(title: "caused by \(title)", frames: cause.frames))
      causes = cause.inner + causes
    }
    return stacks.enumerated().flatMap { number, stack in
      let name = "Application Specific Backtrace"
      var title = stack.title.appleLine
      while title.last == ":" { title.removeLast() }
      let heading = title.hasPrefix(name) ? title : "\(name) \(number + 1) (\(title))"
      return [heading + ":"] + self.stacks.lines(stack.frames, isCaughtInCall: true) + [""]
    }
  }

  /// Returns a thread's heading. Threads are numbered by position: parsers take the number for the index in
  /// the list.
  private func heading(of thread: CrashThread, _ number: Int) -> [String] {
    let isCrashed = number == report.crashedThread && report.threadSummary == "crashed"
    let crashed = isCrashed ? " Crashed" : ""
    var name = thread.name?.appleLine ?? ""
    if name.isEmpty && thread.index != number { name = "thread \(thread.index)" }
    if AppleCrashHead.isQueue(name) { name = "Dispatch queue: " + name }
    if isMac { return ["Thread \(number)\(crashed):" + (name.isEmpty ? "" : ": " + name)] }
    let heading = "Thread \(number)\(crashed):"
    return name.isEmpty ? [heading] : ["Thread \(number) name:  " + name, heading]
  }

  private func registers() -> [String] {
    guard let index = report.crashedThread, report.threads.indices.contains(index) else {
      return []
    }
    let state = AppleThreadState(
      of: report.threads[index], architecture: report.device.architecture, isMac: isMac)
    return state.lines(thread: index, isCrashed: report.threadSummary == "crashed")
  }
}

extension String {
  /// The text on one line, without control characters.
  package var appleLine: String {
    contains(where: \.isNewline)
      ? split(whereSeparator: \.isNewline).joined(separator: " ").printable : printable
  }

  /// Returns the digits with leading zeros.
  package func zeroPadded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - utf8.count)) + self
  }
}
