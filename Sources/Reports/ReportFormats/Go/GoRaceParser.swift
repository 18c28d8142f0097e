internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report of Go's race detector line by line:
///
///     WARNING: DATA RACE
///     Read at 0x00c00001c058 by goroutine 7:
///       main.main.func6()
///           /app/orders.go:91 +0x30
///
///     Previous write at 0x00c00001c058 by main goroutine:
///       …
///     Goroutine 7 (running) created at:
///       …
///     ==================
///
/// The first stack is that of the detected access.
struct GoRaceParser {
  private var report = CrashReport(format: .goPanic, kind: .handled)
  private var counter = StackCounter()
  private var stacks: [NamedStack] = []
  private var pending: GoFrameLine?
  private var isInStack = false
  /// The goroutine of the access; the main one has the number 1.
  private var goroutine = 1

  mutating func take(_ line: RawSpan) -> Bool {
    if line.has("==========") {
      finishCall()
      return false
    }
    if line.byteCount == 0 {
      finishCall()
      isInStack = false
    } else if isInStack, var call = pending {
      if call.addLocation(line) {
        pending = call
        finishCall()
      } else {
        finishCall()
        pending = GoFrameLine(line)
      }
    } else if isInStack {
      pending = GoFrameLine(line)
    } else if line.ends(with: ":"), counter.addsStack() {
      isInStack = true
      stacks.append(NamedStack(title: line.upTo(line.byteCount - 1).name, frames: []))
      if stacks.count == 1 { readAccess(line) }
    }
    return true
  }

  /// `Read at 0x00c00001c058 by goroutine 7:`
  private mutating func readAccess(_ line: RawSpan) {
    report.reason.message = line.upTo(line.byteCount - 1).name
    goroutine = line.number(after: "goroutine ").flatMap { Int(exactly: $0) } ?? 1
    if let at = line.find(" at 0x") {
      report.tags[.access] = line.upTo(at).name.uppercased()
      var digits = at + 4
      report.reason.address = line.hexadecimal(at: &digits).map(Address.init)
    }
  }

  private mutating func finishCall() {
    guard let call = pending, let last = stacks.indices.last else { return }
    pending = nil
    counter.append(call.frame, to: &stacks[last].frames)
  }

  consuming func finished() -> CrashReport? {
    finishCall()
    guard let first = stacks.first else { return nil }
    report.reason.type = "DATA RACE"
    report.threads = [CrashThread(index: goroutine, crashed: true, frames: first.frames)]
    report.crashedThread = 0
    report.otherStacks = Array(stacks.dropFirst())
    report.notes += counter.notes
    return report
  }
}
