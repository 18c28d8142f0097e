public import CrashModel

/// By which rules the reports of an app are grouped, with how that came about. The last one counts.
public struct RuleSetRecord: Hashable, Sendable {
  /// How it came about. The words stand in the database and in documents.
  public enum Event: String, CaseIterable, Sendable {
    case applied
    case rolledBack = "rolled back"
  }

  public var app: String
  /// Rises from 1 within the app.
  public var number: Int
  public var time: Timestamp
  public var author: String
  public var event: Event
  /// The number that a roll-back went to; 0 for the time before any was chosen.
  public var source: Int?
  /// The version of the built-in rules: `v1`.
  public var builtIn: String
  /// Rules of somebody's own; empty where there are none.
  public var text: String
  /// The SHA-256 of all of them, in hexadecimal.
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
  /// They are what they would become.
  case unchanged(app: String)
  /// Reports are still being grouped by the change before.
  case unfinished(app: String, number: Int)
  case noSuchNumber(Int, app: String)
  /// None was ever chosen.
  case noFormer(app: String)

  public var description: String {
    switch self {
    case .unchanged(let app): "\(app) is grouped by these rules already"
    case .unfinished(let app, let number):
      "reports of \(app) are still being grouped by rules \(number); mayday symbols retry goes on with it"
    case .noSuchNumber(let number, let app): "\(app) has no rules \(number)"
    case .noFormer(let app): "\(app) has the rules that it began with: there are none to go back to"
    }
  }
}
