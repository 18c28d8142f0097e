internal import Bytes
internal import CrashStore
package import Identifiers
internal import ObjectFormats
package import SymbolSources

/// The outcome of storing a debug file.
package struct DebugFileVerdict {
  package enum Outcome: String, CaseIterable, Sendable {
    case added, known, refused
  }

  package var path: String
  package var architecture: Architecture?
  package var debugID: DebugID?
  /// `debug-info`, `symbols` or `unwind-rules`, `split` or `shared` for a part of them, `sources`, `mapping`; `nil`
  /// for a file that is refused.
  package var kind: String?
  package var outcome: Outcome
  /// Why it is refused.
  package var reason: String?
  /// Whether part of it is missing; a complete file would not be refused.
  package private(set) var isDamaged = false

  package init(_ file: DebugFile, _ outcome: Outcome) {
    path = file.path
    architecture = file.architecture
    debugID = file.debugID
    kind = file.kind
    self.outcome = outcome
  }

  /// Creates a verdict on a file with further debug information of `file`.
  package init(_ supplementary: SupplementaryFile, of file: DebugFile, _ outcome: Outcome) {
    path = supplementary.path
    architecture = file.architecture
    debugID = file.debugID
    kind = supplementary.kind.rawValue
    self.outcome = outcome
  }

  /// Creates a refusal; `nil` for a file that can be stored.
  package init?(refusing file: DebugFile) {
    if file.usability == .stripped, !file.hasUnwindRules {
      reason = "stripped: neither debug information, symbols nor unwind rules"
    } else if file.debugID == nil {
      reason = "no build id or UUID by which a report could name it"
    } else if file.object.container == .breakpad, !file.fileBytes.endsWithLine {
      reason = "cut off: its last line has no end"
      isDamaged = true
    } else {
      return nil
    }
    path = file.path
    architecture = file.architecture
    debugID = file.debugID
    outcome = .refused
  }

  package init(_ file: SourceBundleFile, _ outcome: Outcome) {
    path = file.path
    architecture = file.architecture
    debugID = file.debugID
    kind = DebugFileRecord.sourcesKind
    self.outcome = outcome
    if outcome == .refused { reason = "no debug id to match its debug file" }
  }

  package init(_ mapping: MappingFile, _ outcome: Outcome) {
    path = mapping.path
    architecture = mapping.architecture
    debugID = mapping.debugID
    kind = mapping.kind.rawValue
    self.outcome = outcome
    if outcome == .refused {
      reason = "it has no debug id, and no release was given for it"
    }
  }

  /// Creates a refusal of a truncated mapping; `nil` for any other.
  package init?(refusing mapping: MappingFile) {
    guard let reason = mapping.truncation else { return nil }
    self.init(mapping, .refused)
    self.reason = reason
    isDamaged = true
  }

  package init(refusal: DebugFileRefusal) {
    path = refusal.path
    outcome = .refused
    reason = refusal.reason
  }
}
