internal import Bytes
package import CrashModel
internal import CrashService
package import Pipeline
internal import TriageModel

/// A group of a triage as CI services show it: what crashed, and at which line.
///
/// Its texts come from reports: whoever prints them has to escape them, but none acts on a terminal.
package struct TriageFinding: Sendable {
  package let group: TriageGroup
  /// The path of the source file, relative to the root if it is below it; `nil` if it is unknown.
  package let file: String?
  package let line: Int?
  package let column: Int?
  /// The file of the exemplar.
  package let source: String

  package init(_ group: TriageGroup, root: SourceRoot) {
    self.group = group
    let frame = group.exemplar.locatedFrame
    file = frame?.file.map { root.path(of: $0) }
    line = frame?.line
    column = frame?.column.flatMap { $0 > 0 ? $0 : nil }
    let exemplar = group.summary.exemplar
    let report = group.reports.first { $0.id == exemplar } ?? group.reports.first { _ in true }
    source = report?.source ?? ""
  }

  /// Whether the baseline has it; without a baseline nothing is known.
  package var isKnown: Bool { group.isNew == false }

  /// `New crash`
  package var heading: String {
    let kind =
      switch group.summary.kind {
      case .crash: "crash"
      case .handled: "handled error"
      case .hang: "hang"
      case .oom: "out of memory"
      case .other: "report"
      }
    guard let isNew = group.isNew else { return kind.prefix(1).uppercased() + kind.dropFirst() }
    return (isNew ? "New " : "Known ") + kind
  }

  /// The signature, or what stands for one.
  package var name: String {
    let text = group.summary.signature.text.printable
    return text.isEmpty ? "no signature" : text
  }

  /// The reason, then how many reports of which versions.
  package var details: [String] {
    let summary = group.summary
    var counts = [GroupText.count(summary.reports, "report", "reports")]
    let versions = GroupText.versions(summary.versions, atMost: 4)
    if !versions.isEmpty { counts.append(versions) }
    return [summary.reason?.printable].compactMap(\.self) + [counts.joined(separator: "; ")]
  }

  /// The maximum number of frames of ``stack``.
  package static let mostFrames = 50

  /// The stack of the signature, or that of the crashed thread.
  package var stack: ArraySlice<Frame> {
    let report = group.exemplar
    if let frames = report.signedStack, !frames.isEmpty { return frames.prefix(Self.mostFrames) }
    if let thread = report.crashedThread, report.threads.indices.contains(thread) {
      return report.threads[thread].frames.prefix(Self.mostFrames)
    }
    return (report.reason.exception?.frames ?? []).prefix(Self.mostFrames)
  }
}

extension TriageResult {
  /// Files that may be reports and cannot be read.
  var unreadable: [RefusedFile] { refused.filter { !$0.isForeign } }

  /// Images of the app without debug files: `libtern.so, tern`; `nil` if none lacks one.
  var missingNames: String? {
    let names = missing.filter(\.isOwn).map(\.name.printable)
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(10).joined(separator: ", ")
    return names.count > 10 ? "\(shown) and \(names.count - 10) more" : shown
  }
}
