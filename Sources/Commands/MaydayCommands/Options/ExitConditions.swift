import Arguments
import Bytes
import Rendering

/// The conditions for exit code 7: `new,regressed`.
struct ExitConditions: ArgumentValue {
  private enum Condition: String, CaseIterable {
    case new, regressed
  }

  let argument: String
  private let conditions: Set<Condition>

  static let valueName = "new,regressed"

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let conditions = words.compactMap { Condition(rawValue: String($0)) }
    guard conditions.count == words.count else { return nil }
    self.argument = argument
    self.conditions = Set(conditions)
  }

  /// The conditions that were met, as text; `nil` if none was.
  func met(by groups: [IngestedGroup]) -> String? {
    let new = conditions.contains(.new) ? groups.filter(\.isNew).map(\.id) : []
    let regressed = conditions.contains(.regressed) ? groups.filter(\.isRegressed).map(\.id) : []
    let parts = [("new", new), ("regressed", regressed)].filter { !$0.1.isEmpty }.map { word, ids in
      let shown = ids.prefix(8).joined(separator: ", ")
      return "\(word): " + (ids.count > 8 ? "\(shown) and \(ids.count - 8) more" : shown)
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ").printable
  }
}
