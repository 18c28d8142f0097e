public import Identifiers

/// The rules that group the reports of an app, and how they were chosen. The last record is in force.
public struct RuleSetRecord: Hashable, Sendable {
  /// How the rules were chosen. The raw values are in the database and in documents.
  public enum Event: String, CaseIterable, Sendable {
    case applied
    case rolledBack = "rolled back"
  }

  public var app: String
  /// Number within the app, increasing from 1.
  public var number: Int
  public var time: Timestamp
  public var author: String
  public var event: Event
  /// The number that a roll-back restored; 0 for the time before any was chosen.
  public var source: Int?
  /// The version of the built-in rules: `v1`.
  public var builtIn: String
  /// Custom rules; empty where there are none.
  public var text: String
  /// The SHA-256 of all rules, in hexadecimal.
  public var digest: String

  public init(
    app: String, number: Int, time: Timestamp, author: String, event: Event, source: Int? = nil,
    builtIn: String, text: String, digest: String
  ) {
    self.app = app
    self.number = number
    self.time = time
    self.author = author
    self.event = event
    self.source = source
    self.builtIn = builtIn
    self.text = text
    self.digest = digest
  }
}

/// Why the rules of an app cannot be changed.
public enum RuleSetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rules would not change.
  case unchanged(app: String)
  /// Reports are still being regrouped by the previous change.
  case unfinished(app: String, number: Int)
  case noSuchNumber(Int, app: String)
  /// No rules were ever chosen.
  case noFormer(app: String)

  public var description: String {
    switch self {
    case .unchanged(let app): "\(app) already uses these rules"
    case .unfinished(let app, let number):
      "reports of \(app) are still being grouped by rules \(number); run mayday symbols retry to continue"
    case .noSuchNumber(let number, let app): "\(app) has no rules number \(number)"
    case .noFormer(let app): "\(app) has no earlier rules to go back to"
    }
  }
}
