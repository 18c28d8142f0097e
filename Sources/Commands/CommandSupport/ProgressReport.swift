internal import Bytes
internal import CrashInput
internal import Dispatch
internal import Files
internal import JSON
package import Pipeline
internal import Rendering
internal import Synchronization
internal import Terminal
internal import Workers

/// Tells a person or a program how far a command is with its files, and at the end which of them took longest.
package final class ProgressReport: Sendable {
  /// The seconds between two lines, and the least that a run on a terminal takes until slow files are named.
  private static let interval = 60

  private let total: InputCount?
  private let bar: ProgressBar
  private let isBar: Bool
  private let isJSON: Bool
  private let start = SteadyClock.seconds
  private let counts = Mutex(ProgressCounts())
  private let end = DispatchSemaphore(value: 0)

  init(_ title: String, of total: InputCount?, isBar: Bool, isJSON: Bool) {
    self.total = total
    self.isBar = isBar
    self.isJSON = isJSON
    bar = ProgressBar(title, isOn: isBar)
    guard isJSON else { return }
    Workers.detach { [end, weak self] in
      while end.wait(timeout: .now() + .seconds(Self.interval)) == .timedOut {
        guard let self else { return }
        Self.say(line: self.counts.withLock { $0.document(self.elapsed, of: self.total) })
      }
    }
  }

  private var elapsed: Double { SteadyClock.seconds - start }

  /// Counts a file.
  package func note(_ file: FileProgress) {
    counts.withLock { $0.add(file) }
    guard isBar else { return }
    let (done, detail) = counts.withLock { ($0.found, $0.detail(elapsed, of: total)) }
    bar.update(done, of: total.map { max($0.files, done) }, detail: detail)
  }

  /// Ends the report, and names the slowest files where that is of use.
  package func finish() {
    bar.finish()
    end.signal()
    let counts = counts.withLock { $0 }
    if isJSON {
      Self.say(line: counts.document(elapsed, of: total, isFinished: true))
    } else if isBar, elapsed > Double(Self.interval) {
      Console.say("Slowest files:")
      for file in counts.slowest { Console.say("  " + ProgressCounts.words(file)) }
    }
  }

  private static func say(line: [UInt8]) { Console.say(String(decoding: line, as: UTF8.self)) }
}

/// The files and reports that were read so far.
struct ProgressCounts {
  /// The number of slow files that are named.
  private static let most = 10

  /// Files and members of archives.
  private(set) var files = 0
  /// Files on disk, those that contain others counted once.
  private(set) var found = 0
  private(set) var reports = 0
  private(set) var bytes = 0
  private(set) var failed = 0
  /// The slowest first.
  private(set) var slowest: [FileProgress] = []

  mutating func add(_ file: FileProgress) {
    if !file.isContinued { files += 1 }
    found = file.ordinal + 1
    reports += file.reports
    bytes = bytes.addingReportingOverflow(file.bytes).partialValue
    if file.isFailed { failed += 1 }
    let index = slowest.firstIndex { $0.times.all < file.times.all } ?? slowest.count
    guard index < Self.most else { return }
    slowest.insert(file, at: index)
    if slowest.count > Self.most { slowest.removeLast() }
  }

  /// The seconds that the rest will take if it is like what was read; `nil` if that is unknown.
  private func left(_ elapsed: Double, of total: InputCount?) -> Double? {
    guard let total, found > 0, total.files >= found else { return nil }
    return elapsed * Double(total.files - found) / Double(found)
  }

  /// `2400 reports, 12.1 MB/s, 3 failed, 0:42 left`
  func detail(_ elapsed: Double, of total: InputCount?) -> String {
    let rate = elapsed > 0 ? min(Double(bytes) / elapsed, 1e15) : 0
    var parts = [
      GroupText.count(reports, "report", "reports"), DebugFileList.size(Int(rate)) + "/s",
    ]
    if failed > 0 { parts.append("\(failed) failed") }
    if elapsed > 2, let left = left(elapsed, of: total) { parts.append(Self.clock(left) + " left") }
    return parts.joined(separator: ", ")
  }

  /// `0:42`, `1:02:03`
  static func clock(_ seconds: Double) -> String {
    let whole = seconds > 0 ? Int(min(seconds, 1e9).rounded()) : 0
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  /// `12.3 s  dumps/7.dmp: 11.9 s for symbols; 45 MB, minidump`
  static func words(_ file: FileProgress) -> String {
    let steps = [
      ("reading", file.times.parsing), ("symbols", file.times.symbolicating),
      ("its signature", file.times.signing),
    ]
    let longest = steps.max { $0.1 < $1.1 } ?? steps[0]
    var facts = [DebugFileList.size(file.bytes)]
    if file.reports > 1 { facts.append("\(file.reports) reports") }
    if let format = file.format { facts.append(format) }
    return "\(Self.tenths(file.times.all)) s  \(file.source.printable): "
      + "\(Self.tenths(longest.1)) s for \(longest.0); " + facts.joined(separator: ", ")
  }

  private static func tenths(_ seconds: Double) -> String {
    String((seconds * 10).rounded() / 10)
  }

  /// The counts as a JSON document on one line.
  func document(
    _ elapsed: Double, of total: InputCount?, isFinished: Bool = false
  ) -> [UInt8] {
    func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("elapsed", rounded(elapsed))
    writer.member("files", files)
    writer.member("found", total?.files)
    writer.member("reports", reports)
    writer.member("bytes", bytes)
    writer.member("failed", failed)
    if elapsed > 0 {
      writer.member("reports_per_second", rounded(Double(reports) / elapsed))
      writer.member("bytes_per_second", rounded(Double(bytes) / elapsed))
    }
    writer.member("finished", isFinished)
    if !isFinished { writer.member("seconds_left", left(elapsed, of: total).map(rounded)) }
    if isFinished {
      writer.key("slowest")
      writer.beginArray()
      for file in slowest {
        writer.beginObject()
        writer.member("source", file.source)
        writer.member("seconds", rounded(file.times.all))
        writer.member("parsing", rounded(file.times.parsing))
        writer.member("symbolicating", rounded(file.times.symbolicating))
        writer.member("signing", rounded(file.times.signing))
        writer.member("bytes", file.bytes)
        writer.member("reports", file.reports)
        writer.member("format", file.format)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.endObject()
    return writer.takeBytes()
  }
}
