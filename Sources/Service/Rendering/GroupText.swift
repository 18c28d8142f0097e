internal import Bytes
internal import CrashService
package import Identifiers
package import TriageModel

/// Texts for lists of groups.
package enum GroupText {
  /// `1.3.2 ×4, 1.4.0 (512) ×8`.
  package static func versions(_ counts: [VersionCount], atMost limit: Int = .max) -> String {
    // Without any version, there is nothing to distinguish.
    guard counts.contains(where: { !$0.version.isEmpty }) else { return "" }
    // The newest come last and matter most.
    let shown = counts.suffix(limit).map { count in
      "\(count.version.isEmpty ? "no version" : count.version.printable) ×\(count.reports)"
    }
    let left = counts.count - shown.count
    return ((left > 0 ? ["\(left) older"] : []) + shown).joined(separator: ", ")
  }

  /// `1.3.2 … 1.4.0`, without builds.
  package static func range(_ counts: [VersionCount]) -> String {
    let names = counts.map { $0.version.split(separator: " ").first.map(String.init) ?? "" }
      .filter { !$0.isEmpty }
    guard let first = names.first, let last = names.last else { return "" }
    return first == last ? first.printable : "\(first.printable) … \(last.printable)"
  }

  /// `2026-02-11 to 2026-03-02`
  package static func days(_ first: Timestamp?, _ last: Timestamp?) -> String {
    let days = [first, last].compactMap { $0.map(day) }
    guard let from = days.first, let to = days.last else { return "" }
    return from == to ? from : "\(from) to \(to)"
  }

  /// `2026-03-02`
  package static func day(_ time: Timestamp) -> String { String(time.description.prefix(10)) }

  package static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
