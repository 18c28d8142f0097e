import JSON

/// A finding of the doctor.
struct DoctorFinding {
  enum Verdict: String {
    case fine, warning, failed
    /// An earlier check that it depends on failed.
    case skipped
  }

  /// Name of the check, in a word or two.
  let name: String
  let verdict: Verdict
  /// The finding.
  let text: String
  /// The remedy, if something is wrong.
  let remedy: String?

  static func fine(_ name: String, _ text: String) -> DoctorFinding {
    DoctorFinding(name: name, verdict: .fine, text: text, remedy: nil)
  }

  static func warning(_ name: String, _ text: String, _ remedy: String) -> DoctorFinding {
    DoctorFinding(name: name, verdict: .warning, text: text, remedy: remedy)
  }

  static func failed(_ name: String, _ text: String, _ remedy: String) -> DoctorFinding {
    DoctorFinding(name: name, verdict: .failed, text: text, remedy: remedy)
  }

  /// The remedy for a full disk.
  static let room = "free disk space: mayday gc, see mayday stats; Mayday then continues on its own"

  static func skipped(_ name: String, after other: String) -> DoctorFinding {
    DoctorFinding(name: name, verdict: .skipped, text: "not tried: \(other) failed", remedy: nil)
  }
}

extension JSONWriter {
  mutating func write(_ finding: DoctorFinding) {
    beginObject()
    member("check", finding.name)
    member("verdict", finding.verdict.rawValue)
    member("text", finding.text)
    member("remedy", finding.remedy)
    endObject()
  }
}
