import CrashModel
import Grouping
import Identifiers

/// Builds reports from stacks written as text: a function a line, `function @ image path`, `@ path +0x10`
/// for a frame without a function, `~function` for an inlined one.
struct ReportBuilder {
  var report = CrashReport(format: ReportFormat("test"))
  var rules: GroupingRules

  static let signer = Signer(rules: .v1)

  init(_ stack: String..., signal: String? = "SIGSEGV", rules: GroupingRules = .v1) {
    self.rules = rules
    report.process.path = "/opt/shop/bin/shop"
    report.process.name = "shop"
    report.app = AppIdentity(name: "shop", version: "1.0", build: "12")
    report.reason.signal = signal
    for (index, text) in stack.enumerated() {
      let frames = self.frames(text)
      report.threads.append(CrashThread(index: index, crashed: index == 0, frames: frames))
    }
    report.crashedThread = report.threads.isEmpty ? nil : 0
  }

  mutating func frames(_ text: String) -> [Frame] {
    text.split(separator: "\n").map { line in
      var parts = line.split(separator: " @ ", maxSplits: 1).map(String.init)
      if line.hasPrefix("@ ") { parts = ["", String(line.dropFirst(2))] }
      var frame = Frame(position: .exact)
      var name = parts[0].drop { $0 == " " }
      if name.hasPrefix("~") {
        frame.inlined = true
        name = name.dropFirst()
      }
      frame.function = name.isEmpty || name == "??" ? nil : String(name)
      if parts.count > 1 {
        let place = parts[1].split(separator: " +0x").map(String.init)
        if place.count > 1 {
          frame.imageOffset = UInt64(place[1], radix: 16).map { ImageOffset($0) }
        }
        frame.image = image(place[0])
      }
      return frame
    }
  }

  private mutating func image(_ path: String) -> Int {
    if let index = report.images.firstIndex(where: { $0.path == path }) { return index }
    report.images.append(
      LoadedImage(
        name: path.split(separator: "/").last.map(String.init) ?? path, path: path,
        debugID: DebugID(uuid: path.utf8.reversed())))
    return report.images.count - 1
  }

  func with(_ change: (inout CrashReport) -> Void) -> ReportBuilder {
    var copy = self
    change(&copy.report)
    return copy
  }

  var signature: Signature {
    (rules == Self.signer.rules ? Self.signer : Signer(rules: rules))
      .signature(of: report, app: "shop")
  }
  var text: String { signature.text }
}
