internal import Bytes
internal import CrashModel
internal import JSON

/// The processes of a JetsamEvent (`bug_type` 298): which one was ended for lack of memory.
///
/// Source: such reports; only ended processes have a `reason`.
struct AppleJetsam {
  struct Process {
    var name: String?
    var pid: Int?
    var reason: String?
    var pages: UInt64?
    var uuid: String?
  }

  var ended: [Process] = []
  var count = 0
  var largest: String?
  var pageSize: UInt64?

  mutating func readProcesses(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginArray() else { return }
    while try reader.nextElement() {
      guard try reader.beginObject() else { continue }
      var process = Process()
      while try reader.nextKey() {
        if reader.keyIs("name") {
          keepFirst(&process.name, try reader.readString())
        } else if reader.keyIs("pid") {
          keepFirst(&process.pid, try reader.readInt())
        } else if reader.keyIs("reason") {
          keepFirst(&process.reason, try reader.readString())
        } else if reader.keyIs("rpages") {
          keepFirst(&process.pages, try reader.readUInt64())
        } else if reader.keyIs("uuid") {
          keepFirst(&process.uuid, try reader.readString())
        }
      }
      count += 1
      if process.reason != nil, ended.count < AppleLimits.textLines { ended.append(process) }
    }
  }

  mutating func readMemory(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      if reader.keyIs("pageSize") { keepFirst(&pageSize, try reader.readUInt64()) }
    }
  }

  /// Makes the report one of the process that was ended.
  func apply(to report: inout CrashReport) {
    report.kind = .oom
    report.reason.type = "JETSAM"
    if let largest { report.tags[.jetsamLargestProcess] = largest }
    guard let process = ended.first else {
      report.reason.message = largest.map { "Memory ran short; the largest process was \($0)" }
      keepFirst(&report.process.name, largest)
      keepFirst(&report.app.name, largest)
      return
    }
    keepFirst(&report.process.name, process.name)
    keepFirst(&report.process.pid, process.pid)
    keepFirst(&report.app.name, process.name)
    report.reason.code = process.reason
    var message = "\(process.name ?? "A process") was ended: \(process.reason ?? "no reason given")"
    if let pages = process.pages {
      message += ", \(pages) pages"
      if let pageSize { message += " of \(pageSize) bytes" }
    }
    report.reason.message = message
    if ended.count > 1 {
      let others = ended.dropFirst().map { "\($0.name ?? "?") (\($0.reason ?? "?"))" }
      report.notes.append("Also ended: \(others.joined(separator: ", ")).")
    }
  }
}
