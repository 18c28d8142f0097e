internal import Bytes
internal import CrashModel
internal import Grouping
internal import ReportFormats

/// Stacks as text, so that a fuzzer makes names and not report formats: each line is a function; the text
/// before a tab is its image.
enum StackText {
  private static let lineLimit = 200

  /// Computes the signatures of the reports in `bytes`, or of one in this form.
  static func sign(_ bytes: ByteView) {
    let reports = (try? FormatRegistry.builtIn.reports(in: bytes)) ?? [report(of: bytes.text)]
    for report in reports {
      let signer = Signer(rules: .standard, remembers: false)
      let signature = signer.signature(of: report, app: "fuzz")
      precondition(signature == signer.signature(of: report, app: "fuzz"))
      precondition(!signature.text.isEmpty && !signature.key.isEmpty, "no signature")
      _ = NormalisedStack(signature, type: report.reason.shortType)
    }
  }

  private static func report(of text: String) -> CrashReport {
    var report = CrashReport(format: .appleCrash)
    var frames: [Frame] = []
    for line in text.split(whereSeparator: \.isNewline).prefix(lineLimit) {
      let parts = line.split(separator: "\t", maxSplits: 1)
      var frame = Frame(position: .returnAddress, function: parts.last.map(String.init))
      if parts.count == 2 {
        let name = String(parts[0])
        let index = report.images.firstIndex { $0.name == name } ?? report.images.count
        if index == report.images.count {
          report.images.append(LoadedImage(name: name, path: "/" + name))
        }
        frame.image = index
      }
      frames.append(frame)
    }
    report.reason = CrashReason(
      type: frames.first?.function, signal: "SIGABRT", message: frames.last?.function)
    report.crashedThread = 0
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    return report
  }
}
