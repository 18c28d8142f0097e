import Bytes
import CommandSupport
import CrashInput
import CrashModel
import CrashService
import CrashStore
import Crypto
import Glibc
import Grouping
import Pipeline
import ReportDocument
import SymbolSources
import Symbolication
import Terminal
import TriageModel

/// The source of the reports to explain: the store, or files.
struct ExplanationSource {
  let home: ServiceOptions
  let symbols: [String]
  let app: String?
  /// For files only; stored reports have their own.
  let rules: GroupingRules
  let isStandardInputTaken: Bool

  /// - Returns: One explanation for a group or a report, one for each report of a file; at least one.
  /// - Throws: ``StoreError/notFound(_:)`` for a name that is neither in the store nor a file.
  func explanations(of id: String, _ console: Console) throws -> [Explanation] {
    if isStandardInputTaken {
      throw CommandFailure("- can be read only once", .wrongUsage)
    }
    if id == "-" || id.contains("/") { return try read(id, console) }
    do {
      let service = try home.service()
      let report =
        try id.contains("-") ? service.group(id, sourceLines: nil).group.exemplar : id
      var explanation = try service.explanation(ofReport: report)
      if let local = service as? LocalService { try explanation.quoteRules(in: local.store) }
      return [explanation]
    } catch let error where Exit.describe(error).code == .notFound {
      guard access(id, F_OK) == 0 else {
        // There isn't even a home.
        if error is FileError { throw error }
        throw CommandFailure(
          "\(id.printable): there is no group, report or file with that name", .notFound)
      }
      return try read(id, console)
    }
  }

  private func read(_ path: String, _ console: Console) throws -> [Explanation] {
    try InputPaths.check([path] + symbols)
    let scan = DebugFileScanner().scan(symbols)
    for refusal in scan.refusals { console.warn(refusal.description.printable) }
    let processor = ReportProcessor(
      symbolicator: scan.symbolicator, signer: Signer(rules: rules), scrubber: nil, app: app)
    var explanations: [Explanation] = []
    var failure: (any Error)?
    InputWalker(limits: .passing).walk([path]) { file in
      do {
        let bytes = try file.content.get()
        let reports = try processor.process(bytes)
        for (processed, id) in zip(reports, reports.ids(digest: SHA256.digest(of: bytes))) {
          let stored = StoredReport(id: id, report: processed.report)
          if let explanation = Explanation(stored, app: processed.app, rules: rules) {
            explanations.append(explanation)
          }
        }
      } catch {
        console.say("mayday: \(file.path): \(Exit.describe(error).message ?? "")")
        failure = failure ?? error
      }
      return .next
    }
    if explanations.isEmpty {
      guard let failure else { throw CommandFailure("\(path.printable): no report was found") }
      throw AlreadyReported(code: Exit.describe(failure).code)
    }
    return explanations
  }
}
